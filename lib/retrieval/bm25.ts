// Parameters of BM25 and the scopes of rows.
import { invalidArgument } from '../errors.js';

/** Which rows are searched, in the order of their codes. */
export const scopes = ['passages', 'sentences', 'all'] as const;

/** Parameters of BM25 (Robertson and Zaragoza 2009, as Lucene computes it). */
export interface Bm25Parameters {
  /** How fast repetition of a term saturates, from 0 (only presence counts). Default 0.9. */
  k1?: number;
  /** Length normalisation, 0 to 1. Default 0.4. */
  b?: number;
}

export function checkBm25({ k1, b }: Required<Bm25Parameters>): void {
  if (!Number.isFinite(k1) || k1 < 0)
    throw invalidArgument('k1', 'a finite number of at least 0', k1);
  if (!(b >= 0 && b <= 1)) throw invalidArgument('b', 'a number from 0 to 1', b);
}
