// A closed loop of clients, each of which asks again once it has its answer, and figures of it.

/** Latencies in milliseconds. */
export async function closedLoop(
  clients: number,
  seconds: number,
  once: (at: number) => Promise<unknown>,
): Promise<number[]> {
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1000;
  let at = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        const started = performance.now();
        await once((at += 1));
        latencies.push(performance.now() - started);
      }
    }),
  );
  return latencies;
}
