// Reading passages where they are indexed: what it gives, and requests that are refused by name.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import type { PassagesToIndex } from '../../binding.js';
import { passagesToIndex, taggedPassages } from './indexing.js';

const refusal = (message: RegExp) => ({ code: 'ERR_INVALID_ARGUMENT', message });

describe('passages to index', () => {
  const refused: [string, Partial<PassagesToIndex>, RegExp][] = [
    ['a text without title', { titles: ['Ida'] }, /titles.*as many as texts/],
    ['a text without reference', { references: Float64Array.of(0) }, /references.*of 2/],
    ['a text without publication', { publishedAt: Float64Array.of(0) }, /publishedAt.*of 2/],
    ['sentences that descend', { sentences: Uint32Array.of(10, 19, 0, 9, 0, 3) }, /sentences/],
    ['a sentence beyond its text', { sentences: Uint32Array.of(0, 9, 10, 20, 0, 3) }, /sentences/],
    ['ends beyond the sentences', { sentenceEnds: Uint32Array.of(2, 4) }, /sentenceEnds/],
    ['too few marks', { packed: Uint8Array.of(1) }, /packed.*of 2/],
    ['no rule of rows', { sentenceRows: undefined }, /sentenceRows.*boolean/],
  ];
  for (const [name, spoiled, message] of refused)
    it(`are refused with ${name}`, () => {
      const tag = () => binding.tagPassages({ ...passagesToIndex(), ...spoiled });
      assert.throws(tag, refusal(message));
    });

  it('have columns of times and packed passages', async () => {
    const { batch } = await taggedPassages();
    const columns = await binding.readTagged(batch);
    const [from, to] = [Date.UTC(1970, 0), Date.UTC(1971, 0)];
    // The first passage, its sentences with the title's year, and the other one.
    assert.deepEqual([...columns.timeEnds], [1, 2, 3, 3]);
    assert.deepEqual([...columns.starts], [from, from, from]);
    assert.deepEqual([...columns.ends], [to, to, to]);
    assert.deepEqual([...columns.granularities], [14, 14, 14]);
    const { packedEnds, packed } = columns;
    assert.deepEqual([...packedEnds], [packed.length, packed.length]);
    const tagged = await binding.tagPassages({ ...passagesToIndex(), sentenceRows: false });
    const wholes = await binding.readTagged(tagged.batch);
    assert.deepEqual([...wholes.timeEnds], [1, 1]);
    assert.deepEqual(wholes.packed, packed);
  });

  it('are read with instants of all their times', async () => {
    const { batch, instants } = await taggedPassages();
    const read = (given: Float64Array) => binding.readTagged(batch, given);
    // Of the joined text two, of the text one, of the title one.
    assert.equal(instants.length, 16);
    assert.throws(() => read(instants.slice(1)), refusal(/instants.*of 16/));
    assert.throws(() => read(instants.fill(NaN, 5, 6)), refusal(/instants.*times/));
  });
});
