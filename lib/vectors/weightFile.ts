// Weight files: a JSON header and named f32 arrays in the segment container
// (native/index/segment/segment.hpp), written to a temporary file and renamed, so that a crash
// leaves the old or the new file intact.
import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { binding, withCancellation } from '../binding.js';
import { AsOfError, describe, messageOf } from '../errors.js';
import { replaceFile } from '../runtime/atomicFile.js';
import { createHash } from '../runtime/digest.js';

/**
 * `adapter`: read by adaptedEncoder. `time-encoder`: read by timeEncoder. `checkpoint`: an
 * interrupted training.
 */
export type WeightKind = 'adapter' | 'time-encoder' | 'checkpoint';

export interface WeightFile {
  header: Record<string, unknown>;
  arrays: Record<string, Float32Array>;
  /** The first 12 hexadecimal digits of the SHA-256 of header and arrays. */
  checksum: string;
}

const version = 1;
/** UTF-8 JSON { kind, version, ... }; the other sections are f32 arrays, "weights.NAME". */
const headerSection = 'weights.header';
const prefix = 'weights.';

/** Atomic. @throws AsOfError ERR_NOT_FOUND (no such folder), ERR_STORAGE, ERR_ABORTED */
export async function writeWeightFile(
  path: string,
  kind: WeightKind,
  header: Record<string, unknown>,
  arrays: Record<string, Float32Array>,
  signal?: AbortSignal,
): Promise<void> {
  const temporary = `${resolve(path)}.${process.pid}.part`;
  const text = new TextEncoder().encode(JSON.stringify({ kind, version, ...header }));
  const sections = [
    { name: headerSection, data: text },
    ...Object.entries(arrays).map(([name, data]) => ({ name: `${prefix}${name}`, data })),
  ];
  try {
    const file = await open(temporary, 'w+');
    try {
      await withCancellation(signal, (cancellation) =>
        binding.writeSegment({ descriptor: file.fd, path: temporary }, sections, cancellation),
      );
      await file.sync();
    } finally {
      await file.close();
    }
    await replaceFile(temporary, path);
    await syncFolder(dirname(resolve(path)));
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    if (AsOfError.is(cause)) throw cause;
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new AsOfError(
      isMissing ? 'ERR_NOT_FOUND' : 'ERR_STORAGE',
      `Expected to write ${path}, the system refused: ${messageOf(cause)}.`,
      { cause },
    );
  }
}

/** Makes a rename durable; systems that cannot sync folders do so themselves. */
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
 * @throws AsOfError ERR_NOT_FOUND; ERR_CORPUS_FOREIGN for another kind of file; ERR_CORPUS_NEWER
 * for another version; ERR_CORPUS_CORRUPT for a truncated or modified file
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
    throw readError(path, kind, cause);
  }
  if (header['kind'] !== kind) throw foreign(path, kind, `one of kind ${describe(header['kind'])}`);
  if (header['version'] !== version) {
    throw new AsOfError(
      'ERR_CORPUS_NEWER',
      `Expected ${kind} weights of version ${version} at ${path}, found version ` +
        `${String(header['version'])}. Read them with the version of asof that wrote them.`,
    );
  }
  return { header, arrays, checksum: hash.digest('hex').slice(0, 12) };
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
  checkpoint: 'Restart the training without it.',
};

/** Errors of the container reworded: users opened weights, not segments. */
function readError(path: string, kind: WeightKind, cause: unknown): AsOfError {
  if (!AsOfError.is(cause)) {
    return new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `Expected ${nameOf[kind]} at ${path}, found a header that is no JSON. ${remedyOf[kind]}`,
      { cause },
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
