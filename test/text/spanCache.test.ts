// Cache by spans of texts: the value of the very word, whatever other words share its slot, and one
// computation for a word that is read again at once.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { utf16Units, SpanCache } from '../../lib/text/analyzer.js';

const get = (cache: SpanCache<string>, text: string, start = 0, end = text.length): string =>
  cache.get(text, utf16Units(text), start, end);

describe('SpanCache', () => {
  it('gives the value of the word, whatever shares its slot', () => {
    const word = fc.string({ unit: 'binary', maxLength: 20 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), fc.constantFrom(1, 4, 64), (words, slots) => {
        const cache = new SpanCache(slots, (each) => `<${each}>`);
        const text = words.join('');
        let start = 0;
        for (const each of [...words, ...words]) {
          if (start === text.length) start = 0;
          assert.equal(get(cache, text, start, start + each.length), `<${each}>`);
          start += each.length;
        }
      }),
      { numRuns: 200 },
    );
  });

  it('computes the value of a short word once while it keeps its slot', () => {
    const read: string[] = [];
    const cache = new SpanCache(16, (word) => {
      read.push(word);
      return word;
    });
    read.length = 0;
    for (const text of ['mill', 'a mill', 'the mill'])
      assert.equal(get(cache, text, text.length - 4), 'mill');
    assert.deepEqual(read, ['mill']);
  });
});
