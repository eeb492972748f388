// Early exit of query expansion: a bound, from the hits at hand, on how many similar passages a
// search without the missing terms could find.
import { publishedOf } from '../store/views/rowTimes.js';
import { passageKey, type Candidate } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { lexicalMaxima, lexicalOnly, searchRows, type Ranking } from './search.js';

/** When passages are similar (scores of at least `alike` times the best), and how many suffice. */
export interface SimilarityThreshold {
  alike: number;
  fewest: number;
}

/** Smallest value that counts as similar to `best`. */
export const similarityFloor = (best: number, share: number): number =>
  best - (1 - share) * Math.abs(best);

/** Publication time of the candidate's passage; NaN if unknown. */
export const publicationTime = ({ snapshot }: QueryContext, { segment, row }: Candidate): number =>
  publishedOf(snapshot.segments[segment]!, row);

/** Bound on the rounding of scores by the scan, which is in single precision. */
const roundingError = 1e-5;

export interface ExpansionCheck {
  query: QueryContext;
  /** The query without its missing terms. */
  reduced: QueryContext;
  /** The first results of `ranking` for all terms, at least `threshold.fewest`. */
  best: readonly Candidate[];
  ranking: Ranking;
  threshold: SimilarityThreshold;
  signal?: AbortSignal | undefined;
}

/**
 * False only if a search for `reduced` is certain to find fewer than `fewest` similar passages.
 * With fewer terms BM25 is no greater, and its maximum smaller by the share d: relevance grows by d
 * times the weight of BM25 at most, and scores, which time at most doubles, by twice that. If the
 * last of `best` stays below the floor then, so does every passage after it, and only `best` has to
 * be counted.
 */
export async function expansionNeeded({
  query,
  reduced,
  best,
  ranking,
  threshold: { alike, fewest },
  signal,
}: ExpansionCheck): Promise<boolean> {
  const {
    scope,
    mask,
    relevance: { semantic, lexical },
  } = ranking;
  if (scope !== 'passages' || ranking.form?.(query).combine === 'sum') return true;
  // The last is similar with all terms; with fewer it hardly differs, and the check costs a search.
  if (best.at(-1)!.score >= similarityFloor(best[0]!.score, alike)) return true;
  const [[maxFull, maxReduced], matches] = await Promise.all([
    lexicalMaxima([query, reduced], ranking, signal) as Promise<[number, number]>,
    searchRows(
      reduced,
      { scope, relevance: { ...ranking.relevance, ...lexicalOnly }, ...(mask && { mask }) },
      signal,
      best,
    ),
  ]);
  const score = (
    { scores: { similarity = 0, temporal = 1 } }: Candidate,
    bm25: number,
    maximum: number,
  ): number => {
    const relevance = semantic * similarity + (maximum > 0 ? (lexical * bm25) / maximum : 0);
    return relevance * (relevance >= 0 ? temporal : 2 - temporal);
  };
  const reproduced = (each: Candidate): boolean =>
    Math.abs(score(each, each.scores['lexical'] ?? 0, maxFull) - each.score) < roundingError;
  if (!best.every((each) => reproduced(each) && (each.scores['temporal'] ?? 1) <= 2)) return true;
  const { segment, passage } = matches;
  const bm25Of = new Map(
    Array.from(matches.score, (value, hit) => [
      passageKey({ segment: segment[hit]!, passage: passage[hit]! }),
      value,
    ]),
  );
  const rescored = best.map((each) => {
    const bm25 = bm25Of.get(passageKey(each)) ?? 0;
    const relevant = semantic * (each.scores['similarity'] ?? 0) + lexical * bm25;
    return {
      score: score(each, bm25, maxReduced),
      relevant,
      published: publicationTime(query, each),
    };
  });
  const top = rescored.reduce((most, each) => Math.max(most, each.score), -Infinity);
  const floor = similarityFloor(top, alike) - roundingError;
  const growth = maxFull > 0 ? 2 * lexical * (1 - maxReduced / maxFull) : 0;
  if (best.at(-1)!.score + growth + roundingError >= floor) return true;
  const close = rescored.filter((each) => each.score >= floor);
  // Of candidates within the rounding error of the best, any may be the reference of the
  // comparison.
  const first = close.filter((each) => each.score >= top - roundingError);
  return !first.every(({ relevant, published }) => {
    const enough = similarityFloor(relevant, alike) - 1e-4;
    return (
      close.filter((each) => each.relevant >= enough && Object.is(each.published, published))
        .length < fewest
    );
  });
}
