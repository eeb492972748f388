// What every kernel test shares: the levels of this machine, the awkward sizes, seeded numbers, and
// views whose first element does not lie where a vector register would like it. No expectations
// live here.
import { addon } from '../addon.js';

/** Lengths around every vector width, and two that are typical. */
export const awkwardSizes = [1, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 768, 1024];

/** Half an ulp of 1 in float32: the largest relative error of one rounding. */
export const floatUnit = 2 ** -24;

/**
 * Declares `body`'s tests once for every level that this machine runs, with that level in use;
 * extensions are excluded.
 */
export function atEveryLevel(body: (level: string) => void): void {
  atLevels(
    addon.isaLevels().filter((level) => !level.includes('+')),
    body,
  );
}

/** The same with levels that are another's extension, for what has code of its own there. */
export function atEveryExtension(body: (level: string) => void): void {
  atLevels(addon.isaLevels(), body);
}

function atLevels(levels: string[], body: (level: string) => void): void {
  for (const level of levels) {
    describe(`at ${level}`, () => {
      before(() => addon.setIsa(level));
      after(() => addon.setIsa(''));
      body(level);
    });
  }
}

/** A generator of numbers in [0, 1) that repeats for a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Floats that follow a bell curve closely enough, from a seed. */
export function normals(count: number, seed: number): Float32Array {
  const next = random(seed);
  return Float32Array.from({ length: count }, () => next() + next() + next() + next() - 2);
}

/** The same values in a view that starts `floats` elements into a larger buffer filled with NaN. */
export function shifted(values: Float32Array, floats: number): Float32Array {
  const room = new Float32Array(values.length + floats + 5).fill(NaN);
  room.set(values, floats);
  return room.subarray(floats, floats + values.length);
}
