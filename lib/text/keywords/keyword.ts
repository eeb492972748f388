// Keywords of a question and how a text is scored by those it has (MRAG's keyword ranking, appendix
// F): names count most, general words least. It extracts none: keywordRules.ts and keywordModel.ts
// do.
import { answerTokens } from '../answerTokens.js';

/**
 * MRAG's kinds of keywords, from those that weigh most: names, superlatives, numbers, other nouns,
 * adjectives.
 */
export const keywordTypes = ['special', 'superlative', 'numeric', 'general', 'adjective'] as const;
export type KeywordType = (typeof keywordTypes)[number];

/** What the presence of a keyword is worth, once: the weights of the published code. */
export const keywordWeights: Readonly<Record<KeywordType, number>> = {
  special: 1,
  superlative: 0.7,
  numeric: 0.5,
  general: 0.4,
  adjective: 0.4,
};

/** A keyword of a question. */
export interface Keyword {
  /** As the question has it. */
  text: string;
  type: KeywordType;
  /** The spellings that count as it, itself among them: "two" and "2", "plays" and "played". */
  forms: readonly string[];
}

export interface KeywordScorer {
  /** The sum of the weights of the keywords that a text has, each once. */
  score(text: string): number;
  /**
   * False only for JSON of no text that scores, of strings as they are or several after another;
   * the JSON as its UTF-8 bytes, a character for each: to put Unicode in lower case takes longer
   * than the search.
   */
  mayScore(jsonBytes: string): boolean;
  /**
   * Of each spelling the words, composed and in lower case; none of a general keyword's: a text
   * that scores has all of one of them, as tokens.
   */
  spellings: readonly (readonly string[])[];
}

/**
 * A scorer of texts. A general keyword is had where one of its forms is a part of the text in
 * whatever case ("play" in "playbook"); any other where its tokens stand in the text in a row.
 */
export function keywordScorer(keywords: readonly Keyword[]): KeywordScorer {
  const wanted = keywords.map(({ type, forms }) => ({
    weight: keywordWeights[type],
    parts: type === 'general' ? decidingParts(forms) : [],
    rows: type === 'general' ? [] : forms.map(tokensInARow).filter((row) => row !== undefined),
  }));
  const score = (text: string): number => {
    const lower = text.toLowerCase();
    let decomposed: string | undefined;
    let alike: boolean | undefined;
    const inDecomposed = (row: TokensInARow): boolean => {
      if (!row.mayOccurIn(lower)) return false;
      if (row.ascii && (alike ??= alikeDecomposed.test(lower))) return row.occursIn(lower);
      return row.occursIn((decomposed ??= text.normalize('NFD').toLowerCase()));
    };
    let score = 0;
    for (const { weight, parts, rows } of wanted)
      if (parts.some((part) => lower.includes(part)) || rows.some(inDecomposed)) score += weight;
    return score;
  };
  const [parts, rows] = [wanted.flatMap((each) => each.parts), wanted.flatMap((each) => each.rows)];
  const spellings = wanted.flatMap(({ parts, rows }) => [
    ...parts.map(() => []),
    ...rows.map(({ words }) => words),
  ]);
  // of others JSON may write the characters otherwise, or in two strings
  const always = parts.some((part) => !/^[a-z0-9]+$/.test(part));
  return {
    score,
    spellings,
    mayScore(bytes) {
      if (always) return true;
      const lower = bytes.toLowerCase();
      return (
        parts.some((part) => lower.includes(part)) ||
        rows.some((row) => row.mayOccurIn(lower)) ||
        asciiInLowerCase.test(lower)
      );
    },
  };
}

/**
 * Bytes of the two characters beyond ASCII that are ASCII letters in lower case, U+212A and U+0130;
 * they are in lower case as Latin letters.
 */
const asciiInLowerCase = /\xe2\x84\xaa|\xe4\xb0/;

/**
 * The forms in lower case but those that have another one as a part: "plays" is nowhere where
 * "play" is not.
 */
function decidingParts(forms: readonly string[]): string[] {
  const parts = [...new Set(forms.map((form) => form.toLowerCase()))];
  return parts.filter((part) => !parts.some((each) => each !== part && part.includes(each)));
}

/**
 * Texts that need no decomposition to be searched for ASCII tokens. Of these characters letters
 * become letters and marks, both of which are a word's, and no word ends before a mark; the others
 * stay what they are.
 */
const alikeDecomposed = /^[\x00-\u017f\u2000-\u206f]*$/;

interface TokensInARow {
  /**
   * False only where `occursIn` is, of the text in lower case as it was: what decomposition adds to
   * a plain word is a mark, which ends no word.
   */
  mayOccurIn(lower: string): boolean;
  occursIn(decomposed: string): boolean;
  /** Whether its tokens are. */
  ascii: boolean;
  /** Those of its tokens that are words, composed. */
  words: readonly string[];
}

/**
 * What `containsAnswer` says of a text's tokens, without taking a thousand texts apart: the tokens
 * with blanks between them, none of a word's own letters before or after. Undefined for a form
 * without tokens.
 */
function tokensInARow(form: string): TokensInARow | undefined {
  const tokens = answerTokens(form);
  if (tokens.length === 0) return undefined;
  const words = tokens.map((token) => kindAt(token, 0) === word);
  const plain = tokens.filter((token) => /^[a-z0-9]+$/.test(token));
  const [first, ...rest] = tokens as [string, ...string[]];
  const follow = (text: string, end: number): boolean => {
    for (const [at, token] of rest.entries()) {
      const next = afterBlanks(text, end);
      if ((next === end && words[at] && words[at + 1]) || !text.startsWith(token, next))
        return false;
      end = next + token.length;
    }
    return !words.at(-1) || kindAt(text, end) !== word;
  };
  return {
    words: tokens.filter((_, at) => words[at]).map((token) => token.normalize('NFC')),
    ascii: tokens.every((token) => /^[\x00-\x7f]*$/.test(token)),
    mayOccurIn: (lower) => plain.every((token) => lower.includes(token)),
    occursIn(text) {
      for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
        if ((!words[0] || kindBefore(text, at) !== word) && follow(text, at + first.length))
          return true;
      }
      return false;
    },
  };
}

const [other, word, blank] = [1, 2, 3];
// of UTF-16 units that are characters, filled as they are met
const kinds = new Uint8Array(0x10000);

/** What the character at `at` is to `answerTokens`; at the end of the text, 0. */
function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (!(unit >= 0)) return 0;
  return kinds[unit] || kindOf(text.codePointAt(at)!);
}

function kindBefore(text: string, at: number): number {
  const low =
    (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 2) & 0xfc00) === 0xd800;
  return kindAt(text, low ? at - 2 : at - 1);
}

function kindOf(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const kind = /[\p{L}\p{N}\p{M}]/u.test(character)
    ? word
    : /[\p{Z}\p{C}]/u.test(character)
      ? blank
      : other;
  if (codePoint < 0xd800 || (codePoint > 0xdfff && codePoint < 0x10000)) kinds[codePoint] = kind!;
  return kind;
}

function afterBlanks(text: string, at: number): number {
  while (kindAt(text, at) === blank)
    at += (text.charCodeAt(at) & 0xfc00) === 0xd800 && text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
