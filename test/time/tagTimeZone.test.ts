// Times of texts in time zones: days and times of day of the zone, offsets that a text says, and
// the names of zones that the tagger's grammar knows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { binding } from '../../lib/binding.js';
import { tagText, tagTimes } from '../../lib/time/tagger.js';
import { failsWith } from '../failsWith.js';

const iso = (instant: number): string => new Date(instant).toISOString().replace(/:00.000Z$/, 'Z');

function times(text: string, timeZone?: string, reference = '2021-05-06T20:00Z'): string[] {
  return tagText(text, { reference, timeZone }).mentions.map(({ interval }) =>
    interval ? `${iso(interval.start)} ${iso(interval.end)}` : 'none',
  );
}

describe('tagText in a time zone', () => {
  it('reads days of the zone', () => {
    assert.deepEqual(times('It rained on 5 May 2021.', 'Asia/Tokyo'), [
      '2021-05-04T15:00Z 2021-05-05T15:00Z',
    ]);
    assert.deepEqual(times('It rained in 2021.', 'America/New_York'), [
      '2021-01-01T05:00Z 2022-01-01T05:00Z',
    ]);
    assert.deepEqual(times('It rained on 14 March 2021.', 'America/New_York'), [
      '2021-03-14T05:00Z 2021-03-15T04:00Z',
    ]);
  });

  it('reads relative days from what the clock of the zone shows', () => {
    // 05:00 on 7 May in Tokyo, 16:00 on 6 May in New York.
    assert.deepEqual(times('It rained yesterday.', 'Asia/Tokyo'), [
      '2021-05-05T15:00Z 2021-05-06T15:00Z',
    ]);
    assert.deepEqual(times('It rained yesterday.', 'America/New_York'), [
      '2021-05-05T04:00Z 2021-05-06T04:00Z',
    ]);
  });

  it('reads times of day of the zone, unless they say an offset', () => {
    const zone = 'Asia/Kathmandu';
    const local = 'It closed at 9:00 a.m. on 5 May 2021.';
    assert.deepEqual(times(local, zone), ['2021-05-05T03:15Z 2021-05-05T03:16Z']);
    for (const text of [
      'It rained from 2 p.m. to 5 p.m.',
      'It rained from 6 p.m. on 5 May 2021 to noon on 8 May 2021.',
      'It fell at midnight on 5 May 2021.',
      'It fell at half past ten on 5 May 2021.',
    ])
      assert.notDeepEqual(times(text, zone), times(text), text);
    for (const text of [
      'It closed at 22:15 GMT on 5 May 2021.',
      'It closed at 8 p.m. Greenwich Mean Time on 5 May 2021.',
      'It closed at 09:00 UTC+2 on 5 May 2021.',
      'It closed at 8:05 p.m. Eastern Time on 5 May 2021.',
      'It rained from 2 p.m. EST to 5 p.m. EST.',
      'At 1430Z on 5 May 2021 it closed.',
      'It closed at 2021-05-05T14:30Z.',
      'It closed at 2021-05-05T14:30:00+00:00.',
      'It closed at 2021-05-05T14:30:00+09:00.',
    ])
      assert.deepEqual(times(text, zone, '2021-05-06'), times(text, 'UTC', '2021-05-06'), text);
  });

  it('takes a time with an offset as it is in the hour that the clock shows twice', () => {
    const [eastern] = times('It failed at 1:30 a.m. EST on 7 November 2021.', 'America/New_York');
    const [own] = times('It failed at 1:30 a.m. on 7 November 2021.', 'America/New_York');
    assert.equal(eastern!.slice(0, 17), '2021-11-07T06:30Z');
    assert.equal(own!.slice(0, 17), '2021-11-07T05:30Z');
  });

  it('knows the offset of every zone that the grammar does', () => {
    const lexicon = readFileSync(
      new URL('../../native/timetag/lexer/lexicon.cpp', import.meta.url),
      'utf8',
    );
    const words = [...lexicon.matchAll(/\{Class::zone, false, [^"]+"([^"]+)"\}/g)].flatMap(
      ([, list]) => list!.split('|'),
    );
    assert.ok(words.length > 30, `${words.length} names`);
    for (const word of ['est', ...words]) {
      const text = `It closed at 8:05 p.m. ${word.toUpperCase()} on 5 July 2021.`;
      const { offsets } = binding.tagTimesSync([text], Float64Array.of(NaN), 0);
      assert.deepEqual(offsets, Uint8Array.of(1), text);
    }
  });

  it('is the same for many texts, and unchanged without a zone', async () => {
    const texts = ['It rained on 5 May 2021.', 'It closed at 9:00 a.m. yesterday.', 'No date.'];
    const options = { references: '2021-05-06', timeZone: 'Asia/Tokyo' };
    const tagged = await tagTimes(texts, options);
    assert.deepEqual(
      tagged,
      texts.map((text) => tagText(text, { reference: '2021-05-06', timeZone: 'Asia/Tokyo' })),
    );
    const utc = await tagTimes(texts, { ...options, timeZone: 'UTC' });
    assert.deepEqual(utc, await tagTimes(texts, { references: '2021-05-06' }));
    await assert.rejects(
      tagTimes(texts, { timeZone: 'Mars/Olympus' }),
      failsWith('ERR_INVALID_ARGUMENT', /timeZone/),
    );
  });
});
