// Random positions of damage in files, drawn from the run's seed (test/seed.ts) and so
// reproducible.
import fc from 'fast-check';

/** `count` random integers from zero to below `size`. */
export const anywhere = (count: number, size: number): number[] =>
  fc.sample(fc.noBias(fc.nat(size - 1)), count);
