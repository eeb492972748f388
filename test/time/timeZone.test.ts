// Conversion between instants and wall clocks: edges of daylight saving, skipped days, local mean
// time, and properties against an oracle that reads the runtime's calendar fields.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatDay, parseAskedAt, parseInstant } from '../../lib/time/instant.js';
import { lastInstant } from '../../lib/time/interval.js';
import {
  boundsFromWallClock,
  boundsOnWallClock,
  checkTimeZone,
  fromWallClock,
  isSameZone,
  toWallClock,
} from '../../lib/time/timeZone.js';
import { failsWith } from '../failsWith.js';

const iso = (instant: number): string => new Date(instant).toISOString();
const wall = (text: string): number => Date.parse(`${text}Z`);
const hour = 3_600_000;
const day = 24 * hour;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock by its fields, in years of four digits. */
function shown(instant: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    const numeric = 'numeric';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      ...{ hourCycle: 'h23', year: numeric, month: numeric, day: numeric },
      ...{ hour: numeric, minute: numeric, second: numeric, fractionalSecondDigits: 3 },
    });
    formats.set(timeZone, format);
  }
  const field = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const { year, month, day: date, hour: hours, minute, second, fractionalSecond } = field;
  return Date.UTC(year!, month! - 1, date, hours, minute, second, fractionalSecond);
}

const edges: readonly [zone: string, wall: string, instant: string][] = [
  // Put forward from 02:00 to 03:00, and back from 02:00 to 01:00.
  ['America/New_York', '2021-03-14T01:59:59', '2021-03-14T06:59:59.000Z'],
  ['America/New_York', '2021-03-14T02:30', '2021-03-14T07:00:00.000Z'],
  ['America/New_York', '2021-03-14T03:00', '2021-03-14T07:00:00.000Z'],
  ['America/New_York', '2021-11-07T01:30', '2021-11-07T05:30:00.000Z'],
  ['America/New_York', '2021-11-07T02:00', '2021-11-07T07:00:00.000Z'],
  ['Europe/London', '2021-03-28T01:30', '2021-03-28T01:00:00.000Z'],
  ['Europe/London', '2021-10-31T01:30', '2021-10-31T00:30:00.000Z'],
  ['Europe/London', '1970-06-01T00:00', '1970-05-31T23:00:00.000Z'],
  // By half an hour.
  ['Australia/Lord_Howe', '2021-10-03T02:15', '2021-10-02T15:30:00.000Z'],
  ['Australia/Lord_Howe', '2021-10-03T02:30', '2021-10-02T15:30:00.000Z'],
  ['Australia/Lord_Howe', '2021-04-04T01:45', '2021-04-03T14:45:00.000Z'],
  ['Australia/Lord_Howe', '2021-04-04T02:00', '2021-04-03T15:30:00.000Z'],
  ['Asia/Kathmandu', '2021-05-05T00:00', '2021-05-04T18:15:00.000Z'],
  // From 05:30 to 05:45 at the end of 1985.
  ['Asia/Kathmandu', '1986-01-01T00:10', '1985-12-31T18:30:00.000Z'],
  // 30 December 2011 was skipped.
  ['Pacific/Apia', '2011-12-29T23:59:59', '2011-12-30T09:59:59.000Z'],
  ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31T00:00', '2011-12-30T10:00:00.000Z'],
  // The clock was put forward at midnight, so that the day begins at one.
  ['America/Sao_Paulo', '2018-11-04T00:00', '2018-11-04T03:00:00.000Z'],
  // 23:30 became 00:30: half an hour of each day is missing.
  ['America/Toronto', '1919-03-31T00:00', '1919-03-31T04:30:00.000Z'],
  // Put forward for a week.
  ['America/Recife', '2000-10-07T12:00', '2000-10-07T15:00:00.000Z'],
  ['America/Recife', '2000-10-12T12:00', '2000-10-12T14:00:00.000Z'],
  ['America/Recife', '2000-10-17T12:00', '2000-10-17T15:00:00.000Z'],
  // Local mean time, to the second, also before any table and before year 0.
  ['America/New_York', '1883-01-01T00:00', '1883-01-01T04:56:02.000Z'],
  ['Africa/Monrovia', '1960-01-01T00:00', '1960-01-01T00:44:30.000Z'],
  ['Asia/Kathmandu', '1850-01-01T00:00', '1849-12-31T18:18:44.000Z'],
  ['America/New_York', '-000043-03-15T00:00', '-000043-03-15T04:56:02.000Z'],
  ['Europe/London', '0800-01-01T00:00', '0800-01-01T00:01:15.000Z'],
];

describe('time zones', () => {
  it('takes the first instant at which the clock shows a time or a later one', () => {
    for (const [zone, text, instant] of edges) {
      const received = iso(fromWallClock(wall(text), zone));
      assert.equal(received, instant, `${text} in ${zone}`);
    }
  });

  it('parses dates and times without an offset in a zone, and others as instants', () => {
    const parsed = (text: string, edge: 'start' | 'end', zone: string): string =>
      iso(parseInstant(text, edge, 'the time', zone));
    assert.equal(parsed('2021-05-05', 'start', 'Asia/Tokyo'), '2021-05-04T15:00:00.000Z');
    assert.equal(parsed('2021-05-05', 'end', 'Asia/Tokyo'), '2021-05-05T15:00:00.000Z');
    assert.equal(parsed('2021', 'end', 'America/New_York'), '2022-01-01T05:00:00.000Z');
    assert.equal(parsed('2021-05-05T09:00', 'end', 'Asia/Tokyo'), '2021-05-05T00:00:00.000Z');
    for (const text of ['2021-05-05T09:00Z', '2021-05-05T18:00+09:00', '2021-05-05T04:00-05'])
      assert.equal(parsed(text, 'start', 'Asia/Tokyo'), '2021-05-05T09:00:00.000Z');
    assert.equal(parseInstant(0, 'start', 'the time', 'Asia/Tokyo'), 0);
    assert.equal(parseInstant(new Date(5), 'start', 'the time', 'Asia/Tokyo'), 5);
    assert.equal(
      iso(parseAskedAt('2021-11-07', 'askedAt', 'America/New_York')),
      '2021-11-08T04:59:59.999Z',
    );
    assert.equal(formatDay(Date.parse('2021-05-04T15:00Z'), 'Asia/Tokyo'), '2021-05-05');
    assert.equal(formatDay(Date.parse('2021-05-04T14:59:59.999Z'), 'Asia/Tokyo'), '2021-05-04');
  });

  it('has days of 23, 25 and 23.5 hours, and a skipped one of a millisecond', () => {
    const hours = (text: string, zone: string): number =>
      (parseInstant(text, 'end', 'a', zone) - parseInstant(text, 'start', 'a', zone)) / hour;
    assert.equal(hours('2021-03-14', 'America/New_York'), 23);
    assert.equal(hours('2021-11-07', 'America/New_York'), 25);
    assert.equal(hours('2021-10-03', 'Australia/Lord_Howe'), 23.5);
    assert.equal(hours('2021-04-04', 'Australia/Lord_Howe'), 24.5);
    assert.equal(hours('2011-12-30', 'Pacific/Apia'), 1 / hour);
    assert.equal(hours('2021-10', 'Europe/London'), 31 * 24 + 1);
  });

  it('has no zone for UTC by any name, and one for aliases in any case', () => {
    for (const name of [undefined, 'UTC', 'Etc/UTC', 'utc', 'Etc/GMT', 'Zulu'])
      assert.equal(checkTimeZone(name), undefined);
    assert.equal(checkTimeZone('europe/london'), 'europe/london');
    assert.ok(isSameZone('Asia/Kolkata', 'Asia/Calcutta'));
    assert.ok(isSameZone('europe/london', 'Europe/London'));
    assert.ok(!isSameZone('Europe/London', 'Europe/Lisbon'));
    assert.ok(!isSameZone('Europe/London', undefined));
  });

  it('refuses what is no name of a zone, and says what one is', () => {
    for (const name of ['Mars/Olympus', '', '+09:00', ' Asia/Tokyo', 5, null, {}])
      assert.throws(
        () => checkTimeZone(name as string),
        failsWith('ERR_INVALID_ARGUMENT', /timeZone to be the IANA name .*Europe\/London/s),
      );
    assert.throws(
      () => formatDay(0, 'Mars/Olympus'),
      failsWith('ERR_INVALID_ARGUMENT', /Mars\/Olympus/),
    );
  });

  const zones = fc.constantFrom(
    ...edges.map(([zone]) => zone),
    ...Intl.supportedValuesOf('timeZone').filter((_, at) => at % 7 === 0),
  );
  const instants = fc.integer({ min: Date.UTC(1840), max: Date.UTC(2100) });

  it('shows what the runtime shows', () => {
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        assert.equal(toWallClock(instant, zone), shown(instant, zone));
      }),
      { numRuns: 2000 },
    );
  });

  it('comes back from the clock, to the earlier of two instants that it shows alike', () => {
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const clock = toWallClock(instant, zone);
        const back = fromWallClock(clock, zone);
        assert.ok(back <= instant && back > instant - day);
        assert.equal(toWallClock(back, zone), clock);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the order of times, and is the first instant not before them', () => {
    const steps = fc.integer({ min: 0, max: 2 * day });
    fc.assert(
      fc.property(zones, instants, steps, (zone, clock, step) => {
        const [one, other] = [fromWallClock(clock, zone), fromWallClock(clock + step, zone)];
        assert.ok(one <= other);
        assert.ok(toWallClock(one, zone) >= clock);
        assert.ok(toWallClock(one - 1, zone) < clock);
      }),
      { numRuns: 2000 },
    );
  });

  it('covers every day by whole days without gaps, each shown as itself', () => {
    const days = fc.integer({ min: -47_000, max: 47_000 });
    fc.assert(
      fc.property(zones, days, (zone, number) => {
        const on = { start: number * day, end: (number + 1) * day };
        const next = { start: on.end, end: on.end + day };
        const [own, after] = [boundsFromWallClock(on, zone), boundsFromWallClock(next, zone)];
        const isSkipped = own.end - own.start === 1;
        if (!isSkipped) assert.equal(own.end, after.start);
        const back = boundsOnWallClock(own, zone);
        if (!isSkipped) assert.ok(back.start >= on.start && back.end <= on.end);
      }),
      { numRuns: 2000 },
    );
  });

  it('works at the ends of time, and leaves open ends open', () => {
    for (const zone of ['Asia/Tokyo', 'America/New_York']) {
      assert.ok(Math.abs(toWallClock(lastInstant, zone) - lastInstant) < day);
      assert.ok(Math.abs(fromWallClock(-lastInstant, zone) + lastInstant) < day);
      assert.equal(toWallClock(Infinity, zone), Infinity);
      assert.equal(fromWallClock(-Infinity, zone), -Infinity);
    }
    assert.equal(toWallClock(NaN, 'Asia/Tokyo'), NaN);
    assert.throws(
      () => parseInstant('+275760-09-13', 'start', 'the time', 'America/New_York'),
      failsWith('ERR_INVALID_ARGUMENT'),
    );
  });
});
