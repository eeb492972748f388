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
import { preferenceOf, type Order, isLaterReport, mayHold } from './order.js';
import type { SeriesQuestion } from '../question/question.js';
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
  const read = { ...neighbourWindow(question, matches), isEvent: question.isEvent };
  // The state of now may be asked for without a word of it.
  const state: Order | undefined =
    operator.kind === 'none'
      ? { order: 'latest', window: { start: -Infinity, end: askedAt + 1 } }
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
      own.map((at) => (matches[match[at]!]!.isAnchor ? undefined : times[at])),
      readings[each >> 1]!,
      askedAt + 1,
      (nth) => matches[match[own[nth]!]!]!.passage.record.publishedAt,
    );
    own.forEach((at, nth) => (rank[at] = ranks[nth]!));
    ranked.push(new Int32Array(order.map((nth) => own[nth]!)));
  }
  const turn = yieldToEventLoop(signal);
  if (turn) await turn;
  const sorted = [...matches].sort((a, b) => missingOf(a) - missingOf(b));
  return {
    candidates,
    matches,
    times,
    features,
    match,
    candidate: match.map((own) => matches[own]!.candidate),
    interpretation,
    rank,
    ranked,
    restatements: restatementsOf(question, matches, { match, times, interpretation }),
    hasState: state !== undefined,
    clockInputs: clockInputs(operator, sorted.slice(0, topStatements)),
    stateInputs: stateInputs(question, likelySeries(sorted)),
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
  const count = readings * contents.reduce((sum, { length }) => sum + length + 1, 0);
  const [match, interpretation] = [new Int32Array(count), new Uint8Array(count)];
  const times: (StatedTime | undefined)[] = [];
  for (let reading = 0; reading < readings; reading += 1)
    for (const [own, content] of contents.entries()) {
      match.fill(own, times.length, times.length + content.length + 1);
      interpretation.fill(2 * reading, times.length, times.length + content.length);
      times.push(...content);
      interpretation[times.length] = 2 * reading + 1;
      times.push(matches[own]!.passage.published ?? content[0]);
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

/** Accounts of a neighbour are as good as the best up to this score. */
const sameNeighbour = 0.5;

/**
 * The window next to the time of the neighbour that a question names: "the pope after X". One that
 * lasts is followed in the unit of the calendar in which its last statement lies, and preceded in
 * that of its first; after a version or a number, that of its best statement is over.
 */
function neighbourWindow(
  { operator, anchor }: SeriesQuestion,
  matches: readonly StatementMatch[],
): Order {
  const { neighbour, time, window } = operator;
  if (!neighbour || time || anchor.length === 0) return operator;
  const anchorTerms = new Set(anchor.map(({ term }) => term));
  const total = anchor.reduce((sum, { weight }) => sum + weight, 0);
  // A statement of a member has the question's words, that of an event has its own.
  const isMember = neighbour.side === 'before' || neighbour.side === 'after';
  const accounts: { score: number; times: readonly StatedTime[] }[] = [];
  for (const match of matches) {
    const { statement, passage } = match;
    const words = [...statement.words];
    const terms = new Set([...words, ...passage.title].map(({ term }) => term));
    const held = anchor.reduce((sum, { term, weight }) => sum + (terms.has(term) ? weight : 0), 0);
    const first = statement.times[0] ?? passage.titleTimes[0] ?? passage.published;
    if (held < 0.6 * total || !first) continue;
    // The subject of a sentence stands first: "Hoover was president from 1929 to 1933".
    const place = words.findIndex(({ term }) => anchorTerms.has(term));
    const score =
      (4 * held) / total -
      (isMember ? missingOf(match) : 0) -
      Math.min(place < 0 ? 10 : place, 10) / 10;
    const main = statement.times.filter(({ source }) => source === 'own');
    accounts.push({ score, times: [first, ...main] });
  }
  if (accounts.length === 0) return operator;
  const best = accounts.reduce((one, other) => (other.score > one.score ? other : one));
  const [{ start, end, range }] = best.times as [StatedTime];
  const times = accounts
    .filter(({ score }) => score >= best.score - sameNeighbour)
    .flatMap((each) => each.times)
    .filter((each) => Number.isFinite(each.start) && Number.isFinite(each.end));
  const over = range ? start + 1 : end;
  const isLasting = times.length > 0 && !anchor.some(({ term }) => /^\p{N}/u.test(term));
  switch (neighbour.side) {
    case 'after': {
      const from = Math.max(...times.map((each) => (each.range ? each.end - 1 : each.start)));
      return { ...operator, window: { start: isLasting ? from : over, end: window.end } };
    }
    case 'before': {
      const until = Math.min(...times.map((each) => (each.range ? each.start + 1 : each.end)));
      return { ...operator, window: { start: window.start, end: isLasting ? until : start } };
    }
    case 'since':
      return { ...operator, window: { start: over, end: window.end } };
    case 'until':
      return { ...operator, window: { start: window.start, end: start } };
    case 'at':
      return { ...operator, window: { start: -Infinity, end } };
  }
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
  { window, alternatives, time: named, isEvent }: Order,
): void {
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
    const holds = !isEvent && mayHold(time, window.start);
    isOutside =
      holds ||
      shared <= 0 ||
      alternatives?.some((each) => time.start < each.end && time.end > each.start) === false;
    if (isOutside) {
      // How long a state has lasted says nothing against it.
      if (holds) put(isFigure ? 'beforeOfFigure' : 'before', 1);
      else put('outside', 1);
      const early = isEvent ? window.start - time.end : 0;
      if (!holds) put('gap', finite(scaled(Math.max(0, time.start - window.end, early))));
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
