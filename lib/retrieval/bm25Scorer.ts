// BM25 of a few texts from their terms, with the statistics of the whole corpus: the number that a
// scan gives a row of that text, without its pass over every posting of the question's terms. For
// stages that rank candidates again, and for summaries.
import type { Snapshot, SnapshotSegment } from '../store/snapshot.js';
import { termFrequenciesOf, type TermFrequencies } from '../text/termFrequencies.js';
import type { Scope } from './candidate.js';
import { inverseDocumentFrequency, documentFrequency } from './documentFrequency.js';

export interface Bm25Scorer {
  /** The question's terms, each once. */
  terms: readonly string[];
  count(terms: readonly string[]): TermFrequencies;
  /**
   * Of a text given in pieces such as title and sentence, each counted once however many texts
   * share it; 0 or more.
   */
  score(...pieces: readonly TermFrequencies[]): number;
  /** The same of a text of that many terms which holds term t counts[from + t] times. */
  scoreOf(length: number, counts: ArrayLike<number>, from?: number): number;
}

export interface Bm25ScorerOptions {
  /** Whose rows the statistics are of. Default all. */
  scope?: Exclude<Scope, 'passages'>;
  k1?: number;
  b?: number;
}

/** `terms` are the question's, a term counting as often as it is repeated. */
export function bm25Scorer(
  { segments }: Pick<Snapshot, 'segments'>,
  terms: readonly string[],
  { scope = 'all', k1 = 0.9, b = 0.4 }: Bm25ScorerOptions = {},
): Bm25Scorer {
  const whole = scope === 'all';
  const rows = sum(segments.map((each) => (whole ? each.rows : each.rows - each.several)));
  const tokens = sum(segments.map((each) => tokenCount(each, whole)));
  const average = tokens === 0 ? 1 : tokens / rows;
  const distinct = [...new Set(terms)];
  const places = new Map(distinct.map((term, at) => [term, at]));
  const weights = Float64Array.from(distinct, (term) => {
    const holding = sum(
      segments
        .map((segment) => documentFrequency(segment, term))
        .map(({ several, sentences }) => (whole ? several + sentences : sentences)),
    );
    return holding === 0
      ? 0
      : inverseDocumentFrequency(rows, holding) * terms.filter((each) => each === term).length;
  });
  const sums = new Float64Array(distinct.length);
  const scoreOf = (length: number, counts: ArrayLike<number>, from = 0): number => {
    const norm = k1 * (1 - b + (b * length) / average);
    let score = 0;
    for (let at = 0; at < weights.length; at += 1) {
      const count = counts[from + at]!;
      if (count > 0) score += (weights[at]! * count) / (count + norm);
    }
    return score;
  };
  return {
    terms: distinct,
    scoreOf,
    count: (own) => termFrequenciesOf(own, places),
    score(...pieces) {
      sums.fill(0);
      let length = 0;
      for (const piece of pieces) {
        length += piece.length;
        for (let at = 0; at < sums.length; at += 1) sums[at]! += piece.counts[at]!;
      }
      return scoreOf(length, sums);
    },
  };
}

/** Terms of the segment's rows, or of its sentences alone. */
function tokenCount({ segment }: SnapshotSegment, whole: boolean): number {
  const [several, single, inSeveral] = segment.read('lexical.counts', 3, 3) as BigUint64Array;
  return Number((whole ? several! : 0n) + single! + inSeveral!);
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
