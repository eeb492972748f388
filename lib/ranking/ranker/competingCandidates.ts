// Features of a candidate among the others: which of them tell the same of a later or an earlier
// time, and which are newer versions of it. "First" and "last" are thereby resolved over what the
// candidates themselves say, not over a scale of years.
import type { PassageFeatures, SentenceView } from './passages.js';
import type { BestDate } from './times.js';
import type { QuestionTime } from './question.js';

/** A row with what it is compared by. */
export interface CompetingCandidate {
  passage: PassageFeatures;
  sentence: SentenceView;
  /** Of its passage; entries of one stand together. */
  number: number;
  best: BestDate | undefined;
  /**
   * Relevance without any clock, and the share of the question that the passage covers, rare words
   * above all (`rareTermCoverage`); 0 to 1.
   */
  relevance: number;
  covers: number;
  /** Score before ranking, 0 to 1. */
  base: number;
}

/**
 * ahead, behind: others as relevant whose time comes further in the direction asked for, and in the
 * other; NaN where the row has no time in the window. aheadAlike: those ahead whose passages cover
 * as much of the question, near enough, however they put it. fitter: those that cover as much and
 * tell of a time nearer to the one asked about; NaN where the question names none. newer: others
 * that tell of the same time, as far as they name one, and were published later; NaN where it was
 * not.
 */
export const competitionFeatureNames = [
  'ahead',
  'behind',
  'newer',
  'aheadAlike',
  'fitter',
] as const;

/**
 * As many rows are rivals: the best before ranking, and of the others those that tell of the best
 * times.
 */
const mostRivals = 40;
const mostFitting = 20;

/**
 * For each entry how it stands to the best of the others: a row of five numbers, one behind the
 * other, in the order of the names. Entries of one passage stand together; those of the passages
 * may stand in any order.
 */
export function competitionFeatures(
  entries: readonly CompetingCandidate[],
  time: QuestionTime,
): Float64Array {
  const byBase = leaders(
    entries,
    mostRivals,
    ({ base }) => base,
    (a, b) => b.base - a.base || inOrder(a, b),
  );
  const leading = new Set(byBase);
  const others = entries.filter((each) => !leading.has(each));
  const fitOf = ({ best }: CompetingCandidate): number => best?.fit ?? 0;
  const fitting = leaders(
    others,
    mostFitting,
    fitOf,
    (a, b) => fitOf(b) - fitOf(a) || b.base - a.base || inOrder(a, b),
  );
  const rivals = [...byBase, ...fitting];
  const own = columnsOf(entries, time);
  const competition: Competition = {
    rivals: columnsOf(rivals, time),
    alike: new Float64Array(rivals.length),
    direction: time.order < 0 ? -1 : 1,
    named: time.named.length > 0,
  };
  const standings = new Float64Array(entries.length * competitionFeatureNames.length);
  for (let row = 0; row < entries.length; row += 1) {
    if (row === 0 || own.number[row] !== own.number[row - 1]) competition.alike.fill(NaN);
    standing(own, row, competition, standings);
  }
  return standings;
}

/**
 * The first `count` in the order of `compare`, whose first word is that the greater key comes
 * first.
 */
function leaders(
  entries: readonly CompetingCandidate[],
  count: number,
  key: (entry: CompetingCandidate) => number,
  compare: (a: CompetingCandidate, b: CompetingCandidate) => number,
): CompetingCandidate[] {
  if (entries.length <= count) return [...entries].sort(compare);
  const least = Float64Array.from(entries, key).sort()[entries.length - count]!;
  return entries
    .filter((each) => key(each) >= least)
    .sort(compare)
    .slice(0, count);
}

/** What entries are compared by, side by side: there are tens of thousands of pairs. */
interface Columns {
  entries: readonly CompetingCandidate[];
  number: Int32Array;
  at: Float64Array;
  published: Float64Array;
  relevance: Float64Array;
  covers: Float64Array;
  /** How well the date serves. */
  serves: Float64Array;
}

function columnsOf(entries: readonly CompetingCandidate[], time: QuestionTime): Columns {
  const made = (): Float64Array => new Float64Array(entries.length);
  const columns = {
    entries,
    number: new Int32Array(entries.length),
    at: made(),
    published: made(),
    relevance: made(),
    covers: made(),
    serves: made(),
  };
  for (let row = 0; row < entries.length; row += 1) {
    const { number, passage, best, relevance, covers } = entries[row]!;
    columns.number[row] = number;
    columns.at[row] = timeOf(passage, best, time);
    columns.published[row] = passage.record.publishedAt ?? NaN;
    columns.relevance[row] = relevance;
    columns.covers[row] = covers;
    columns.serves[row] = serving(best, time);
  }
  return columns;
}

/** The candidates that rows are compared with, and how. */
interface Competition {
  rivals: Columns;
  /** `coversAsMuch` of each with the current passage; NaN until computed. */
  alike: Float64Array;
  /** 1 if later times win, -1 if earlier ones do. */
  direction: number;
  /** Whether the question names a time. */
  named: boolean;
}

/** Computes the features of one row against its competitors. */
function standing(
  own: Columns,
  row: number,
  { rivals: columns, alike, direction, named }: Competition,
  standings: Float64Array,
): void {
  const { entries: rivals, number, at, published, relevance, covers, serves } = columns;
  const [passage, ownAt, ownPublished] = [own.number[row]!, own.at[row]!, own.published[row]!];
  const [ownRelevance, ownServes] = [own.relevance[row]!, own.serves[row]! + leastFitter];
  let ahead = 0;
  let behind = 0;
  let newer = 0;
  let aheadAlike = 0;
  let fitter = 0;
  for (let r = 0; r < number.length; r += 1) {
    if (number[r] === passage) continue;
    const later = (at[r]! - ownAt) * direction;
    if (later !== 0 && !Number.isNaN(later)) {
      // logistic, whose call would cost as much again
      const weight = 1 / (1 + Math.exp(-((relevance[r]! - ownRelevance + 0.05) / 0.025)));
      if (later > 0) ahead += weight;
      else behind += weight;
    }
    const isFitter = named && serves[r]! > ownServes;
    const isNewer =
      published[r]! > ownPublished && sameTime(own.entries[row]!.best, rivals[r]!.best);
    if (!(later > 0 || isFitter || isNewer)) continue;
    if (Number.isNaN(alike[r]!)) alike[r] = coversAsMuch(covers[r]!, own.covers[row]!);
    if (later > 0) aheadAlike += alike[r]!;
    if (isFitter) fitter += alike[r]!;
    if (isNewer) newer += alike[r]!;
  }
  const dated = !Number.isNaN(ownAt);
  const to = row * competitionFeatureNames.length;
  standings[to] = dated ? Math.log1p(ahead) : NaN;
  standings[to + 1] = dated ? Math.log1p(behind) : NaN;
  standings[to + 2] = Number.isNaN(ownPublished) ? NaN : Math.log1p(newer);
  standings[to + 3] = dated ? Math.log1p(aheadAlike) : NaN;
  standings[to + 4] = named ? Math.log1p(fitter) : NaN;
}

/**
 * How well a date serves: its `fit`, but that in a window without an end no date inside serves less
 * than another for being later.
 */
function serving(best: BestDate | undefined, { window, order }: QuestionTime): number {
  if (!best) return 0;
  const alike =
    order === 0 &&
    window?.end === Infinity &&
    best.date.end > window.start &&
    best.date.start >= best.named.start;
  return alike ? Math.max(best.fit, 2) : best.fit;
}

/** As much more of `fit` as tells one day from the next. */
const leastFitter = 1e-3;

/** 0 to 1: passages that lack a tenth of the question's words, by weight, still cover as much. */
const coversAsMuch = (other: number, own: number): number => logistic((other - own + 0.1) / 0.03);

/** Of rows that are equally good: by passage, then by place. */
function inOrder(
  a: Pick<CompetingCandidate, 'passage' | 'sentence'>,
  b: Pick<CompetingCandidate, 'passage' | 'sentence'>,
): number {
  const [one, other] = [a.passage.record.id, b.passage.record.id];
  return one < other ? -1 : one > other ? 1 : a.sentence.position - b.sentence.position;
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/**
 * Both tell of one date, or of dates within the time asked about: every day of a year that a figure
 * is asked for.
 */
function sameTime(a: BestDate | undefined, b: BestDate | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.date.start === b.date.start && a.date.end === b.date.end) return true;
  return a.named === b.named && within(a) && within(b);
}

const within = ({ date, named }: BestDate): boolean =>
  date.start >= named.start && date.end <= named.end;

/**
 * When what the row tells happened, within the window: its end where the latest counts, its start
 * where the earliest does.
 */
function timeOf(
  { record: { publishedAt, validFrom } }: PassageFeatures,
  best: BestDate | undefined,
  asked: QuestionTime,
): number {
  const { window, order, ofPublication } = asked;
  if (!window || ofPublication) return validFrom ?? publishedAt ?? NaN;
  if (!best || best.date.end <= window.start || best.date.start >= window.end) return NaN;
  return order < 0 ? Math.max(best.date.start, window.start) : Math.min(best.date.end, window.end);
}
