// Content words of a text as columns, without dates: what opens a sentence, names that go on, and
// the same words as a reading of the text without a lexicon.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lexicon } from '../../../lib/facts/statements/lexicon.js';
import { joinsBefore, readWords, WordRange } from '../../../lib/facts/statements/textWords.js';
import { wordsOf, type PlacedWord } from '../../../lib/facts/statements/words.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { splitSentences } from '../../../lib/text/sentences.js';
import { tagText } from '../../../lib/time/tagger.js';

const analyzer = englishAnalyzer();
const lexicon = new Lexicon(analyzer);

const rangeOf = (text: string): WordRange => {
  const spans = { sentences: splitSentences(text), dates: tagText(text).mentions };
  const read = readWords(text, lexicon, spans);
  return new WordRange(read, 0, read.words.length);
};
const read = (text: string): PlacedWord[] => [...rangeOf(text)];
const written = (text: string, words: readonly PlacedWord[]): string[] =>
  words.map(({ start, end }) => text.slice(start, end));

describe('readWords', () => {
  it('marks the first word of each sentence', () => {
    const text = 'Rates fell. "Prices rose," he said. Ida left.';
    const opening = read(text).filter(({ opens }) => opens);
    assert.deepEqual(written(text, opening), ['Rates', 'Prices', 'Ida']);
    // A stop word opens it too, so that the next word tells by its capital.
    assert.ok(read('The Fed held').every(({ opens }) => !opens));
  });

  it('has no dates and no stop words, and counts them', () => {
    const text = 'In May 2019 rates fell to 2.25%. The 3 mills closed on 4 June 2020 at Grell.';
    assert.deepEqual(written(text, read(text)), [
      ...['rates', 'fell', '2.25', '3', 'mills', 'closed', 'Grell'],
    ]);
    assert.equal(rangeOf(text).of.length, 17);
  });

  it('tells what may go on with a name', () => {
    const joining = (text: string): string[] => {
      const { of, to } = rangeOf(text);
      const places = Array.from({ length: to }, (_, at) => at).filter(
        (at) => at > 0 && joinsBefore(of, at),
      );
      return written(
        text,
        places.map((at) => read(text)[at]!),
      );
    };
    assert.deepEqual(joining('Bank of England, Grell and Ida (Rowe) in Tannau'), [
      ...['England', 'Ida', 'Rowe'],
    ]);
  });

  it('is what a reading without a lexicon finds, whatever the text and the order of texts', () => {
    const piece = fc.constantFrom(
      ...["Ida's", 'mime-db', 'v1.2', '$1,234', '1,23', '−3', 'U.S.', '“Yes.”', '12.0.0-beta.16'],
      ...['(x_y)', '@a/b', '. ', '—', 'naïve', '漢字', '𝒳', "''", '5%', '\n', '3:1', '\ud835'],
      'a-word-of-more-than-sixteen-units',
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join(' ')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const sentences = [{ start: 0, end: text.length }];
        const columns = readWords(text, lexicon, { sentences, dates: [] });
        const all = wordsOf(text, analyzer);
        assert.deepEqual(
          [...new WordRange(columns, 0, columns.words.length)],
          all.filter(({ term }) => term !== ''),
        );
        assert.equal(columns.length, all.length);
      }),
      { numRuns: 500 },
    );
  });
});
