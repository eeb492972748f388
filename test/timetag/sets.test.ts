// Repeated times: what is read, with its value in both modes, and names, measures and adjectives
// that are none.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tagText } from '../../lib/time/tagger.js';
import { timexesOf } from './seen.js';

describe('timetag sets', () => {
  const read: [string, string, string, string][] = [
    ['They met every day.', 'every day', 'P1D', 'XXXX-XX-XX'],
    ['Each year it floods.', 'Each year', 'P1Y', 'XXXX'],
    ['Every Monday they met.', 'Every Monday', 'XXXX-WXX-1', 'XXXX-WXX-1'],
    ['It runs every other week.', 'every other week', 'P2W', 'P2W'],
    ['It comes every 76 years.', 'every 76 years', 'P76Y', 'P76Y'],
    ['It is paid once a month.', 'once a month', 'P1M', 'P1M'],
    ['They train twice a week.', 'twice a week', 'P1W', 'P1W'],
    ['He bathed three times a day.', 'three times a day', 'P1D', 'P1D'],
    ['It is held annually.', 'annually', 'P1Y', 'XXXX'],
    ['It meets monthly in the hall.', 'monthly', 'P1M', 'XXXX-XX'],
    ['It floods every summer.', 'every summer', 'XXXX-SU', 'XXXX-SU'],
    ['She wrote every morning.', 'every morning', 'XXXX-XX-XXTMO', 'XXXX-XX-XXTMO'],
    ['It opens on Sundays.', 'Sundays', 'XXXX-WXX-7', 'XXXX-WXX-7'],
    ['It rang every 15 minutes.', 'every 15 minutes', 'PT15M', 'PT15M'],
    ['They voted every few years.', 'every few years', 'PXY', 'PXY'],
    ['They meet once every two weeks.', 'once every two weeks', 'P2W', 'P2W'],
    ['It was fed several times daily.', 'several times daily', 'P1D', 'P1D'],
    ['They came every Tuesday evening.', 'every Tuesday evening', 'XXXX-WXX-2TEV', 'XXXX-WXX-2TEV'],
    ['It is held every second year.', 'every second year', 'P2Y', 'P2Y'],
    ['It opens on Sunday mornings.', 'Sunday mornings', 'XXXX-WXX-7TMO', 'XXXX-WXX-7TMO'],
    ['Every April they sow.', 'Every April', 'XXXX-04', 'XXXX-04'],
    ['They visit every Christmas.', 'every Christmas', 'XXXX-12-25', 'XXXX-12-25'],
    ['They marched every 3 May.', 'every 3 May', 'XXXX-05-03', 'XXXX-05-03'],
    ['They meet each July 4.', 'each July 4', 'XXXX-07-04', 'XXXX-07-04'],
    ['I run most mornings.', 'most mornings', 'XXXX-XX-XXTMO', 'XXXX-XX-XXTMO'],
    ['Most Fridays he sang.', 'Most Fridays', 'XXXX-WXX-5', 'XXXX-WXX-5'],
    ['Most years it floods.', 'Most years', 'P1Y', 'XXXX'],
    ['It is closed on weekends.', 'weekends', 'XXXX-WXX-WE', 'XXXX-WXX-WE'],
  ];
  for (const [text, words, news, narrative] of read) {
    it(`reads ${words}`, () => {
      assert.deepEqual(timexesOf(text, { mode: 'news' }), [`${words} | SET | ${news}`]);
      assert.deepEqual(timexesOf(text), [`${words} | SET | ${narrative}`]);
    });
  }

  it('leaves shares and weekends that are counted', () => {
    for (const text of [
      'Most mornings of the trial were dull.',
      'The most weekends went to Ulm.',
      'He lost most of it.',
    ]) {
      assert.deepEqual(timexesOf(text, { mode: 'news' }), [], text);
    }
  });

  it('reads rates in both modes and adjectives in narrative', () => {
    assert.deepEqual(timexesOf('They lost 600 men per month.'), ['per month | SET | P1M']);
    assert.deepEqual(timexesOf('They suffered 600 attacks a year.'), ['a year | SET | P1Y']);
    assert.deepEqual(timexesOf('They flew 40 daily flights.'), ['daily | SET | XXXX-XX-XX']);
    assert.deepEqual(timexesOf('They lost 600 men per month.', { mode: 'news' }), [
      'per month | SET | P1M',
    ]);
    assert.deepEqual(timexesOf('They flew 40 daily flights.', { mode: 'news' }), []);
  });

  const none = [
    'He reads The Daily Mail.',
    'He reads the daily Telegraph.',
    'It runs at 60 miles per hour.',
    'Each of them spoke.',
    'Every time it rained.',
    'Once he left, it closed.',
    'They did it twice.',
    'Weekly World News closed.',
    'Per second it turns.',
    'Every second counts.',
  ];
  for (const text of none)
    it(`sees no set in: ${text}`, () => assert.deepEqual(timexesOf(text), []));

  it('has no interval and no relation', () => {
    for (const [text] of read) {
      for (const mention of tagText(text, { reference: '2021-05-06' }).mentions) {
        assert.deepEqual([mention.interval, mention.relation], [undefined, 'none'], text);
      }
    }
  });

  it('reads every count of every unit', () => {
    const units: [string, string][] = [
      ['minute', 'PT#M'],
      ['hour', 'PT#H'],
      ['day', 'P#D'],
      ['week', 'P#W'],
      ['month', 'P#M'],
      ['year', 'P#Y'],
    ];
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 999 }),
        fc.constantFrom(...units),
        (count, [unit, value]) => {
          assert.deepEqual(timexesOf(`It turns every ${count} ${unit}s.`), [
            `every ${count} ${unit}s | SET | ${value.replace('#', String(count))}`,
          ]);
        },
      ),
    );
  });
});
