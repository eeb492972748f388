// Rarity of English words by the embedded encoder's table.
import assert from 'node:assert/strict';
import { CacheRegistry } from '../../lib/runtime/cacheRegistry.js';
import { unknownRarity, wordRarity, type WordRarity } from '../../lib/vectors/wordRarity.js';

describe('wordRarity', () => {
  const caches = new CacheRegistry<unknown>(undefined);
  let rarity: WordRarity;
  before(async () => (rarity = await wordRarity(caches)));

  it('rises from words of grammar over common ones to rare ones', () => {
    for (const [common, rare] of [
      ['the', 'prime'],
      ['of', 'minister'],
      ['year', 'inflation'],
      ['city', 'archbishop'],
    ] as const)
      assert.ok(rarity(common) < rarity(rare), `${common} ${rarity(common)} ${rarity(rare)}`);
    assert.ok(rarity('the') > 0 && rarity('the') < 3, `${rarity('the')}`);
  });

  it('has one value for what is no token', () => assert.equal(rarity('zxqvbnm'), unknownRarity));

  it('reads the table once', async () => assert.equal(await wordRarity(caches), rarity));
});
