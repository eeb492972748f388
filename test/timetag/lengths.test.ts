// Ways of English to count time (durations.cpp, zones.cpp): what belongs to a count, "a fortnight",
// "a year and a half later", "two years back", "over the next year", and zones by their names. News
// counts from 2016-07-24, a Sunday.
import assert from 'node:assert/strict';
import { tagText } from '../../lib/time/tagger.js';
import { timexesOf } from './seen.js';

const reference = '2016-07-24';
const news = (text: string) =>
  timexesOf(text, { mode: 'news', reference }).map((line) => line.replace(/ \| \w+ \| /, ' = '));

describe('timetag lengths', () => {
  const read: [string, string[]][] = [
    ['It held for just under 48 hours.', ['just under 48 hours = PT48H']],
    ['It took well over two years.', ['well over two years = P2Y']],
    ['He did it in under an hour.', ['under an hour = PT1H']],
    ['Give not less than 30 days of notice.', ['not less than 30 days = P30D']],
    ['It is off by one day.', ['one day = P1D']],
    ['They scored in the final five minutes.', ['the final five minutes = PT5M']],
    ['It shrank over the past half-century.', ['the past half-century = P50Y']],
    ['See you in a fortnight!', ['a fortnight = P2W']],
    ['He stayed for two fortnights.', ['two fortnights = P4W']],
    ['It has rained for the past fortnight.', ['the past fortnight = P2W']],
    ['She left a fortnight ago.', ['a fortnight ago = 2016-W27']],
    ['A year and a half ago he left.', ['A year and a half ago = 2015-01']],
    ['He left two and a half years ago.', ['two and a half years ago = 2014-01']],
    ['A few years back, he left.', ['A few years back = PAST_REF']],
    ['Two years back, he left.', ['Two years back = 2014']],
    ['He took two years back in Rome.', ['two years = P2Y']],
    ['They left Africa some 60,000 years ago.', ['some 60,000 years ago = PAST_REF']],
    ['The rocks formed about 3.5 billion years ago.', ['about 3.5 billion years ago = PAST_REF']],
    ['It stood 2,000 years ago.', ['2,000 years ago = 0016']],
    ['It sold 75,000 a year ago.', ['a year ago = 2015']],
    ['Over the next year costs will rise.', ['the next year = P1Y']],
    ['Costs rose in the following decade.', ['the following decade = P1DE']],
    [
      'In 1961 it rose; half a century later it burned.',
      ['1961 = 1961', 'half a century later = 2011'],
    ],
    [
      'At 10:15 a.m. it rang, and half an hour later again.',
      ['10:15 a.m. = 2016-07-24T10:15', 'half an hour later = 2016-07-24T10:45'],
    ],
  ];
  for (const [text, found] of read) it(text, () => assert.deepEqual(news(text), found));

  it('a story counts a year and a half from its last date, and "a mere" joins the count', () => {
    assert.deepEqual(timexesOf('In November 1903 it opened. A year and a half later it closed.'), [
      'November 1903 | DATE | 1903-11',
      'A year and a half later | DATE | 1905-05',
    ]);
    assert.deepEqual(timexesOf('It fell in 1814. A mere two years later it rose.'), [
      '1814 | DATE | 1814',
      'A mere two years later | DATE | 1816',
    ]);
    assert.deepEqual(timexesOf('In 1814 it fell. Over the next decade it rose.'), [
      '1814 | DATE | 1814',
      'the next decade | DURATION | P1DE',
    ]);
  });

  it('what lasted of ends where the sentence goes on', () => {
    assert.deepEqual(timexesOf('After five days of fighting the town fell.'), [
      'five days of fighting | DURATION | P5D',
    ]);
    assert.deepEqual(
      timexesOf('After eleven days of talks an armistice was signed on 22 June 1940.'),
      ['eleven days of talks | DURATION | P11D', '22 June 1940 | DATE | 1940-06-22'],
    );
  });

  it('a zone by its name is part of the time of day, and moves it', () => {
    const starts = [
      'at 8:30 a.m. Eastern Standard Time today',
      'at 8:30 a.m. Eastern Daylight Time today',
      'at 8:30 a.m. Pacific Time today',
    ].map((text) => {
      const mention = tagText(`The call is ${text}.`, { mode: 'news', reference }).mentions[0]!;
      assert.equal(mention.text, text);
      assert.equal(mention.timexValue, '2016-07-24T08:30');
      return new Date(mention.interval!.start).toISOString().slice(11, 16);
    });
    assert.deepEqual(starts, ['13:30', '12:30', '15:30']);
    assert.deepEqual(news('The call is at 8:30 a.m. Pacific Ocean time.'), [
      '8:30 a.m. = 2016-07-24T08:30',
    ]);
  });
});
