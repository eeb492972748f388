// BM25 of a few rows from their terms, with the statistics of the whole corpus: the number that a scan gives, without its pass over every
// posting of the question's terms. For stages that rank candidates again.
import type { Snapshot } from '../store/snapshot.js';
import { termWeights } from './termWeights.js';

export interface LexicalRows {
  /** Of a row with these terms, given in pieces such as title and sentence. Against all rows of the corpus (scope `all`). */
  score(...pieces: readonly (readonly string[])[]): number;
}

/** `terms` are the question's, a term counting as often as it is repeated. */
export function lexicalRows(snapshot: Pick<Snapshot, 'segments'>, terms: readonly string[], { k1 = 0.9, b = 0.4 }: { k1?: number; b?: number } = {}): LexicalRows {
  const distinct = [...new Set(terms)];
  const places = new Map(distinct.map((term, at) => [term, at]));
  const rarity = termWeights(snapshot, distinct);
  const weights = distinct.map((term, at) => rarity[at]! * terms.filter((each) => each === term).length);
  const average = averageLength(snapshot);
  const counts = new Float64Array(distinct.length);
  return {
    score(...pieces) {
      counts.fill(0);
      let length = 0;
      for (const piece of pieces) {
        length += piece.length;
        for (const term of piece) {
          const place = places.get(term);
          if (place !== undefined) counts[place]! += 1;
        }
      }
      const norm = k1 * (1 - b + (b * length) / average);
      return weights.reduce((sum, weight, at) => sum + (counts[at]! > 0 ? (weight * counts[at]!) / (counts[at]! + norm) : 0), 0);
    },
  };
}

/** Tokens a row, over all rows. */
function averageLength({ segments }: Pick<Snapshot, 'segments'>): number {
  let [rows, tokens] = [0, 0];
  for (const { segment, rows: own } of segments) {
    rows += own;
    tokens += (segment.read('lexical.counts', 3, 3) as BigUint64Array).reduce((sum, each) => sum + Number(each), 0);
  }
  return tokens === 0 ? 1 : tokens / rows;
}
