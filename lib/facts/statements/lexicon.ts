// Lexicon: each written word is read once and has a number, so that texts are columns of numbers
// and a question's work is done by distinct word.
import { detached, type Analyzer, SpanCache } from '../../text/analyzer.js';
import { readWritten, type WrittenWord } from './words.js';

/** Bytes of an entry and of each of its characters, about. */
const [entryBytes, characterBytes] = [400, 6];
/** Numbers of an entry: see the methods that take one. */
const entryNumbers = 4;

/**
 * Numbers of words and of texts (terms and lower-case forms), given once and kept: a reader of
 * many texts replaces a lexicon that has grown too large together with what refers to it. What is
 * asked of each word of many texts is in columns, since each object is another line of memory.
 */
export class Lexicon {
  /** By number of the word. */
  readonly words: WrittenWord[] = [];
  readonly isValue: boolean[] = [];
  readonly isCapital: boolean[] = [];
  /** By number of the word: numbers of its term and of its lower-case form. */
  readonly terms: number[] = [];
  readonly lows: number[] = [];
  /** By number of the word: UTF-16 offset in its entry. */
  readonly offsets: number[] = [];
  /** By number of the text. */
  readonly texts: string[] = [];
  /** About how much memory it takes. */
  bytes = 0;
  private readonly numbers = new Map<string, number>();
  /** What stands between blanks and punctuation. */
  private readonly entries: number[] = [];
  private readonly places = new Map<string, number>();
  private readonly spans = new SpanCache(
    65_536,
    (written) => this.places.get(written) ?? this.add(detached(written)),
  );

  constructor(private readonly analyzer: Analyzer) {}

  /** The entry of a content or stop word; `units` are the text's UTF-16 units. */
  read(text: string, units: Uint16Array, start: number, end: number): number {
    return this.spans.get(text, units, start, end);
  }

  /** Number of an entry's first content word; those of the others follow it. */
  firstWord(entry: number): number {
    return this.entries[entry]!;
  }

  contentWords(entry: number): number {
    return this.entries[entry + 1]!;
  }

  /** How many words an entry is, stop words too. */
  allWords(entry: number): number {
    return this.entries[entry + 2]!;
  }

  /** UTF-16 units of an entry without the punctuation behind it. */
  length(entry: number): number {
    return this.entries[entry + 3]!;
  }

  /** The number of a term or a lower-case form; -1 where no word has it. */
  numberOf(text: string): number {
    return this.numbers.get(text) ?? -1;
  }

  private add(written: string): number {
    const read = readWritten(written, this.analyzer);
    const firstWord = this.words.length;
    for (const word of read) {
      if (word.term === '') continue;
      this.words.push(word);
      this.isValue.push(word.value);
      this.isCapital.push(word.capital);
      this.terms.push(this.enter(word.term));
      this.lows.push(this.enter(word.low));
      this.offsets.push(word.at);
    }
    this.bytes += entryBytes + characterBytes * written.length;
    const contentWords = this.words.length - firstWord;
    this.entries.push(firstWord, contentWords, read.length, read[0]?.length ?? 0);
    const entry = this.entries.length - entryNumbers;
    this.places.set(written, entry);
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
