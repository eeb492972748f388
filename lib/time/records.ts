// Output records of `asof time tag` and `asof time question` (README, "Command line"): snake case,
// ISO dates inclusive at both ends, null for absent values.
import { mustBe } from '../errors.js';
import type { ParsedQuestion, Window } from './constraint.js';
import { formatDay, formatInstant } from './instant.js';
import type { Interval } from './interval.js';
import type { TaggedText } from './mention.js';

type Id = string | number | null;

/** Output record of `asof time tag` for one text; days are of `timeZone`, default UTC. */
export function toTimeTagRecord(id: Id, text: string, tagged: TaggedText, timeZone?: string) {
  mustBe('an object', { tagged });
  const { mode, mentions } = tagged;
  mustBe('an array', { 'tagged.mentions': mentions });
  return {
    id,
    mode,
    mentions: mentions.map(
      ({ start, end, text: words, relation, interval, timexType, timexValue }) => ({
        start,
        end,
        text: words,
        relation,
        ...intervalIso(interval, timeZone),
        granularity: interval?.granularity ?? null,
        timex_type: timexType,
        timex_value: timexValue,
      }),
    ),
    timex: mentions.flatMap(({ timexes }) =>
      timexes.map(({ start, end, type, value }) => ({
        start,
        end,
        text: text.slice(start, end),
        type,
        value,
      })),
    ),
  };
}

/**
 * Output record of `asof time question`. Fields other than `constraints` describe constraints in
 * words; one that no word says is listed in `constraints` alone, without a text. Days are of the
 * question's time zone.
 */
export function toTimeQuestionRecord(id: Id, parsed: ParsedQuestion) {
  mustBe('an object', { parsed });
  mustBe('an object', { 'parsed.constraint': parsed.constraint });
  const { constraint, constraints, timeZone, asked } = parsed;
  const explicit = constraint.text !== undefined;
  return {
    id,
    main_content: parsed.mainContent,
    constraint_text: constraint.text ?? null,
    condition: constraint.condition,
    relation: explicit ? constraint.relation : 'none',
    ...intervalIso(explicit ? constraint.interval : undefined, timeZone),
    ...windowIso(constraint.window, explicit ? constraint.interval : undefined, timeZone),
    granularity: explicit ? constraint.interval!.granularity : null,
    constraints: constraints
      .filter(({ relation }) => relation !== 'none')
      .map(({ text, relation, interval, window, clock, binds }) => ({
        constraint_text: text ?? null,
        relation,
        ...intervalIso(interval, timeZone),
        ...windowIso(window, interval, timeZone),
        granularity: interval?.granularity ?? null,
        clock,
        binds,
      })),
    ...(asked ? orderRecord(asked) : {}),
  };
}

const orderRecord = ({ asks, order, n, anchor, shift }: NonNullable<ParsedQuestion['asked']>) => ({
  asks,
  order,
  n: n ?? null,
  anchor: anchor ?? null,
  shift: shift
    ? `${shift.count < 0 ? '' : '+'}${shift.count} ${shift.unit}${Math.abs(shift.count) === 1 ? '' : 's'}`
    : null,
});

/**
 * Both ends of an interval as ISO 8601, inclusive; null for an open end, or without an interval.
 * Days are of `timeZone`, default UTC; a time of day is given in UTC.
 */
export function intervalIso(
  interval: Interval | undefined,
  timeZone?: string,
): {
  start_iso: string | null;
  end_iso: string | null;
} {
  if (!interval) return { start_iso: null, end_iso: null };
  return {
    start_iso: interval.start === -Infinity ? null : isoText(interval.start, interval, timeZone),
    // The last day, minute, second or millisecond before an exclusive end.
    end_iso: interval.end === Infinity ? null : isoText(interval.end - 1, interval, timeZone),
  };
}

function windowIso(
  window: Window | undefined,
  interval: Interval | undefined,
  timeZone: string | undefined,
): { window_start: string | null; window_end: string | null } {
  const stretch = window && interval && { ...interval, ...window };
  const { start_iso: start, end_iso: end } = intervalIso(stretch, timeZone);
  return { window_start: start, window_end: end };
}

const timed = {
  hour: 'minute',
  minute: 'minute',
  second: 'second',
  millisecond: 'millisecond',
} as const;

/** Day precision, finer only if the interval's granularity is. */
function isoText(instant: number, { granularity }: Interval, timeZone: string | undefined): string {
  const fineness = granularity in timed ? timed[granularity as keyof typeof timed] : undefined;
  return fineness ? formatInstant(instant, fineness) : formatDay(instant, timeZone);
}
