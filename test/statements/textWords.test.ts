// Content words of a text as columns, without dates: what opens a sentence, names that go on, and
// the same words as a reading of the text without a lexicon.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { wordsOf } from '../../lib/statements/words.js';
import { matchesOf } from '../facts/matches.js';
import { lexicon, statementsOf, titleWords } from '../facts/passages.js';
import { assertEach } from '../assertEach.js';

const written = (text: string): string[] =>
  statementsOf({ text })
    .statements.filter(({ whole }) => !whole)
    .flatMap(({ words }) => [...words].map(({ start, end }) => text.slice(start, end)));
/** Names of the first statement, term by term. */
function namesIn(text: string): string[] {
  const found = matchesOf(lexicon, [statementsOf({ text }).handle], { terms: [] });
  const { slots } = binding.varyingOf(found.handle, 0);
  return lexicon.texts(slots);
}
/** How many words the text of a passage has, stop words too. */
function countOf(text: string): number {
  const found = matchesOf(lexicon, [statementsOf({ text }).handle], { terms: [] });
  return Math.round(Math.expm1(5 * found.features(0).passageLength));
}

describe('readPassages', () => {
  it('takes a capital that opens a sentence for no name', () => {
    assert.deepEqual(namesIn('Prices fell.'), []);
    assert.deepEqual(namesIn('"Water rose," he said.'), []);
    // A stop word opens it too, so that the next word tells by its capital.
    assert.deepEqual(namesIn('The Prices rose.'), ['price']);
    assert.deepEqual(namesIn('It rose, Prices said.'), ['price']);
  });

  it('has no dates and no stop words, and counts them', () => {
    const text = 'In May 2019 rates fell to 2.25%. The 3 mills closed on 4 June 2020 at Grell.';
    assert.deepEqual(written(text), ['rates', 'fell', '2.25', '3', 'mills', 'closed', 'Grell']);
    assert.equal(countOf(text), 17);
    assert.equal(countOf('In May 2019 the Fed held rates at 2.25%. Sales of June 2020 fell.'), 14);
  });

  it('tells what may go on with a name', () => {
    const text = 'Bank of England, Grell and Ida (Rowe) in Tannau';
    const words = titleWords(text);
    const joining = [...words].filter((_, nth) => words.joins(nth));
    assertEach(joining, ({ start, end }) => text.slice(start, end), ['England', 'Ida', 'Rowe']);
  });

  it('is what a reading without a lexicon finds, whatever the text and the order of texts', () => {
    const piece = fc.constantFrom(
      ...["Ida's", 'mime-db', 'v1.2', '$1,234', '1,23', '−3', 'U.S.', '“Yes.”', '12.0.0-beta.16'],
      ...['(x_y)', '@a/b', '. ', '—', 'naïve', '漢字', '𝒳', "''", '5%', '\n', '3:1', '\ud835'],
      ...['a-word-of-more-than-sixteen-units', '1.2aİ', 'İ', 'ΟΔΟΣ', '\udcb3'],
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join(' ')),
      fc.string({ unit: 'binary', maxLength: 60 }),
      // Lone surrogates too.
      fc.array(fc.nat(0xffff), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(texts, (title) => {
        assert.deepEqual(
          [...titleWords(title)],
          wordsOf(title).flatMap(({ opens: _, ...word }) => (word.term === '' ? [] : [word])),
        );
      }),
      { numRuns: 500 },
    );
  });
});
