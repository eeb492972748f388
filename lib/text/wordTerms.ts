// Which terms of the English analyzer a text has where a plain word stands in it. A word may be a
// part of a longer one there: the analyzer takes "O'Neil" for one word, and has no term "neil" of
// it. For leaving out texts that cannot have a word, by their terms alone.
import type { Analyzer } from './analyzer.js';

/**
 * Words that stand alone or with an apostrophe: nothing else joins a letter, and what follows it,
 * to what stands around them. Of Latin letters that one character has in either case, however it is
 * composed.
 */
const plainWord = /^[a-z\u00df-\u00f6\u00f8-\u017e][a-z0-9\u00df-\u00f6\u00f8-\u017e]+$/;

/**
 * The term of a word in lower case that begins with a Latin letter; undefined where the analyzer
 * says nothing of it: stop words, which it leaves out, and words of another form.
 */
export function wordTerm(analyzer: Analyzer, word: string): string | undefined {
  const terms = plainWord.test(word) ? analyzer.analyze(word) : [];
  return terms.length === 1 ? terms[0] : undefined;
}

/** Letters at the end of a word that its stem may have otherwise: "-bility" is "-ble". */
const mostChanged = 3;

/**
 * Whether a term with apostrophes may be that of words joined by them of which `word` is one.
 * Stemming changes the last of them alone, and of its first letter only y to i; it may take all of
 * it, and put an e in its place.
 */
export function mayContainWord(term: string, word: string): boolean {
  const parts = term.split("'");
  const last = parts.pop()!;
  if (parts.includes(word) || last === '' || last === 'e') return true;
  if (last[0] !== word[0] && !(last === 'i' && word[0] === 'y')) return false;
  return word.startsWith(last.slice(0, Math.max(0, last.length - mostChanged)));
}
