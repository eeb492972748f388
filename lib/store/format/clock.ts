// The clock by which writes are recorded.
import { AsOfError } from '../../errors.js';
import { fileSystem } from './fileSystem.js';

/** The end of the year 9999. */
const latest = 253_402_300_799_999;

/**
 * UTC epoch milliseconds by the clock of this machine.
 * @throws AsOfError ERR_STORAGE for one that cannot be right: what it wrote would stay
 */
export function writingTime(): number {
  const time = Math.floor(fileSystem.date());
  if (time >= 0 && time <= latest) return time;
  throw new AsOfError(
    'ERR_STORAGE',
    `Expected the clock of this machine to be between 1970 and 9999, it says ${time} ms. ` +
      'Set it, and repeat the call.',
  );
}
