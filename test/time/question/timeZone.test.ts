// Questions in time zones: today, now and dates of the zone, over changes of the clock; operators,
// fused times and JSON records of the same days.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Question } from '../../../lib/records.js';
import { jointConstraint } from '../../../lib/time/question/jointConstraint.js';
import { fusionTimes } from '../../../lib/papers/re3/fusionTimes.js';
import { readTemporalQuery } from '../../../lib/time/question/intent.js';
import { readOperator } from '../../../lib/time/question/operator.js';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { toTimeQuestionRecord } from '../../../lib/time/records.js';
import { toWallClock } from '../../../lib/time/timeZone.js';
import { failsWith } from '../../failsWith.js';

const iso = (instant: number | undefined): string =>
  instant === undefined || !Number.isFinite(instant)
    ? 'open'
    : new Date(instant).toISOString().replace(/:00.000Z$/, 'Z');

function window(question: Question): string {
  const { window } = parseQuestion(question).constraint;
  return `${iso(window?.start)} ${iso(window?.end)}`;
}

describe('questions in a time zone', () => {
  const askedAt = '2021-05-05T20:00Z'; // 05:00 on 6 May in Tokyo

  it('reads today, tomorrow and dates as days of the zone', () => {
    const tokyo = (text: string): string => window({ text, askedAt, timeZone: 'Asia/Tokyo' });
    assert.equal(tokyo('What was published today?'), '2021-05-05T15:00Z 2021-05-06T15:00Z');
    assert.equal(tokyo('What happens tomorrow?'), '2021-05-06T15:00Z 2021-05-07T15:00Z');
    assert.equal(tokyo('What happened on 5 May 2021?'), '2021-05-04T15:00Z 2021-05-05T15:00Z');
    assert.equal(tokyo('Who led it before 2021?'), 'open 2020-12-31T15:00Z');
    assert.equal(tokyo('Who led it since May 2021?'), '2021-04-30T15:00Z open');
    const inUtc = window({ text: 'What was published today?', askedAt });
    assert.equal(inUtc, '2021-05-05T00:00Z 2021-05-06T00:00Z');
  });

  it('reads the last days over a change of the clock', () => {
    const text = 'What happened in the last two days?';
    const ask = { text, askedAt: '2021-11-08T12:00', timeZone: 'America/New_York' };
    assert.equal(window(ask), '2021-11-07T04:00Z 2021-11-09T05:00Z');
  });

  it('takes a query time without an offset as one of the zone, a date as its end', () => {
    const at = (askedAt: string): string =>
      iso(parseQuestion({ text: 'Who leads?', askedAt, timeZone: 'Asia/Tokyo' }).askedAt);
    assert.equal(at('2021-05-05T09:00'), '2021-05-05T00:00Z');
    assert.equal(at('2021-05-05T09:00Z'), '2021-05-05T09:00Z');
    assert.equal(at('2021-05-05'), '2021-05-05T14:59:59.999Z');
  });

  it('keeps the query time in the hour that the clock shows twice', () => {
    // The second 01:30 of the night, in standard time.
    const question = { text: 'Who leads it now?', askedAt: Date.UTC(2021, 10, 7, 6, 30) };
    const { window, now } = readOperator({ ...question, timeZone: 'America/New_York' });
    assert.ok(now);
    assert.equal(window.end, question.askedAt + 1);
  });

  it('leaves a time with an offset as it is', () => {
    const text = 'What happened at 22:15 GMT on 5 May 2021?';
    const { interval } = parseQuestion({ text, timeZone: 'Asia/Tokyo' }).constraint;
    assert.equal(iso(interval!.start), '2021-05-05T22:15Z');
    const fold = 'What failed at 1:30 a.m. EST on 7 November 2021?';
    const eastern = parseQuestion({ text: fold, timeZone: 'America/New_York' }).constraint;
    assert.equal(iso(eastern.interval!.start), '2021-11-07T06:30Z');
  });

  it('has a day that the zone skipped as one moment', () => {
    const text = 'What happened on 30 December 2011?';
    const { start, end } = parseQuestion({ text, timeZone: 'Pacific/Apia' }).constraint.window!;
    assert.deepEqual([iso(start), end - start], ['2011-12-30T10:00Z', 1]);
  });

  it('gives alternatives, combined constraints and operators of the same days', () => {
    const text = 'What was sold on 7 May 2021 and on 12 May 2021?';
    const parsed = parseQuestion({ text, timeZone: 'Asia/Tokyo' });
    const { alternatives } = jointConstraint(parsed);
    assert.deepEqual(
      alternatives!.map(({ start }) => iso(start)),
      ['2021-05-06T15:00Z', '2021-05-11T15:00Z'],
    );
    const { window, time } = readOperator({
      text: 'Who led it on 5 May 2021?',
      askedAt,
      timeZone: 'America/New_York',
    });
    assert.equal(iso(window.end), '2021-05-06T04:00Z');
    assert.equal(iso(time!.start), '2021-05-05T04:00Z');
  });

  it('fuses the days of the zone, also one of 25 hours', () => {
    const days = (text: string): string[] =>
      fusionTimes(parseQuestion({ text, timeZone: 'America/New_York' })).map(
        ({ year, month, dayOfMonth }) => `${year}-${month}-${dayOfMonth}`,
      );
    assert.deepEqual(days('What happened on 7 November 2021?'), ['2021-11-7']);
    assert.deepEqual(days('What happened in October 2021?'), ['2021-10-0']);
    const tokyo = { text: 'What happened on 5 May 2021?', timeZone: 'Asia/Tokyo' };
    assert.equal(fusionTimes(parseQuestion(tokyo))[0]!.dayOfMonth, 5);
  });

  it('prints the days that were asked for, and times of day in UTC', () => {
    const record = (text: string) =>
      toTimeQuestionRecord(null, parseQuestion({ text, askedAt, timeZone: 'Asia/Tokyo' }));
    const day = record('What happened on 5 May 2021?');
    assert.deepEqual([day.start_iso, day.end_iso], ['2021-05-05', '2021-05-05']);
    assert.deepEqual([day.window_start, day.window_end], ['2021-05-05', '2021-05-05']);
    assert.equal(record('Who led it as of 2020?').window_end, '2020-12-31');
    assert.equal(record('What happened at 14:30 on 5 May 2021?').start_iso, '2021-05-05T05:30Z');
  });

  it('reads intents and long texts in the zone too', () => {
    const text = `${'word '.repeat(1000)}What happened on 5 May 2021?`;
    const { mentions, parsed } = readTemporalQuery({ text, timeZone: 'Asia/Tokyo' });
    assert.equal(iso(mentions[0]!.interval!.start), '2021-05-04T15:00Z');
    assert.equal(iso(parsed.constraint.interval!.start), '2021-05-04T15:00Z');
    assert.equal(parsed.timeZone, 'Asia/Tokyo');
  });

  it('is bit-equal in UTC, by whatever name', () => {
    const question = { text: 'Who led it on 5 May 2021 or today?', askedAt };
    for (const timeZone of ['UTC', 'Etc/UTC', undefined]) {
      assert.deepEqual(parseQuestion({ ...question, timeZone }), parseQuestion(question));
      assert.deepEqual(readOperator({ ...question, timeZone }), readOperator(question));
    }
  });

  it('reads in a zone what UTC reads when its clock shows the same', () => {
    const texts = fc.constantFrom(
      'What happened today?',
      'Who led it last week?',
      'What was published on 5 May 2021?',
      'Who is the current mayor?',
      'What happened between 3 March 2021 and 9 June 2021?',
      'Who was the first mayor after 1990?',
    );
    const zones = fc.constantFrom('Asia/Tokyo', 'America/New_York', 'Australia/Lord_Howe');
    const noons = fc.integer({ min: 0, max: 20_000 }).map((day) => day * 86_400_000 + 43_200_000);
    fc.assert(
      fc.property(texts, zones, noons, (text, timeZone, noon) => {
        const local = parseQuestion({ text, askedAt: noon, timeZone });
        const utc = parseQuestion({ text, askedAt: toWallClock(noon, timeZone) });
        assert.deepEqual(toTimeQuestionRecord(null, local), toTimeQuestionRecord(null, utc));
      }),
    );
  });

  it('refuses a name that is no zone', () => {
    assert.throws(
      () => parseQuestion({ text: 'Who leads?', timeZone: 'Mars/Olympus' }),
      failsWith('ERR_INVALID_ARGUMENT', /question\.timeZone to be the IANA name/),
    );
  });
});
