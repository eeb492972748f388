// A question's main content and temporal constraints (MRAG section 4), by its reading.
import { invalidArgument } from '../../errors.js';
import type { Question } from '../../records.js';
import { dayMilliseconds } from '../civil.js';
import {
  type Clock,
  type Constraint,
  type ParsedQuestion,
  type Relation,
  windowOf,
} from '../constraint.js';
import type { Instant, Interval } from '../interval.js';
import { boundsFromWallClock, toWallClock } from '../timeZone.js';
import { mainContentOf } from './mainContent.js';
import { questionClock, type QuestionClock } from './questionClock.js';
import { checkQuestionText, questionStart } from './questionText.js';
import {
  datedNeighbour,
  datesByClock,
  isOfDay,
  readOnClock,
  type QuestionReading,
  type ReadDate,
  type Span,
} from './reading.js';

/**
 * Conventions of a data set that differ from the defaults
 * (docs/decisions/time-in-text.md).
 */
export interface QuestionOptions {
  /**
   * First years of the middle and the late part of a decade, 1 to 9. Default [4, 7], early is years
   * 0 to 3; with [3, 7] it is 0 to 2.
   */
  partsOfDecade?: readonly [middle: number, late: number] | undefined;
}

function checkParts([middle, late]: readonly [number, number]): void {
  if (
    !Number.isInteger(middle) ||
    !Number.isInteger(late) ||
    middle < 1 ||
    late <= middle ||
    late > 9
  ) {
    throw invalidArgument(
      'partsOfDecade',
      'the first years of the middle and the late part, 1 to 9 and rising',
      [middle, late],
      'Pass [4, 7].',
    );
  }
}

/**
 * Parses the question's main content and temporal constraints. Relative dates and words for now
 * refer to `askedAt`. Of a text longer than 4000 units only the end is parsed; the rest stays in
 * the main content.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a text that is no string or has more than 20,000
 * UTF-16 units, and invalid askedAt, timeZone or partsOfDecade.
 * @example parseQuestion({ text: 'Who led the party after 1990?' }).constraint.relation // 'after'
 */
export function parseQuestion(question: Question, options: QuestionOptions = {}): ParsedQuestion {
  checkQuestionText(question?.text);
  const { text } = question;
  // The spelling of files; ignored, it would silently mean now.
  if ('asked_at' in question)
    throw invalidArgument(
      'question',
      'an object { text, askedAt?, timeZone? }',
      question,
      'Write askedAt for asked_at.',
    );
  const clock = questionClock(question);
  const from = questionStart(text);
  if (options.partsOfDecade) checkParts(options.partsOfDecade);
  const parsed = parseOnClock(text.slice(from), clock, options);
  if (from === 0) return parsed;
  return { ...parsed, text, mainContent: (text.slice(0, from) + parsed.mainContent).trim() };
}

function parseOnClock(
  text: string,
  clock: QuestionClock,
  { partsOfDecade }: QuestionOptions,
): ParsedQuestion {
  const { askedAt, timeZone } = clock;
  const reading = readOnClock(text, clock);
  const condition = conditionOf(reading);
  const found = datesOf(reading, clock);
  const constraints = found.map((date): Constraint => {
    const { start, end, relation, binds, clock: own } = date;
    return {
      condition,
      ...withWindow(relation, clock.toInstants(inParts(date.interval, partsOfDecade))),
      ...(start < end ? { text: text.slice(start, end) } : {}),
      clock: own,
      binds,
    };
  });
  const primary =
    constraints.findLast(({ binds, clock: own }) => binds && own === 'content') ??
    constraints.findLast(({ binds }) => binds);
  const none: Constraint = { condition, relation: 'none', clock: 'content', binds: true };
  const constraint = primary ?? none;
  return {
    text,
    mainContent: primary ? mainContentOf(text, found[constraints.indexOf(primary)]!) : text.trim(),
    constraint,
    constraints: primary ? constraints : [...constraints, none],
    askedAt,
    ...(timeZone === undefined ? {} : { timeZone }),
    asked: askedOrder(reading),
  };
}

function askedOrder({
  asks,
  order,
  n,
  anchor,
  shift,
}: QuestionReading): NonNullable<ParsedQuestion['asked']> {
  return {
    asks,
    order,
    ...(n === undefined ? {} : { n }),
    ...(anchor ? { anchor: { text: anchor.text, kind: anchor.kind } } : {}),
    ...(shift ? { shift } : {}),
  };
}

/** By the word of the question, where it is one of the conditions. */
function conditionOf({ order, says }: QuestionReading): Constraint['condition'] {
  if (order === 'first') return says.earliest ? 'earliest' : 'first';
  if (order === 'latest') return says.last ? 'last' : 'latest';
  return 'none';
}

interface ConstrainingDate extends Span {
  interval: Interval;
  relation: Relation;
  clock: Clock;
  binds: boolean;
}

/** The dates with the words of their relation; of "now" the day of asking. */
function datesOf(reading: QuestionReading, { reference }: QuestionClock): ConstrainingDate[] {
  const { order, dates, removed, time, relation } = reading;
  const { content, published } = datesByClock(reading);
  const dated = datedNeighbour(reading);
  const constraining = dates.map((date): ConstrainingDate => {
    const isPublished = published.includes(date);
    const binds = isPublished || content.includes(date);
    const { start, end } = binds ? date.words : date;
    return {
      start: binds && dated && dated.end <= start ? Math.min(dated.start, start) : start,
      end,
      interval: date.interval,
      relation: relationOf(date, reading),
      clock: isPublished ? 'published' : 'content',
      binds,
    };
  });
  if (order === 'now' && !time) {
    const { start, end } = removed[0] ?? { start: 0, end: 0 };
    const interval = queryDay(reference);
    const same = constraining.findIndex((date) => date.start < end && date.end > start);
    if (same >= 0) constraining.splice(same, 1);
    const relation = isOfDay(reading) ? 'on' : 'as of';
    constraining.push({ start, end, interval, relation, clock: 'content', binds: true });
  }
  const ends = constraining.filter(({ binds }) => binds);
  const isStretch = relation === 'between' && !ends.some((end) => boundOn(end.relation));
  if (!isStretch || ends.length < 2 || !time) return constraining;
  // The ends of one stretch: "from the floods of 1953 to those of 1962".
  const [first, last] = [ends[0]!, ends.at(-1)!];
  const hull: ConstrainingDate = { ...first, end: last.end, interval: time, relation };
  return [...constraining.filter(({ binds }) => !binds), hull];
}

/** "After 1990 and before 2000", "on 7 and 12 January": each date has a relation of its own. */
const boundOn = (relation: Relation): boolean =>
  relation === 'after' || relation === 'before' || relation === 'on';

/** The tagger's relations that agree with one of the reading. */
const agreeing: Readonly<Record<QuestionReading['relation'], readonly string[]>> = {
  none: [],
  at: ['as of', 'in', 'on'],
  before: ['before'],
  after: ['after'],
  since: ['since'],
  until: ['until', 'by'],
  between: ['between', 'from-to', 'after', 'before', 'since', 'until', 'by'],
  around: ['around'],
};

/** That of the answer, in the words of the date; of a date that does not bound it, its own. */
function relationOf(
  { relation: own, interval, binds }: ReadDate,
  reading: QuestionReading,
): Relation {
  const { relation } = reading;
  // Of several dates each has its own: "in 1921, before June".
  const isOne = reading.dates.filter((each) => each.binds).length === 1;
  const within = interval.end - interval.start <= dayMilliseconds ? 'on' : 'in';
  if (own !== 'none' && (!binds || !isOne || agreeing[relation].includes(own)))
    return own === 'on' ? within : own;
  return binds && relation !== 'at' && relation !== 'none' ? relation : within;
}

/** The day of the query time in a zone, the meaning of "now". Default UTC, or a wall clock. */
export function queryDay(askedAt: Instant, timeZone?: string): Interval {
  const wall = toWallClock(askedAt, timeZone);
  const start = Math.floor(wall / dayMilliseconds) * dayMilliseconds;
  const day: Interval = { start, end: start + dayMilliseconds, granularity: 'day' };
  return boundsFromWallClock(day, timeZone);
}

/** Moves the boundaries between the parts of a decade, years 4 and 7 in the tagger. */
function inParts(interval: Interval, parts?: readonly [number, number]): Interval {
  if (!parts || interval.granularity !== 'part-of-decade') return interval;
  const moved = (instant: Instant): Instant => {
    const edge = new Date(instant);
    const year = edge.getUTCFullYear();
    const inDecade = ((year % 10) + 10) % 10;
    const to = inDecade === 4 ? parts[0] : inDecade === 7 ? parts[1] : inDecade;
    return edge.setUTCFullYear(year - inDecade + to);
  };
  return { ...interval, start: moved(interval.start), end: moved(interval.end) };
}

function withWindow(
  relation: Relation,
  interval: Interval,
): Pick<Constraint, 'relation' | 'interval' | 'window'> {
  const window = windowOf(relation, interval);
  return { relation, interval, ...(window ? { window } : {}) };
}
