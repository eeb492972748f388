// A small deterministic reranker, for systems that need one.
import { needsReranker } from '../lib/papers/registry.js';
import type { Reranker } from '../lib/vectors/reranker.js';

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Scores a text by the share of the question's words that it has. */
export const wordOverlap: Reranker = {
  id: 'word-overlap',
  score: async (query, texts) => {
    const wanted = new Set(wordsOf(query));
    return Float32Array.from(texts, (text) => {
      const words = new Set(wordsOf(text));
      return [...wanted].filter((word) => words.has(word)).length / wanted.size;
    });
  },
};

/** What `createSystem` needs besides the corpus for a system of that name. */
export const needed = (name: string): { reranker?: Reranker } =>
  needsReranker(name) ? { reranker: wordOverlap } : {};
