// Operator of a question on time: which members of a series answer it, by words of order, relations
// to dates, and neighbours. Composed from bounds.ts, orderWords.ts, neighbours.ts and askedTime.ts.
import type { Question } from '../../records.js';
import type { Clock, Window } from '../constraint.js';
import type { Instant, Interval } from '../interval.js';
import { asksForTime } from './askedTime.js';
import { marker, readBounds, type Bound, type QuestionBounds } from './bounds.js';
import { impliesCurrent, queryDay } from './deicticDates.js';
import { isMetalinguistic, isPresent, readOrderWords, type OrderWord } from './orderWords.js';
import { readNeighbour, type Neighbour } from './neighbours.js';
import { withYearsInDigits } from './numerals.js';
import { questionEnd } from './question.js';
import { questionClock, type QuestionClock } from './questionClock.js';
import { isPerfect, isState, isForecast, isPast, future, prediction } from './stative.js';

/** Operators on time. */
export const operatorKinds = [
  'as-of',
  'current',
  'latest',
  'first',
  'last-before',
  'first-after',
  'in',
  'between',
  'since',
  'until',
  'when',
  'none',
] as const;
export type OperatorKind = (typeof operatorKinds)[number];

/** How a question chooses among the members of a series in the order of time. */
export interface TimeOperator {
  kind: OperatorKind;
  /** Which members of the window answer: the latest, the first, or any. */
  order: 'latest' | 'first' | 'any';
  /** Times that a member must satisfy, half-open; open ends are infinite. */
  window: Window;
  /** Separate times of a list ("in 2014, 2015 and 2022"), in order; `window` is their hull. */
  alternatives?: Window[];
  /** The time that the question names, shifted by a distance ("two years before 2010"). */
  time?: Interval;
  /** Another member or an event whose time bounds the answer on `side`: "the pope after X". */
  neighbour?: Neighbour;
  /** Publication times, where the question bounds them and `window` bounds those of content. */
  published?: Window;
  clock: Clock;
  /** Whether the state at asking is meant; older members are then outdated. */
  now: boolean;
}

const always: Window = { start: -Infinity, end: Infinity };

/**
 * Reads the operator of a question on time, of a longer text than `questionWindow` at its end.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an invalid askedAt or timeZone.
 * @example readOperator({ text: 'Who was the first mayor after 1990?' }).kind // 'first-after'
 */
export function readOperator(question: Question): TimeOperator {
  const clock = questionClock(question);
  const read = readOnClock(question, clock);
  if (clock.timeZone === undefined) return read;
  const { toInstants } = clock;
  return {
    ...read,
    window: toInstants(read.window),
    ...(read.alternatives ? { alternatives: read.alternatives.map(toInstants) } : {}),
    ...(read.time ? { time: toInstants(read.time) } : {}),
    ...(read.published ? { published: toInstants(read.published) } : {}),
  };
}

function readOnClock(question: Question, clock: QuestionClock): TimeOperator {
  const askedAt = clock.reference;
  const text = withYearsInDigits(questionEnd(question.text));
  if (isMetalinguistic(text))
    return { kind: 'none', order: 'any', window: always, clock: 'content', now: false };
  const read = readBounds(text, clock);
  const { skeleton } = read;
  const byClock = splitByClock(skeleton, read.bounds);
  const { content: bounds, published } = byClock;
  const words = readOrderWords(skeleton);
  const isOfNow = bounds.length === 0 && (read.now || isPresent(skeleton) || impliesCurrent(text));
  const named = readNeighbour(skeleton, bounds.length > 0);
  // "What was current when X came out?"
  const now = isOfNow && !(named?.side === 'at' && isPast(skeleton));
  const neighbour = now ? undefined : named;
  const base = {
    order: orderOf(words),
    ...windowOfAll(bounds),
    ...(bounds[0] ? { time: bounds[0].interval } : {}),
    ...(neighbour ? { neighbour } : {}),
    ...(published.length > 0 ? { published: windowOfPublication(published) } : {}),
    clock: bounds.at(-1)?.clock ?? ('content' as const),
    now,
  };
  if (asksForTime(skeleton)) return { ...base, kind: 'when' };
  if (now) return { ...base, ...ofNow(read, askedAt) };
  if (neighbour) return { ...base, ...ofNeighbour(neighbour, base.order) };
  if (bounds.length > 0)
    return {
      ...base,
      ...ofBounds({ bounds, skeleton }, base, isForecastAt(skeleton, byClock, askedAt)),
    };
  if (words.has('previous')) return { ...base, kind: 'last-before' };
  if (words.has('next')) return { ...base, kind: 'first-after' };
  return { ...base, kind: base.order === 'any' ? 'none' : base.order };
}

function orderOf(words: ReadonlySet<OrderWord>): TimeOperator['order'] {
  if (words.has('first') || words.has('next')) return 'first';
  return words.has('latest') || words.has('previous') ? 'latest' : 'any';
}

/** The state at asking; of an event or a forecast "today", what falls into the day. */
function ofNow(
  { today, skeleton }: QuestionBounds,
  askedAt: Instant,
): Pick<TimeOperator, 'kind' | 'order' | 'window' | 'now'> {
  if (today && (!isState(skeleton) || isForecast(skeleton)))
    return { kind: 'in', order: 'any', window: queryDay(askedAt), now: false };
  const window = { start: -Infinity, end: askedAt + 1 };
  return { kind: 'current', order: 'latest', window, now: true };
}

function ofNeighbour(
  { side }: Neighbour,
  order: TimeOperator['order'],
): Pick<TimeOperator, 'kind' | 'order'> {
  switch (side) {
    case 'before':
      return order === 'first'
        ? { kind: 'first', order }
        : { kind: 'last-before', order: 'latest' };
    case 'after':
      return order === 'latest'
        ? { kind: 'latest', order }
        : { kind: 'first-after', order: 'first' };
    case 'at':
      return order === 'any' ? { kind: 'as-of', order: 'latest' } : { kind: order, order };
    case 'since':
      return order === 'any' ? { kind: 'since', order } : { kind: order, order };
    case 'until':
      return order === 'any' ? { kind: 'last-before', order: 'latest' } : { kind: order, order };
  }
}

/** Intersection of the bounds; alternatives where they are separate. */
function windowOfAll(bounds: readonly Bound[]): Pick<TimeOperator, 'window' | 'alternatives'> {
  let window = always;
  const listed: Window[] = [];
  for (const bound of bounds) {
    const start = Math.max(window.start, bound.window.start);
    const end = Math.min(window.end, bound.window.end);
    if (start < end && !bound.alternatives) {
      window = { start, end };
      continue;
    }
    if (listed.length === 0 && window !== always) listed.push(window);
    listed.push(...(bound.alternatives ?? [bound.window]));
    window = {
      start: Math.min(...listed.map((each) => each.start)),
      end: Math.max(...listed.map((each) => each.end)),
    };
  }
  if (listed.length === 0) return { window };
  const alternatives = listed
    .map(({ start, end }) => ({ start, end }))
    .sort((one, other) => one.start - other.start);
  return { window, alternatives };
}

/** "As of" a day bounds publication from above only. */
function windowOfPublication(bounds: readonly Bound[]): Window {
  const { window } = windowOfAll(bounds);
  return bounds.some(({ relation }) => relation === 'as of')
    ? { start: -Infinity, end: window.end }
    : window;
}

/** A word that sets the answer next to its bound: "just before", "shortly after". */
const adjacent = new RegExp(
  String.raw`\b(?:just|immediately|right|directly|shortly|straight)\s*${marker}|` +
    String.raw`\b(?:directly|immediately) (?:preced|follow|succeed)`,
  'i',
);
/** "Which had been paid by May?" asks for the state at the date; "list all" for the members. */
const interrogative = /\b(?:how|who|whom|what|which|where|was|were|did|had)\b/i;
const every = /\b(?:all|every|everything|anything|list)\b/i;

function ofBounds(
  { bounds, skeleton }: Pick<QuestionBounds, 'bounds' | 'skeleton'>,
  { order, window, alternatives }: Pick<TimeOperator, 'order' | 'window' | 'alternatives'>,
  isForecast: boolean,
): Pick<TimeOperator, 'kind' | 'order' | 'window'> {
  const has = (...relations: Bound['relation'][]): boolean =>
    bounds.some(({ relation }) => relations.includes(relation));
  const before = (kind: OperatorKind): Pick<TimeOperator, 'kind' | 'order' | 'window'> => ({
    kind,
    order: 'latest',
    window: { start: -Infinity, end: window.end },
  });
  if (has('as of')) return { ...before('as-of'), order: order === 'first' ? order : 'latest' };
  const isLower = has('after', 'since');
  const isUpper = has('before', 'by', 'until');
  const isAdjacent = adjacent.test(skeleton);
  if (has('between') || (isLower && isUpper))
    return { kind: order === 'any' ? 'between' : order, order, window };
  if (isLower && (order === 'first' || isAdjacent))
    return { kind: 'first-after', order: 'first', window };
  if (isUpper && order !== 'first') {
    if (order === 'latest' || isAdjacent) return { ...before('last-before'), window };
    if (has('by') && (isState(skeleton) || interrogative.test(skeleton))) return before('as-of');
    const isMember = isState(skeleton) && !isPerfect(skeleton) && !every.test(skeleton);
    return isMember ? { ...before('last-before'), window } : { kind: 'until', order, window };
  }
  const isPoint = has('at') && !isForecast;
  if (order === 'latest' && isPoint) return before('as-of');
  if (order !== 'any') return { kind: order, order, window };
  if (isLower) return { kind: 'since', order, window };
  return isPoint && isState(skeleton) && !alternatives
    ? before('as-of')
    : { kind: 'in', order, window };
}

/**
 * Whether a day or time of content is that of a forecast: one after the day of asking or after the
 * publication that the question names, one not over at asking in the future tense, and any with a
 * word for predictions.
 */
const isForecastAt = (
  skeleton: string,
  { content, published }: BoundsByClock,
  askedAt: Instant,
): boolean =>
  content.some(
    (bound) =>
      bound.relation === 'at' &&
      bound.clock === 'content' &&
      (bound.interval.start > askedAt ||
        prediction.test(skeleton) ||
        (bound.interval.end > askedAt && future.test(skeleton)) ||
        published.some((known) => isAhead(known, bound))),
  );

interface BoundsByClock {
  content: Bound[];
  published: Bound[];
}

/**
 * The bounds of content and those of publication: "the forecast of 1 May for 3 May". A forecast
 * "as of" an earlier time is what was published by then.
 */
function splitByClock(skeleton: string, bounds: readonly Bound[]): BoundsByClock {
  const content: Bound[] = [];
  const published: Bound[] = [];
  for (const bound of bounds) {
    const isKnown =
      bound.relation === 'as of' &&
      isForecast(skeleton) &&
      bounds.some((other) => other.clock === 'content' && isAhead(bound, other));
    (bound.clock === 'published' || isKnown ? published : content).push(bound);
  }
  return content.length === 0 ? { content: published, published: [] } : { content, published };
}

const isAhead = (known: Bound, { relation, interval }: Bound): boolean =>
  relation !== 'as of' && interval.start >= known.interval.end;
