// Relevance of texts that are no rows of the corpus, such as summaries: their cosine with the question, and BM25 as if each were one
// more sentence, with the statistics of the corpus's sentences. It ranks nothing.
import type { Segment } from '../../binding.js';
import type { Asked } from './candidate.js';
import type { Relevance } from './search.js';
import { rarity, rowsWith } from './termWeights.js';

export interface TextScore {
  /** Cosine, -1 to 1; 0 where relevance has no semantic part. */
  similarity: number;
  /** BM25, 0 or more, on the scale of the search's own; 0 where relevance has no lexical part. */
  lexical: number;
}

/** One score a text. Texts are encoded as passages are, with their title before them where they have one. */
export async function scoreTexts(asked: Asked, texts: readonly string[], { semantic, lexical, k1 = 0.9, b = 0.4 }: Relevance, signal?: AbortSignal): Promise<TextScore[]> {
  if (texts.length === 0) return [];
  const similarities = semantic > 0 ? await cosines(asked, texts, signal) : texts.map(() => 0);
  if (lexical === 0) return similarities.map((similarity) => ({ similarity, lexical: 0 }));
  const segments = asked.snapshot.segments.map(({ segment }) => segment);
  const counts = segments.map(sentencesOf);
  const rows = sum(counts.map((each) => each.rows));
  const tokens = sum(counts.map((each) => each.tokens));
  const averageLength = tokens === 0 ? 1 : tokens / rows;
  const weights = new Map<string, number>(); // a term's idf, times how often the question has it
  const terms = asked.terms();
  for (const term of new Set(terms)) {
    const holding = sum(segments.map((segment) => rowsWith(segment, term).sentences));
    const repeated = terms.filter((each) => each === term).length;
    if (holding > 0) weights.set(term, repeated * rarity(rows, holding));
  }
  return texts.map((text, at) => {
    const words = asked.analyser.analyse(text);
    const norm = k1 * (1 - b + (b * words.length) / averageLength);
    let score = 0;
    for (const [term, weight] of weights) {
      const frequency = words.filter((each) => each === term).length;
      if (frequency > 0) score += (weight * frequency) / (frequency + norm);
    }
    return { similarity: similarities[at]!, lexical: score };
  });
}

async function cosines(asked: Asked, texts: readonly string[], signal?: AbortSignal): Promise<number[]> {
  const vector = await asked.vector(signal);
  const rows = await asked.encode(texts, signal);
  return texts.map((_, at) => {
    let dot = 0;
    for (let i = 0; i < vector.length; i += 1) dot += vector[i]! * rows[at * vector.length + i]!;
    return dot;
  });
}

/** How many rows of a segment are one sentence, and how many terms those have together. */
function sentencesOf(segment: Segment): { rows: number; tokens: number } {
  const counts = segment.read('lexical.counts') as BigUint64Array;
  const [, several, rows] = segment.read('counts', 0, 3) as BigUint64Array;
  return { rows: Number(rows! - several!), tokens: Number(counts[4]! + counts[5]!) };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
