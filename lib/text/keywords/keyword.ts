// Keywords of a question and how a text is scored by those it has (MRAG's keyword ranking, appendix F): names count most, general
// words least. It extracts none: keywordRules.ts and keywordModel.ts do.
import { answerTokens, containsAnswer } from '../answerTokens.js';

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
    sequences: type === 'general' ? [] : forms.map(answerTokens),
  }));
  const bySequence = wanted.some(({ sequences }) => sequences.length > 0);
  return (text) => {
    const lower = text.toLowerCase();
    const tokens = bySequence ? answerTokens(text) : [];
    let score = 0;
    for (const { weight, parts, sequences } of wanted) {
      if (parts.some((part) => lower.includes(part)) || sequences.some((sequence) => containsAnswer(tokens, sequence))) score += weight;
    }
    return score;
  };
}
