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
  /** Relevance without any clock, and the share of the question that the passage covers; 0 to 1. */
  relevance: number;
  covers: number;
  /** Score before ranking, 0 to 1. */
  base: number;
}

/**
 * ahead, behind: others as relevant whose time comes further in the direction asked for, and in the other; NaN where the row has no time
 * in the window. newer: others that tell of the same time, as far as they name one, and were published later; NaN where it was not.
 */
export const rivalFeatureNames = ['ahead', 'behind', 'newer'] as const;

/** As many rows as can be rivals: the best before ranking. */
const mostRivals = 60;

/** For each entry how it stands to the best of the others. Entries may stand in any order. */
export function rivalsOf(entries: readonly Entry[], time: TimeAsked): number[][] {
  const known = entries.map(({ passage, sentence, best, relevance, covers, base }) => ({
    passage, sentence, best, relevance, covers, base, at: timeOf(passage, best, time), published: passage.record.publishedAt ?? NaN,
  }));
  const rivals = [...known].sort((a, b) => b.base - a.base || (a.passage.record.id < b.passage.record.id ? -1 : a.passage.record.id > b.passage.record.id ? 1 : a.sentence.position - b.sentence.position)).slice(0, mostRivals);
  const direction = time.order < 0 ? -1 : 1;
  return known.map((own) => {
    let [ahead, behind, newer] = [0, 0, 0];
    for (const other of rivals) {
      if (other.passage === own.passage) continue;
      const later = (other.at - own.at) * direction;
      if (later !== 0 && !Number.isNaN(later)) {
        const weight = logistic((other.relevance - own.relevance + 0.05) / 0.025);
        if (later > 0) ahead += weight;
        else behind += weight;
      }
      if (other.published > own.published && sameTime(own.best, other.best)) newer += logistic((other.covers - own.covers + 0.1) / 0.03);
    }
    const dated = !Number.isNaN(own.at);
    return [dated ? Math.log1p(ahead) : NaN, dated ? Math.log1p(behind) : NaN, Number.isNaN(own.published) ? NaN : Math.log1p(newer)];
  });
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
