// What issue 6 asks of asof's scan against tuned FAISS on the same threads: times faster, by
// storage and batch. Figures to be judged against, not results.
export interface Target {
  /** The contender that it is asked of, as contenders.ts names it, and in words. */
  contender: string;
  words: string;
  /** By batch: with one thread, and with two where that is another figure. */
  batches: Record<number, [number, number?]>;
}

export const targets: readonly Target[] = [
  {
    contender: 'asof f32',
    words: 'f32, exact',
    batches: { 1: [1.1, 2.5], 8: [1.8], 64: [1.4], 256: [1.15] },
  },
  {
    contender: 'asof bf16 certified',
    words: 'bf16 by AMX, certified exact',
    batches: { 1: [1.9, 5], 8: [4.5], 64: [5.5], 256: [6.5] },
  },
  {
    contender: 'asof int8 certified',
    words: 'int8 by AMX, certified exact',
    batches: { 1: [2.5, 8], 8: [6], 64: [6], 256: [7] },
  },
  {
    contender: 'asof int8 rescored',
    words: 'int8 by AMX, best 4k rescored',
    batches: { 1: [3, 9], 8: [7], 64: [7], 256: [9] },
  },
  {
    contender: 'asof int8 rescored, no AMX',
    words: 'int8 without AMX, rescored',
    batches: { 1: [2, 5], 8: [4], 64: [2.6], 256: [2.2] },
  },
];

export const targetOf = (contender: string, batch: number, threads: number): number | undefined => {
  const [one, two] = targets.find((each) => each.contender === contender)?.batches[batch] ?? [];
  return threads === 1 ? one : (two ?? one);
};
