// Seed of all property tests, loaded by mocha before any test. ASOF_SEED=NUMBER draws other cases,
// ASOF_RUNS=NUMBER more of them (`node scripts/test-soak.cjs` sets both). A failing property prints
// seed and path.
import fc from 'fast-check';

function given(name: string, otherwise: number | undefined): number | undefined {
  const value = process.env[name];
  if (value === undefined) return otherwise;
  if (!/^-?\d+$/.test(value))
    throw new Error(`Expected ${name} to be a whole number, received '${value}'.`);
  return Number(value);
}

const runs = given('ASOF_RUNS', undefined);
fc.configureGlobal({
  seed: given('ASOF_SEED', 20261122)!,
  ...(runs === undefined ? {} : { numRuns: runs }),
});
