// Atomic file writes: a temporary file in the same folder, renamed when complete. Pipes and devices
// are written directly.
import { open, rm, stat } from 'node:fs/promises';
import { AsOfError } from 'asof';
import { throwIfAborted, abortableItems, replaceFile } from 'asof/kit';

/**
 * Writes the pieces one after another. `what` names the content in errors: "a run".
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
    const message = `Expected to write ${what} to ${path}, the system refused: ${reason}. Check the folder, its permissions and free space.`;
    throw new AsOfError('ERR_STORAGE', message, { cause, details: { file: path } });
  };
  const target = await stat(path).catch(() => undefined);
  const temporary = !target || target.isFile() ? `${path}.${process.pid}.part` : path;
  const file = await open(temporary, 'w').catch(refuse);
  try {
    for await (const piece of abortableItems(pieces, signal)) {
      // Continues at the end of the last piece; write() may write only a part.
      await file.writeFile(piece).catch(refuse);
    }
    await file.close();
    if (temporary !== path) await replaceFile(temporary, path).catch(refuse);
  } catch (fault) {
    await file.close();
    if (temporary !== path) await rm(temporary, { force: true });
    throw fault;
  }
}
