// Features of a candidate among the others: which of them tell the same of a later or an earlier time, and which are newer
// versions of it. "First" and "last" are thereby resolved over what the candidates themselves say, not over a scale of years.
import type { PassageView, SentenceView } from './passages.js';
import type { BestDate } from './times.js';
import type { TimeAsked } from './question.js';

/** A row with what it is compared by. */
export interface Entry {
  passage: PassageView;
  sentence: SentenceView;
  /** Of its passage; entries of one stand together. */
  number: number;
  best: BestDate | undefined;
  /** Relevance without any clock, and the share of the question that the passage covers, rare words above all (`rareCover`); 0 to 1. */
  relevance: number;
  covers: number;
  /** Score before ranking, 0 to 1. */
  base: number;
}

/**
 * ahead, behind: others as relevant whose time comes further in the direction asked for, and in the other; NaN where the row has no time
 * in the window. aheadAlike: those ahead whose passages cover as much of the question, near enough, however they put it. fitter: those
 * that cover as much and tell of a time nearer to the one asked about; NaN where the question names none. newer: others that tell of
 * the same time, as far as they name one, and were published later; NaN where it was not.
 */
export const rivalFeatureNames = ['ahead', 'behind', 'newer', 'aheadAlike', 'fitter'] as const;

/** As many rows are rivals: the best before ranking, and of the others those that tell of the best times. */
const mostRivals = 40;
const mostFitting = 20;

/**
 * For each entry how it stands to the best of the others: a row of five numbers, one behind the other, in the order of the names. Entries
 * of one passage stand together; those of the passages may stand in any order.
 */
export function rivalsOf(entries: readonly Entry[], time: TimeAsked): Float64Array {
  const byBase = leaders(entries, mostRivals, ({ base }) => base, (a, b) => b.base - a.base || inOrder(a, b));
  const leading = new Set(byBase);
  const others = entries.filter((each) => !leading.has(each));
  const fitOf = ({ best }: Entry): number => best?.fit ?? 0;
  const fitting = leaders(others, mostFitting, fitOf, (a, b) => fitOf(b) - fitOf(a) || b.base - a.base || inOrder(a, b));
  const rivals = [...byBase, ...fitting];
  const columns: Columns = {
    rivals, at: Float64Array.from(rivals, (each) => timeOf(each, time)), published: Float64Array.from(rivals, publishedOf),
    serves: Float64Array.from(rivals, ({ best }) => serving(best, time)),
    number: Int32Array.from(rivals, ({ number }) => number), relevance: Float64Array.from(rivals, ({ relevance }) => relevance),
    covers: Float64Array.from(rivals, ({ covers }) => covers), alike: new Float64Array(rivals.length),
  };
  const direction = time.order < 0 ? -1 : 1;
  const standings = new Float64Array(entries.length * rivalFeatureNames.length);
  entries.forEach((own, row) => {
    if (own.number !== entries[row - 1]?.number) columns.alike.fill(NaN);
    standing(own, time, columns, direction, standings, row * rivalFeatureNames.length);
  });
  return standings;
}

/** The first `count` in the order of `compare`, whose first word is that the greater key comes first. */
function leaders(entries: readonly Entry[], count: number, key: (entry: Entry) => number, compare: (a: Entry, b: Entry) => number): Entry[] {
  if (entries.length <= count) return [...entries].sort(compare);
  const least = Float64Array.from(entries, key).sort()[entries.length - count]!;
  return entries.filter((each) => key(each) >= least).sort(compare).slice(0, count);
}

const publishedOf = ({ passage: { record } }: Entry): number => record.publishedAt ?? NaN;

/** What each entry is compared with of the rivals, side by side: there are tens of thousands of pairs. */
interface Columns {
  rivals: readonly Entry[];
  number: Int32Array;
  at: Float64Array;
  published: Float64Array;
  relevance: Float64Array;
  covers: Float64Array;
  /** How well the rival's date serves. */
  serves: Float64Array;
  /** Whether it covers as much as the passage at hand, by `coversAsMuch`; NaN until that is asked. */
  alike: Float64Array;
}

function standing(own: Entry, time: TimeAsked, columns: Columns, direction: number, standings: Float64Array, row: number): void {
  const { rivals, number, at, published, relevance, covers, serves, alike } = columns;
  const named = time.named.length > 0;
  const [ownAt, ownPublished] = [timeOf(own, time), publishedOf(own)];
  const ownServes = serving(own.best, time) + leastFitter;
  let [ahead, behind, newer, aheadAlike, fitter] = [0, 0, 0, 0, 0];
  for (let r = 0; r < number.length; r += 1) {
    if (number[r] === own.number) continue;
    const later = (at[r]! - ownAt) * direction;
    if (later !== 0 && !Number.isNaN(later)) {
      const weight = logistic((relevance[r]! - own.relevance + 0.05) / 0.025);
      if (later > 0) ahead += weight;
      else behind += weight;
    }
    const isFitter = named && serves[r]! > ownServes;
    const isNewer = published[r]! > ownPublished && sameTime(own.best, rivals[r]!.best);
    if (!(later > 0 || isFitter || isNewer)) continue;
    if (Number.isNaN(alike[r]!)) alike[r] = coversAsMuch(covers[r]!, own.covers);
    if (later > 0) aheadAlike += alike[r]!;
    if (isFitter) fitter += alike[r]!;
    if (isNewer) newer += alike[r]!;
  }
  const dated = !Number.isNaN(ownAt);
  standings[row] = dated ? Math.log1p(ahead) : NaN;
  standings[row + 1] = dated ? Math.log1p(behind) : NaN;
  standings[row + 2] = Number.isNaN(ownPublished) ? NaN : Math.log1p(newer);
  standings[row + 3] = dated ? Math.log1p(aheadAlike) : NaN;
  standings[row + 4] = named ? Math.log1p(fitter) : NaN;
}

/** How well a date serves: its `fit`, but that in a window without an end no date inside serves less than another for being later. */
function serving(best: BestDate | undefined, { window, order }: TimeAsked): number {
  if (!best) return 0;
  const alike = order === 0 && window?.end === Infinity && best.date.end > window.start && best.date.start >= best.named.start;
  return alike ? Math.max(best.fit, 2) : best.fit;
}

/** As much more of `fit` as tells one day from the next. */
const leastFitter = 1e-3;

/** 0 to 1: passages that lack a tenth of the question's words, by weight, still cover as much. */
const coversAsMuch = (other: number, own: number): number => logistic((other - own + 0.1) / 0.03);

/** Of rows that are equally good: by passage, then by place. */
function inOrder(a: Pick<Entry, 'passage' | 'sentence'>, b: Pick<Entry, 'passage' | 'sentence'>): number {
  const [one, other] = [a.passage.record.id, b.passage.record.id];
  return one < other ? -1 : one > other ? 1 : a.sentence.position - b.sentence.position;
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Both tell of one date, or of dates within the time asked about: every day of a year that a figure is asked for. */
function sameTime(a: BestDate | undefined, b: BestDate | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.date.start === b.date.start && a.date.end === b.date.end) return true;
  return a.named === b.named && within(a) && within(b);
}

const within = ({ date, named }: BestDate): boolean => date.start >= named.start && date.end <= named.end;

/** When what the row tells happened, within the window: its end where the latest counts, its start where the earliest does. */
function timeOf({ passage, best }: Pick<Entry, 'passage' | 'best'>, { window, order, ofPublication }: TimeAsked): number {
  const { publishedAt, validFrom } = passage.record;
  if (!window || ofPublication) return validFrom ?? publishedAt ?? NaN;
  if (!best || best.date.end <= window.start || best.date.start >= window.end) return NaN;
  return order < 0 ? Math.max(best.date.start, window.start) : Math.min(best.date.end, window.end);
}
