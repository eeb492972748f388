// Validity of what a passage states: from when to when it held, by its text, its metadata, its
// publication and the next member of its series; and whether it holds at the time asked for.
import { formatDay } from '../../time/instant.js';
import { isOver, type ReadValidity } from '../../time/validity.js';
import { holdingIn } from '../members/holding.js';
import type { MemberTable } from '../members/members.js';
import type { SeriesQuestion } from '../question/question.js';
import { isMainTime, type StatedTime } from '../../statements/statements.js';
import { notThen } from './answerable.js';
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
    const { starts, match } = table;
    this.likely = [...match.keys()]
      .filter((at) => {
        const isLikely = relative[at]! > 0 && Number.isFinite(starts[at]);
        return isLikely && isMainTime(table.timeOf(at)!);
      })
      .sort((a, b) => starts[a]! - starts[b]!);
  }

  /** None of an event, of which only its time is known, nor of what has no time. */
  of(member: number): ReadValidity | undefined {
    const { reading } = this.table;
    const time = this.timeOf(member);
    if (!time || this.question.isEvent) return undefined;
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
    const state = holdingIn(known, asked, reading);
    // It may have begun long before it was published.
    const isLater = state === 'not yet' && time.source === 'published';
    return {
      window,
      ...(bounded.length > 0 ? { bounded } : {}),
      ...(isBounded ? { state: isLater ? 'unknown' : state } : {}),
    };
  }

  /** A member's time; that of its publication ends where the passage's metadata says so. */
  private timeOf(member: number): StatedTime | undefined {
    const { match, matches } = this.table;
    const time = member < 0 ? undefined : this.table.timeOf(member);
    if (time?.source !== 'published') return time;
    const { end = Infinity } = matches.at(match[member]!).passage.valid ?? {};
    return end > time.start && end < Infinity ? { ...time, end, range: true } : time;
  }

  /** The last member before the time asked for and the first one after it, as sentences. */
  around(timeZone: string | undefined): string {
    const { starts, ends, match, matches, interpretation, reading } = this.table;
    const { start, end } = reading.held ?? reading.window;
    const own = this.likely.filter((at) => interpretation[at] === 0);
    const before = own.findLast((at) => ends[at]! <= start);
    const after = own.find((at) => starts[at]! >= end);
    const sentence = (words: string, at: number, day: number): string =>
      ` ${words} ${formatDay(day, timeZone)} (${matches.at(match[at]!).passage.record.id}).`;
    const last = before === undefined ? undefined : this.table.timeOf(before)!;
    return [
      last && (last.range || last.until !== undefined)
        ? sentence('The last one before ended on', before!, (last.until ?? last.end) - 1)
        : last
          ? sentence('The last one before is of', before!, last.start)
          : '',
      after === undefined ? '' : sentence('The next one begins on', after, starts[after]!),
    ].join('');
  }

  /** When the next state begins that differs from a member's. */
  private nextAfter(member: number): number | undefined {
    const { starts, ends, match, matches, interpretation } = this.table;
    const end = ends[member]!;
    const { slots } = matches.at(match[member]!);
    const next = this.likely.find(
      (other) =>
        starts[other]! >= end &&
        interpretation[other] === interpretation[member] &&
        !agree(slots, matches.at(match[other]!).slots),
    );
    return next === undefined ? undefined : starts[next]!;
  }
}

/** Why the state of the first passage may not be asserted; undefined where it may. */
export function overReason(
  validity: ReadValidity,
  timeZone: string | undefined,
): string | undefined {
  const { state, window } = validity;
  if (!window || !isOver(validity)) return undefined;
  if (state === 'not yet') return `${notThen}: it begins on ${formatDay(window.start, timeZone)}.`;
  const end = formatDay(window.end - 1, timeZone);
  return state === 'ended' ? `${notThen}: it ended on ${end}.` : `${notThen}, but its end, ${end}.`;
}
