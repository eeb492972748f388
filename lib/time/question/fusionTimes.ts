// Which times of a question are fused into its vector (Re3, sections 3.2 and 3.3): those at which
// its answer lies. A question that asks of a long stretch, or of what came before or after, has
// none: no one date stands for it, and its words alone find more.
import { mustBe } from '../../errors.js';
import { dayMilliseconds } from '../civil.js';
import type { ParsedQuestion, Relation } from '../constraint.js';
import type { Interval } from '../interval.js';
import { timeTupleOf, type TimeTuple } from '../tuple.js';
import { jointConstraint } from './jointConstraint.js';

/**
 * The answer lies at the time itself: a day, a month or a year of an event, the day up to which
 * something is counted.
 */
const atTheTime: readonly (Relation | 'none')[] = ['in', 'on', 'by', 'around'];

/**
 * A count is of the day up to which it was taken, or on which it was reported. What someone was as
 * of a day began before it.
 */
const counts = /\b(?:how many|numbers?|totals?|counts?|tally|tallies|cumulative)\b/i;
const upTo: readonly (Relation | 'none')[] = ['as of', 'until'];

const longestYear = 366 * dayMilliseconds;
/** Days of one stretch that are fused one by one. */
const mostDays = 7;
/** "Between 1950 and 1954": longer stretches are not found by their middle. */
const mostYears = 5;

/**
 * The times to fuse, none where the question ranks by its words alone: then against rows as they
 * are, since fused ones are not where its vector looks. Several where days serve as well as each
 * other ("on May 7 and on May 8"): a passage of one of them suffices. A time of publication is
 * another clock, and fused only of counts, which are of the day that they were reported on.
 * @example fusionTimes(parseQuestion({ text: 'Who won the cup in May 1998?' })) // [{ year: 1998,
 * month: 5, dayOfMonth: 0, mask: [1, 1, 0] }]
 */
export function fusionTimes(parsed: ParsedQuestion): TimeTuple[] {
  mustBe('an object', { parsed });
  mustBe('an object', { 'parsed.constraint': parsed.constraint });
  return fusionIntervals(parsed).map(timeTupleOf);
}

/** Whether a question asks for a count. */
export const isCountQuery = ({ mainContent }: ParsedQuestion): boolean => counts.test(mainContent);

/** The same as stretches of time. */
export function fusionIntervals(parsed: ParsedQuestion): Interval[] {
  const { clock, relation, interval, alternatives } = jointConstraint(parsed);
  const counted = isCountQuery(parsed);
  if (!interval || (clock === 'published' && !counted)) return [];
  const intervals = (alternatives ?? [interval]).flatMap(daysOf);
  return intervals.every((each) => isMoment(relation, each, counted))
    ? intervals.filter((each) => timeTupleOf(each).mask[0] === 1)
    : [];
}

function isMoment(
  relation: Relation | 'none',
  { start, end, granularity }: Interval,
  counted: boolean,
): boolean {
  if (atTheTime.includes(relation) || (counted && upTo.includes(relation)))
    return end - start <= longestYear;
  // A year stands well for years beside it, not for months that the question names.
  return relation === 'between' && granularity === 'year' && end - start <= mostYears * longestYear;
}

/** "On January 7 and on January 8" is read as one stretch. */
function daysOf(interval: Interval): Interval[] {
  const { start, end, granularity } = interval;
  const days = Math.round((end - start) / dayMilliseconds);
  if (granularity !== 'day' || days < 2 || days > mostDays) return [interval];
  return Array.from({ length: days }, (_, i) => ({
    ...interval,
    start: start + i * dayMilliseconds,
    end: start + (i + 1) * dayMilliseconds,
  }));
}
