// BM25's parameters and statistics as the addon's searches take them.
import type { CollectionColumns } from '../../binding.js';
import { invalidArgument } from '../errors.js';
import type { Bm25Parameters, CollectionStatistics } from '../store/scorePlan.js';

export function checkBm25({ k1 = 0, b = 0 }: Bm25Parameters): void {
  if (!Number.isFinite(k1) || k1 < 0)
    throw invalidArgument('k1', 'a finite number of at least 0', k1);
  if (!(b >= 0 && b <= 1)) throw invalidArgument('b', 'a number from 0 to 1', b);
}

export const packCollection = (
  collection: CollectionStatistics | undefined,
): CollectionColumns | null =>
  collection
    ? {
        rows: collection.rows,
        tokens: collection.tokens,
        terms: [...collection.frequencies.keys()],
        frequencies: Float64Array.from(collection.frequencies.values()),
      }
    : null;
