// Entity boosting: the names of a question repeated in its BM25 query by their IDF, since vectors
// hardly distinguish names. Names are recognised by their capitals.
import { stage, type Stage } from '../pipeline.js';
import { capitalizedWords } from '../text/words.js';
import { fusionIntervals } from '../time/question/fusionTimes.js';
import { contentOutsideConstraints } from '../time/question/jointConstraint.js';
import type { QueryContext } from './queryContext.js';
import { inverseDocumentFrequency, idfWeights } from './documentFrequency.js';

/**
 * How often the rarest name stands again beside the others. BM25 weighs a term by how often the
 * question has it.
 */
const maxRepeats = 4;

/**
 * The terms of `content`, and those of its names again: the rarest of them four times more, others
 * the fewer the more common they are, by the square of their rarity. Of "COVID-19 cases in Chile"
 * it is Chile that sets passages apart. What no row holds is left as it is.
 */
export function entityBoostedTerms(
  query: Pick<QueryContext, 'analyzer' | 'snapshot'>,
  content: string,
): string[] {
  return [...query.analyzer.analyze(content), ...entityTerms(query, content)];
}

/** Of those terms the names alone, each as often as it counts; none where no row holds any. */
export function entityTerms(
  { analyzer, snapshot }: Pick<QueryContext, 'analyzer' | 'snapshot'>,
  content: string,
): string[] {
  const held = new Set(analyzer.analyze(content));
  const names = [
    ...new Set(capitalizedWords(content).flatMap((word) => analyzer.analyze(word))),
  ].filter((term) => held.has(term));
  const rows = snapshot.segments.reduce((sum, each) => sum + each.rows, 0);
  const weights = idfWeights(snapshot, names).map((weight) =>
    weight < inverseDocumentFrequency(rows, 0) ? weight : 0,
  );
  const rarest = Math.max(...weights);
  if (!(rarest > 0)) return [];
  return names.flatMap((name, at) =>
    Array.from({ length: Math.round(maxRepeats * (weights[at]! / rarest) ** 2) }, () => name),
  );
}

/**
 * The words of a question whose time is counted otherwise (`fusionIntervals`): those of its time no
 * longer count, since as a word a date is also that of everyone else, and names count the more:
 * fused with one time, the vectors of two cities are all but one. Other questions keep their words.
 */
export function boostEntities(): Stage<QueryContext, QueryContext> {
  return stage('boostEntities', (query) => {
    if (fusionIntervals(query.parsed).length === 0) return query;
    let terms: string[] | undefined;
    return {
      ...query,
      terms: () => (terms ??= entityBoostedTerms(query, contentOutsideConstraints(query.parsed))),
    };
  });
}
