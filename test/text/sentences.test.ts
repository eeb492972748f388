// Sentence spans: corrections of UAX 29, exact offsets, complete coverage.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sentenceWindows, splitSentences } from '../../lib/text/sentences.js';
import { sentenceCases, splitAccuracy } from './splitAccuracy.js';
import { assertEach } from '../assertEach.js';

const sentences = (text: string) =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe('splitSentences', () => {
  const cases: [string, string[]][] = [
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    [
      'Dr. Smith met Mr. J. R. R. Tolkien in St. Andrews. He left.',
      ['Dr. Smith met Mr. J. R. R. Tolkien in St. Andrews.', 'He left.'],
    ],
    [
      'It cost 3.5 million in the U.S. The price fell later.',
      ['It cost 3.5 million in the U.S.', 'The price fell later.'],
    ],
    ['The U.S. Senate voted. It passed.', ['The U.S. Senate voted.', 'It passed.']],
    ['See No. 10 for details. Done.', ['See No. 10 for details.', 'Done.']],
    [
      'Born: 4, Jun, 1877.\nDied: 5, Aug, 1957, Munich',
      ['Born: 4, Jun, 1877.', 'Died: 5, Aug, 1957, Munich'],
    ],
    ['1. First item. 2. Second item.', ['1. First item.', '2. Second item.']],
    ['He said "Stop." Then he left.', ['He said "Stop."', 'Then he left.']],
    ['Henry I. was king. He died.', ['Henry I. was king.', 'He died.']],
    [
      'Acme Inc. was founded in 1990 by Smith & Co. Then it grew.',
      ['Acme Inc. was founded in 1990 by Smith & Co.', 'Then it grew.'],
    ],
    [
      `${'word '.repeat(1000)}stops. ${'Next one. '.repeat(300)}End`,
      [`${'word '.repeat(1000)}stops.`, ...Array<string>(300).fill('Next one.'), 'End'],
    ],
    [
      'Ana Holt def. Ida Rowe, 6-4 (2015-08-31). The next match was lost.',
      ['Ana Holt def. Ida Rowe, 6-4 (2015-08-31).', 'The next match was lost.'],
    ],
    [
      'The mfg. Arm of the firm made Dusk (dir. Ann Lee). It sold.',
      ['The mfg. Arm of the firm made Dusk (dir. Ann Lee).', 'It sold.'],
    ],
    [
      'It weighed 5 kg. Plants grew on it for 3 yrs. Nobody saw them.',
      ['It weighed 5 kg.', 'Plants grew on it for 3 yrs.', 'Nobody saw them.'],
    ],
    // a letter with nothing behind it is no item
    ['a) Tin. b) Iron. c)\n', ['a) Tin.', 'b) Iron. c)']],
    ['no end', ['no end']],
    ['  \n ', []],
    ['', []],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text.slice(0, 80)), () => assert.deepEqual(sentences(text), expected));
  }

  it('splits the cases of sentenceCases.jsonl at the recorded accuracy', () => {
    const floors: Record<string, number> = {
      abbreviations: 24,
      initials: 14,
      decimals: 11,
      quotations: 20,
      tables: 12,
      dates: 15,
      ellipses: 6,
      'lower case': 2,
      digits: 6,
      parentheses: 12,
      addresses: 8,
    };
    const { exact, precision, recall, misses } = splitAccuracy(sentenceCases());
    for (const [kind, count] of exact)
      assert.ok(
        count >= floors[kind]!,
        `${kind}: ${count} of at least ${floors[kind]}\n${misses.join('\n')}`,
      );
    assert.ok(precision >= 0.97 && recall >= 0.83, `precision ${precision}, recall ${recall}`);
  });

  it('splits a long line like its parts', () => {
    const texts = sentenceCases()
      .map(({ sentences: parts }) => parts.join(' ').replace(/\s+/gu, ' '))
      .filter((text) => /[.!?]$/.test(text));
    const parts = texts
      .filter((text) => /^["“(]?[A-Z]\p{Ll}/u.test(text))
      .flatMap((text) => [text, 'The end came.']);
    assert.deepEqual(sentences(parts.join(' ')), parts.flatMap(sentences));
  });

  // Work that grew with the square of the length would last longer than any test may.
  it('splits a long repetitive text to its end', () => {
    for (const piece of ['J. ', '? a ', 'x.) ', '. ', ' ', 'word. 1 ']) {
      const text = `${piece.repeat(Math.ceil(60_000 / piece.length))} The end came.`;
      assert.equal(splitSentences(text).at(-1)?.end, text.length, piece);
    }
  });

  it('cuts what is longer than 8,192 units at white space, and between characters without', () => {
    const words = `Words ${'without a stop '.repeat(2000).trim()}`;
    const spans = splitSentences(`It began. ${words}. It ended.`);
    assert.ok(spans.length === 6 && spans.every(({ start, end }) => end - start <= 8192));
    assert.deepEqual(
      spans.slice(1, 5).flatMap(({ start, end }) => words.slice(start - 10, end - 10).split(' ')),
      words.split(' '),
    );
    assertEach(splitSentences(`a${'😀'.repeat(5000)}`), ({ end }) => end, [8191, 10_001]);
  });

  it('finds the same sentences from the middle of a text on', () => {
    const text = sentenceCases()
      .slice(0, 200)
      .map(({ sentences: parts }) => parts.join(' '))
      .join(' The end came. ');
    const all = splitSentences(text);
    for (let from = 1000; from < text.length - 4096; from += 997) {
      const later = [...sentenceWindows(text, from)].flat();
      const tail = all.filter(({ start }) => start > from + 2048);
      assert.deepEqual(later.slice(later.length - tail.length), tail);
    }
  });

  it('splits short texts of one sentence like all others', () => {
    const parts = fc.constantFrom(
      ...'aB1 .,!?:;"\'()’“–°é€-/',
      '\t',
      'No',
      '0.5',
      'U.S.',
      '. ',
      ' of ',
    );
    fc.assert(
      // A trailing line break does not change the sentences, and bypasses the path for short texts.
      fc.property(fc.array(parts, { maxLength: 14 }), (texts) =>
        assert.deepEqual(splitSentences(texts.join('')), splitSentences(`${texts.join('')}\n`)),
      ),
      { numRuns: 600 },
    );
  });

  it('keeps every character that is not white space, in order, in any text', () => {
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
