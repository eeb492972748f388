// Text analysis equivalent to Lucene's English analyzer: Unicode words in lower case without
// possessives and stop words, stemmed (Porter). The addon does it (native/text/analyzer.hpp).
import { binding } from '../binding.js';

/** UTF-16 offsets of the words of a text that one of the terms of `englishAnalyzer` stands for. */
export function termSpans(
  text: string,
  terms: readonly string[],
): { start: number; end: number }[] {
  const offsets = binding.termSpans(text, terms);
  return Array.from({ length: offsets.length / 2 }, (_, at) => {
    return { start: offsets[2 * at]!, end: offsets[2 * at + 1]! };
  });
}

/** The terms of a text in order. A corpus opens only with the analyzer that wrote it. */
export interface Analyzer {
  readonly id: string;
  analyze(text: string): string[];
}

/**
 * The English analyzer, id `english-porter-1`. Numbers and years are terms ("1,234" and "1234" are
 * the same one); ranges such as 1998-2002 are two; dotted acronyms lose their dots ("U.S." and "US"
 * are the same term). Broken surrogates separate words.
 */
export const englishAnalyzer = (): Analyzer => ({
  id: 'english-porter-1',
  analyze(text) {
    const terms = binding.analyze(text);
    return terms === '' ? [] : terms.split(' ');
  },
});
