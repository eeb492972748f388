// Invalid lines and files of a command's input, reported as they come.
import { AsOfError } from '../../errors.js';

/** Reading stops after this number of invalid lines. */
const maxInvalidLines = 100;

/** Reports and collects invalid lines and files, up to `maxInvalidLines`. */
export function faultCollector(say: (text: string) => void): {
  faults: AsOfError[];
  onFault: (fault: AsOfError) => void;
} {
  const faults: AsOfError[] = [];
  return {
    faults,
    onFault(fault) {
      faults.push(fault);
      say(`asof: ${fault.message}`);
      if (faults.length >= maxInvalidLines) {
        throw new AsOfError(
          'ERR_INVALID_INPUT',
          `Expected valid lines, received ${maxInvalidLines} invalid ones; reading stopped there. Is it the right file?`,
          { cause: fault },
        );
      }
    },
  };
}
