// Members of the series that a question may ask for: each statement at each of its times, under
// each interpretation of the question: by content or by publication, and where it has no operator,
// any member or the latest.
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { isPast } from '../../time/question/tense.js';
import type { TimeOperator } from '../../time/question/operator.js';
import { missingOf, width, type StatementMatch } from './features.js';
import { neighbourWindow } from './neighbour.js';
import { preferenceRanks, type Order } from './order.js';
import type { SeriesQuestion } from './question.js';
import { restatementsOf, type Restatement } from './restatements.js';
import type { StatedTime } from './statements.js';
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
  const rows: { match: number; time: StatedTime | undefined; interpretation: number }[] = [];
  const readings: Order[] = state ? [read, state] : [read];
  readings.forEach((_, reading) => {
    matches.forEach(({ passage, statement }, match) => {
      const { valid, published, titleTimes } = passage;
      const stated = statement.times.length > 0 ? statement.times : titleTimes;
      const isByPublication = published && operator.clock === 'published';
      const content = isByPublication
        ? [published]
        : valid
          ? [valid]
          : stated.length > 0
            ? stated
            : [published];
      for (const time of content.slice(0, mostTimes))
        rows.push({ match, time, interpretation: 2 * reading });
      rows.push({ match, time: published ?? content[0], interpretation: 2 * reading + 1 });
    });
  });
  const features = new Float32Array(rows.length * width);
  for (const [at, { match, time, interpretation }] of rows.entries()) {
    const turn = at % 256 === 0 ? yieldToEventLoop(signal) : undefined;
    if (turn) await turn;
    putTimedFeatures(features, at * width, matches[match]!, time, readings[interpretation >> 1]!);
  }
  const isAnchor = (at: number): boolean => matches[rows[at]!.match]!.isAnchor;
  const rank = new Int32Array(rows.length);
  const ranked: Int32Array[] = [];
  for (let each = 0; each < 2 * readings.length; each += 1) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const own = [...rows.keys()].filter((at) => rows[at]!.interpretation === each);
    const ranks = preferenceRanks(
      own.map((at) => (isAnchor(at) ? undefined : rows[at]!.time)),
      readings[each >> 1]!,
      askedAt + 1,
      (nth) => matches[rows[own[nth]!]!.match]!.passage.record.publishedAt,
    );
    own.forEach((at, nth) => (rank[at] = ranks[nth]!));
    ranked.push(Int32Array.from(own.sort((a, b) => rank[a]! - rank[b]!)));
  }
  const turn = yieldToEventLoop(signal);
  if (turn) await turn;
  const sorted = [...matches].sort((a, b) => missingOf(a) - missingOf(b));
  return {
    candidates,
    matches,
    times: rows.map(({ time }) => time),
    features,
    match: Int32Array.from(rows, ({ match }) => match),
    candidate: Int32Array.from(rows, ({ match }) => matches[match]!.candidate),
    interpretation: Uint8Array.from(rows, ({ interpretation }) => interpretation),
    rank,
    ranked,
    restatements: restatementsOf(question, matches, rows),
    hasState: state !== undefined,
    clockInputs: clockInputs(operator, sorted.slice(0, topStatements)),
    stateInputs: stateInputs(question, likelySeries(sorted)),
  };
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
