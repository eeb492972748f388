// Lexicon: each written word is read once and has a number, so that texts are columns of numbers
// and a question's work is done by distinct word.
import { detached, type Analyzer } from '../../text/analyzer.js';
import { SpanCache } from '../../text/spanCache.js';
import { readWritten, type WrittenWord } from './words.js';

/** What stands between blanks and punctuation. */
export interface Written {
  /** Numbers of its content words. */
  words: readonly number[];
  /** How many words it is, stop words too. */
  count: number;
  /** UTF-16 units without the punctuation behind it. */
  length: number;
}

/** Bytes of an entry and of each of its characters, about. */
const [entryBytes, characterBytes] = [400, 6];

/**
 * Numbers of words and of texts (terms and lower-case forms), given once and kept: a reader of
 * many texts replaces a lexicon that has grown too large together with what refers to it.
 */
export class Lexicon {
  /** By number of the word. */
  readonly words: WrittenWord[] = [];
  /** By number of the word: numbers of its term and of its lower-case form. */
  readonly terms: number[] = [];
  readonly lows: number[] = [];
  /** By number of the text. */
  readonly texts: string[] = [];
  /** About how much memory it takes. */
  bytes = 0;
  private readonly numbers = new Map<string, number>();
  private readonly written = new Map<string, Written>();
  private readonly spans = new SpanCache(
    65_536,
    (written) => this.written.get(written) ?? this.add(detached(written)),
  );

  constructor(private readonly analyzer: Analyzer) {}

  /** What `text.slice(start, end)` is, where `units` are the text's UTF-16 units. */
  read(text: string, units: Uint16Array, start: number, end: number): Written {
    return this.spans.get(text, units, start, end);
  }

  /** The number of a term or a lower-case form; -1 where no word has it. */
  numberOf(text: string): number {
    return this.numbers.get(text) ?? -1;
  }

  private add(written: string): Written {
    const read = readWritten(written, this.analyzer);
    const words = read
      .filter(({ term }) => term !== '')
      .map((word) => {
        this.terms.push(this.enter(word.term));
        this.lows.push(this.enter(word.low));
        return this.words.push(word) - 1;
      });
    const entry: Written = { words, count: read.length, length: read[0]?.length ?? 0 };
    this.bytes += entryBytes + characterBytes * written.length;
    this.written.set(written, entry);
    return entry;
  }

  private enter(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }
}
