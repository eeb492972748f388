// Keyword set of the re-implementation of MRAG (section 3.2): a question's content words and
// temporal cues (years, months, relation words, phrases such as "in 2023"), unweighted.
import type { ParsedQuestion } from '../../time/constraint.js';

export interface KeywordSet {
  /** Terms of the main content, distinct. */
  words: readonly string[];
  /** Terms of the constraints: years, months in full, relation words. Disjoint from `words`. */
  cues: readonly string[];
  /** The constraints in lower case, matched as word sequences. */
  phrases: readonly string[];
}

const questionWords = new Set(
  'who whom whose what which when where why how did do does has have had many much'.split(' '),
);
const relations = new Set(
  'before after since until till between from during around within by'.split(' '),
);
const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** The keyword set of a question, as index terms; empty if it has stop words only. */
export function keywordSet(
  { mainContent, constraints }: ParsedQuestion,
  analyze: (text: string) => string[],
): KeywordSet {
  const questionTerms = new Set([...questionWords].flatMap(analyze));
  const words = [...new Set(analyze(withMonths(mainContent)))].filter(
    (term) => !questionTerms.has(term),
  );
  const texts = constraints.flatMap(({ text }) => (text === undefined ? [] : [withMonths(text)]));
  const cues = new Set(
    texts
      .flatMap((text) => text.split(/\s+/))
      .flatMap((word) => (isCue(word) ? analyze(word) : [])),
  );
  for (const word of words) cues.delete(word);
  return {
    words,
    cues: [...cues],
    phrases: [...new Set(texts.map(plainWords))].filter((text) => text !== ''),
  };
}

/** A text's words as `keywordCoverage` matches them. */
export interface TextWords {
  terms: ReadonlySet<string>;
  /** Lower case, a blank before and after each word. */
  plain: string;
}

export function textWords(text: string, analyze: (text: string) => string[]): TextWords {
  const spelt = withMonths(text);
  return { terms: new Set(analyze(spelt)), plain: ` ${plainWords(spelt)} ` };
}

/**
 * Fraction of a keyword set that occurs in a text, 0 to 1: terms, and phrases as word sequences; 0
 * for an empty set.
 */
export function keywordCoverage(
  { words, cues, phrases }: KeywordSet,
  { terms, plain }: TextWords,
): number {
  const size = words.length + cues.length + phrases.length;
  if (size === 0) return 0;
  let matches = 0;
  for (const term of words) if (terms.has(term)) matches += 1;
  for (const term of cues) if (terms.has(term)) matches += 1;
  for (const phrase of phrases) if (plain.includes(` ${phrase} `)) matches += 1;
  return matches / size;
}

const isCue = (word: string): boolean => {
  const bare = plainWords(word);
  return /^\d{4}s?$/.test(bare) || relations.has(bare) || months.includes(bare);
};

/** Months written in full: "Nov 1918" and "November 1918" are one cue. */
const withMonths = (text: string): string =>
  text.replace(
    /\b(?:(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|Sept)\b\.?(?=\s*,?\s*\d)/gi,
    (_, short?: string) => {
      const start = (short ?? 'sep').toLowerCase();
      return months.find((month) => month.startsWith(start))!;
    },
  );

const plainWords = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join(' ');
