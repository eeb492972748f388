// Whether a search with fewer words could find many passages alike, told by the best of the search
// with all of them: most questions that lack a word are let go so, without another pass over the
// corpus. It says yes only where that pass would find the same.
import { publishedOf } from '../store/rowTimes.js';
import { placeOf, type Asked, type Candidate } from './candidate.js';
import { searchLexical } from './lexicalSearch.js';
import { everything, onlyThose, type Ranking } from './search.js';

/**
 * What counts as alike: scores of at least the share `alike` of the best's; and how many such
 * passages are many.
 */
export interface Alike {
  alike: number;
  fewest: number;
}

/** Where a value counts as alike to `best`. */
export const leastAlike = (best: number, share: number): number =>
  best - (1 - share) * Math.abs(best);

/** When the candidate's passage was published; NaN where it does not say. */
export const publishedWhen = ({ snapshot }: Asked, { segment, row }: Candidate): number =>
  publishedOf(snapshot.segments[segment]!, row);

/** More than the rounding of scores by the scan, which is in single precision. */
const rounding = 1e-5;

/**
 * Whether fewer than `fewest` passages are alike in the ranking for `kept`, the question without
 * some of its terms. `best` are the first of the ranking for all terms, at least `fewest`. With
 * fewer terms BM25 is no greater, and its best less by the share d: relevance grows by d times the
 * weight of BM25 at most, and scores, which time at most doubles, by twice that. Where the last of
 * `best` stays below what is alike, so does every passage after it, and `best` are all that must be
 * counted.
 */
export async function fewAlike(
  asked: Asked,
  kept: Asked,
  best: readonly Candidate[],
  among: Ranking,
  { alike, fewest }: Alike,
  signal?: AbortSignal,
): Promise<boolean> {
  const {
    scope,
    relevance: { semantic, lexical, ...parameters },
  } = among;
  if (scope !== 'passages' || among.form?.(asked).combine === 'sum') return false;
  // With fewer words it is hardly another, and finding out is not for nothing.
  if (best.at(-1)!.score >= leastAlike(best[0]!.score, alike)) return false;
  const options = { ...parameters, scope, ...(signal ? { signal } : {}) };
  const mask = among.mask?.(asked) ?? {};
  const { segments } = asked.snapshot;
  const shown = segments.map(({ segment, liveDocs }) =>
    liveDocs ? { rows: segment, visible: liveDocs } : { rows: segment },
  );
  const questions = [asked, kept].map((each) => ({ terms: each.terms(), mask }));
  const own = segments.map(({ segment }, at) => ({ rows: segment, visible: onlyThose(best, at) }));
  const [highest, matches] = await Promise.all([
    searchLexical(shown, questions, { ...options, k: 0 }),
    searchLexical(own, questions.slice(1), { ...options, k: everything }),
  ]);
  const [all, less] = highest.maxScore as unknown as [number, number];
  const score = (
    { scores: { similarity = 0, temporal = 1 } }: Candidate,
    matched: number,
    most: number,
  ): number => {
    const relevance = semantic * similarity + (most > 0 ? (lexical * matched) / most : 0);
    return relevance * (relevance >= 0 ? temporal : 2 - temporal);
  };
  const reproduced = (each: Candidate): boolean =>
    Math.abs(score(each, each.scores['lexical'] ?? 0, all) - each.score) < rounding;
  if (!best.every((each) => reproduced(each) && (each.scores['temporal'] ?? 1) <= 2)) return false;
  const { segment, passage } = matches;
  const matched = new Map(
    Array.from(matches.score, (value, hit) => [
      placeOf({ segment: segment[hit]!, passage: passage[hit]! }),
      value,
    ]),
  );
  const without = best.map((each) => {
    const match = matched.get(placeOf(each)) ?? 0;
    const relevant = semantic * (each.scores['similarity'] ?? 0) + lexical * match;
    return { score: score(each, match, less), relevant, published: publishedWhen(asked, each) };
  });
  const top = without.reduce((most, each) => Math.max(most, each.score), -Infinity);
  const least = leastAlike(top, alike) - rounding;
  const grown = all > 0 ? 2 * lexical * (1 - less / all) : 0;
  if (best.at(-1)!.score + grown + rounding >= least) return false;
  const close = without.filter((each) => each.score >= least);
  // Of those that rounding leaves equal any may be the one that the others are compared with.
  const first = close.filter((each) => each.score >= top - rounding);
  return first.every(({ relevant, published }) => {
    const enough = leastAlike(relevant, alike) - 1e-4;
    return (
      close.filter((each) => each.relevant >= enough && Object.is(each.published, published))
        .length < fewest
    );
  });
}
