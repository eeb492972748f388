// Which passages are read sentence by sentence: those that could still win. A sentence's temporal score is at most that of the best date
// in its passage, so relevance times that bounds what the passage's sentences can reach. It scores nothing and drops nothing.
import { FoundRow, placeOf, type Candidate, type Candidates } from '../candidates/candidate.js';
import { search, type Ranking } from '../candidates/search.js';
import { stage, type Stage } from '../stage.js';

/** For their times alone: no vector is read. */
const timesOnly = { semantic: 0, lexical: 0 };

/** s c for s >= 0 and s (2 - c) below (DESIGN 5): a better time never lowers a score, and a date alone never lifts what is irrelevant. */
export const inTime = (relevance: number, temporal: number): number => (relevance >= 0 ? relevance * temporal : relevance * (2 - temporal));

/** The n passages with the greatest relevance times temporal score lead, in the order they came; the others follow, best first. */
export function leadInTime(n: number, { mask, form }: Required<Pick<Ranking, 'mask' | 'form'>>, section?: string): Stage<Candidates, Candidates> {
  return stage(`lead(${n})`, async ({ asked, found }, { signal, note }) => {
    note('leading', Math.min(n, found.length));
    if (found.length <= n) return { asked, found };
    const timeless = form(asked).combine === 'none';
    const rows = timeless ? [] : await search(asked, { scope: 'passages', relevance: timesOnly, mask, form }, signal, found);
    const temporal = new Map(rows.map((row) => [placeOf(row), row.scores['temporal'] ?? 1]));
    const bounds = Float64Array.from(found, (each) => inTime(each.score, temporal.get(placeOf(each)) ?? 1));
    const byBound = [...found.keys()].sort((a, b) => bounds[b]! - bounds[a]!); // stable: equal ones stay as they came
    const leading = byBound.slice(0, n).sort((a, b) => a - b);
    return { asked, found: [...leading, ...byBound.slice(n)].map((at) => found[at]!), leading: n };
  }, section);
}

/** The first `most` of the candidates that were not ranked, in their order, their scores moved below `floor`. */
export function following(rest: readonly Candidate[], floor: number, most = rest.length): Candidate[] {
  const top = rest.reduce((most, { score }) => Math.max(most, score), -Infinity);
  let last = floor;
  return rest.slice(0, Math.max(0, most)).map((each) => {
    const { segment, passage, row, score, scores } = each;
    last = Math.min(last, floor + (score - top));
    return new FoundRow(() => each.id, { segment, passage, row }, last, { retrieval: score, ...scores });
  });
}
