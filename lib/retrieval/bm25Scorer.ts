// BM25 of single texts from their term counts, with the statistics of the whole corpus, without a
// pass over the postings. Equal to a scan's score of a row with that text.
import type { Snapshot } from '../store/views/snapshot.js';
import { termFrequenciesOf, type TermFrequencies } from '../text/termFrequencies.js';
import type { Scope } from './candidate.js';
import { documentFrequency, inverseDocumentFrequency, rowCounts } from './documentFrequency.js';

export interface Bm25Scorer {
  /** Distinct terms of the question. */
  terms: readonly string[];
  count(terms: readonly string[]): TermFrequencies;
  /**
   * Score of a text, 0 or more, from the counts of its parts, such as title and sentence, which
   * several texts may share.
   */
  score(...parts: readonly TermFrequencies[]): number;
  /** Score of a text of `length` terms with term t occurring counts[from + t] times. */
  scoreOf(length: number, counts: ArrayLike<number>, from?: number): number;
}

export interface Bm25ScorerOptions {
  /** Rows of the statistics. Default all. */
  scope?: Exclude<Scope, 'passages'>;
  k1?: number;
  b?: number;
}

/** @param terms the question's; repetition multiplies a term's weight */
export function bm25Scorer(
  { segments }: Pick<Snapshot, 'segments'>,
  terms: readonly string[],
  { scope = 'all', k1 = 0.9, b = 0.4 }: Bm25ScorerOptions = {},
): Bm25Scorer {
  const whole = scope === 'all';
  const counts = segments.map(rowCounts);
  const rows = sum(counts.map((each) => (whole ? each.rows : each.sentences)));
  const tokens = sum(counts.map((each) => (whole ? each.tokens : each.sentenceTokens)));
  const average = tokens === 0 ? 1 : tokens / rows;
  const distinct = [...new Set(terms)];
  const places = new Map(distinct.map((term, at) => [term, at]));
  const weights = Float64Array.from(distinct, (term) => {
    const frequency = sum(
      segments
        .map((segment) => documentFrequency(segment, term))
        .map(({ multiSentence, sentences }) => (whole ? multiSentence + sentences : sentences)),
    );
    return frequency === 0
      ? 0
      : inverseDocumentFrequency(rows, frequency) * terms.filter((each) => each === term).length;
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
    count: (analyzed) => termFrequenciesOf(analyzed, places),
    score(...parts) {
      sums.fill(0);
      let length = 0;
      for (const part of parts) {
        length += part.length;
        for (let at = 0; at < sums.length; at += 1) sums[at]! += part.counts[at]!;
      }
      return scoreOf(length, sums);
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
