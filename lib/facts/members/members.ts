// Members of the series that a question may ask for: each statement at each of its times, under
// each interpretation of the question: by content or by publication, and where it has no operator,
// any member or the latest.
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { isPast } from '../../time/question/tense.js';
import type { TimeOperator } from '../../time/question/operator.js';
import { missingOf, width, type StatementMatch } from '../features/features.js';
import { neighbourWindow } from './neighbour.js';
import { preferenceOf, type Order } from './order.js';
import type { SeriesQuestion } from '../question/question.js';
import { restatementsOf, type MemberRows, type Restatement } from './restatements.js';
import type { StatedTime } from '../statements/statements.js';
import { putTimedFeatures } from './timedFeatures.js';

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
