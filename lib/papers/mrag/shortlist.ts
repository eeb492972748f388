// Shortlist of passages whose sentences are ranked, by relevance times the best temporal score of
// the passage, which bounds that of its sentences.
import {
  RowCandidate,
  passageLookup,
  type Candidate,
  type Candidates,
} from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { searchRows, type Ranking } from '../../retrieval/search.js';
import { stage, type Stage } from '../../pipeline.js';
import { scoreOrder, temporalProduct } from '../../ranking/columns.js';

/** Temporal scores alone: no vector is read. */
const timesOnly = { semantic: 0, lexical: 0 };

/**
 * The n passages with the greatest relevance times temporal score first, in their previous order,
 * then the others, best first.
 */
export function shortlist(
  n: number,
  { mask, form }: Required<Pick<Ranking, 'mask' | 'form'>>,
): Stage<Candidates, Candidates> {
  return stage(`shortlist(${n})`, async ({ query, hits }, { signal, note }) => {
    note('shortlist', Math.min(n, hits.length));
    if (hits.length <= n) return { query, hits };
    const temporal =
      form(query).combine === 'none'
        ? undefined
        : await temporalScores(query, { mask, form }, hits, signal);
    const bounds = new Float64Array(hits.length);
    hits.forEach(({ score }, at) => (bounds[at] = temporalProduct(score, temporal?.[at] ?? 1)));
    const byBound = scoreOrder(bounds);
    byBound.subarray(0, n).sort();
    return { query, hits: hits.map((_, rank) => hits[byBound[rank]!]!), shortlistSize: n };
  });
}

/** The temporal score of each passage; 1 without one. */
async function temporalScores(
  query: QueryContext,
  { mask, form }: Required<Pick<Ranking, 'mask' | 'form'>>,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<Float64Array> {
  const rows = await searchRows(
    query,
    { scope: 'passages', relevance: timesOnly, mask, form },
    signal,
    hits,
  );
  const placeOf = passageLookup(hits);
  const scores = new Float64Array(hits.length).fill(1);
  for (let i = 0; i < rows.row.length; i += 1) {
    const at = placeOf(rows.segment[i]!, rows.passage[i]!);
    if (at !== undefined && !Number.isNaN(rows.temporal[i]!)) scores[at] = rows.temporal[i]!;
  }
  return scores;
}

/** The first `most` of the candidates, their scores moved below `floor` in the same order. */
export function appendBelow(
  rest: readonly Candidate[],
  floor: number,
  most = rest.length,
): Candidate[] {
  const top = rest.reduce((most, { score }) => Math.max(most, score), -Infinity);
  let last = floor;
  return rest.slice(0, Math.max(0, most)).map((each) => {
    const { segment, passage, row, score, scores } = each;
    last = Math.min(last, floor + (score - top));
    return new RowCandidate(() => each.id, { segment, passage, row }, last, {
      retrieval: score,
      ...scores,
    });
  });
}
