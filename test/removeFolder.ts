// Removal of a folder that a test worked in.
import { rmSync } from 'node:fs';

/** Windows keeps what is still mapped, until the process ends: that stays behind. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (fault) {
    if (process.platform !== 'win32') throw fault;
  }
}
