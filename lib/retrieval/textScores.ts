// Relevance of texts outside the corpus, such as summaries: cosine, and BM25 with the statistics of
// the corpus's sentences.
import type { QueryContext } from './queryContext.js';
import { bm25Scorer } from './bm25Scorer.js';
import type { Relevance } from './search.js';

export interface TextScore {
  /** Cosine, -1 to 1; 0 without a semantic part of the relevance. */
  similarity: number;
  /** BM25, 0 or more, on the scale of a search; 0 without a lexical part of the relevance. */
  lexical: number;
}

/** One score per text. Texts are encoded as passages, with their titles, if any, before them. */
export async function scoreTexts(
  query: QueryContext,
  texts: readonly string[],
  { semantic, lexical, ...parameters }: Relevance,
  signal?: AbortSignal,
): Promise<TextScore[]> {
  if (texts.length === 0) return [];
  const similarities = semantic > 0 ? await cosines(query, texts, signal) : texts.map(() => 0);
  if (lexical === 0) return similarities.map((similarity) => ({ similarity, lexical: 0 }));
  const rows = bm25Scorer(query.snapshot, query.terms(), { ...parameters, scope: 'sentences' });
  return texts.map((text, at) => ({
    similarity: similarities[at]!,
    lexical: rows.score(rows.count(query.analyzer.analyze(text))),
  }));
}

async function cosines(
  query: QueryContext,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<number[]> {
  const vector = await query.vector(signal);
  const rows = await query.encode(texts, signal);
  return texts.map((_, at) => {
    let dot = 0;
    for (let i = 0; i < vector.length; i += 1) dot += vector[i]! * rows[at * vector.length + i]!;
    return dot;
  });
}
