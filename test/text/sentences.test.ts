// Sentence spans: what UAX 29 cuts wrongly is joined, offsets are exact, and no text is lost.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitSentences } from '../../lib/text/sentences.js';

const sentences = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe('splitSentences', () => {
  const cases: [string, string[]][] = [
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Dr. Smith met Mr. J. R. R. Tolkien in St. Andrews. He left.', ['Dr. Smith met Mr. J. R. R. Tolkien in St. Andrews.', 'He left.']],
    ['It cost 3.5 million in the U.S. The price fell later.', ['It cost 3.5 million in the U.S.', 'The price fell later.']],
    ['The U.S. Senate voted. It passed.', ['The U.S. Senate voted.', 'It passed.']],
    ['See No. 10 for details. Done.', ['See No. 10 for details.', 'Done.']],
    ['Born: 4, Jun, 1877.\nDied: 5, Aug, 1957, Munich', ['Born: 4, Jun, 1877.', 'Died: 5, Aug, 1957, Munich']],
    ['1. First item. 2. Second item.', ['1. First item.', '2. Second item.']],
    ['He said "Stop." Then he left.', ['He said "Stop."', 'Then he left.']],
    ['Henry I. was king. He died.', ['Henry I. was king.', 'He died.']],
    ['Acme Inc. was founded in 1990 by Smith & Co. Then it grew.', ['Acme Inc. was founded in 1990 by Smith & Co.', 'Then it grew.']],
    ['no end', ['no end']],
    ['  \n ', []],
    ['', []],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => assert.deepEqual(sentences(text), expected));
  }

  it('keeps every character that is not white space, in order, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const spans = splitSentences(text);
        let previous = 0;
        for (const { start, end } of spans) {
          assert.ok(start >= previous && end > start);
          assert.equal(text.slice(previous, start).trim(), '');
          previous = end;
        }
        assert.equal(text.slice(previous).trim(), '');
      }),
    );
  });
});
