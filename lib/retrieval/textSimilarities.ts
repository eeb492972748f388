// Cosines of the question and texts outside the corpus, such as summaries.
import type { QueryContext } from './queryContext.js';

/** One cosine per text, -1 to 1. Texts are encoded as passages, with their titles before them. */
export async function textSimilarities(
  query: Pick<QueryContext, 'vector' | 'encode'>,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<number[]> {
  if (texts.length === 0) return [];
  const vector = await query.vector(signal);
  const rows = await query.encode(texts, signal);
  return texts.map((_, at) => {
    let dot = 0;
    for (let i = 0; i < vector.length; i += 1) dot += vector[i]! * rows[at * vector.length + i]!;
    return dot;
  });
}
