// The content words of a text: numbers of a lexicon, and where they stand.
import type { TextColumns } from '../../binding.js';
import type { Lexicon } from './lexicon.js';
import type { Span, Word } from './words.js';

/** A word and where it stands. */
export interface TextWord extends Word, Span {}

/** Consecutive content words of a text, without stop words and dates. */
export class WordRange implements Iterable<TextWord> {
  constructor(
    private readonly textOf: () => string,
    private readonly lexicon: Lexicon,
    private readonly columns: TextColumns,
    /** Places, half-open. */
    private readonly from = 0,
    private readonly to = columns.words.length,
  ) {}

  get text(): string {
    return this.textOf();
  }

  get length(): number {
    return this.to - this.from;
  }

  at(nth: number): TextWord {
    const place = this.from + nth;
    const { term, low, capital, value, length } = this.lexicon.word(this.columns.words[place]!);
    const start = this.columns.starts[place]!;
    return { term, low, capital, value, start, end: start + length };
  }

  /** Whether a word may go on with a name that the word before it belongs to. */
  joins(nth: number): boolean {
    return this.columns.joins[this.from + nth] === 1;
  }

  *[Symbol.iterator](): Generator<TextWord> {
    for (let nth = 0; nth < this.length; nth += 1) yield this.at(nth);
  }
}
