// First-stage retrieval by several rankings at once: what any of them finds is a candidate. For
// rankings that come after, which would else never see a passage that one way of counting time
// keeps down.
import { stage, type Stage } from '../pipeline.js';
import { placeOf, type Asked, type Candidate, type Candidates } from './candidate.js';
import { search, searchTogether, type Ranking } from './search.js';

/** A ranking that is asked only where what the others found calls for it. */
export interface FurtherRanking {
  ranking: Ranking & { n: number };
  when: (asked: Asked, found: readonly Candidate[]) => boolean;
}

/**
 * The passages of every ranking, each once, in the first place that it had: those of the first
 * ranking, then what the second adds, then what
 * `further` does where it is asked; these lead. Where the caller wants more, what the first ranking
 * finds beyond follows. Scores are those of the ranking that found the passage, so a stage that
 * ranks anew has to come next.
 */
export function retrieveEither(
  name: string,
  rankings: readonly (Ranking & { n: number })[],
  further?: FurtherRanking,
): Stage<Asked, Candidates> {
  return stage(name, async (asked, { signal, note }) => {
    const [first, ...others] = rankings.map((ranking, at) =>
      at === 0 ? { ...ranking, n: Math.max(ranking.n, asked.k) } : ranking,
    );
    const [all, ...added] = await searchTogether(asked, [first!, ...others], signal);
    const found = new Map<string, Candidate>();
    const add = (each: Candidate): void => {
      const place = placeOf(each);
      if (!found.has(place)) found.set(place, each);
    };
    all!.slice(0, rankings[0]!.n).forEach(add);
    added.flat().forEach(add);
    // Where the first ranking gave all there is, no other finds more.
    if (further && all!.length >= rankings[0]!.n && further.when(asked, [...found.values()])) {
      (await search(asked, further.ranking, signal)).forEach(add);
    }
    const leading = found.size;
    all!.slice(rankings[0]!.n).forEach(add);
    note('found', leading);
    return { asked, found: [...found.values()], leading };
  });
}
