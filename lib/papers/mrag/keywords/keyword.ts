// Keywords of a question and the keyword score of a text (MRAG's keyword ranking, appendix F):
// names weigh most, general words least. findKeywords.ts extracts them.
import type { KeywordForms } from '../../../../binding.js';
import type { QueryContext } from '../../../retrieval/queryContext.js';

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
 * Keywords as the addon takes them to sum the weights of those that occur
 * (native/statements/keywords.hpp). A general keyword occurs if one of its forms is a substring in
 * any case ("play" in "playbook"); any other if its tokens (`answerTokens`) are consecutive.
 */
export function keywordForms(keywords: readonly Keyword[]): KeywordForms {
  let end = 0;
  return {
    forms: keywords.flatMap(({ forms }) => forms),
    ends: Uint32Array.from(keywords, ({ forms }) => (end += forms.length)),
    weights: Float64Array.from(keywords, ({ type }) => keywordWeights[type]),
    anywhere: Uint8Array.from(keywords, ({ type }) => Number(type === 'general')),
  };
}
