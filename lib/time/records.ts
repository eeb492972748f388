// The records of `asof time tag` and `asof time question` (README, "Command line"): snake case, ISO
// dates inclusive at both ends, null where there is nothing. Only shapes: reading lines and writing
// them is the command's.
import { mustBe } from '../errors.js';
import type { ParsedQuestion, Window } from './constraint.js';
import { formatDay, formatInstant } from './instant.js';
import type { Interval } from './interval.js';
import type { TaggedText } from './mention.js';

export interface TimeTagRecord {
  id: string | number | null;
  /** news or narrative: how incomplete dates were read. */
  mode: string;
  mentions: {
    start: number;
    end: number;
    text: string;
    relation: string;
    start_iso: string | null;
    end_iso: string | null;
    granularity: string | null;
    timex_type: string;
    timex_value: string;
  }[];
  /** The TIMEX3 expressions of all mentions, in order, without their prepositions. */
  timex: { start: number; end: number; text: string; type: string; value: string }[];
}

/**
 * One constraint of a question: its words, its literal interval and the window that satisfies it.
 */
export interface TimeConstraintRecord {
  constraint_text: string | null;
  relation: string;
  start_iso: string | null;
  end_iso: string | null;
  window_start: string | null;
  window_end: string | null;
  granularity: string | null;
}

export interface TimeQuestionRecord extends TimeConstraintRecord {
  id: string | number | null;
  main_content: string;
  condition: string;
  /**
   * Every constraint found, in order of appearance; `binds` where the answer must satisfy it. Empty
   * where there is none.
   */
  constraints: (TimeConstraintRecord & { clock: string; binds: boolean })[];
}

type Id = string | number | null;

/** The line that `asof time tag` prints for one text. */
export function toTimeTagRecord(id: Id, text: string, tagged: TaggedText): TimeTagRecord {
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
        ...intervalIso(interval),
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
 * The line that `asof time question` prints for a question taken apart. The fields beside
 * `constraints` say what the question says in words; what "current" implies is only among
 * `constraints`, without a text.
 */
export function toTimeQuestionRecord(id: Id, parsed: ParsedQuestion): TimeQuestionRecord {
  mustBe('an object', { parsed });
  mustBe('an object', { 'parsed.constraint': parsed.constraint });
  const { constraint, constraints } = parsed;
  const said = constraint.text !== undefined;
  return {
    id,
    main_content: parsed.mainContent,
    constraint_text: constraint.text ?? null,
    condition: constraint.condition,
    relation: said ? constraint.relation : 'none',
    ...intervalIso(said ? constraint.interval : undefined),
    ...windowIso(constraint.window, said ? constraint.interval : undefined),
    granularity: said ? constraint.interval!.granularity : null,
    constraints: constraints
      .filter(({ relation }) => relation !== 'none')
      .map(({ text, relation, interval, window, clock, binds }) => ({
        constraint_text: text ?? null,
        relation,
        ...intervalIso(interval),
        ...windowIso(window, interval),
        granularity: interval?.granularity ?? null,
        clock,
        binds,
      })),
  };
}

/**
 * Both ends of an interval as ISO 8601, inclusive; null where there is no interval or the end is
 * open.
 */
export function intervalIso(interval: Interval | undefined): {
  start_iso: string | null;
  end_iso: string | null;
} {
  if (!interval) return { start_iso: null, end_iso: null };
  return {
    start_iso: interval.start === -Infinity ? null : isoStart(interval.start, interval),
    end_iso: interval.end === Infinity ? null : isoEnd(interval.end, interval),
  };
}

function windowIso(
  window: Window | undefined,
  interval: Interval | undefined,
): { window_start: string | null; window_end: string | null } {
  if (!window || !interval) return { window_start: null, window_end: null };
  return {
    window_start: window.start === -Infinity ? null : isoStart(window.start, interval),
    window_end: window.end === Infinity ? null : isoEnd(window.end, interval),
  };
}

function timed({ granularity }: Interval): 'minute' | 'second' | 'millisecond' | undefined {
  if (granularity === 'hour') return 'minute';
  return granularity === 'minute' || granularity === 'second' || granularity === 'millisecond'
    ? granularity
    : undefined;
}

/** To the day, with a time of day only where the text has one. */
function isoStart(instant: number, interval: Interval): string {
  const fineness = timed(interval);
  return fineness ? formatInstant(instant, fineness) : formatDay(instant);
}

/** The last day, minute, second or millisecond before an exclusive end. */
function isoEnd(end: number, interval: Interval): string {
  return isoStart(end - 1, interval);
}
