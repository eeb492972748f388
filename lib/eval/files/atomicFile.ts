// Atomic file writes: a temporary file in the same folder, renamed when complete. Pipes and devices
// are written directly.
import { open, rename, rm, stat } from 'node:fs/promises';
import { AsOfError, throwIfAborted } from '../../errors.js';

/**
 * Writes the pieces one after another. `what` words the error: "a run".
 * Errors: ERR_STORAGE where the system refuses; ERR_ABORTED; whatever `pieces` throws.
 */
export async function writeAtomically(
  path: string,
  what: string,
  pieces: Iterable<string> | AsyncIterable<string>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  throwIfAborted(signal);
  const refuse = (cause: unknown): never => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `Expected to write ${what} to ${path}, the system refused: ${reason}. Check the folder, its rights and its space.`;
    throw new AsOfError('ERR_STORAGE', message, { cause, details: { file: path } });
  };
  const found = await stat(path).catch(() => undefined);
  const beside = !found || found.isFile() ? `${path}.${process.pid}.part` : path;
  const file = await open(beside, 'w').catch(refuse);
  try {
    for await (const piece of pieces) {
      throwIfAborted(signal);
      // goes on where the last one ended; write() may write a part
      await file.writeFile(piece).catch(refuse);
    }
    await file.close();
    if (beside !== path) await rename(beside, path).catch(refuse);
  } catch (fault) {
    await file.close();
    if (beside !== path) await rm(beside, { force: true });
    throw fault;
  }
}
