// Times of a question that are fused into its vector (Re3, sections 3.2, 3.3): of every question
// as in the paper, or of those whose answer lies at the time. Long intervals and open relations
// (before, after) have no single date that represents them, and words alone retrieve more.
import { mustBe } from '../../errors.js';
import { dayMilliseconds } from '../../time/civil.js';
import type { ParsedQuestion, Relation } from '../../time/constraint.js';
import type { Interval } from '../../time/interval.js';
import { timeTuples, type TimeExtractor } from '../../time/timeExtractor.js';
import { timeTupleOf, type TimeTuple } from '../../time/tuple.js';
import { boundsFromWallClock, boundsOnWallClock, toWallClock } from '../../time/timeZone.js';
import { jointConstraint } from '../../time/question/jointConstraint.js';

/** The answer lies at the time itself: the day of an event, the date of a count. */
const atTheTime: readonly (Relation | 'none')[] = ['in', 'on', 'by', 'around'];

/** A count belongs to the day of its report; a state as of a day began before it. */
const counts = /\b(?:how many|numbers?|totals?|counts?|tally|tallies|cumulative)\b/i;
const upTo: readonly (Relation | 'none')[] = ['as of', 'until'];

const longestYear = 366 * dayMilliseconds;
/** Longest interval, in days, whose days are fused one by one. */
const maxDays = 7;
/** Longest interval in years ("between 1950 and 1954") that its middle represents. */
const maxYears = 5;

/** Questions whose times are fused: all, or those whose answer is at a moment. */
export const fusedQuestions = ['all', 'moments'] as const;

/**
 * The times to fuse. None if the question ranks by words alone, against rows without fused times.
 * Several for alternatives ("on May 7 and on May 8"): a passage about one of them suffices.
 * Publication times are another clock, fused only for counts, which belong to the day of their
 * report. Days are those of the question's time zone.
 * @example fusionTimes(parseQuestion({ text: 'Who won the cup in May 1998?' })) // [{ year: 1998,
 * month: 5, dayOfMonth: 0, mask: [1, 1, 0] }]
 */
export function fusionTimes(
  parsed: ParsedQuestion,
  fuse: (typeof fusedQuestions)[number] = 'all',
): TimeTuple[] {
  mustBe('an object', { parsed });
  mustBe('an object', { 'parsed.constraint': parsed.constraint });
  return fusionIntervals(parsed, fuse).map((each) => tupleIn(parsed, each));
}

/**
 * The times that are fused into each question's vector, in search and in training: `fusionTimes`,
 * or by an extractor its one time, whatever the question asks of it, and none of `noTime`.
 * @throws AsOfError as `timeTuples`
 */
export async function questionTimes(
  questions: readonly ParsedQuestion[],
  options: {
    extractor?: TimeExtractor | undefined;
    fuse?: (typeof fusedQuestions)[number] | undefined;
    signal?: AbortSignal | undefined;
  },
): Promise<TimeTuple[][]> {
  const { extractor, fuse, signal } = options;
  if (!extractor) return questions.map((each) => fusionTimes(each, fuse));
  const times = await timeTuples(
    questions.map(({ text }) => text),
    {
      kind: 'query',
      references: questions.map(({ askedAt, timeZone }) => toWallClock(askedAt, timeZone)),
      extractor,
      signal,
    },
  );
  return times.map((time) => (time.mask[0] === 1 ? [time] : []));
}

/** Whether a question asks for a count. */
export const isCountQuery = ({ mainContent }: ParsedQuestion): boolean => counts.test(mainContent);

/** The times to fuse as intervals. */
function fusionIntervals(
  parsed: ParsedQuestion,
  fuse: (typeof fusedQuestions)[number],
): Interval[] {
  const { clock, relation, interval, alternatives } = jointConstraint(parsed);
  const counted = isCountQuery(parsed);
  if (!interval || (clock === 'published' && !counted)) return [];
  const intervals = (alternatives ?? [interval]).flatMap((each) => daysOf(each, parsed.timeZone));
  return fuse === 'all' || intervals.every((each) => isMoment(relation, each, counted))
    ? intervals.filter((each) => tupleIn(parsed, each).mask[0] === 1)
    : [];
}

const tupleIn = ({ timeZone }: ParsedQuestion, interval: Interval): TimeTuple =>
  timeTupleOf(boundsOnWallClock(interval, timeZone));

function isMoment(
  relation: Relation | 'none',
  { start, end, granularity }: Interval,
  counted: boolean,
): boolean {
  if (atTheTime.includes(relation) || (counted && upTo.includes(relation)))
    return end - start <= longestYear;
  // A year represents adjacent years well, but not months in the question.
  return relation === 'between' && granularity === 'year' && end - start <= maxYears * longestYear;
}

/** Splits an interval of days, such as "on January 7 and on January 8", into its days. */
function daysOf(interval: Interval, timeZone: string | undefined): Interval[] {
  const { start, end, granularity } = boundsOnWallClock(interval, timeZone);
  const days = Math.round((end - start) / dayMilliseconds);
  if (granularity !== 'day' || days < 2 || days > maxDays) return [interval];
  return Array.from({ length: days }, (_, i) => {
    const from = (Math.floor(start / dayMilliseconds) + i) * dayMilliseconds;
    return boundsFromWallClock({ ...interval, start: from, end: from + dayMilliseconds }, timeZone);
  });
}
