// Renaming over a file that another program may have open at this moment.
import { rename } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

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
      await delay(20);
    }
  }
}
