// Files of trained numbers: a JSON header and named f32 arrays in one checksummed file, written
// beside its place and renamed into it, so that a crash leaves the old file or the new one whole.
// What the numbers mean is told by the header's kind.
//
// The container is that of segments (native/index/segment.hpp): 64-byte aligned sections, each with
// its CRC32C, and a checksummed table. Sections: "weights.header" u8, UTF-8 JSON { kind, version,
// ... }; "weights.NAME" f32 each.
import { createHash } from 'node:crypto';
import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { binding, withCancellation } from '../binding.js';
import { AsOfError, describe, invalidArgument } from '../errors.js';

/**
 * `adapter`: what adaptedEncoder reads. `time-encoder`: what timeEncoder reads. `checkpoint`: a
 * training put away.
 */
export type WeightKind = 'adapter' | 'time-encoder' | 'checkpoint';

export interface WeightFile {
  header: Record<string, unknown>;
  arrays: Record<string, Float32Array>;
  /** The first 12 hexadecimal digits of the SHA-256 of header and arrays. */
  checksum: string;
}

const version = 1;
const headerSection = 'weights.header';
const prefix = 'weights.';

export function checkPath(path: unknown, name: string): string {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw invalidArgument(name, 'the path of a file', path);
  return path;
}

/**
 * Writes a file, replacing one that is there. @throws AsOfError ERR_NOT_FOUND (no such folder),
 * ERR_STORAGE, ERR_ABORTED
 */
export async function writeWeightFile(
  path: string,
  kind: WeightKind,
  header: Record<string, unknown>,
  arrays: Record<string, Float32Array>,
  signal?: AbortSignal,
): Promise<void> {
  const beside = `${resolve(path)}.${process.pid}.part`;
  const text = new TextEncoder().encode(JSON.stringify({ kind, version, ...header }));
  const sections = [
    { name: headerSection, data: text },
    ...Object.entries(arrays).map(([name, data]) => ({ name: `${prefix}${name}`, data })),
  ];
  try {
    await rm(beside, { force: true });
    await withCancellation(signal, (cancellation) =>
      binding.writeSegment(beside, sections, cancellation),
    );
    await rename(beside, path);
    await syncFolder(dirname(resolve(path)));
  } catch (cause) {
    await rm(beside, { force: true }).catch(() => undefined);
    if (AsOfError.is(cause))
      throw new AsOfError(cause.code, cause.message.replace(/\.\d+\.part(?:\.partial)?/, ''), {
        cause,
      });
    throw new AsOfError(
      'ERR_STORAGE',
      `Expected to write ${path}, the system refused: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
}

/**
 * A renamed file is only safe once its folder is on disk; systems that cannot sync folders do so
 * themselves.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}

/**
 * Reads and verifies a file of a kind.
 * @throws AsOfError ERR_NOT_FOUND; ERR_CORPUS_FOREIGN for another kind of file;
 * ERR_CORPUS_NEWER; ERR_CORPUS_CORRUPT for one that was truncated or altered
 */
export async function readWeightFile(path: string, kind: WeightKind): Promise<WeightFile> {
  let header: Record<string, unknown>;
  const arrays: Record<string, Float32Array> = {};
  const hash = createHash('sha256');
  try {
    const file = binding.Segment.open(path);
    try {
      await file.verify();
      const sections = file.sections();
      if (!sections.some(({ name }) => name === headerSection))
        throw foreign(path, kind, 'a file of another kind');
      const bytes = file.read(headerSection) as Uint8Array;
      hash.update(bytes);
      header = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
      for (const { name, element } of sections) {
        if (name === headerSection || element !== 'f32') continue;
        const data = file.read(name) as Float32Array;
        hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
        arrays[name.slice(prefix.length)] = data;
      }
    } finally {
      file.close();
    }
  } catch (cause) {
    throw explained(path, kind, cause);
  }
  if (header['kind'] !== kind) throw foreign(path, kind, `one of kind ${describe(header['kind'])}`);
  if (header['version'] !== version) {
    throw new AsOfError(
      'ERR_CORPUS_NEWER',
      `Expected ${kind} weights of version ${version} at ${path}, found version ${String(header['version'])}. ` +
        'Read them with the asof that wrote them.',
    );
  }
  return { header, arrays, checksum: hash.digest('hex').slice(0, 12) };
}

/**
 * The same of a file's bytes, for weights that are bundled or downloaded: files are mapped, so they
 * lie in the system's temporary folder meanwhile.
 * @throws AsOfError as readWeightFile but ERR_NOT_FOUND; ERR_STORAGE where nothing can be written
 * there
 */
export async function weightFileOf(bytes: Uint8Array, kind: WeightKind): Promise<WeightFile> {
  let own: string | undefined;
  try {
    own = await mkdtemp(join(tmpdir(), 'asof-'));
    await writeFile(join(own, 'weights'), bytes);
    return await readWeightFile(join(own, 'weights'), kind);
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    if (!AsOfError.is(cause))
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected to write to ${tmpdir()}, the system refused: ${said}.`,
        { cause },
      );
    throw new AsOfError(cause.code, said.replaceAll(join(own!, 'weights'), 'the bytes given'), {
      cause,
    });
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true });
  }
}

function foreign(path: string, kind: WeightKind, found: string): AsOfError {
  return new AsOfError(
    'ERR_CORPUS_FOREIGN',
    `Expected ${nameOf[kind]} at ${path}, found ${found}. Check the path.`,
  );
}

const nameOf: Readonly<Record<WeightKind, string>> = {
  adapter: 'the weights of an adapter',
  'time-encoder': 'the weights of a time encoder',
  checkpoint: 'a checkpoint of a training',
};
const remedyOf: Readonly<Record<WeightKind, string>> = {
  adapter: 'Train it again, or restore a copy.',
  'time-encoder': 'Train it again, or restore a copy.',
  checkpoint: 'Start the training anew without it.',
};

/** The container's own errors speak of segments; users opened weights. */
function explained(path: string, kind: WeightKind, cause: unknown): AsOfError {
  if (!AsOfError.is(cause)) {
    return new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected ${nameOf[kind]} at ${path}, found a header that is no JSON. ${remedyOf[kind]}`,
      {
        cause,
      },
    );
  }
  if (cause.code === 'ERR_NOT_FOUND') {
    return new AsOfError(
      'ERR_NOT_FOUND',
      `Expected ${nameOf[kind]} at ${path}, found no file. Check the path.`,
      { cause },
    );
  }
  if (cause.code === 'ERR_CORPUS_FOREIGN') return foreign(path, kind, 'a file of another kind');
  if (cause.code === 'ERR_CORPUS_CORRUPT') {
    return new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected ${nameOf[kind]}, whole, at ${path}, found one that was truncated or altered: ` +
        `${cause.message.replace(/ Restore the file.*$/, '')} ${remedyOf[kind]}`,
      { cause },
    );
  }
  return cause;
}
