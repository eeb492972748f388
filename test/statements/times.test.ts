// Times of statements and comparisons, read in the addon, against the same in regular expressions.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { splitSentences } from '../../lib/text/sentences.js';
import { isComparison, timesOfStatements } from '../oracle/sentenceTimes.js';
import { statementsOf } from '../facts/passages.js';

const dates = (
  '1934|in 1921|2011|1970s|May 2019|on 3 May 2019|3 May|December 2011|on 29 December 2011|' +
  '30 December 2011|31 December 2011|2011-12-30|2019-03-10|2:30 a.m. on 10 March 2019|' +
  '10 March 2019 at 14:35 UTC|1 January 2020 at 02:00 GMT|2019-12-31T23:30:00Z|' +
  '2020-01-01T03:00+09:00|14:35 UTC|8 p.m. EST|from 1901 to 1935|since 2010|before 1934|' +
  'after 1990|until 1934|until May 1934|between 3 May 2019 and 9 May 2019|the previous year|' +
  'two years earlier|the year before|the preceding month|last week|yesterday|now|44 BC|AD 79|' +
  'Q3 2016|H1 2019|the weekend of 4 May 2019|winter 1962|the 19th century|2nd millennium|' +
  'early 2020|2003–|1796-?|?-1827|(2011–present)|1914–1918|' +
  '1 January 2100|2150|in the 1990s|for two years|every Monday|2012-13'
).split('|');
const words = (
  'than|higher than in|versus|vs.|vs|compared with|compared to|in comparison with|relative to|' +
  'up from|down from|from|against|after|before|until|since|previous|previously|earlier|had been|' +
  'replaced|replaces|supersedes|succeeded by|following|follow|than_|athan|Than|FROM|to 5%|' +
  'the|of|it rose|was mayor|joined|left|resigned|died in|retired|took over|through|till|up to|' +
  "The mill|Ida Rowe|Karl Rau|$3.5|1,200|it’s|it's|O’Neill|Élan|naïve|東京|éthan|thané|από|" +
  '٣|Ⅻ|5–6|(|)|:|;|,|. |. |.\n|!|–|—|-|?|forecast of|said on|published on|the outlook of|' +
  '\ud83d\ude00|\ud800|\udc00|_'
).split('|');
const blanks = [
  ...[' ', ' ', ' ', ' ', ' ', ' ', '  ', '', '\n', '\t', '\v', '\f', '\r\n', '\u0085', '\u00a0'],
  ...['\u1680', '\u180e', '\u2003', '\u200b', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000'],
  '\ufeff',
];
/**
 * Letters that /iu folds into ASCII's, for \b and \w, and the one accent that it folds into a
 * letter.
 */
const folded = /[\u017f\u212a\u0345]/u;

const textOf = (...pieces: fc.WeightedArbitrary<string>[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.oneof(
          ...pieces,
          { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
          // Words that compare count within 40 units.
          {
            weight: 1,
            arbitrary: fc.integer({ min: 32, max: 36 }).map((n) => `than ${'x'.repeat(n)}`),
          },
        ),
        fc.constantFrom(...blanks),
      ),
      { maxLength: 24 },
    )
    .map((parts) => parts.flat().join(''))
    .filter((text) => !folded.test(text));
const dated = textOf(
  { weight: 8, arbitrary: fc.constantFrom(...dates) },
  { weight: 10, arbitrary: fc.constantFrom(...words) },
);
const publications = [
  undefined,
  ...['2019-05-03', '2011-12-31', '2012-01-01T05:30:00Z', '2020-06-09T10:00:01Z'],
];

describe('times of statements', () => {
  it('are those of the oracle, in any time zone', () => {
    fc.assert(
      fc.property(
        dated,
        fc.oneof(fc.constant(''), dated),
        fc.constantFrom(...publications),
        fc.constantFrom(undefined, 'America/New_York', 'Pacific/Apia'),
        (text, title, publication, timeZone) => {
          const published = publication === undefined ? {} : { publishedAt: publication };
          const { statements, titleTimes } = statementsOf({ text, title, timeZone, ...published });
          const publishedAt = publication === undefined ? undefined : Date.parse(publication);
          const expected = timesOfStatements(
            { text, title, publishedAt, timeZone },
            splitSentences(text),
          );
          assert.deepEqual(titleTimes, expected.title);
          for (const [at, { isTitle, whole, times }] of statements.entries())
            assert.deepEqual(
              times,
              isTitle
                ? expected.title.map((time) => ({ ...time, source: 'own' }))
                : whole
                  ? expected.whole
                  : expected.sentences[at],
            );
        },
      ),
      { numRuns: 4000 },
    );
  });

  it('are compared with by the words of the oracle', () => {
    const before = textOf({ weight: 10, arbitrary: fc.constantFrom(...words) });
    const runs = fc.tuple(
      fc.constantFrom(...words),
      fc.array(fc.tuple(fc.constantFrom(...blanks), fc.constantFrom(...words)), { maxLength: 7 }),
      fc.constantFrom(...blanks),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          before,
          runs.map((each) => each.flat(2).join('')),
        ),
        (text) =>
          assert.equal(binding.isComparison(text), isComparison(text), JSON.stringify(text)),
      ),
      { numRuns: 20_000 },
    );
  });

  it('are compared with by words of any length', () => {
    for (const word of ['follow', 'xfollow', 'replac', 'than', 'xthan'])
      for (let length = 0; length <= 60; length += 1)
        for (const end of [' ', ' in ', ` ${'z'.repeat(40)} `]) {
          const text = `${word}${'y'.repeat(length)}${end}`;
          assert.equal(binding.isComparison(text), isComparison(text), text);
        }
  });

  it('are compared with across every kind of character', () => {
    for (let point = 0; point < 0x11_0000; point += 1) {
      const character = String.fromCodePoint(point);
      if (folded.test(character)) continue;
      for (const text of [`than${character}`, `than x${character} `])
        if (binding.isComparison(text) !== isComparison(text))
          assert.fail(JSON.stringify({ point: point.toString(16), text }));
    }
  });
});
