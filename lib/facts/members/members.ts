// Members of the series that a question may ask for: each statement at each of its times, by
// content and by publication (native/facts/members.hpp). A question without an operator may ask
// for the latest.
import { binding } from '../../binding.js';
import type { Steps } from '../../runtime/eventLoop.js';
import type { Window } from '../../time/constraint.js';
import type { Matches } from '../features/matches.js';
import { neighbourTime } from './neighbour.js';
import { orders } from '../question/plainQuestion.js';
import type { SeriesQuestion } from '../question/question.js';
import type { RestatementColumns } from './restatements.js';
import { timeAt, timeNumbers, type StatedTime } from '../../statements/statements.js';
import type { Order } from './order.js';

/** What decides between the clocks of content and of publication, by name. */
export const clockGate = ['bias', 'now', 'dated', 'published', 'latest', 'ordered'] as const;
/**
 * What decides whether the order of a series counts: whether the question has an operator, at how
 * many times the likely series is stated, how well it is shown to be one (it says much of the
 * question, or the same wording at several times), and whether a question without an operator is in
 * the past tense, as far as wording does not show a series.
 */
export const seriesGate = ['bias', 'operator', 'times', 'shown', 'past'] as const;

/** Members as columns, one value a member where nothing else is said. */
export interface MemberColumns extends RestatementColumns {
  /** Number of candidates. */
  candidates: number;
  /** Which member in the operator's order is asked for, from 1. */
  place: number;
  /** Features, row-major. */
  features: Float32Array;
  /** By member: index of its match. */
  match: Int32Array;
  candidate: Int32Array;
  /** By member: 0 by content, 1 by publication. */
  interpretation: Uint8Array;
  /** By member: place in the operator's order, 0 the best. */
  rank: Int32Array;
  /** By interpretation: its members by rank. */
  ranked: readonly Int32Array[];
  hasOperator: boolean;
  /** Whether the latest of all times may be asked for, not that of a past one. */
  isLatest: boolean;
  /** By member: when its time begins and ends; NaN without one. */
  starts: Float64Array;
  ends: Float64Array;
  clockInputs: Float64Array;
  seriesInputs: Float64Array;
  /** By candidate: similarity of the scan, standardised within the question. */
  similarity: Float64Array;
  /** By candidate: how much of the question its words cover, standardised likewise. */
  coverage: Float64Array;
}

/** Members with what they were made of. */
export interface MemberTable extends MemberColumns {
  matches: Matches;
  timeOf(member: number): StatedTime | undefined;
  /** What the question asks of time. */
  reading: Order;
}

export interface MemberTableOptions {
  /** Default: false. Members of all times for a question without an operator, as for a timeline. */
  everyTime?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export function* memberTable(
  question: SeriesQuestion,
  matches: Matches,
  { similarity, coverage }: Pick<MemberColumns, 'similarity' | 'coverage'>,
  { everyTime = false }: Pick<MemberTableOptions, 'everyTime'> = {},
): Steps<MemberTable> {
  const { operator, askedAt, isEvent, isPast } = question;
  const neighbour = yield* neighbourTime(question, matches);
  const hasOperator = operator.kind !== 'none';
  const reading: Order =
    hasOperator || everyTime
      ? { ...operator, ...(neighbour ? { window: neighbour.window } : {}), isEvent }
      : latestBy(question);
  const { times, longest, ...columns } = binding.membersOf(
    matches.columns.handle,
    {
      hasOperator,
      operatorOrder: orders.indexOf(operator.order),
      isWhen: operator.kind === 'when' || question.wanted === 'date',
      isPublished: operator.clock === 'published',
      isNow: operator.now,
      isPast,
      operatorWindow: columnOf([operator.window]),
      askedAt,
      order: orders.indexOf(reading.order),
      place: reading.place,
      window: columnOf([reading.window]),
      alternatives: columnOf(reading.alternatives ?? []),
      named: columnOf([reading.time ?? noWindow]),
      held: columnOf([reading.held ?? noWindow]),
      isEvent: reading.isEvent ?? false,
    },
    neighbour
      ? Uint8Array.from(matches, (match) => Number(neighbour.excluded.has(match)))
      : new Uint8Array(),
  );
  const numbersOf = (place: number): Float64Array => {
    const numbers = new Float64Array(columns.match.length);
    for (let at = 0; at < numbers.length; at += 1) numbers[at] = times[timeNumbers * at + place]!;
    return numbers;
  };
  return {
    ...columns,
    candidates: similarity.length,
    place: operator.place,
    matches,
    timeOf: (member) => timeAt(times, member),
    reading: { ...reading, longest },
    hasOperator,
    isLatest:
      reading.order === 'latest' &&
      operator.neighbour === undefined &&
      !(hasOperator && operator.window.end <= askedAt),
    starts: numbersOf(0),
    ends: numbersOf(1),
    similarity,
    coverage,
  };
}

const noWindow: Window = { start: NaN, end: NaN };
const columnOf = (windows: readonly Window[]): Float64Array =>
  Float64Array.from(windows.flatMap(({ start, end }) => [start, end]));

/** The latest up to now, as a question without a word of time may ask for. */
function latestBy({ askedAt, isEvent, isPast }: SeriesQuestion): Order {
  const now = { start: askedAt, end: askedAt + 1 };
  const isPresent = !isEvent && !isPast;
  return {
    order: 'latest',
    place: 1,
    window: { start: -Infinity, end: now.end },
    ...(isPresent ? { held: now } : {}),
  };
}

/** Of mean 0 and variance 1; 0 where all are alike. */
export function standardised(values: ArrayLike<number>): Float64Array {
  const list = Array.from(values);
  const mean = list.reduce((sum, each) => sum + each, 0) / list.length;
  const variance = list.reduce((sum, each) => sum + (each - mean) ** 2, 0) / list.length;
  const scale = Math.max(Math.sqrt(variance), 1e-6);
  return Float64Array.from(list, (each) => (each - mean) / scale);
}
