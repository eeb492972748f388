// Parsing of times from users (ISO 8601, epoch milliseconds, Dates) and ISO 8601 formatting. A time
// without an offset is of the given zone, by default UTC; dates that do not exist are rejected,
// never rolled over into the next month.
import { invalidArgument } from '../errors.js';
import type { TimeInput } from '../records.js';
import { civilFromDays, dayMilliseconds, daysFromCivil, daysInMonth } from './civil.js';
import { lastInstant, type Instant } from './interval.js';
import { boundsFromWallClock, checkTimeZone, toWallClock } from './timeZone.js';

const expected = 'an ISO 8601 date or date-time, epoch milliseconds or a Date';
const remedy =
  'Write 2021, 2021-05, 2021-05-06, 2021-05-06T13:50Z or -0043 (44 BC), within the years ' +
  '-271821 to 275760.';
const iso =
  /^([+-]\d{6}|-?\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/i;

/** An interval of a day or more, or a point (start = end) with a time of day. */
interface TimeRange {
  start: Instant;
  end: Instant;
}

/**
 * The instant of a user's time. A date alone (a year, month or day) is an interval: `start` is its
 * first millisecond, `end` the first one after it. A date-time, number or Date is the same instant
 * at both edges. Dates, and date-times without `Z` or an offset, are of `timeZone`, an IANA name,
 * default UTC.
 * @throws AsOfError ERR_INVALID_ARGUMENT for dates that do not exist, years beyond +-271,821, NaN,
 * values of other types and unknown time zones.
 * @example parseInstant('2021-05', 'end') // 2021-06-01T00:00Z
 */
export function parseInstant(
  value: TimeInput,
  edge: 'start' | 'end',
  name = 'the time',
  timeZone?: string,
): Instant {
  const zone = checkTimeZone(timeZone);
  const range = typeof value === 'string' ? parseIso(value.trim(), zone) : pointOf(value);
  if (range === undefined) throw invalidArgument(name, expected, value, remedy);
  return range[edge];
}

/**
 * Query time: a date alone is the last millisecond of that day (month, year) in `timeZone`, default
 * UTC; default: now.
 */
export function parseAskedAt(
  value: TimeInput | undefined,
  name = 'askedAt',
  timeZone?: string,
): Instant {
  if (value === undefined) return Date.now();
  const start = parseInstant(value, 'start', name, timeZone);
  const end = parseInstant(value, 'end', name, timeZone);
  return end > start ? end - 1 : start;
}

function pointOf(value: unknown): TimeRange | undefined {
  const instant = typeof value === 'number' ? value : value instanceof Date ? value.getTime() : NaN;
  if (!(Math.abs(instant) <= lastInstant)) return undefined;
  const whole = Math.floor(instant);
  return { start: whole, end: whole };
}

function parseIso(text: string, timeZone: string | undefined): TimeRange | undefined {
  const match = iso.exec(text);
  if (!match || /^-0+$/.test(match[1]!)) return undefined;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)));
  if (year === undefined || Math.abs(year) > 275_760) return undefined;
  if (month !== undefined && (month < 1 || month > 12)) return undefined;
  if (day !== undefined && (day < 1 || day > daysInMonth(year, month!))) return undefined;
  const startDay = daysFromCivil({ year, month: month ?? 1, day: day ?? 1 });
  if (hour === undefined) {
    const length =
      day !== undefined
        ? 1
        : month !== undefined
          ? daysInMonth(year, month)
          : daysFromCivil({ year: year + 1, month: 1, day: 1 }) - startDay;
    const days = {
      start: startDay * dayMilliseconds,
      end: (startDay + length) * dayMilliseconds,
    };
    return within(boundsFromWallClock(days, timeZone));
  }
  const offset = offsetMinutes(match[8]);
  // 24:00 is the end of the day; second 60 is rejected, since epoch time has no leap seconds.
  const endOfDay = hour === 24 && minute === 0 && !second;
  if ((hour > 23 && !endOfDay) || minute! > 59 || (second ?? 0) > 59 || offset === undefined)
    return undefined;
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000 + 1e-9);
  const instant =
    startDay * dayMilliseconds +
    ((hour * 60 + minute! - offset) * 60 + (second ?? 0)) * 1000 +
    fraction;
  const point = { start: instant, end: instant };
  return within(match[8] === undefined ? boundsFromWallClock(point, timeZone) : point);
}

function within(range: TimeRange): TimeRange | undefined {
  return range.start >= -lastInstant && range.end <= lastInstant ? range : undefined;
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || /^z$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = zone.length > 3 ? Number(zone.slice(-2)) : 0;
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const padded = (value: number, width: number) => String(value).padStart(width, '0');

function yearText(year: number): string {
  if (year > 9999) return `+${padded(year, 6)}`;
  if (year < -9999) return `-${padded(-year, 6)}`;
  return year < 0 ? `-${padded(-year, 4)}` : padded(year, 4);
}

/**
 * Day of an instant in a time zone (an IANA name, default UTC): 2021-05-06, -0043-03-15 for 44 BC,
 * +012021-01-01 beyond the year 9999.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a name that is no time zone
 */
export function formatDay(instant: Instant, timeZone?: string): string {
  const wall = toWallClock(instant, timeZone);
  const { year, month, day } = civilFromDays(Math.floor(wall / dayMilliseconds));
  return `${yearText(year)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/**
 * An instant as 2021-05-06T13:50Z, to the given precision; default: seconds and milliseconds only
 * if they are not zero.
 */
export function formatInstant(
  instant: Instant,
  fineness: 'minute' | 'second' | 'millisecond' | 'needed' = 'needed',
): string {
  const time = instant - Math.floor(instant / dayMilliseconds) * dayMilliseconds;
  const [hours, minutes, seconds, rest] = [
    Math.floor(time / 3_600_000),
    Math.floor(time / 60_000) % 60,
    Math.floor(time / 1000) % 60,
    Math.floor(time % 1000),
  ];
  const finest =
    fineness !== 'needed' ? fineness : rest > 0 ? 'millisecond' : seconds > 0 ? 'second' : 'minute';
  const tail =
    finest === 'minute'
      ? ''
      : `:${padded(seconds, 2)}${finest === 'millisecond' ? `.${padded(rest, 3)}` : ''}`;
  return `${formatDay(instant)}T${padded(hours, 2)}:${padded(minutes, 2)}${tail}Z`;
}
