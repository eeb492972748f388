// CacheRegistry: one cache per spec, released with its owner.
import assert from 'node:assert/strict';
import { CacheRegistry, type CacheSpec } from '../../lib/runtime/cacheRegistry.js';

const lengths: CacheSpec<Map<string, number>, string> = {
  name: 'lengths',
  create: (owner) => new Map([[owner, owner.length]]),
};

describe('cache registry', () => {
  it('creates a cache for its owner once', () => {
    const registry = new CacheRegistry('owner');
    assert.equal(registry.size, 0);
    const cache = registry.get(lengths);
    assert.deepEqual([...cache], [['owner', 5]]);
    assert.equal(registry.get(lengths), cache);
    assert.notEqual(registry.get({ ...lengths }), cache);
    assert.equal(registry.size, 2);
    assert.notEqual(new CacheRegistry('owner').get(lengths), cache);
  });

  it('retains nothing from its release on', () => {
    const registry = new CacheRegistry('owner');
    const cache = registry.get(lengths);
    registry.release();
    assert.equal(registry.size, 0);
    assert.notEqual(registry.get(lengths), cache);
    assert.equal(registry.size, 0);
  });
});
