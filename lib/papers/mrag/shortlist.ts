// Which passages are read sentence by sentence: those that could still win. A sentence's temporal
// score is at most that of the best date in its passage, so relevance times that bounds what the
// passage's sentences can reach. It scores nothing and drops nothing.
import {
  FoundRow,
  placesIn,
  type Asked,
  type Candidate,
  type Candidates,
} from '../../retrieval/candidate.js';
import { searchRows, type Ranking } from '../../retrieval/search.js';
import { stage, type Stage } from '../../pipeline.js';
import { byScore, inTime } from '../../ranking/columns.js';

/** For their times alone: no vector is read. */
const timesOnly = { semantic: 0, lexical: 0 };

/**
 * The n passages with the greatest relevance times temporal score lead, in the order they came; the
 * others follow, best first.
 */
export function leadInTime(
  n: number,
  { mask, form }: Required<Pick<Ranking, 'mask' | 'form'>>,
  section?: string,
): Stage<Candidates, Candidates> {
  return stage(
    `lead(${n})`,
    async ({ asked, found }, { signal, note }) => {
      note('leading', Math.min(n, found.length));
      if (found.length <= n) return { asked, found };
      const temporal =
        form(asked).combine === 'none'
          ? undefined
          : await temporalScores(asked, { mask, form }, found, signal);
      const bounds = new Float64Array(found.length);
      found.forEach(({ score }, at) => (bounds[at] = inTime(score, temporal?.[at] ?? 1)));
      const byBound = byScore(bounds);
      byBound.subarray(0, n).sort();
      return { asked, found: found.map((_, rank) => found[byBound[rank]!]!), leading: n };
    },
    section,
  );
}

/** The temporal score of each passage, 1 of one that has none. */
async function temporalScores(
  asked: Asked,
  { mask, form }: Required<Pick<Ranking, 'mask' | 'form'>>,
  found: readonly Candidate[],
  signal?: AbortSignal,
): Promise<Float64Array> {
  const rows = await searchRows(
    asked,
    { scope: 'passages', relevance: timesOnly, mask, form },
    signal,
    found,
  );
  const placeOf = placesIn(found);
  const scores = new Float64Array(found.length).fill(1);
  for (let i = 0; i < rows.row.length; i += 1) {
    const at = placeOf(rows.segment[i]!, rows.passage[i]!);
    if (at !== undefined && !Number.isNaN(rows.temporal[i]!)) scores[at] = rows.temporal[i]!;
  }
  return scores;
}

/**
 * The first `most` of the candidates that were not ranked, in their order, their scores moved below
 * `floor`.
 */
export function following(
  rest: readonly Candidate[],
  floor: number,
  most = rest.length,
): Candidate[] {
  const top = rest.reduce((most, { score }) => Math.max(most, score), -Infinity);
  let last = floor;
  return rest.slice(0, Math.max(0, most)).map((each) => {
    const { segment, passage, row, score, scores } = each;
    last = Math.min(last, floor + (score - top));
    return new FoundRow(() => each.id, { segment, passage, row }, last, {
      retrieval: score,
      ...scores,
    });
  });
}
