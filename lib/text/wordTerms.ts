// Terms of the English analyzer by which a text that lacks a plain word can be skipped. A word may
// be part of a longer one: the analyzer keeps "O'Neil" as one word, which has no term "neil".
import type { Analyzer } from './analyzer.js';

/**
 * Words that only an apostrophe can join to their neighbours: Latin letters that are one character
 * in either case and under any normalisation.
 */
const plainWord = /^[a-z\u00df-\u00f6\u00f8-\u017e][a-z0-9\u00df-\u00f6\u00f8-\u017e]+$/;

/**
 * The term of a word in lower case that begins with a Latin letter; undefined for stop words and
 * words of another form.
 */
export function wordTerm(analyzer: Analyzer, word: string): string | undefined {
  const terms = plainWord.test(word) ? analyzer.analyze(word) : [];
  return terms.length === 1 ? terms[0] : undefined;
}

/** Final letters that stemming may change: "-bility" becomes "-ble". */
const maxChangedLetters = 3;

/**
 * Whether a term with apostrophes may contain `word` among its joined words. Stemming changes only
 * the last of them, and of its first letter only y to i; it may remove it entirely, or leave an e.
 */
export function mayContainWord(term: string, word: string): boolean {
  const parts = term.split("'");
  const last = parts.pop()!;
  if (parts.includes(word) || last === '' || last === 'e') return true;
  if (last[0] !== word[0] && !(last === 'i' && word[0] === 'y')) return false;
  return word.startsWith(last.slice(0, Math.max(0, last.length - maxChangedLetters)));
}
