// Seeded pseudorandom choices for reproducible generated data (perturbed questions, mined
// triplets). Not cryptographic.

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  below(count: number): number;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
}

/**
 * A generator for one item of a seed: independent of other items and of their order. Without an id
 * the seed's own sequence.
 */
export function seededRandom(seed: number, id?: string): Random {
  let state = id === undefined ? seed : 0x811c9dc5 ^ seed; // FNV-1a over the id
  for (let at = 0; at < (id?.length ?? 0); at += 1)
    state = Math.imul(state ^ id!.charCodeAt(at), 0x01000193);
  const next = mulberry32(state);
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    pick: (from) => from[below(from.length)]!,
    shuffled(list) {
      const mixed = [...list];
      for (let at = mixed.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
      }
      return mixed;
    },
  };
}

/** Numbers in [0, 1), the same ones for a seed (mulberry32). */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
