// Pieces of long texts: their terms, surnames and words are together those of the text.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { textPieces, lowercaseWords, surnames } from '../../lib/text/pieces.js';

const parts = [
  'Ann Lee',
  ' ',
  ' ',
  '\n',
  ', ',
  '. ',
  'mayor of ',
  "O'Neil-Smith ",
  '1,234.5',
  'U.S.',
  'é\u0301tude',
  '京は。',
  '😀',
  '6.5.2021 ',
];

describe('textPieces', () => {
  it('keeps a short text whole, and has none of an empty one', () => {
    assert.deepEqual([...textPieces('Ann Lee left.')], ['Ann Lee left.']);
    assert.deepEqual([...textPieces('')], []);
  });

  it('loses no term, surname or word', () => {
    const analyzer = englishAnalyzer();
    const unit = fc.array(fc.constantFrom(...parts), { minLength: 5, maxLength: 60 });
    fc.assert(
      fc.property(unit, fc.integer({ min: 1, max: 9 }), (some, step) => {
        const shifted = Array.from(
          { length: 1200 },
          (_, i) => some[(i * step + (i >> 4)) % some.length],
        );
        const text = shifted.join('').repeat(20);
        const pieces = [...textPieces(text)];
        assert.equal(pieces.join(''), text);
        for (const read of [analyzer.analyze.bind(analyzer), surnames, lowercaseWords])
          assert.deepEqual(pieces.flatMap(read), read(text));
      }),
      { numRuns: 40 },
    );
  });

  it('cuts a text of a megabyte into pieces of about the same size', () => {
    const pieces = [...textPieces('Ann Lee left in May 1999. '.repeat(40_000))];
    assert.ok(pieces.length > 60 && pieces.every(({ length }) => length < 17_000));
  });
});
