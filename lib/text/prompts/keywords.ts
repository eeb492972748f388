// Prompt for the keywords of a question without its time: whole names, counts and superlatives as
// written, verbs and nouns that an answering passage would share (MRAG appendices F and Q).
import type { JsonPrompt } from './jsonPrompt.js';

export interface KeywordsAnswer {
  keywords: string[];
}

const system = `You pick the words of a question that a text with its answer is likely to have. \
Copy them from the question, in its order \
and spelling.
Keep a name or title in one piece, and a noun with the word that narrows it. Keep verbs, numbers \
and superlatives as single words.
Leave out question words, articles, prepositions, pronouns and anything that tells a time.
Reply with one JSON object: {"keywords": ["...", "..."]}.

Question: Who captained the Harbour Rovers when they lost two finals?
JSON: {"keywords": ["captained", "Harbour Rovers", "lost", "two", "finals"]}

Question: Which is the oldest lighthouse keeper's cottage on Sark?
JSON: {"keywords": ["oldest", "lighthouse keeper's cottage", "Sark"]}`;

export function keywordsPrompt(question: string): JsonPrompt {
  return {
    system,
    prompt: `Question: ${question}\nJSON:`,
    schema: {
      type: 'object',
      properties: { keywords: { type: 'array', items: { type: 'string' } } },
      required: ['keywords'],
    },
    maxTokens: 160,
  };
}
