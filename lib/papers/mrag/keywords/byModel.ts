// Keyword extraction by a language model (MRAG appendices F and Q), validated as in the published
// code: a keyword that is not in the question is shortened until it is, or dropped.
import { askJson, type JsonPrompt } from '../../../text/jsonPrompt.js';
import type { TextModel } from '../../../text/textModel.js';
import type { Keyword } from './keyword.js';
import { keywordOf } from './forms.js';

/** Words that are no keywords, from the published code. */
const dropped = new Set('time years for new recent current whom who out place not'.split(' '));

/** The keywords, or why the answer is unusable: no JSON, or no keyword of the question. */
export async function extractKeywordsBy(
  model: TextModel,
  question: string,
  signal?: AbortSignal,
): Promise<{ keywords: Keyword[] } | { unusable: string }> {
  const answer = await askJson<KeywordsAnswer>(model, keywordsPrompt(question), signal);
  if ('unusable' in answer) return answer;
  const keywords = [
    ...new Set(
      answer.value.keywords
        .map((each) => matchInQuestion(each, question))
        .filter((each) => each !== '' && !dropped.has(each.toLowerCase())),
    ),
  ];
  return keywords.length === 0
    ? { unusable: 'no keyword that the question has' }
    : { keywords: keywords.map(keywordOf) };
}

/**
 * The longest prefix of the keyword's words that occurs in the question, in the question's
 * spelling.
 */
function matchInQuestion(keyword: string, question: string): string {
  const lower = question.toLowerCase();
  for (let words = keyword.trim().split(/\s+/); words.length > 0; words = words.slice(0, -1)) {
    const text = words.join(' ');
    const at = /[\p{L}\p{N}]/u.test(text) ? lower.indexOf(text.toLowerCase()) : -1;
    if (at >= 0) return question.slice(at, at + text.length);
  }
  return '';
}

interface KeywordsAnswer {
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

function keywordsPrompt(question: string): JsonPrompt {
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
