// Features of a candidate among the others: which of them tell the same of a later or an earlier time, and which are newer
// versions of it. "First" and "last" are thereby resolved over what the candidates themselves say, not over a scale of years.
import type { PassageView, SentenceView } from './passages.js';
import type { BestDate } from './times.js';
import type { TimeAsked } from './question.js';

/** A row with what it is compared by. */
export interface Entry {
  passage: PassageView;
  sentence: SentenceView;
  /** Of the table of texts. */
  text: number;
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

/** For each entry how it stands to the best of the others. Entries may stand in any order. */
export function rivalsOf(entries: readonly Entry[], time: TimeAsked): number[][] {
  const known = entries.map(({ passage, sentence, best, relevance, covers, base }): Known => ({
    passage, sentence, best, relevance, covers, base,
    serves: serving(best, time), at: timeOf(passage, best, time), published: passage.record.publishedAt ?? NaN,
  }));
  const byBase = [...known].sort((a, b) => b.base - a.base || inOrder(a, b));
  const fitting = byBase.slice(mostRivals).sort((a, b) => (b.best?.fit ?? 0) - (a.best?.fit ?? 0) || b.base - a.base || inOrder(a, b));
  const rivals = [...byBase.slice(0, mostRivals), ...fitting.slice(0, mostFitting)];
  const columns = columnsOf(rivals);
  const direction = time.order < 0 ? -1 : 1;
  return known.map((own) => standing(own, rivals, columns, direction, time.named.length > 0));
}

/** An entry with how well its date serves, its time and its passage's publication; NaN for none. */
interface Known extends Omit<Entry, 'text'> {
  serves: number;
  at: number;
  published: number;
}

/** What each entry is compared with of the rivals, side by side: there are tens of thousands of pairs. */
interface Columns {
  at: Float64Array;
  published: Float64Array;
  relevance: Float64Array;
  covers: Float64Array;
  serves: Float64Array;
}

function columnsOf(rivals: readonly Known[]): Columns {
  const column = (value: (rival: Known) => number): Float64Array => Float64Array.from(rivals, value);
  return {
    at: column(({ at }) => at), published: column(({ published }) => published), relevance: column(({ relevance }) => relevance),
    covers: column(({ covers }) => covers), serves: column(({ serves }) => serves),
  };
}

function standing(own: Known, rivals: readonly Known[], columns: Columns, direction: number, named: boolean): number[] {
  const { at, published, relevance, covers, serves } = columns;
  const ownServes = own.serves + leastFitter;
  let ahead = 0;
  let behind = 0;
  let newer = 0;
  let aheadAlike = 0;
  let fitter = 0;
  for (let r = 0; r < rivals.length; r += 1) {
    if (rivals[r]!.passage === own.passage) continue;
    const later = (at[r]! - own.at) * direction;
    if (later !== 0 && !Number.isNaN(later)) {
      const weight = logistic((relevance[r]! - own.relevance + 0.05) / 0.025);
      if (later > 0) ahead += weight;
      else behind += weight;
    }
    const isFitter = serves[r]! > ownServes;
    const isNewer = published[r]! > own.published && sameTime(own.best, rivals[r]!.best);
    if (!(later > 0 || isFitter || isNewer)) continue;
    const alike = coversAsMuch(covers[r]!, own.covers);
    if (later > 0) aheadAlike += alike;
    if (isFitter) fitter += alike;
    if (isNewer) newer += alike;
  }
  const dated = !Number.isNaN(own.at);
  return [
    dated ? Math.log1p(ahead) : NaN, dated ? Math.log1p(behind) : NaN,
    Number.isNaN(own.published) ? NaN : Math.log1p(newer), dated ? Math.log1p(aheadAlike) : NaN,
    named ? Math.log1p(fitter) : NaN,
  ];
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
function timeOf(passage: PassageView, best: BestDate | undefined, { window, order, ofPublication }: TimeAsked): number {
  const { publishedAt, validFrom } = passage.record;
  if (!window || ofPublication) return validFrom ?? publishedAt ?? NaN;
  if (!best || best.date.end <= window.start || best.date.start >= window.end) return NaN;
  return order < 0 ? Math.max(best.date.start, window.start) : Math.min(best.date.end, window.end);
}
