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
    parts: type === 'general' ? minimalForms(forms) : [],
    rows: type === 'general' ? [] : forms.map(tokensInARow).filter((row) => row !== undefined),
  }));
  return (text) => {
    const lower = text.toLowerCase();
    let decomposed: string | undefined;
    let stable: boolean | undefined;
    const occursDecomposed = (row: TokensInARow): boolean => {
      if (!row.mayOccurIn(lower)) return false;
      if (row.ascii && (stable ??= stableUnderDecomposition.test(lower)))
        return row.occursIn(lower);
      return row.occursIn((decomposed ??= text.normalize('NFD').toLowerCase()));
    };
    let score = 0;
    for (const { weight, parts, rows } of weighted)
      if (parts.some((part) => lower.includes(part)) || rows.some(occursDecomposed))
        score += weight;
    return score;
  };
}

/** The forms without those that contain another one: "plays" occurs nowhere without "play". */
function minimalForms(forms: readonly string[]): string[] {
  const parts = [...new Set(forms.map((form) => form.toLowerCase()))];
  return parts.filter((part) => !parts.some((each) => each !== part && part.includes(each)));
}

/**
 * Texts in which ASCII tokens are found without decomposition: these characters decompose to
 * letters and marks, both of which are part of a word, and no word ends before a mark.
 */
const stableUnderDecomposition = /^[\x00-\u017f\u2000-\u206f]*$/;

interface TokensInARow {
  /** Conservative prefilter on the text in lower case before decomposition. */
  mayOccurIn(lower: string): boolean;
  occursIn(decomposed: string): boolean;
  /** Whether all tokens are ASCII. */
  ascii: boolean;
}

/** `containsAnswer` without tokenising the text. Undefined for a form without tokens. */
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
// Memo of character classes by UTF-16 unit.
const kinds = new Uint8Array(0x10000);

/** Class of the character at `at` for `answerTokens`; 0 at the end of the text. */
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
