// Members of the series that a question may ask for: each statement at each of its times, by
// content and by publication. A question without an operator may ask for the latest.
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import type { TimeOperator } from '../../time/question/operator.js';
import {
  missingOf,
  mostMatched,
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
import {
  areMostlyAlike,
  restatementsOf,
  type MemberRows,
  type Restatement,
} from './restatements.js';
import type { StatedTime } from '../statements/statements.js';
import { dayMilliseconds as day, yearMilliseconds as year } from '../../time/civil.js';

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
  /** By member: 0 by content, 1 by publication. */
  interpretation: Uint8Array;
  /** By member: place in the operator's order, 0 the best. */
  rank: Int32Array;
  /** By interpretation: its members by rank. */
  ranked: readonly Int32Array[];
  restatements: readonly (readonly Restatement[])[];
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
}

/** Members with what they were made of. */
export interface MemberTable extends MemberColumns {
  matches: readonly StatementMatch[];
  /** By member. */
  times: readonly (StatedTime | undefined)[];
  /** What the question asks of time. */
  reading: Order;
}

export interface MemberTableOptions {
  /** Default: false. Members of all times for a question without an operator, as for a timeline. */
  everyTime?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Most times of one statement. */
const mostTimes = 8;
/** Statements of a series whose wordings are compared, and those with which they are. */
const [mostCompared, mostTried] = [60, 5];
/** Statements that show by which clock the series is dated. */
const topStatements = 20;

/** @param similarities of the scan, by candidate */
export async function memberTable(
  question: SeriesQuestion,
  matches: readonly StatementMatch[],
  similarities: readonly number[],
  { everyTime = false, signal }: MemberTableOptions = {},
): Promise<MemberTable> {
  const { operator, askedAt } = question;
  const neighbour = neighbourTime(question, matches);
  const sorted = [...matches].sort(
    (a, b) => missingOf(a) - missingOf(b) || similarityOf(b) - similarityOf(a),
  );
  const series = likelySeries(sorted);
  const longest = longestState(series);
  const hasOperator = operator.kind !== 'none';
  const reading: Order =
    hasOperator || everyTime
      ? { ...operator, ...neighbour, isEvent: question.isEvent, longest }
      : latestBy(question, longest);
  const { match, times, interpretation } = memberRows(question, matches);
  const features = new Float32Array(times.length * width);
  const ofInterpretation: number[][] = [[], []];
  for (let at = 0; at < times.length; at += 1) {
    const turn = at % 256 === 0 ? yieldToEventLoop(signal) : undefined;
    if (turn) await turn;
    ofInterpretation[interpretation[at]!]!.push(at);
    putTimedFeatures(features, at * width, matches[match[at]!]!, times[at], reading);
  }
  const rank = new Int32Array(times.length);
  const ranked: Int32Array[] = [];
  for (const own of ofInterpretation) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const { order, ranks } = preferenceOf(
      own.map((at) => (neighbour?.excluded.has(matches[match[at]!]!) ? undefined : times[at])),
      reading,
      askedAt + 1,
      (nth) => matches[match[own[nth]!]!]!.passage.record.publishedAt,
    );
    own.forEach((at, nth) => (rank[at] = ranks[nth]!));
    ranked.push(new Int32Array(order.map((nth) => own[nth]!)));
  }
  const turn = yieldToEventLoop(signal);
  if (turn) await turn;
  return {
    candidates: similarities.length,
    place: operator.place,
    matches,
    times,
    reading,
    features,
    match,
    candidate: match.map((own) => matches[own]!.candidate),
    interpretation,
    rank,
    ranked,
    restatements: restatementsOf(question, matches, { match, times, interpretation }),
    hasOperator,
    isLatest:
      reading.order === 'latest' &&
      operator.neighbour === undefined &&
      !(hasOperator && operator.window.end <= askedAt),
    starts: Float64Array.from(times, (time) => time?.start ?? NaN),
    ends: Float64Array.from(times, (time) => time?.end ?? NaN),
    clockInputs: clockInputs(operator, sorted.slice(0, topStatements)),
    seriesInputs: seriesInputs(question, series),
    similarity: standardised(similarities),
  };
}

/** The latest up to now, as a question without a word of time may ask for. */
function latestBy({ askedAt, isEvent, isPast }: SeriesQuestion, longest: number): Order {
  const now = { start: askedAt, end: askedAt + 1 };
  const isPresent = !isEvent && !isPast;
  return {
    order: 'latest',
    place: 1,
    window: { start: -Infinity, end: now.end },
    longest,
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

/** Statements in their order: each at its times, then at that of its publication. */
function memberRows({ operator }: SeriesQuestion, matches: readonly StatementMatch[]): MemberRows {
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
  const count = contents.reduce((sum, { length }) => sum + length + 1, 0);
  const [match, interpretation] = [new Int32Array(count), new Uint8Array(count)];
  const times: (StatedTime | undefined)[] = [];
  for (const [own, content] of contents.entries()) {
    match.fill(own, times.length, times.length + content.length + 1);
    times.push(...content);
    interpretation[times.length] = 1;
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

const similarityOf = ({ features }: StatementMatch): number => features[featurePlaces.cosine]!;

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

function seriesInputs(
  { operator, isPast, terms }: SeriesQuestion,
  series: readonly StatementMatch[],
): Float64Array {
  const starts = new Set<number>();
  for (const match of series) {
    const times = contentTimes(match);
    const { published } = match.passage;
    for (const { start } of times) starts.add(start);
    if (published && times.length === 0) starts.add(published.start);
  }
  const asked = terms.slice(0, mostMatched);
  const weightOf = (list: typeof asked): number =>
    list.reduce((sum, { weight }) => sum + weight, 0);
  const said = asked.filter((_, t) => ((series[0]?.matched ?? 0) & (1 << t)) !== 0);
  const hasOperator = operator.kind !== 'none';
  const repeated = repeatedWording(series);
  return Float64Array.of(
    1,
    Number(hasOperator),
    Math.log1p(starts.size) / 3,
    Math.max(weightOf(said) / Math.max(weightOf(asked), 1e-9), repeated),
    hasOperator || !isPast ? 0 : 1 - repeated,
  );
}

/** How surely a first statement's wording, values aside, is repeated at other times, 0 to 1. */
function repeatedWording(series: readonly StatementMatch[]): number {
  const stated = series.slice(0, mostCompared).flatMap((match) => {
    const time = (contentTimes(match)[0] ?? match.passage.published)?.start;
    if (time === undefined) return [];
    return { time, wording: match.statement.words.terms({ values: false }) };
  });
  const repeats = stated.slice(0, mostTried).map(({ time, wording }) => {
    const times = new Set([time]);
    for (const other of stated)
      if (!times.has(other.time) && areMostlyAlike(wording, other.wording)) times.add(other.time);
    return times.size - 1;
  });
  return 1 - Math.exp(-Math.max(0, ...repeats) / 2);
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
