// Places at which tests damage files: drawn from the run's seed (test/seed.ts), so that a place
// which goes unnoticed can be damaged again.
import fc from 'fast-check';

/** So many whole numbers from zero to below `size`. */
export const anywhere = (count: number, size: number): number[] =>
  fc.sample(fc.noBias(fc.nat(size - 1)), count);
