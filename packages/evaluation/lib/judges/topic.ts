// Topic match of a text and a question by stems, without temporal words, so that a date alone is no
// evidence.
import { englishAnalyzer, questionForms } from 'asof/kit';
import type { ParsedQuestion } from 'asof/time';

const analyzer = englishAnalyzer();

/** Stems of question words and temporal words, which carry no topic. */
const nonTopicStems = new Set(
  (
    'who what when where which why how did do does done has have had can could would should ' +
    'many much long often were been being am i you we ' +
    'he she its his her our your my me us them from about than so since until before after ' +
    'during between over time year month day date ' +
    'centuri decad period era first last latest earliest recent recent current now today ' +
    'nowadai chang evolv evolut trend histori develop ' +
    'compar differ versu vs happen'
  ).split(' '),
);

/** Topic of a question. */
export interface Topic {
  /** Stems, distinct. */
  terms: readonly string[];
  /** Stems of capitalised words inside the question: names. */
  names: readonly string[];
}

/** The topic of a parsed question: its content words without those of its constraints. */
export function topicOf(parsed: ParsedQuestion): Topic {
  const { content } = questionForms(parsed);
  const terms = termsOf(content);
  const words = content
    .trim()
    .split(/\s+/)
    .slice(1)
    .filter((word) => /^["'(]?\p{Lu}/u.test(word));
  return { terms, names: termsOf(words.join(' ')) };
}

/** Stems of a text's content words, distinct, in order. */
export const termsOf = (text: string): string[] =>
  [...stemsOf(text)].filter((term) => !nonTopicStems.has(term));

const leastShare = 1 / 3;
/** Sufficient number of matching terms of a long question. */
const enoughTerms = 4;

/**
 * Whether a text is on the topic: it contains one of its names, if any, and a third of its terms,
 * at most four. Every text matches a topic without terms.
 */
export function isOnTopic({ terms, names }: Topic, text: string): boolean {
  if (terms.length === 0) return true;
  const said = stemsOf(text);
  if (names.length > 0 && !names.some((name) => said.has(name))) return false;
  return (
    terms.filter((term) => said.has(term)).length >=
    Math.min(enoughTerms, leastShare * terms.length)
  );
}

/** The share of the terms in a text, 0 to 1; 1 without terms. */
export function termCoverage(terms: readonly string[], said: ReadonlySet<string>): number {
  return terms.length === 0 ? 1 : terms.filter((term) => said.has(term)).length / terms.length;
}

/** Stems of a text. */
export const stemsOf = (text: string): Set<string> => new Set(analyzer.analyze(text));

/**
 * Whether a sentence shares a term with the topic or starts with an anaphoric pronoun.
 */
export function continuesTopic({ terms }: Topic, sentence: string): boolean {
  if (
    terms.length === 0 ||
    /^\W*(?:it|its|he|she|his|her|they|their|this|these|that|those)\b/i.test(sentence)
  )
    return true;
  const said = stemsOf(sentence);
  return terms.some((term) => said.has(term));
}
