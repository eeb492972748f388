// First-stage retrieval by several rankings at once: what any of them finds is a candidate. For rankings that come after, which
// would else never see a passage that one way of counting time keeps down.
import { stage, type Stage } from '../stage.js';
import { placeOf, type Asked, type Candidate, type Candidates } from './candidate.js';
import { searchTogether, type Ranking } from './search.js';

/**
 * The passages of every ranking, each once, in the first place that it had: those of the first ranking, then what the second adds;
 * these lead. Where the caller wants more, what the first ranking finds further follows. Scores are those of the ranking that found
 * the passage, so a stage that ranks anew has to come next.
 */
export function retrieveEither(name: string, rankings: readonly (Ranking & { n: number })[], section?: string): Stage<Asked, Candidates> {
  return stage(name, async (asked, { signal, note }) => {
    const [first, ...others] = rankings.map((ranking, at) => (at === 0 ? { ...ranking, n: Math.max(ranking.n, asked.k) } : ranking));
    const [all, ...added] = await searchTogether(asked, [first!, ...others], signal);
    const found = new Map<string, Candidate>();
    const add = (each: Candidate): void => {
      const place = placeOf(each);
      if (!found.has(place)) found.set(place, each);
    };
    all!.slice(0, rankings[0]!.n).forEach(add);
    added.flat().forEach(add);
    const leading = found.size;
    all!.slice(rankings[0]!.n).forEach(add);
    note('found', leading);
    return { asked, found: [...found.values()], leading };
  }, section);
}
