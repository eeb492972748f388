// Keywords of a question and how a text is scored by those it has (MRAG's keyword ranking, appendix F): names count most, general
// words least. It extracts none: keywordRules.ts and keywordModel.ts do.
import { answerTokens } from '../answerTokens.js';

export const keywordTypes = ['special', 'superlative', 'numeric', 'general', 'adjective'] as const;
export type KeywordType = (typeof keywordTypes)[number];

/** What the presence of a keyword is worth, once: the weights of the published code. */
export const keywordWeights: Readonly<Record<KeywordType, number>> = { special: 1, superlative: 0.7, numeric: 0.5, general: 0.4, adjective: 0.4 };

export interface Keyword {
  /** As the question has it. */
  text: string;
  type: KeywordType;
  /** The spellings that count as it, itself among them: "two" and "2", "plays" and "played". */
  forms: readonly string[];
}

/**
 * A scorer of texts: the sum of the weights of the keywords that a text has, each once. A general keyword is had where one of its
 * forms is a part of the text in whatever case ("play" in "playbook"); any other where its tokens stand in the text in a row.
 */
export function keywordScorer(keywords: readonly Keyword[]): (text: string) => number {
  const wanted = keywords.map(({ type, forms }) => ({
    weight: keywordWeights[type],
    parts: type === 'general' ? forms.map((form) => form.toLowerCase()) : [],
    rows: type === 'general' ? [] : forms.map(tokensInARow).filter((row) => row !== undefined),
  }));
  return (text) => {
    const lower = text.toLowerCase();
    let decomposed: string | undefined;
    const inDecomposed = (row: TokensInARow): boolean =>
      row.mayOccurIn(lower) && row.occursIn((decomposed ??= /^[\x00-\x7f]*$/.test(lower) ? lower : text.normalize('NFD').toLowerCase()));
    let score = 0;
    for (const { weight, parts, rows } of wanted) if (parts.some((part) => lower.includes(part)) || rows.some(inDecomposed)) score += weight;
    return score;
  };
}

interface TokensInARow {
  /** False only where `occursIn` is, of the text in lower case as it was: what decomposition adds to a plain word is a mark, which ends no word. */
  mayOccurIn(lower: string): boolean;
  occursIn(decomposed: string): boolean;
}

/**
 * What `containsAnswer` says of a text's tokens, without taking a thousand texts apart: the tokens with blanks between them, none of a
 * word's own letters before or after. Undefined for a form without tokens.
 */
function tokensInARow(form: string): TokensInARow | undefined {
  const tokens = answerTokens(form);
  if (tokens.length === 0) return undefined;
  const isWord = (token: string): boolean => /^[\p{L}\p{N}\p{M}]/u.test(token);
  const pattern = tokens
    .map(
      (token, at) =>
        (at === 0 ? '' : isWord(token) && isWord(tokens[at - 1]!) ? '[\\p{Z}\\p{C}]+' : '[\\p{Z}\\p{C}]*') +
        token.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'),
    )
    .join('');
  const expression = new RegExp(
    `${isWord(tokens[0]!) ? '(?<![\\p{L}\\p{N}\\p{M}])' : ''}${pattern}${isWord(tokens.at(-1)!) ? '(?![\\p{L}\\p{N}\\p{M}])' : ''}`,
    'u',
  );
  const plain = tokens.filter((token) => /^[a-z0-9]+$/.test(token));
  return {
    mayOccurIn: (lower) => plain.every((token) => lower.includes(token)),
    occursIn: (text) => tokens.every((token) => text.includes(token)) && expression.test(text),
  };
}
