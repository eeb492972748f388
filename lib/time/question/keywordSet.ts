// The small keyword set of the re-implementation of MRAG (section 3.2): a question's content words
// and its temporal cues (years, months, relation words, and phrases such as "in 2023"). Sets of
// words and nothing more: they have no weights.
import type { ParsedQuestion } from '../constraint.js';

export interface KeywordSet {
  /** Terms of what is asked, as the analyzer writes them, each once. */
  words: readonly string[];
  /**
   * Terms of the constraints: years, months in full, relation words. None that is among `words`.
   */
  cues: readonly string[];
  /** The constraints as they are written, in small letters: sought word after word. */
  phrases: readonly string[];
}

const asking = new Set(
  'who whom whose what which when where why how did do does has have had many much'.split(' '),
);
const relations = new Set(
  'before after since until till between from during around within by'.split(' '),
);
const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/**
 * The keyword set of a question; `analyze` makes index terms of a text (`Analyzer.analyze`). Empty
 * where the question is nothing but small words.
 */
export function keywordSet(
  { mainContent, constraints }: ParsedQuestion,
  analyze: (text: string) => string[],
): KeywordSet {
  const asked = new Set([...asking].flatMap(analyze));
  const words = [...new Set(analyze(withMonths(mainContent)))].filter((term) => !asked.has(term));
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

/** A text's words as `shareOf` seeks them. */
export interface TextWords {
  terms: ReadonlySet<string>;
  /** In small letters, a blank before and after each. */
  plain: string;
}

export function textWords(text: string, analyze: (text: string) => string[]): TextWords {
  const spelt = withMonths(text);
  return { terms: new Set(analyze(spelt)), plain: ` ${plainWords(spelt)} ` };
}

/**
 * The share of a keyword set that a text has, 0 to 1: words and cues by their terms, phrases word
 * after word, each counted once. 0 for an empty set.
 */
export function keywordCoverage(
  { words, cues, phrases }: KeywordSet,
  { terms, plain }: TextWords,
): number {
  const size = words.length + cues.length + phrases.length;
  if (size === 0) return 0;
  let found = 0;
  for (const term of words) if (terms.has(term)) found += 1;
  for (const term of cues) if (terms.has(term)) found += 1;
  for (const phrase of phrases) if (plain.includes(` ${phrase} `)) found += 1;
  return found / size;
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
