// Operator of a question on time: which members of a series answer it, by words of order, relations
// to dates, and neighbours. Composed from bounds.ts, orderWords.ts, neighbours.ts and askedTime.ts.
import type { Question } from '../../records.js';
import type { Clock, Window } from '../constraint.js';
import { parseAskedAt } from '../instant.js';
import type { Instant, Interval } from '../interval.js';
import { asksForTime } from './askedTime.js';
import { readBounds, type Bound, type QuestionBounds } from './bounds.js';
import { impliesCurrent } from './deicticDates.js';
import { isMetalinguistic, isPresent, readOrderWords, type OrderWord } from './orderWords.js';
import { readNeighbour, type Neighbour } from './neighbours.js';
import { isPerfect, isState } from './stative.js';

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
  clock: Clock;
  /** Whether the state at asking is meant; older members are then outdated. */
  now: boolean;
}

const always: Window = { start: -Infinity, end: Infinity };

/**
 * Reads the operator of a question on time.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an invalid askedAt.
 * @example readOperator({ text: 'Who was the first mayor after 1990?' }).kind // 'first-after'
 */
export function readOperator({ text, askedAt }: Question): TimeOperator {
  const instant = parseAskedAt(askedAt, 'question.askedAt');
  if (isMetalinguistic(text))
    return { kind: 'none', order: 'any', window: always, clock: 'content', now: false };
  const read = readBounds(text, instant);
  const { skeleton, bounds } = read;
  const words = readOrderWords(skeleton);
  const now = bounds.length === 0 && (read.now || isPresent(skeleton) || impliesCurrent(text));
  const neighbour = now ? undefined : readNeighbour(skeleton, bounds.length > 0);
  const span = windowOfAll(bounds);
  const order = orderOf(words, bounds, neighbour);
  const base = {
    order,
    ...span,
    ...(bounds[0] ? { time: bounds[0].interval } : {}),
    ...(neighbour ? { neighbour } : {}),
    clock: bounds.at(-1)?.clock ?? ('content' as const),
    now,
  };
  if (asksForTime(skeleton)) return { ...base, kind: 'when' };
  if (now) return ofNow(base, instant, skeleton);
  if (neighbour) return { ...base, ...ofNeighbour(neighbour, order) };
  if (bounds.length > 0) return { ...base, ...ofBounds(read, order, words) };
  if (words.has('previous')) return { ...base, kind: 'last-before', order: 'latest' };
  if (words.has('next')) return { ...base, kind: 'first-after', order: 'first' };
  return { ...base, kind: order === 'any' ? 'none' : order };
}

function orderOf(
  words: ReadonlySet<OrderWord>,
  bounds: readonly Bound[],
  neighbour: Neighbour | undefined,
): TimeOperator['order'] {
  const isAfter = bounds.some(({ relation }) => relation === 'after' || relation === 'since');
  if (words.has('next') && (isAfter || neighbour?.side === 'after')) return 'first';
  if (words.has('first')) return 'first';
  if (words.has('latest')) return 'latest';
  if (words.has('previous') && bounds.length > 0) return 'latest';
  if (words.has('next') && bounds.length > 0) return 'first';
  return 'any';
}

function ofNow(base: Omit<TimeOperator, 'kind'>, askedAt: Instant, skeleton: string): TimeOperator {
  const window = { start: -Infinity, end: askedAt + 1 };
  // "What happened today?" is about the day.
  if (/\bwhat(?:\s+\w+)? (?:happened|occurred)\b/i.test(skeleton))
    return { ...base, window, kind: 'in', now: false };
  return { ...base, window, kind: 'current', order: 'latest' };
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

/** A word that sets the answer next to its bound: "just before", "shortly after". */
const adjacent =
  /\b(?:just|immediately|right|directly|shortly|straight)\s*\uE000|\b(?:directly|immediately) (?:preced|follow|succeed)/i;
/** "Which had been paid by May?" asks for the state at the date; "list all" for the members. */
const interrogative = /\b(?:how|who|whom|what|which|where|was|were|did|had)\b/i;

function ofBounds(
  { bounds, skeleton }: QuestionBounds,
  order: TimeOperator['order'],
  words: ReadonlySet<OrderWord>,
): Pick<TimeOperator, 'kind' | 'order' | 'window'> {
  const { window, alternatives } = windowOfAll(bounds);
  const has = (...relations: Bound['relation'][]): boolean =>
    bounds.some(({ relation }) => relations.includes(relation));
  const { start, end } = window;
  const isState_ = isState(skeleton);
  const upTo = { start: -Infinity, end };
  if (has('as of'))
    return { kind: 'as-of', order: order === 'first' ? 'first' : 'latest', window: upTo };
  const lower = has('after', 'since');
  const upper = has('before', 'by', 'until');
  if (has('between') || (lower && upper && Number.isFinite(start) && Number.isFinite(end)))
    return order === 'any' ? { kind: 'between', order, window } : { kind: order, order, window };
  if (lower) {
    if (order === 'first' || adjacent.test(skeleton))
      return { kind: 'first-after', order: 'first', window };
    return order === 'latest'
      ? { kind: 'latest', order, window }
      : { kind: 'since', order, window };
  }
  if (upper) {
    if (order === 'first') return { kind: 'first', order, window };
    if (order === 'latest' || words.has('previous') || adjacent.test(skeleton))
      return { kind: 'last-before', order: 'latest', window };
    if (has('by') && (isState_ || interrogative.test(skeleton)))
      return { kind: 'as-of', order: 'latest', window };
    return isState_ &&
      !isPerfect(skeleton) &&
      !/\b(?:all|every|everything|anything|list)\b/i.test(skeleton)
      ? { kind: 'last-before', order: 'latest', window }
      : { kind: 'until', order, window };
  }
  if (order === 'latest' && has('at')) return { kind: 'as-of', order, window: upTo };
  if (order !== 'any') return { kind: order, order, window };
  if (has('at') && isState_ && !alternatives)
    return { kind: 'as-of', order: 'latest', window: upTo };
  return { kind: 'in', order, window };
}
