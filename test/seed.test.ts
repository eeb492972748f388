// The fast-check instance of the tests has the seed of test/seed.ts, so that runs are reproducible.
import assert from 'node:assert/strict';
import fc from 'fast-check';

describe('properties', () => {
  it('draw from one seed, which a run may set', () => {
    assert.equal(fc.readConfigureGlobal().seed, Number(process.env.ASOF_SEED ?? 20261122));
    const drawn = () => fc.sample(fc.integer(), 20);
    assert.deepEqual(drawn(), drawn());
    assert.equal(fc.check(fc.property(fc.nat(), () => true)).seed, fc.readConfigureGlobal().seed);
  });
});
