// Features of a candidate among the others: which of them tell the same of a later or an earlier time, and which are newer
// versions of it. "First" and "last" are thereby resolved over what the candidates themselves say, not over a scale of years.
import type { PassageView, SentenceView } from './passages.js';
import type { BestDate } from './times.js';
import type { TimeAsked } from './question.js';

/** A row with what it is compared by. */
export interface Entry {
  passage: PassageView;
  sentence: SentenceView;
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
  const known = entries.map(({ passage, sentence, best, relevance, covers, base }) => ({
    passage, sentence, best, relevance, covers, base, at: timeOf(passage, best, time), published: passage.record.publishedAt ?? NaN,
  }));
  const byBase = [...known].sort((a, b) => b.base - a.base || inOrder(a, b));
  const fitting = byBase.slice(mostRivals).sort((a, b) => (b.best?.fit ?? 0) - (a.best?.fit ?? 0) || b.base - a.base || inOrder(a, b));
  const rivals = [...byBase.slice(0, mostRivals), ...fitting.slice(0, mostFitting)];
  const direction = time.order < 0 ? -1 : 1;
  return known.map((own) => {
    let [ahead, behind, newer, aheadAlike, fitter] = [0, 0, 0, 0, 0];
    for (const other of rivals) {
      if (other.passage === own.passage) continue;
      const later = (other.at - own.at) * direction;
      if (later !== 0 && !Number.isNaN(later)) {
        const weight = logistic((other.relevance - own.relevance + 0.05) / 0.025);
        if (later > 0) ahead += weight;
        else behind += weight;
        if (later > 0) aheadAlike += coversAsMuch(other, own);
      }
      if ((other.best?.fit ?? 0) > (own.best?.fit ?? 0) + leastFitter) fitter += coversAsMuch(other, own);
      if (other.published > own.published && sameTime(own.best, other.best)) newer += coversAsMuch(other, own);
    }
    const dated = !Number.isNaN(own.at);
    return [
      dated ? Math.log1p(ahead) : NaN, dated ? Math.log1p(behind) : NaN,
      Number.isNaN(own.published) ? NaN : Math.log1p(newer), dated ? Math.log1p(aheadAlike) : NaN,
      time.named.length > 0 ? Math.log1p(fitter) : NaN,
    ];
  });
}

/** As much more of `fit` as tells one day from the next. */
const leastFitter = 1e-3;

/** 0 to 1: passages that lack a tenth of the question's words, by weight, still cover as much. */
const coversAsMuch = (other: { covers: number }, own: { covers: number }): number => logistic((other.covers - own.covers + 0.1) / 0.03);

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
