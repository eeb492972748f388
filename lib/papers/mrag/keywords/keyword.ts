// Keywords of a question and the keyword score of a text (MRAG's keyword ranking, appendix F):
// names weigh most, general words least. findKeywords.ts extracts them.
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { answerTokens } from '../../../text/answerTokens.js';

/** MRAG's keyword types by falling weight. */
export const keywordTypes = ['special', 'superlative', 'numeric', 'general', 'adjective'] as const;
export type KeywordType = (typeof keywordTypes)[number];

/** Score of a keyword that occurs, counted once: the weights of the published code. */
export const keywordWeights: Readonly<Record<KeywordType, number>> = {
  special: 1,
  superlative: 0.7,
  numeric: 0.5,
  general: 0.4,
  adjective: 0.4,
};

/** A keyword of a question. */
export interface Keyword {
  /** As written in the question. */
  text: string;
  type: KeywordType;
  /** Equivalent spellings, itself included: "two" and "2", "plays" and "played". */
  forms: readonly string[];
}

/** A question and the keywords of its main content. */
export interface KeywordQuery extends QueryContext {
  readonly keywords?: readonly Keyword[];
}

/**
 * Sums the weights of the keywords that occur in a text. A general keyword occurs if one of its
 * forms is a substring in any case ("play" in "playbook"); any other if its tokens are consecutive.
 */
export function keywordScorer(keywords: readonly Keyword[]): (text: string) => number {
  const weighted = keywords.map(({ type, forms }) => ({
    weight: keywordWeights[type],
    parts: type === 'general' ? forms.map((form) => form.toLowerCase()) : [],
    rows: type === 'general' ? [] : forms.map(tokensInARow).filter((row) => row !== undefined),
  }));
  return (text) => {
    const lower = text.toLowerCase();
    const decomposed = text.normalize('NFD').toLowerCase();
    let score = 0;
    for (const { weight, parts, rows } of weighted)
      if (parts.some((part) => lower.includes(part)) || rows.some((row) => row(decomposed)))
        score += weight;
    return score;
  };
}

const [blank, inWord] = ['[\\p{Z}\\p{C}]', '[\\p{L}\\p{N}\\p{M}]'];
const wordStart = new RegExp(`^${inWord}`, 'u');

/** `containsAnswer` of decomposed texts in lower case. Undefined for a form without tokens. */
function tokensInARow(form: string): ((decomposed: string) => boolean) | undefined {
  const tokens = answerTokens(form);
  const [first] = tokens;
  if (first === undefined) return undefined;
  const isWord = (token = ''): boolean => wordStart.test(token);
  const pattern = tokens.map((token, at) => {
    // Two words are apart, others may touch.
    const before = at === 0 ? '' : blank + (isWord(tokens[at - 1]) && isWord(token) ? '+' : '*');
    return before + token.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  const [start, end] = [first, tokens.at(-1)].map((token) => isWord(token));
  const row = new RegExp(
    (start ? `(?<!${inWord})` : '') + pattern.join('') + (end ? `(?!${inWord})` : ''),
    'u',
  );
  return (decomposed) => decomposed.includes(first) && row.test(decomposed);
}
