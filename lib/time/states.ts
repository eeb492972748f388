// Intervals for which a sentence states that something held: an end date ("until 1934") extends
// back to the date of the beginning.
import { yearMilliseconds as year } from './civil.js';
import type { Interval } from './interval.js';
import { toWallClock } from './timeZone.js';

/** How far a state is assumed to reach back if only its end is stated. */
export const reachedBack = 5 * year;

/** When a state ends that is said to last ("2011–present"): no passage tells of a later time. */
const notYetOver = Date.UTC(2100, 0, 1);

/**
 * The dates of a sentence in their order, then a stretch for each that ends a state or begins one
 * that is said to last. The date stays with its stretch, since "cases up to 5 April" are counted
 * on that day. `cues` are those of the dates.
 */
export function statesIn(
  text: string,
  dates: readonly Interval[],
  cues: readonly Cue[] = cuesOf(text, dates),
): readonly Interval[] {
  const stretches = dates.flatMap((date, at): Interval[] => {
    const { ends, lasts } = cues[at]!;
    if (lasts && date.start < notYetOver) return [{ ...date, end: notYetOver }];
    if (!ends) return [];
    const before = dates
      .filter(({ start, end }) => end <= date.start && end - start <= 1.1 * year)
      .map(({ start }) => start);
    return [
      {
        start: before.length > 0 ? Math.max(...before) : date.start - reachedBack,
        end: date.end,
        granularity: date.granularity,
      },
    ];
  });
  return stretches.length > 0 ? [...dates, ...stretches] : dates;
}

export const cuesOf = (text: string, dates: readonly Interval[], timeZone?: string): Cue[] =>
  dates.map((date) => cueOf(text, date, timeZone));

/** What the words around a date's year say. */
export interface Cue {
  /** 1 that something begins then or lasts from then, -1 that it ends, 0 neither. */
  opens: number;
  /** Not a life, which is no state, nor a way that leads "to Rome in 1934". */
  ends: boolean;
  /** Whether it is said to last still. */
  lasts: boolean;
  /** 1 where it stands in parentheses, else 0. */
  parenthesis: number;
}

export function cueOf(text: string, { start, end }: Interval, timeZone?: string): Cue {
  const first = yearOf(start, timeZone);
  const last = yearOf(end - 1, timeZone);
  const at = text.indexOf(String(first));
  if (at < 0) return { opens: 0, ends: false, lasts: false, parenthesis: 0 };
  const opened = text.lastIndexOf('(', at);
  const closed = opened >= 0 ? text.indexOf(')', opened) : -1;
  const before = text.slice(Math.max(0, at - 28), at);
  const ending = lasting.exec(
    text.slice(at + String(first).length, at + String(first).length + 14),
  );
  const opens =
    first !== last && !ending
      ? 0
      : ending || opening.test(before)
        ? 1
        : closing.test(before)
          ? -1
          : 0;
  return {
    opens,
    ends: opens === -1 && stateEnding.test(before),
    lasts: ending !== null && ending[1] !== '?',
    parenthesis: Number(opened >= 0 && closed > at),
  };
}

const yearOf = (instant: number, timeZone: string | undefined): number =>
  new Date(toWallClock(instant, timeZone)).getUTCFullYear();

/** "2011–present", "2003–)"; of "1796-?" nobody knows. */
const lasting = /^\s*[-–—]\s*(\?|present|today|now\b|date\b|[),;:]|$)/i;

const openers =
  'since from after starting beginning began became becoming elected appointed joined ' +
  'renamed succeeded replaced moved acquired bought purchased';
const opening = new RegExp(
  String.raw`\b(?:${openers.replaceAll(' ', '|')}|took over|signed)\b[^.;]{0,18}$`,
  'i',
);
const closing =
  /(?:\b(?:until|till|to|through|ended|left|resigned|retired|died|dissolved|closed|abolished|before)\b[^.;]{0,12}|\?\s*[-–—]\s*)$/i;
const stateEnding = new RegExp(
  String.raw`(?:\b(?:until|till|through|up to)\s(?:(?:early|late|mid|about|around|\p{Lu}\p{L}+|\d{1,2},?)\s){0,3}|` +
    String.raw`\b(?:left|resigned|retired|dissolved|closed|abolished|ended)\b[^.;,]{0,12}|\?\s*[-–—]\s*)$`,
  'iu',
);
