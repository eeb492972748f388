// Lexicon: one number for one word however often it is read, terms and lower-case forms by number,
// and a size that grows with what is new alone.
import assert from 'node:assert/strict';
import { Lexicon } from '../../../lib/facts/series/lexicon.js';
import { unitsOf } from '../../../lib/facts/series/words.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';

const read = (lexicon: Lexicon, text: string) => lexicon.read(text, unitsOf(text), 0, text.length);

describe('Lexicon', () => {
  it('gives a written word the same numbers each time, and grows with new ones alone', () => {
    const lexicon = new Lexicon(englishAnalyzer());
    const first = read(lexicon, 'mills');
    const { bytes } = lexicon;
    assert.ok(bytes > 0);
    assert.equal(read(lexicon, 'mills'), first);
    assert.equal(lexicon.bytes, bytes);
    // Longer than the cache of spans holds, by its text.
    const long = 'millstones-of-the-old-mill';
    assert.equal(read(lexicon, long), read(lexicon, long));
    assert.ok(lexicon.bytes > bytes);
  });

  it('numbers words by their form and texts by what they are', () => {
    const lexicon = new Lexicon(englishAnalyzer());
    const [mill, mills, Mill] = ['mill', 'mills', 'Mill'].map((text) =>
      lexicon.firstWord(read(lexicon, text)),
    ) as [number, number, number];
    assert.equal(new Set([mill, mills, Mill]).size, 3);
    assert.equal(lexicon.terms[mill], lexicon.terms[mills]);
    assert.equal(lexicon.terms[mill], lexicon.numberOf('mill'));
    assert.equal(lexicon.lows[Mill], lexicon.lows[mill]);
    assert.equal(lexicon.texts[lexicon.lows[mills]!], 'mills');
    assert.equal(lexicon.numberOf('grell'), -1);
  });

  it('has no number for a stop word and counts it, and none for punctuation', () => {
    const lexicon = new Lexicon(englishAnalyzer());
    const numbersOf = (text: string): number[] => {
      const entry = read(lexicon, text);
      return [lexicon.contentWords(entry), lexicon.allWords(entry), lexicon.length(entry)];
    };
    assert.deepEqual(numbersOf('the.'), [0, 1, 3]);
    assert.deepEqual(numbersOf('$-'), [0, 1, 1]);
    assert.deepEqual(numbersOf('12.0.0-beta.16.'), [2, 2, 14]);
  });
});
