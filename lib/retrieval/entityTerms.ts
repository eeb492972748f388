// Entity boosting: the names of a question repeated in its BM25 query by their IDF, since vectors
// hardly distinguish names. Names are recognised by their capitals.
import { stage, type Stage } from '../pipeline.js';
import { capitalizedWords } from '../text/words.js';
import { contentOutsideConstraints } from '../time/question/jointConstraint.js';
import type { QueryContext } from './queryContext.js';
import { idfWeights, inverseDocumentFrequency, rowCounts } from './documentFrequency.js';

/** Repetitions of the rarest name. BM25 weighs a term by its frequency in the question. */
const maxRepeats = 4;

/**
 * The terms of `content` with those of its names repeated: the rarest four times, others fewer
 * times by the square of their relative IDF. In "bird species of Chile", Chile separates the
 * passages. Terms in no row are not repeated.
 */
export function entityBoostedTerms(
  query: Pick<QueryContext, 'analyzer' | 'snapshot'>,
  content: string,
): string[] {
  return [...query.analyzer.analyze(content), ...entityTerms(query, content)];
}

/** The repeated entity terms alone; empty if no row contains any. */
export function entityTerms(
  { analyzer, snapshot }: Pick<QueryContext, 'analyzer' | 'snapshot'>,
  content: string,
): string[] {
  const contentTerms = new Set(analyzer.analyze(content));
  const names = [
    ...new Set(capitalizedWords(content).flatMap((word) => analyzer.analyze(word))),
  ].filter((term) => contentTerms.has(term));
  const rows = snapshot.segments.reduce((sum, each) => sum + rowCounts(each).rows, 0);
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
 * Replaces the terms of a question whose time is fused: without those of its time, which as words
 * match many other rows, and with entity boosting, since vectors fused with the same time hardly
 * distinguish names. Other questions pass unchanged.
 */
export function boostEntities(
  isFused: (query: QueryContext) => boolean,
): Stage<QueryContext, QueryContext> {
  return stage('boostEntities', (query) => {
    if (!isFused(query)) return query;
    let terms: string[] | undefined;
    return {
      ...query,
      terms: () => (terms ??= entityBoostedTerms(query, contentOutsideConstraints(query.parsed))),
    };
  });
}
