// BM25 of a few texts from their terms, with the statistics of the whole corpus: the number that a scan gives a row of that text,
// without its pass over every posting of the question's terms. For stages that rank candidates again, and for summaries.
import type { Snapshot, SnapshotSegment } from '../store/snapshot.js';
import type { Scope } from './candidate.js';
import { rarity, rowsWith } from './termWeights.js';

export interface LexicalRows {
  /** Of a text with these terms, given in pieces such as title and sentence; 0 or more. */
  score(...pieces: readonly (readonly string[])[]): number;
}

export interface LexicalRowsOptions {
  /** Whose rows the statistics are of. Default all. */
  scope?: Exclude<Scope, 'passages'>;
  k1?: number;
  b?: number;
}

/** `terms` are the question's, a term counting as often as it is repeated. */
export function lexicalRows({ segments }: Pick<Snapshot, 'segments'>, terms: readonly string[], { scope = 'all', k1 = 0.9, b = 0.4 }: LexicalRowsOptions = {}): LexicalRows {
  const whole = scope === 'all';
  const rows = sum(segments.map((each) => (whole ? each.rows : each.rows - each.several)));
  const tokens = sum(segments.map((each) => tokensOf(each, whole)));
  const average = tokens === 0 ? 1 : tokens / rows;
  const distinct = [...new Set(terms)];
  const places = new Map(distinct.map((term, at) => [term, at]));
  const weights = distinct.map((term) => {
    const holding = sum(segments.map(({ segment }) => rowsWith(segment, term)).map(({ several, sentences }) => (whole ? several + sentences : sentences)));
    return holding === 0 ? 0 : rarity(rows, holding) * terms.filter((each) => each === term).length;
  });
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
      return weights.reduce((total, weight, at) => total + (counts[at]! > 0 ? (weight * counts[at]!) / (counts[at]! + norm) : 0), 0);
    },
  };
}

/** Terms of the segment's rows, or of its sentences alone. */
function tokensOf({ segment }: SnapshotSegment, whole: boolean): number {
  const [several, single, inSeveral] = segment.read('lexical.counts', 3, 3) as BigUint64Array;
  return Number((whole ? several! : 0n) + single! + inSeveral!);
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
