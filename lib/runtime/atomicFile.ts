// Atomic file writes: a temporary file in the same folder, renamed when complete. Pipes and devices
// are written directly.
import { open, rm, stat, rename } from 'node:fs/promises';
import { AsOfError, throwIfAborted } from '../errors.js';
import { abortableItems } from './cancellation.js';
import { pause } from './retry.js';

let writes = 0;

/**
 * Writes the pieces one after another. `what` names the content in errors: "a run".
 * Errors: ERR_STORAGE where the system refuses; ERR_ABORTED; whatever `pieces` throws.
 */
export async function writeAtomically(
  path: string,
  what: string,
  pieces: Iterable<string> | AsyncIterable<string>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  throwIfAborted(signal);
  const target = await stat(path).catch(() => undefined);
  const temporary =
    !target || target.isFile() ? `${path}.${process.pid}.${(writes += 1)}.part` : path;
  const refused = (cause: unknown): never => refuseWrite(path, cause, { what, temporary });
  const file = await open(temporary, 'w').catch(refused);
  try {
    for await (const piece of abortableItems(pieces, signal)) {
      // Continues at the end of the last piece; write() may write only a part.
      await file.writeFile(piece).catch(refused);
    }
    await file.close();
    if (temporary !== path) await replaceFile(temporary, path).catch(refused);
  } catch (fault) {
    await file.close();
    if (temporary !== path) await rm(temporary, { force: true });
    throw fault;
  }
}

/** @throws AsOfError ERR_STORAGE, always. */
export function refuseWrite(
  path: string,
  cause: unknown,
  { what = '', temporary = path }: { what?: string; temporary?: string } = {},
): never {
  const reason = cause instanceof Error ? cause.message.replace(temporary, path) : String(cause);
  const message =
    `Expected to write ${what}${what && ' to '}${path}, the system refused: ${reason}. ` +
    'Check the folder, its permissions and the free space.';
  throw new AsOfError('ERR_STORAGE', message, { cause, details: { file: path } });
}

/** Windows refuses while a file is open elsewhere, if only to be scanned: some milliseconds. */
const isInUse = (cause: unknown): boolean =>
  process.platform === 'win32' &&
  /^(?:EPERM|EACCES|EBUSY)$/.test(String((cause as NodeJS.ErrnoException).code));

/** Renames a file in place of another. Throws what `rename` does, on Windows after two seconds. */
export const replaceFile = (from: string, to: string): Promise<void> =>
  whileInUse(() => rename(from, to));

/** Calls again where a file is in use on Windows, for two seconds. */
export async function whileInUse(call: () => void | Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (cause) {
      if (tries === 100 || !isInUse(cause)) throw cause;
      await pause(20, undefined);
    }
  }
}
