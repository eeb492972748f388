// Named days: each rule in some years, Easter of every year against an independent computation, and
// names that are none.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tagText } from '../../lib/time/tagger.js';
import { timexesOf } from './seen.js';

const news = (text: string, reference = '2021-05-06') =>
  timexesOf(text, { mode: 'news', reference });

/**
 * Easter Sunday by the ecclesiastical tables: the Sunday after the fourteenth day of the paschal
 * moon (golden number and epact).
 */
function easterByTables(year: number): number {
  const golden = (year % 19) + 1;
  const century = Math.floor(year / 100) + 1;
  const solar = Math.floor((3 * century) / 4) - 12;
  const lunar = Math.floor((8 * century + 5) / 25) - 5;
  let epact = (11 * golden + 20 + lunar - solar) % 30;
  if (epact < 0) epact += 30;
  if (epact === 24 || (epact === 25 && golden > 11)) epact += 1;
  let moon = 44 - epact; // day of March
  if (moon < 21) moon += 30;
  const fullMoon = new Date(Date.UTC(2000, 2, moon));
  fullMoon.setUTCFullYear(year);
  return fullMoon.getTime() + (7 - fullMoon.getUTCDay()) * 86_400_000;
}

describe('timetag holidays', () => {
  const dated: [string, string, string][] = [
    ['Christmas 1914', 'Christmas 1914', '1914-12-25'],
    ['Christmas Eve, 1914', 'Christmas Eve, 1914', '1914-12-24'],
    ['Easter Monday 1916', 'Easter Monday 1916', '1916-04-24'],
    ['Thanksgiving Day, 2010', 'Thanksgiving Day, 2010', '2010-11-25'],
    ["New Year's Eve 1999", "New Year's Eve 1999", '1999-12-31'],
    ["New Year's Day 2000", "New Year's Day 2000", '2000-01-01'],
    ['Good Friday of 1998', 'Good Friday of 1998', '1998-04-10'],
    ['Memorial Day 2012', 'Memorial Day 2012', '2012-05-28'],
    ['Labor Day 2012', 'Labor Day 2012', '2012-09-03'],
    ['Martin Luther King Day 2013', 'Martin Luther King Day 2013', '2013-01-21'],
    ['Martin Luther King Jr. Day 2013', 'Martin Luther King Jr. Day 2013', '2013-01-21'],
    ["Presidents' Day 2015", "Presidents' Day 2015", '2015-02-16'],
    ["St. Patrick's Day 1950", "St. Patrick's Day 1950", '1950-03-17'],
    ["Mother's Day 2014", "Mother's Day 2014", '2014-05-11'],
    ["Father's Day 2014", "Father's Day 2014", '2014-06-15'],
    ['Columbus Day 1992', 'Columbus Day 1992', '1992-10-12'],
    ['Boxing Day 2004', 'Boxing Day 2004', '2004-12-26'],
    ['May Day 1945', 'May Day 1945', '1945-05-01'],
    ['Bastille Day 1953', 'Bastille Day 1953', '1953-07-14'],
    ['Ash Wednesday 2021', 'Ash Wednesday 2021', '2021-02-17'],
    ['Palm Sunday 2021', 'Palm Sunday 2021', '2021-03-28'],
    ['Pentecost 2021', 'Pentecost 2021', '2021-05-23'],
    ['Black Friday 2020', 'Black Friday 2020', '2020-11-27'],
    ['Election Day 2016', 'Election Day 2016', '2016-11-08'],
    ['Halloween 1975', 'Halloween 1975', '1975-10-31'],
    ["Valentine's Day 1929", "Valentine's Day 1929", '1929-02-14'],
    ['Veterans Day 1954', 'Veterans Day 1954', '1954-11-11'],
    ['Easter 1204', 'Easter 1204', '1204-04-25'],
    ["All Saints' Day 1755", "All Saints' Day 1755", '1755-11-01'],
  ];
  for (const [text, words, day] of dated)
    it(`reads ${text}`, () =>
      assert.deepEqual(news(`It closed on ${text}.`), [`${words} | DATE | ${day}`]));

  it('finds its year as other days do', () => {
    assert.deepEqual(news('It opens at Christmas.', '2021-11-06'), [
      'Christmas | DATE | 2021-12-25',
    ]);
    assert.deepEqual(news("It closed on New Year's Eve.", '2021-01-03'), [
      "New Year's Eve | DATE | 2020-12-31",
    ]);
    assert.deepEqual(news('It closed last Christmas.'), ['last Christmas | DATE | 2020-12-25']);
    assert.deepEqual(news('It opens next Easter.'), ['next Easter | DATE | 2022-04-17']);
    assert.deepEqual(
      timexesOf('In June 1776 they lost. On Christmas night they crossed the river.').slice(1),
      ['Christmas night | TIME | 1776-12-25TNI'],
    );
    assert.deepEqual(timexesOf('It rained on Labor Day.'), ['Labor Day | DATE | XXXX-XX-XX']);
    assert.deepEqual(news('They marched on the Fourth of July.', '2021-07-06'), [
      'the Fourth of July | DATE | 2021-07-04',
    ]);
  });

  it('reads feasts of lunar calendars without an interval', () => {
    for (const text of [
      'It was quiet during Ramadan.',
      'They met at Hanukkah.',
      'They met on Diwali.',
    ]) {
      const [mention] = tagText(text, { reference: '2021-05-06' }).mentions;
      assert.ok(mention && mention.interval === undefined, text);
    }
  });

  const none = [
    'He sailed to Easter Island.',
    'They sang Christmas carols.',
    'The Easter Rising failed.',
    'Thanksgiving dinner was late.',
    "India's Columbus Circle.",
    'The new year classes are full.',
    'The mother and father came.',
    'A good day came.',
  ];
  for (const text of none)
    it(`sees no holiday in: ${text}`, () => assert.deepEqual(news(text), []));

  it('finds Easter of every year as the tables of the church do', () => {
    for (let year = 1583; year <= 2199; year++) {
      assert.equal(
        tagText(`It closed on Easter Sunday ${year}.`).mentions[0]!.interval!.start,
        easterByTables(year),
        String(year),
      );
    }
    // Later years are beyond the four digits that are read as years; "AD" says that they are.
    for (let year = 2200; year <= 4099; year++) {
      assert.equal(
        tagText(`It closed on Easter Sunday ${year} AD.`).mentions[0]!.interval!.start,
        easterByTables(year),
        String(year),
      );
    }
  });

  it('gives the nth weekday its weekday, in its week of the month', () => {
    const rules: [string, number, number, number][] = [
      ['Thanksgiving', 11, 4, 4],
      ['Labor Day', 9, 1, 1],
      ["Mother's Day", 5, 0, 2],
      ['Martin Luther King Day', 1, 1, 3],
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...rules),
        fc.integer({ min: 1800, max: 2150 }),
        ([name, month, weekday, nth], year) => {
          const day = new Date(
            tagText(`It closed on ${name} ${year}.`).mentions[0]!.interval!.start,
          );
          assert.deepEqual(
            [day.getUTCMonth() + 1, day.getUTCDay(), Math.ceil(day.getUTCDate() / 7)],
            [month, weekday, nth],
          );
        },
      ),
    );
  });
});
