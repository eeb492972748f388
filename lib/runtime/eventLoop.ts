// Time budget of one turn of the event loop, shared by all work on the JavaScript thread, so that
// timers and sockets are served between its slices.

/** What stages may take of one turn of the event loop, in milliseconds. */
const longestTurnMs = 2;
let turnStarted: number | undefined;
const waiting: (() => void)[] = [];

/** Milliseconds that this turn of the event loop has been held, since it was first asked. */
export function turnHeldMs(): number {
  const now = performance.now();
  if (turnStarted === undefined) {
    turnStarted = now;
    setImmediate(endTurn);
  }
  return now - turnStarted;
}

/**
 * A turn for the next piece of work: nothing where this one has room, for work that begins at once,
 * else a promise. Who waits is served one a turn, first come, first served.
 */
export function fairTurn(): Promise<void> | undefined {
  if (turnHeldMs() < longestTurnMs && waiting.length === 0) return undefined;
  return new Promise((resolve) => waiting.push(resolve));
}

function endTurn(): void {
  turnStarted = undefined;
  const next = waiting.shift();
  if (!next) return;
  turnHeldMs();
  next();
}
