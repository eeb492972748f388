// Times of day: faces, parts of the day, zones, the dates they join, and what only looks like a
// time.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toTimeTagRecord } from '../../lib/time/records.js';
import { tagText } from '../../lib/time/tagger.js';
import { timexesOf } from './seen.js';

const reference = '2021-05-06'; // a Thursday
const news = (text: string) => timexesOf(text, { mode: 'news', reference });
const intervals = (text: string) =>
  toTimeTagRecord(null, text, tagText(text, { mode: 'news', reference })).mentions.map(
    (each) => `${each.text} | ${each.relation} | ${each.start_iso} | ${each.end_iso}`,
  );

describe('timetag clock', () => {
  const times: [string, string, string][] = [
    ['It opens at 3 pm.', '3 pm', 'T15:00'],
    ['It opens at 3:30 p.m. sharp.', '3:30 p.m.', 'T15:30'],
    ['It opens at 19:00.', '19:00', 'T19:00'],
    ['They left by 03:00hrs.', '03:00hrs', 'T03:00'],
    ["It begins at five o'clock.", "five o'clock", 'T05:00'],
    ['Lunch is at noon.', 'noon', 'T12:00'],
    ['The bell rang at midnight.', 'midnight', 'T24:00'],
    ['We met at half past six.', 'half past six', 'T06:30'],
    ['We met at a quarter to nine.', 'a quarter to nine', 'T08:45'],
    ['We met at ten past four.', 'ten past four', 'T04:10'],
    ['It closed at 12:20 a.m. again.', '12:20 a.m.', 'T00:20'],
    ['It opens at 9am.', '9am', 'T09:00'],
    ['They attacked at 0530 hours.', '0530 hours', 'T05:30'],
    ['It begins at 9:31 a.m. EDT.', '9:31 a.m. EDT', 'T09:31'],
    ['It closes at six in the evening.', 'six in the evening', 'T18:00'],
    ['It ended (1900 GMT) in rain.', '1900 GMT', 'T19:00'],
    ['Call at 11.30 am.', '11.30 am', 'T11:30'],
    ['It ended at 22:15 GMT.', '22:15 GMT', 'T22:15'],
    ["It is 3 o'clock in the afternoon.", "3 o'clock in the afternoon", 'T15:00'],
  ];
  for (const [text, words, value] of times)
    it(`reads ${words}`, () =>
      assert.deepEqual(news(text), [`${words} | TIME | 2021-05-06${value}`]));

  const joined: [string, string[]][] = [
    ['It runs from 6 PM this evening.', ['6 PM this evening | TIME | 2021-05-06T18:00']],
    ['It fell at 11 pm last night.', ['11 pm last night | TIME | 2021-05-05T23:00']],
    ['Call at 9 a.m. tomorrow morning.', ['9 a.m. tomorrow morning | TIME | 2021-05-07T09:00']],
    ['It starts at 3 p.m. next Sunday.', ['3 p.m. next Sunday | TIME | 2021-05-09T15:00']],
    ['Send it by tomorrow noon.', ['tomorrow noon | TIME | 2021-05-07T12:00']],
    ['They have until Saturday midnight.', ['Saturday midnight | TIME | 2021-05-08T24:00']],
    ['They left before dawn.', ['dawn | TIME | 2021-05-06TMO']],
    ['They left before dawn Tuesday.', ['dawn Tuesday | TIME | 2021-05-04TMO']],
    ['By midday it was over.', ['midday | TIME | 2021-05-06TMI']],
    ['They fled before dawn raids.', []],
    [
      'He fled in the early hours of Tuesday.',
      ['the early hours of Tuesday | TIME | 2021-05-04TMO'],
    ],
    [
      'He fled in the early morning hours of 4 May.',
      ['the early morning hours of 4 May | TIME | 2021-05-04TMO'],
    ],
  ];
  for (const [text, found] of joined) it(text, () => assert.deepEqual(news(text), found));

  const dated: [string, string[]][] = [
    ['The boat left at 8 p.m. Tuesday.', ['8 p.m. Tuesday | TIME | 2021-05-04T20:00']],
    ['It fell on May 8, 1954 1:00AM.', ['May 8, 1954 1:00AM | TIME | 1954-05-08T01:00']],
    [
      'It closes at 11 p.m. on Sept. 2, 2013.',
      ['11 p.m. on Sept. 2, 2013 | TIME | 2013-09-02T23:00'],
    ],
    ['It was at 2012-05-06 13:50.', ['2012-05-06 13:50 | TIME | 2012-05-06T13:50']],
    ['On Tuesday morning it rained.', ['Tuesday morning | TIME | 2021-05-04TMO']],
    [
      'It fell on the night of April 18, 1775.',
      ['the night of April 18, 1775 | TIME | 1775-04-18TNI'],
    ],
    ['It rained this morning.', ['this morning | TIME | 2021-05-06TMO']],
    ['It rained last night.', ['last night | TIME | 2021-05-05TNI']],
    ['It opens tonight.', ['tonight | TIME | 2021-05-06TNI']],
    ['It rained yesterday afternoon.', ['yesterday afternoon | TIME | 2021-05-05TAF']],
    ['They speak at noon on 8 May 2021.', ['noon on 8 May 2021 | TIME | 2021-05-08T12:00']],
    [
      'On 9 May 2021 at 7 p.m. it closes.',
      ['9 May 2021 | DATE | 2021-05-09', '7 p.m. | TIME | 2021-05-09T19:00'],
    ],
    [
      'It rained on the evening of 5 May 2021.',
      ['the evening of 5 May 2021 | TIME | 2021-05-05TEV'],
    ],
  ];
  for (const [text, found] of dated)
    it(`joins the date in: ${text}`, () => assert.deepEqual(news(text), found));

  it('takes the day of the story in narrative, and parts it from its own date', () => {
    const story =
      'On 27 December 1979 the guard changed. At 19:15 the attack began. In the morning they ' +
      'rested, and that night they left.';
    assert.deepEqual(timexesOf(story).slice(1), [
      '19:15 | TIME | 1979-12-27T19:15',
      'the morning | TIME | 1979-12-27TMO',
      'that night | TIME | 1979-12-27TNI',
    ]);
    assert.deepEqual(timexesOf('At 5:00 am on October 3, 1935, they crossed.'), [
      '5:00 am | TIME | 1935-10-03T05:00',
      'October 3, 1935 | DATE | 1935-10-03',
    ]);
    assert.deepEqual(timexesOf('They marched from 19:00 on.'), ['19:00 | TIME | XXXX-XX-XXT19:00']);
  });

  it('counts hours and minutes from the last time of day told', () => {
    assert.deepEqual(
      news('It left at 10:30 p.m. on 5 May 2021 and struck a reef two hours later.').slice(1),
      ['two hours later | TIME | 2021-05-06T00:30'],
    );
    assert.deepEqual(
      timexesOf('It left at 10:30 on 5 May 1921. Forty minutes later it sank.').slice(2),
      ['Forty minutes later | TIME | 1921-05-05T11:10'],
    );
  });

  it('has the interval of its minute or hour in UTC, and of the whole day for a part of it', () => {
    assert.deepEqual(intervals('It closes at 1 p.m. on 6 May 2021.'), [
      'at 1 p.m. on 6 May 2021 | on | 2021-05-06T13:00Z | 2021-05-06T13:59Z',
    ]);
    assert.deepEqual(intervals('It closes at 8:05 p.m. EST on 31 December 2020.'), [
      'at 8:05 p.m. EST on 31 December 2020 | on | 2021-01-01T01:05Z | 2021-01-01T01:05Z',
    ]);
    assert.deepEqual(intervals('It closes at 8:05 p.m. ET on 1 July 2020.'), [
      'at 8:05 p.m. ET on 1 July 2020 | on | 2020-07-02T00:05Z | 2020-07-02T00:05Z',
    ]);
    assert.deepEqual(intervals('It closed at 09:00 UTC+2 on 1 July 2020.'), [
      'at 09:00 UTC+2 on 1 July 2020 | on | 2020-07-01T07:00Z | 2020-07-01T07:00Z',
    ]);
    assert.deepEqual(intervals('On the night of April 18, 1775 they rode.'), [
      'On the night of April 18, 1775 | on | 1775-04-18 | 1775-04-18',
    ]);
    assert.deepEqual(intervals('It rained from 2 p.m. to 5 p.m.'), [
      'from 2 p.m. to 5 p.m. | from-to | 2021-05-06T14:00Z | 2021-05-06T17:59Z',
    ]);
  });

  const none = [
    'A ratio of 5:3 is fine.',
    'She won 6-4 7-5.',
    'John 3:16 is a verse.',
    'They won 2:1.',
    'It stands at 9.',
    'He ran it in 2:45:10.',
    'The score was 12:10.',
    'The screen is 16:9.',
    'I am here.',
    'They drew 3:03.',
    'The midnight sun shone.',
    'Midnight Cowboy is a film.',
    'The Night Watch hangs there.',
    'Saturday Night Live',
    'It took 2:30 minutes to fill.',
    'The 5 of us left.',
    'Two to three of them.',
  ];
  for (const text of none) {
    it(`sees no time of day in: ${text}`, () =>
      assert.deepEqual(
        news(text).filter((each) => each.includes('T')),
        text === 'Saturday Night Live' ? news(text) : [],
      ));
  }

  it('reads any hour and minute, written in any way', () => {
    const forms: ((hour: number, minute: number) => string)[] = [
      (hour, minute) => `${String(hour).padStart(2, '0')}:${minute}`,
      (hour, minute) => `${((hour + 11) % 12) + 1}:${minute} ${hour < 12 ? 'a.m.' : 'p.m.'}`,
      (hour, minute) => `${((hour + 11) % 12) + 1}:${minute}${hour < 12 ? 'AM' : 'PM'}`,
      (hour, minute) => `${String(hour).padStart(2, '0')}${minute} UTC`,
      (hour, minute) => `${hour}:${minute} GMT`,
    ];
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 10, max: 59 }),
        fc.constantFrom(...forms),
        (hour, minute, form) => {
          const [mention] = tagText(`It rang at ${form(hour, minute)} on 6 May 2021.`).mentions;
          assert.equal(mention!.interval!.start, Date.UTC(2021, 4, 6, hour, minute));
          assert.equal(mention!.interval!.end - mention!.interval!.start, 60_000);
        },
      ),
    );
  });

  it('a row of times or nights does not nest', () => {
    for (const piece of [
      '5 pm ',
      'night of ',
      'noon on ',
      '5 pm on ',
      'Tuesday at 5 pm, ',
      'half past ',
    ]) {
      assert.doesNotThrow(() => tagText(piece.repeat(50_000), { reference }), piece);
    }
  });
});
