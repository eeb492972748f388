// Turns of the event loop while something runs. They are counted, not timed: a slow or busy machine
// has no fewer of them.
export async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let running = true;
  const count = (): void => void (running && setImmediate(() => ((turns += 1), count())));
  count();
  await run().finally(() => (running = false));
  return turns;
}
