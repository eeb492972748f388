// GenerationalCache: eviction of unused entries, bounds by weight, admission.
import assert from 'node:assert/strict';
import { GenerationalCache } from '../../lib/runtime/generationalCache.js';
import { assertEach } from '../assertEach.js';

describe('generational cache', () => {
  it('keeps used entries, evicts unused ones, and never exceeds its capacity', () => {
    const cache = new GenerationalCache<number>({ capacity: 32 });
    cache.set('used', 0, 1);
    for (let i = 1; i <= 100; i += 1) {
      cache.set(`once ${i}`, i, 1);
      assert.equal(cache.get('used'), 0);
      assert.ok(cache.size <= 32);
    }
    assert.equal(cache.get('once 100'), 100);
    assert.equal(cache.get('once 1'), undefined);
  });

  it('admits no entry heavier than its limit', () => {
    const cache = new GenerationalCache<number>({ capacity: 320, maxEntryWeight: 10 });
    cache.set('large', 1, 11);
    cache.set('small', 2, 10);
    assert.deepEqual([cache.get('large'), cache.get('small')], [undefined, 2]);
    const halves = new GenerationalCache<number>({ capacity: 100 });
    halves.set('half', 1, 50);
    halves.set('more', 1, 51);
    assert.deepEqual([halves.get('half'), halves.get('more')], [1, undefined]);
  });

  it('computes a value once while it is cached', () => {
    const cache = new GenerationalCache<number>({ capacity: 100 });
    let computed = 0;
    const next = (): number => (computed += 1);
    assertEach(['a', 'a', 'b'], (key) => cache.getOrCompute(key, 10, next), [1, 1, 2]);
  });

  it('replaces a value without counting its weight twice', () => {
    const cache = new GenerationalCache<number>({ capacity: 20 });
    cache.set('other', 0, 5);
    for (let i = 1; i <= 100; i += 1) cache.set('same', i, 5);
    assert.deepEqual([cache.get('same'), cache.get('other'), cache.size], [100, 0, 2]);
  });

  it('replaces a value of the old generation', () => {
    const cache = new GenerationalCache<number>({ capacity: 4 });
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, 1); // a and b are old
    cache.set('a', 2, 1);
    assert.equal(cache.get('a'), 2);
  });
});
