// Members of the series that a question may ask for: each statement at each of its times, under
// each interpretation of the question: by content or by publication, and where it has no operator,
// any member or the latest.
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { isPast } from '../../time/question/stative.js';
import type { TimeOperator } from '../../time/question/operator.js';
import {
  missingOf,
  width,
  type StatementMatch,
  featurePlaces,
  type FeatureName,
} from '../features/features.js';
import { holdingIn } from './holding.js';
import { neighbourTime } from './neighbour.js';
import { preferenceOf, type Order, isLaterReport } from './order.js';
import type { SeriesQuestion } from '../question/question.js';
import { reachedBack } from '../../time/states.js';
import { restatementsOf, type MemberRows, type Restatement } from './restatements.js';
import type { StatedTime } from '../statements/statements.js';
import { dayMilliseconds as day, yearMilliseconds as year } from '../../time/civil.js';

/** What decides between the clocks of content and of publication, by name. */
export const clockGate = ['bias', 'now', 'dated', 'published', 'latest', 'ordered'] as const;
/** What decides between any member and the latest, where a question has no operator. */
export const stateGate = ['bias', 'size', 'past'] as const;

/** Members as columns, one value a member where nothing else is said. */
export interface MemberColumns {
  /** Number of candidates. */
  candidates: number;
  /** Which member in the operator's order is asked for, from 1. */
  place: number;
  /** Features, row-major. */
  features: Float32Array;
  /** By member: index of its match. */
  match: Int32Array;
  candidate: Int32Array;
  /** By member: 0 and 1 content and publication for the operator, 2 and 3 for the latest. */
  interpretation: Uint8Array;
  /** By member: place in the operator's order, 0 the best. */
  rank: Int32Array;
  /** By interpretation: its members by rank. */
  ranked: readonly Int32Array[];
  restatements: readonly (readonly Restatement[])[];
  /** Whether there are interpretations 2 and 3. */
  hasState: boolean;
  clockInputs: Float64Array;
  stateInputs: Float64Array;
}

/** Members with what they were made of. */
export interface MemberTable extends MemberColumns {
  matches: readonly StatementMatch[];
  /** By member. */
  times: readonly (StatedTime | undefined)[];
  /** What the question asks of time: by its operator, and the latest where it has none. */
  readings: readonly Order[];
}

/** Most times of one statement. */
const mostTimes = 8;
/** Statements that show by which clock the series is dated. */
const topStatements = 20;

export async function memberTable(
  question: SeriesQuestion,
  matches: readonly StatementMatch[],
  candidates: number,
  signal?: AbortSignal,
): Promise<MemberTable> {
  const { operator, askedAt } = question;
  const neighbour = neighbourTime(question, matches);
  const sorted = [...matches].sort((a, b) => missingOf(a) - missingOf(b));
  const series = likelySeries(sorted);
  const longest = longestState(series);
  const read: Order = { ...operator, ...neighbour, isEvent: question.isEvent, longest };
  // The state of now may be asked for without a word of it.
  const now = { start: askedAt, end: askedAt + 1 };
  const isPresent = !question.isEvent && !isPast(question.text);
  const state: Order | undefined =
    operator.kind === 'none'
      ? {
          order: 'latest',
          place: 1,
          window: { start: -Infinity, end: now.end },
          longest,
          ...(isPresent ? { held: now } : {}),
        }
      : undefined;
  const readings: Order[] = state ? [read, state] : [read];
  const { match, times, interpretation } = memberRows(question, matches, readings.length);
  const features = new Float32Array(times.length * width);
  const ofInterpretation: number[][] = Array.from({ length: 2 * readings.length }, () => []);
  for (let at = 0; at < times.length; at += 1) {
    const turn = at % 256 === 0 ? yieldToEventLoop(signal) : undefined;
    if (turn) await turn;
    const own = interpretation[at]!;
    ofInterpretation[own]!.push(at);
    putTimedFeatures(features, at * width, matches[match[at]!]!, times[at], readings[own >> 1]!);
  }
  const rank = new Int32Array(times.length);
  const ranked: Int32Array[] = [];
  for (const [each, own] of ofInterpretation.entries()) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const { order, ranks } = preferenceOf(
      own.map((at) => (neighbour?.excluded.has(matches[match[at]!]!) ? undefined : times[at])),
      readings[each >> 1]!,
      askedAt + 1,
      (nth) => matches[match[own[nth]!]!]!.passage.record.publishedAt,
    );
    own.forEach((at, nth) => (rank[at] = ranks[nth]!));
    ranked.push(new Int32Array(order.map((nth) => own[nth]!)));
  }
  const turn = yieldToEventLoop(signal);
  if (turn) await turn;
  return {
    candidates,
    place: operator.place,
    matches,
    times,
    readings,
    features,
    match,
    candidate: match.map((own) => matches[own]!.candidate),
    interpretation,
    rank,
    ranked,
    restatements: restatementsOf(question, matches, { match, times, interpretation }),
    hasState: state !== undefined,
    clockInputs: clockInputs(operator, sorted.slice(0, topStatements)),
    stateInputs: stateInputs(question, series),
  };
}

/** Statements in their order, once for each reading of the question. */
function memberRows(
  { operator }: SeriesQuestion,
  matches: readonly StatementMatch[],
  readings: number,
): MemberRows {
  const contents = matches.map(({ passage, statement }) => {
    const { valid, published, titleTimes } = passage;
    if (published && operator.clock === 'published') return [published];
    if (valid) return [valid];
    const stated = statement.times.length > 0 ? statement.times : titleTimes;
    return stated.length > 0 ? stated.slice(0, mostTimes) : [published];
  });
  // What is published of the past is over, whenever it was published.
  const published = matches.map(({ passage: { published: day, valid } }, own) => {
    if (!day) return contents[own]![0];
    const ends = (valid ? [valid] : contents[own]!)
      .map((time) => time?.until ?? (time?.range ? time.end : Infinity))
      .filter((end) => end < day.start);
    return ends.length === 0 ? day : { ...day, until: Math.max(...ends) };
  });
  const count = readings * contents.reduce((sum, { length }) => sum + length + 1, 0);
  const [match, interpretation] = [new Int32Array(count), new Uint8Array(count)];
  const times: (StatedTime | undefined)[] = [];
  for (let reading = 0; reading < readings; reading += 1)
    for (const [own, content] of contents.entries()) {
      match.fill(own, times.length, times.length + content.length + 1);
      interpretation.fill(2 * reading, times.length, times.length + content.length);
      times.push(...content);
      interpretation[times.length] = 2 * reading + 1;
      times.push(published[own]);
    }
  return { match, times, interpretation };
}

function clockInputs(operator: TimeOperator, top: readonly StatementMatch[]): Float64Array {
  const share = (test: (match: StatementMatch) => boolean): number =>
    top.length > 0 ? top.filter(test).length / top.length : 0;
  return Float64Array.of(
    1,
    Number(operator.now),
    share(
      ({ statement, passage }) =>
        statement.times.length > 0 || passage.titleTimes.length > 0 || passage.valid !== undefined,
    ),
    share(({ passage }) => passage.published !== undefined),
    Number(operator.order === 'latest'),
    Number(operator.order !== 'any'),
  );
}

/** The statements that say as much of the question as the best; `sorted` by what they lack. */
function likelySeries(sorted: readonly StatementMatch[]): readonly StatementMatch[] {
  const end = sorted.findIndex((match) => missingOf(match) > missingOf(sorted[0]!) + 0.05);
  return end < 0 ? sorted : sorted.slice(0, end);
}

/**
 * How long states of a series last at most: of one whose ends are known, or between two times; of a
 * single one as the scan takes it.
 */
function longestState(series: readonly StatementMatch[]): number {
  const times = series.flatMap(({ statement, passage: { valid } }) =>
    valid ? [valid] : statement.times,
  );
  const lengths = times
    .filter(({ start, end, range }) => range && Number.isFinite(end - start))
    .map(({ start, end }) => end - start);
  if (lengths.length > 0) return Math.max(...lengths);
  const ends = times
    .flatMap(({ start, end, range }) => (range ? [start, end] : [start]))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const gaps = ends.slice(1).map((end, at) => end - ends[at]!);
  return Math.max(...gaps, 0) || reachedBack;
}

const contentTimes = ({ statement, passage }: StatementMatch): readonly StatedTime[] =>
  statement.times.length > 0 ? statement.times : passage.titleTimes;

function stateInputs({ text }: SeriesQuestion, series: readonly StatementMatch[]): Float64Array {
  const starts = new Set<number>();
  for (const match of series) {
    const times = contentTimes(match);
    const { published } = match.passage;
    for (const { start } of times) starts.add(start);
    if (published && times.length === 0) starts.add(published.start);
  }
  return Float64Array.of(1, Math.log1p(starts.size) / 3, Number(isPast(text)));
}

/** A length of time on a logarithmic scale of months. */
const scaled = (milliseconds: number): number =>
  Math.log1p((12 * Math.abs(milliseconds)) / year) / 3;

/** Writes the features of a statement at one of its times, for a window of time, from `from` on. */
function putTimedFeatures(
  output: Float32Array,
  from: number,
  { features, passage, roles, statement }: StatementMatch,
  time: StatedTime | undefined,
  order: Order,
): void {
  const { window, alternatives, time: named, held = window } = order;
  for (let f = 0; f < width; f += 1) output[from + f] = features[f]!;
  const put = (name: FeatureName, value: number): void =>
    void (output[from + featurePlaces[name]] = value);
  const isFigure = features[featurePlaces.beforeOfFigure] === 1;
  put('beforeOfFigure', 0);
  const source = time?.source;
  if (source === 'compared' || source === 'previous' || source === 'later') put(source, 1);
  if (source === 'title') put('ofTitle', 1);
  if (time && source !== 'previous' && isRoleOfOther(time, statement.times, roles))
    put('roleOfOther', 1);
  if (time?.range) put('span', finite(Math.log1p((time.end - time.start) / year) / 3));
  const hasEnd = Number.isFinite(window.end);
  const hasStart = Number.isFinite(window.start);
  if (time === undefined && (hasStart || hasEnd)) put('undated', 1);
  let isOutside = false;
  if (time && (hasStart || hasEnd)) {
    const length = time.end - time.start;
    const shared = Math.min(time.end, window.end) - Math.max(time.start, window.start);
    const holding = holdingIn(time, held, order);
    // Of what began before the time as of which a state is asked for, the latest holds.
    const mayHold = holding === 'unknown' && (held === window || time.start === -Infinity);
    isOutside =
      mayHold ||
      holding === 'ended' ||
      shared <= 0 ||
      alternatives?.some((each) => time.start < each.end && time.end > each.start) === false;
    if (isOutside) {
      // How long a state has lasted says nothing against it.
      if (mayHold) put(isFigure ? 'beforeOfFigure' : 'before', 1);
      else put('outside', 1);
      const early = holding === 'ended' ? held.start - time.end : 0;
      if (!mayHold) put('gap', finite(scaled(Math.max(0, time.start - window.end, early))));
    } else {
      if (!time.range) put('overhang', finite(1 - shared / length));
      if (hasStart && hasEnd) {
        const ratio = length / (window.end - window.start);
        if (!time.range) put('coarse', finite(Math.max(0, Math.log(ratio)) / 5));
        const startsAlike = Math.abs(time.start - window.start) < day;
        if (startsAlike && Math.abs(time.end - window.end) < day) put('equal', 1);
      } else if (hasStart && named?.start === window.start && time.start >= named.start) {
        if (time.start < named.end) put('equal', 1);
      }
    }
  }
  const { publishedAt } = passage.record;
  if (!isOutside && isLaterReport(time, { window }, publishedAt)) put('laterReport', 1);
  const isOwn = source === 'own' && !isOutside;
  if (publishedAt !== undefined && hasEnd && source !== 'published' && !isOwn) {
    put('publishedAfter', publishedAt >= window.end ? 1 : 0);
    put('publishedGap', scaled(publishedAt - window.end));
  }
}

/** Characters; words after a time are its role less often: "born 1853, died 1927". */
const distance = (role: number, at: number): number => (role < at ? at - role : 2 * (role - at));

/** Whether the word that tells what the question's date is of belongs to another time. */
function isRoleOfOther(
  { at }: StatedTime,
  times: readonly StatedTime[],
  roles: readonly number[],
): boolean {
  if (at === undefined || roles.length === 0) return false;
  return !roles.some((role) =>
    times.every(
      (other) => other.at === undefined || distance(role, at) <= distance(role, other.at),
    ),
  );
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
