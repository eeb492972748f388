// Keeps long work on the JS thread from holding up the event loop: it lets the loop turn every few
// milliseconds.
import { throwIfAborted } from '../errors.js';

/**
 * Longer than this without a turn of the event loop is felt by whoever else lives in the process.
 */
const longestMilliseconds = 5;

/** `if (pace.due()) await pace.turn(signal)` in a loop whose steps are short. */
export class Pace {
  private since = performance.now();

  due(): boolean {
    return performance.now() - this.since > longestMilliseconds;
  }

  /** One turn of the event loop; throws ERR_ABORTED where the signal has fired. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    throwIfAborted(signal);
    this.since = performance.now();
  }
}
