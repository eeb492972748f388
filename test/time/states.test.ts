// The stretches for which a sentence says that something held: ends reach back to what began, and
// open ends reach on.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { statesIn } from '../../lib/time/states.js';
import { contentIntervals } from '../../lib/time/contentClock.js';
import { tagText } from '../../lib/time/tagger.js';

const yearsOf = (text: string): string[] =>
  statesIn(text, contentIntervals(tagText(text).mentions, text)).map(
    ({ start, end }) => `${new Date(start).getUTCFullYear()}-${new Date(end - 1).getUTCFullYear()}`,
  );

const yearIn =
  (timeZone: string) =>
  (instant: number): string =>
    new Date(instant).toLocaleDateString('en', { year: 'numeric', timeZone });

/** What a state may begin or end at, whatever the sentence says: its date, five years before. */
const mayBeginAt = (instant: number, start: number): boolean =>
  start === instant || start - 5 * 365.2425 * 86_400_000 === instant;
const mayEndAt = (instant: number, end: number): boolean =>
  end === instant || instant === Date.UTC(2100, 0, 1);

describe('statesIn', () => {
  const cases: [string, string[]][] = [
    [
      'Ida Rowe joined the choir in 1921 and left in 1934.',
      ['1921-1921', '1934-1934', '1921-1934'],
    ],
    ['She held the post until 1934.', ['1934-1934', '1928-1934']],
    ['- ?-1827 - Karl Rau', ['1827-1827', '1821-1827']],
    ['- Harbour master (2011–present)', ['2011-2011', '2011-2099']],
    ['- 2003–: coach', ['2003-2003', '2003-2099']],
    ['- 1796-? - Anna Wirth', ['1796-1796']],
    ['Since 1990 he has led it.', ['1990-1990']],
    ['From 1901 to 1935 the mill belonged to the town.', ['1901-1935']],
    ['A fire in 1943 burnt the roof.', ['1943-1943']],
    ['The owner lives next door.', []],
  ];
  for (const [text, expected] of cases) it(text, () => assert.deepEqual(yearsOf(text), expected));

  it('reads the years of a sentence in the time zone of its dates', () => {
    const text = 'She was mayor from 2019 to 2021, and has led it (2022–present).';
    for (const timeZone of ['Asia/Tokyo', 'America/New_York']) {
      const dates = contentIntervals(tagText(text, { timeZone }).mentions, text);
      const utc = contentIntervals(tagText(text).mentions, text);
      const states = statesIn(text, utc);
      assert.ok(states.length > utc.length);
      assert.deepEqual(
        statesIn(text, dates, timeZone).map(({ start }) => yearIn(timeZone)(start)),
        states.map(({ start }) => yearIn('UTC')(start)),
      );
    }
  });

  it('keeps every date, and gives no stretch that ends before it starts, whatever the text', () => {
    const word = fc.constantFrom(
      '1801',
      '1907–',
      '(1911',
      'until',
      'in',
      'left',
      '–present',
      '?-',
      '1850)',
      'June',
      '.',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join(' ');
        const dates = contentIntervals(tagText(text).mentions, text);
        const states = statesIn(text, dates);
        assert.deepEqual(states.slice(0, dates.length), dates);
        for (const { start, end } of states) {
          assert.ok(start < end);
          assert.ok(
            dates.some((date) => mayBeginAt(start, date.start)) &&
              dates.some((date) => mayEndAt(end, date.end)),
          );
        }
      }),
    );
  });
});
