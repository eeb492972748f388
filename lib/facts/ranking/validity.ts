// Validity of what a passage states: from when to when it held, by its text, its metadata, its
// publication and the next member of its series; and whether it holds at the time asked for.
import { formatDay } from '../../time/instant.js';
import type { Holding, ReadValidity } from '../../time/validity.js';
import { holdingIn } from '../members/holding.js';
import type { MemberTable } from '../members/members.js';
import type { SeriesQuestion } from '../question/question.js';
import type { StatedTime } from '../statements/statements.js';
import type { CascadeResult } from './cascade.js';
import { agree } from './credibility.js';

/** Validity of the members of a question. */
export class MemberValidity {
  /** Members that are likelier of the series than not, in the order of time. */
  private readonly likely: readonly number[];

  constructor(
    private readonly question: SeriesQuestion,
    private readonly table: MemberTable,
    { relative }: CascadeResult,
  ) {
    const { times, match } = table;
    this.likely = [...match.keys()]
      .filter((at) => relative[at]! > 0 && isMain(times[at]) && Number.isFinite(times[at]!.start))
      .sort((a, b) => times[a]!.start - times[b]!.start);
  }

  /** None of an event, of which only its time is known, nor of what has no time. */
  of(member: number): ReadValidity | undefined {
    const { times, interpretation, readings } = this.table;
    const time = member < 0 ? undefined : times[member];
    if (!time || this.question.isEvent) return undefined;
    const reading = readings[interpretation[member]! >> 1]!;
    const end = time.until ?? (time.range ? time.end : undefined);
    const next = end === undefined ? this.nextAfter(member) : undefined;
    // Of "until 1934" nobody knows when it began.
    const start = time.until === time.end ? -Infinity : time.start;
    const window = { start, end: end ?? next ?? Infinity };
    const bounded: ('from' | 'to')[] = [
      ...(time.source === 'published' ? (['from'] as const) : []),
      ...(next === undefined ? [] : (['to'] as const)),
    ];
    const asked = reading.held ?? reading.window;
    const isBounded = Number.isFinite(asked.start) || Number.isFinite(asked.end);
    const known = next === undefined ? time : { ...window, range: true };
    return {
      window,
      ...(bounded.length > 0 ? { bounded } : {}),
      ...(isBounded ? { state: holdingIn(known, asked, reading) } : {}),
    };
  }

  /** The last known member before the time asked for and the first one after it, in a sentence. */
  around(timeZone: string | undefined): string {
    const { times, match, matches, interpretation, readings } = this.table;
    const { held, window } = readings[0]!;
    const { start, end } = held ?? window;
    const own = this.likely.filter((at) => interpretation[at] === 0);
    const before = own.findLast((at) => times[at]!.end <= start);
    const after = own.find((at) => times[at]!.start >= end);
    const told = (at: number, words: string, day: number): string =>
      `the ${words} ${formatDay(day, timeZone)} (${matches[match[at]!]!.passage.record.id})`;
    const known = [
      ...(before === undefined
        ? []
        : [told(before, 'last is known until', times[before]!.end - 1)]),
      ...(after === undefined ? [] : [told(after, 'next is known from', times[after]!.start)]),
    ].join(', ');
    return known === '' ? '' : ` ${known[0]!.toUpperCase()}${known.slice(1)}.`;
  }

  /** When the next state begins that differs from a member's. */
  private nextAfter(member: number): number | undefined {
    const { times, match, matches, interpretation } = this.table;
    const { end } = times[member]!;
    const { slots } = matches[match[member]!]!;
    const next = this.likely.find(
      (other) =>
        times[other]!.start >= end &&
        interpretation[other] === interpretation[member] &&
        !agree(slots, matches[match[other]!]!.slots),
    );
    return next === undefined ? undefined : times[next]!.start;
  }
}

/** Whether a statement is of the time, rather than compared with it or told beside it. */
const isMain = (time: StatedTime | undefined): boolean =>
  time !== undefined &&
  (time.source === 'own' ||
    time.source === 'title' ||
    time.source === 'valid' ||
    time.source === 'published');

const nothing = 'No passage states it for that time';

/**
 * Why what is stated may not be asserted for the time asked for: the text or metadata has it end
 * before, or begin after, or tell its end alone. Undefined where it may.
 */
export function overReason(
  { state, window, bounded = [] }: ReadValidity,
  timeZone: string | undefined,
): string | undefined {
  if (state === undefined || state === 'holds' || !window) return undefined;
  const { start, end } = window;
  const reasons: Record<Holding, string | undefined> = {
    holds: undefined,
    ended: bounded.includes('to')
      ? undefined
      : `${nothing}: what is known ended on ${formatDay(end - 1, timeZone)}.`,
    'not yet': `${nothing}: what is known begins on ${formatDay(start, timeZone)}.`,
    unknown:
      start === -Infinity
        ? `${nothing}: only an end is known, ${formatDay(end - 1, timeZone)}.`
        : undefined,
  };
  return reasons[state];
}
