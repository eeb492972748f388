// The instance of fast-check that tests import is the one that test/seed.ts set: properties don't
// differ from run to run by chance.
import assert from 'node:assert/strict';
import fc from 'fast-check';

describe('properties', () => {
  it('draw from one seed, which a run may name', () => {
    assert.equal(fc.readConfigureGlobal().seed, Number(process.env.ASOF_SEED ?? 20261122));
    const drawn = () => fc.sample(fc.integer(), 20);
    assert.deepEqual(drawn(), drawn());
    assert.equal(fc.check(fc.property(fc.nat(), () => true)).seed, fc.readConfigureGlobal().seed);
  });
});
