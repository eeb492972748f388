// What a cross-encoder says of the likeliest passages, as log-odds next to their statements.
import type { Candidate } from '../../retrieval/candidate.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { passageText } from '../../store/writing/rows.js';
import { rerankTexts, type Reranker } from '../../vectors/reranker.js';
import { standardised } from '../members/members.js';
import type { CascadeResult } from './cascade.js';

/** A cross-encoder, and how many passages it scores, the likeliest without it. */
export interface Reranking {
  reranker: Reranker;
  count: number;
}

/** What a standardised score of a reranker counts for in the log-odds. */
const rerankerWeight = 1;

/** Scores of the first candidates, by candidate. */
export async function rerankerScores(
  query: QueryContext,
  shortlist: readonly Candidate[],
  { scores }: CascadeResult,
  { reranker, count }: Reranking,
  signal: AbortSignal | undefined,
): Promise<Map<number, number>> {
  const first = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, count);
  const texts = passageTexts(query);
  const given = await rerankTexts(
    reranker,
    query.searchText,
    first.map((candidate) => passageText(texts.passage(shortlist[candidate]!))),
    signal ? { signal } : {},
  );
  return new Map(first.map((candidate, nth) => [candidate, given[nth]!]));
}

/** By candidate: what its score counts for; those without one count as the least. */
export function judgedLogOdds(
  scores: ReadonlyMap<number, number>,
  candidates: number,
): Float64Array {
  const weighed = standardised([...scores.values()]).map((score) => rerankerWeight * score);
  const least = weighed.reduce((most, each) => Math.min(most, each), 0);
  const judged = new Float64Array(candidates).fill(least);
  [...scores.keys()].forEach((candidate, nth) => (judged[candidate] = weighed[nth]!));
  return judged;
}
