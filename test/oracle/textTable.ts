// What the table of texts must say (native/index/lexical/text_table.hpp): every text read term by
// term, as strings. For tests alone.
import type { TextTable } from '../../binding.js';
import type { WordVectors } from '../../lib/vectors/wordVectors.js';

/** The terms that tables have columns for. */
export interface TextTerms {
  /** Distinct. The lists below are of indices into it. */
  terms: readonly string[];
  /** Pairs of adjacent terms. Default: none. */
  pairs?: readonly (readonly [number, number])[];
  /** Terms matched by similar words too; all have word vectors. Default: none. */
  common?: readonly number[];
  /** Distinct terms whose occurrences are counted. Default: none. */
  counted?: readonly string[];
}

export function textTable(
  texts: readonly (readonly string[])[],
  { terms, pairs = [], common = [], counted = [] }: TextTerms,
  vectors: Pick<WordVectors, 'similarity'>,
): TextTable {
  const rows = texts.map((text) => ({
    present: terms.map((term) => Number(text.includes(term))),
    nearest: terms.map((term, place) => {
      if (!common.includes(place)) return 0;
      return text.reduce((most, each) => Math.max(most, vectors.similarity(term, each) ?? 0), 0);
    }),
    pairs:
      pairs.length === 0
        ? NaN
        : pairs.filter(([one, other]) => together(text, terms[one]!, terms[other]!)).length /
          pairs.length,
    counts: counted.map((term) => text.filter((each) => each === term).length),
    length: text.length,
  }));
  return {
    present: Uint8Array.from(rows.flatMap(({ present }) => present)),
    nearest: Float64Array.from(rows.flatMap(({ nearest }) => nearest)),
    pairs: Float64Array.from(rows, (row) => row.pairs),
    counts: Float64Array.from(rows.flatMap(({ counts }) => counts)),
    lengths: Uint32Array.from(rows, ({ length }) => length),
  };
}

const together = (text: readonly string[], one: string, other: string): boolean =>
  text.some((term, at) => term === one && text[at + 1] === other);
