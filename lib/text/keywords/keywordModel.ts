// Keywords of a question by a language model (MRAG appendices F and Q), checked as the published
// code checks them: what the question does not have is shortened until it does, or dropped.
import { askJson } from '../prompts/jsonPrompt.js';
import { keywordsPrompt, type KeywordsAnswer } from '../prompts/keywords.js';
import type { TextModel } from '../textModel.js';
import type { Keyword } from './keyword.js';
import { keywordOf } from './keywordForms.js';

/** Words that are no keywords, as the published code has them. */
const dropped = new Set('time years for new recent current whom who out place not'.split(' '));

/** The keywords, or why the answer is unusable: no JSON, or nothing in it that the question has. */
export async function extractKeywordsBy(
  model: TextModel,
  question: string,
  signal?: AbortSignal,
): Promise<{ keywords: Keyword[] } | { unusable: string }> {
  const said = await askJson<KeywordsAnswer>(model, keywordsPrompt(question), signal);
  if ('unusable' in said) return said;
  const keywords = [
    ...new Set(
      said.value.keywords
        .map((each) => ofQuestion(each, question))
        .filter((each) => each !== '' && !dropped.has(each.toLowerCase())),
    ),
  ];
  return keywords.length === 0
    ? { unusable: 'no keyword that the question has' }
    : { keywords: keywords.map(keywordOf) };
}

/**
 * The keyword without its last words until the question has what is left, as the question spells
 * it.
 */
function ofQuestion(keyword: string, question: string): string {
  const lower = question.toLowerCase();
  for (let words = keyword.trim().split(/\s+/); words.length > 0; words = words.slice(0, -1)) {
    const text = words.join(' ');
    const at = /[\p{L}\p{N}]/u.test(text) ? lower.indexOf(text.toLowerCase()) : -1;
    if (at >= 0) return question.slice(at, at + text.length);
  }
  return '';
}
