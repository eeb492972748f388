// Operator of a question on time: which members of a series answer it. Derived from its reading.
import type { Question } from '../../records.js';
import { windowOf, type Clock, type Relation, type Window } from '../constraint.js';
import { dayMilliseconds } from '../civil.js';
import type { Instant, Interval } from '../interval.js';
import { queryDay } from './question.js';
import { questionClock, type QuestionClock } from './questionClock.js';
import {
  datedNeighbour,
  datesByClock,
  hullOf,
  isOfDay,
  readOnClock,
  type QuestionReading,
  type ReadDate,
} from './reading.js';

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

/** A member or an event, and the side of it on which the answer lies. */
export interface Neighbour {
  /** `at`: the state at an event. */
  side: 'before' | 'after' | 'at' | 'since' | 'until';
  /** Words of the member or event. */
  anchor: string;
}

/** How a question chooses among the members of a series in the order of time. */
export interface TimeOperator {
  kind: OperatorKind;
  /** Which members of the window answer: the latest, the first, or any. */
  order: 'latest' | 'first' | 'any';
  /** Place in that order, from 1: the third from the first, the second from the latest. */
  place: number;
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
  /** Of a state that is asked for as of a time: in some part of this it must hold. */
  held?: Window;
}

type Choice = Pick<TimeOperator, 'kind' | 'order' | 'window' | 'held'>;
const always: Window = { start: -Infinity, end: Infinity };

/**
 * Reads the operator of a question on time, of a longer text than `questionWindow` at its end.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an invalid askedAt or timeZone.
 * @example readOperator({ text: 'Who was the first mayor after 1990?' }).kind // 'first-after'
 */
export function readOperator(question: Question): TimeOperator {
  const clock = questionClock(question);
  return operatorOf(readOnClock(question.text, clock), clock);
}

/** The operator of a reading, its times as instants. */
export function operatorOf(reading: QuestionReading, clock: QuestionClock): TimeOperator {
  const read = onWallClock(reading, clock.reference);
  if (clock.timeZone === undefined) return read;
  const { toInstants } = clock;
  return {
    ...read,
    window: toInstants(read.window),
    ...(read.alternatives ? { alternatives: read.alternatives.map(toInstants) } : {}),
    ...(read.time ? { time: toInstants(read.time) } : {}),
    ...(read.held ? { held: toInstants(read.held) } : {}),
  };
}

function onWallClock(reading: QuestionReading, askedAt: Instant): TimeOperator {
  const { held, ...operator } = chosen(reading, askedAt);
  const { kind, window, time } = operator;
  if (!reading.predicate.state || (kind !== 'as-of' && kind !== 'current')) return operator;
  const start = Math.min(time?.start ?? Infinity, window.end - 1);
  return { ...operator, held: held ?? { start, end: window.end } };
}

function chosen(reading: QuestionReading, askedAt: Instant): TimeOperator {
  const { content, published } = datesByClock(reading);
  const binding = content.length > 0 ? content : published;
  const time = hullOf(binding.map(({ interval }) => interval));
  const clock = content.length === 0 ? reading.clock : 'content';
  const { asks } = reading;
  const now = reading.order === 'now' && time === undefined;
  const { order, place } = orderOf(reading);
  const neighbour = now ? undefined : neighbourOf(reading);
  const alternatives = alternativesOf(relationOf(reading), binding);
  const base = {
    order,
    place,
    window: time ? windowOfTime(relationOf(reading), binding, time) : always,
    ...(alternatives ? { alternatives } : {}),
    ...(time ? { time } : {}),
    ...(neighbour ? { neighbour } : {}),
    clock,
    now,
  };
  if (asks === 'when') return { ...base, kind: 'when' };
  if (now && isOfDay(reading))
    return { ...base, kind: 'in', order: 'any', window: queryDay(askedAt), now: false };
  if (now)
    return {
      ...base,
      kind: 'current',
      order: 'latest',
      window: { start: -Infinity, end: askedAt + 1 },
    };
  if (neighbour) return { ...base, ...ofNeighbour(neighbour, order) };
  if (time) return { ...base, ...ofTime(reading, binding, base, askedAt) };
  // Of the one at asking.
  if (reading.order === 'previous')
    return { ...base, kind: 'last-before', place: 2, window: { ...always, end: askedAt + 1 } };
  if (reading.order === 'next')
    return { ...base, kind: 'first-after', window: { ...always, start: askedAt } };
  return { ...base, kind: order === 'any' ? 'none' : order };
}

function orderOf({ order, n = 1 }: QuestionReading): Pick<TimeOperator, 'order' | 'place'> {
  if (order === 'none') return { order: 'any', place: 1 };
  const isFirst = order === 'first' || order === 'next' || (order === 'nth' && n > 0);
  return { order: isFirst ? 'first' : 'latest', place: Math.abs(n) };
}

/** A date next to which a member stands is that of another: "the match after that of 3 May". */
function relationOf({ order, relation, anchor }: QuestionReading): QuestionReading['relation'] {
  if (anchor || relation === 'between') return relation;
  return order === 'next' ? 'after' : order === 'previous' ? 'before' : relation;
}

/** A member by its neighbour, or what an event bounds; a value of the topic bounds nothing. */
function neighbourOf(reading: QuestionReading): Neighbour | undefined {
  const { anchor, order, relation, time } = reading;
  if (!anchor || datedNeighbour(reading)) return undefined;
  const words = { anchor: anchor.text };
  if (order === 'next') return { side: 'after', ...words };
  if (order === 'previous') return { side: 'before', ...words };
  if (relation === 'none' || time) return undefined;
  return { side: relation === 'between' || relation === 'around' ? 'at' : relation, ...words };
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

const relations: Readonly<Record<QuestionReading['relation'], Relation>> = {
  none: 'in',
  at: 'in',
  before: 'before',
  after: 'after',
  since: 'since',
  until: 'until',
  between: 'between',
  around: 'in',
};

/** By the relation of the reading; of several dates with relations of their own, what all admit. */
function windowOfTime(
  relation: QuestionReading['relation'],
  binding: readonly ReadDate[],
  time: Interval,
): Window {
  const sided = binding.flatMap((date) =>
    date.relation === 'none' ? [] : (windowOf(date.relation, date.interval) ?? []),
  );
  if (binding.length > 1 && sided.length === binding.length) {
    const start = Math.max(...sided.map((each) => each.start));
    const end = Math.min(...sided.map((each) => each.end));
    if (start < end) return { start, end };
  }
  return windowOf(relations[relation], time)!;
}

/** Several times with gaps between them, any of which satisfies. */
function alternativesOf(
  relation: QuestionReading['relation'],
  binding: readonly ReadDate[],
): Window[] | undefined {
  const isList =
    relation === 'at' || relation === 'around' || binding.every((date) => date.relation === 'on');
  if (!isList || binding.length < 2) return undefined;
  const windows = binding
    .map(({ interval: { start, end } }) => ({ start, end }))
    .sort((one, other) => one.start - other.start);
  const apart: Window[] = [];
  for (const { start, end } of windows) {
    const before = apart.at(-1);
    if (before && start <= before.end) before.end = Math.max(before.end, end);
    else apart.push({ start, end });
  }
  return apart.length > 1 ? apart : undefined;
}

function ofTime(
  reading: QuestionReading,
  binding: readonly ReadDate[],
  {
    order,
    window,
    time,
    alternatives,
  }: Pick<TimeOperator, 'order' | 'window' | 'time' | 'alternatives'>,
  askedAt: Instant,
): Choice {
  const { predicate } = reading;
  const relation = relationOf(reading);
  const before = (kind: OperatorKind): Choice => ({
    kind,
    order: 'latest',
    window: { start: -Infinity, end: window.end },
  });
  if (relation === 'at' && binding.some((each) => each.relation === 'as of'))
    return { ...before('as-of'), order: order === 'first' ? order : 'latest' };
  switch (relation) {
    case 'between':
      return { kind: order === 'any' ? 'between' : order, order, window };
    case 'after':
    case 'since':
      if (order === 'first') return { kind: 'first-after', order, window };
      return { kind: order === 'any' ? 'since' : order, order, window };
    case 'before':
    case 'until': {
      if (order === 'first') return { kind: order, order, window };
      if (order === 'latest') return { ...before('last-before'), window };
      // "Which had been paid by May?" asks for the state at the date; "list all" for the members.
      if (binding.some((each) => each.relation === 'by') && predicate.interrogative)
        return before('as-of');
      const isMember = predicate.state && !predicate.perfect && !predicate.every;
      return isMember ? { ...before('last-before'), window } : { kind: 'until', order, window };
    }
    default: {
      const edge = relation === 'at' ? edgeOf(binding.at(-1)!) : undefined;
      if (edge !== undefined && order === 'any')
        return {
          ...before('as-of'),
          window: { start: -Infinity, end: edge },
          held: { start: edge - 1, end: edge },
        };
      const isDay = time!.end - time!.start <= dayMilliseconds && relation === 'at';
      const isPoint = isDay && !isOfForecast(reading, time!, askedAt);
      if (order === 'latest' && isPoint) return before('as-of');
      if (order !== 'any') return { kind: order, order, window };
      return isPoint && predicate.state && !alternatives
        ? before('as-of')
        : { kind: 'in', order, window };
    }
  }
}

/**
 * The end of the day at the edge of a period that its words name: "at the close of 2009", "when
 * 2022 ended", "at the start of May".
 */
function edgeOf({ edge, interval }: ReadDate): Instant | undefined {
  if (edge === 'none') return undefined;
  return edge === 'end' ? interval.end : interval.start + dayMilliseconds;
}

/** A day that is to come, or of which a prediction is asked, is the target of a forecast. */
const isOfForecast = (
  { predicate }: QuestionReading,
  { start, end }: Interval,
  askedAt: Instant,
): boolean => start > askedAt || predicate.prediction || (end > askedAt && predicate.future);
