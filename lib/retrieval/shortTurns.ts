// Which searches are so short that they are done where they are asked, on the JS thread: handing
// work to another thread and back costs some tens of microseconds, more than a search of a few
// thousand rows. It sees to it that timers and sockets wait for no more than a fraction of a
// millisecond, whoever asks how often, and knows nothing of what is searched but how many bytes are
// read.
import { turnHeldMs } from '../runtime/eventLoop.js';

/**
 * What a search may take here, and how long a turn of the event loop may have been held when it is
 * done, in milliseconds.
 */
const longestSearchMs = 0.5;
const longestTurnMs = 1;
/** Milliseconds a byte, at first: 10 GB a second. */
const firstPace = 1e-7;
/** Searches of less are no measure of pace. */
const telling = 1 << 20;

/**
 * What a byte has cost lately: hardly more than at the fastest, since other work of the machine is
 * no search's fault.
 */
let pace = firstPace;

/**
 * Runs `search`, which reads so many bytes, if it is short and this turn of the loop has room for
 * it; else gives undefined.
 */
export function inThisTurn<Result>(bytes: number, search: () => Result): Result | undefined {
  const expectedMs = bytes * pace,
    heldMs = turnHeldMs();
  if (expectedMs > longestSearchMs || heldMs + expectedMs > longestTurnMs) {
    pace = Math.max(firstPace, pace * 0.999); // a machine that was slow once is tried again
    return undefined;
  }
  const result = search();
  if (bytes >= telling)
    pace = Math.min(pace * 1.05, Math.max(firstPace / 4, (turnHeldMs() - heldMs) / bytes));
  return result;
}
