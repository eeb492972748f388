// Lexicon: each written word is read once and has a number, here and in the addon, so that texts
// are columns of numbers and a question's work is done by distinct word.
import { binding } from '../../binding.js';
import type { StaticEncoderHandle } from '../../../binding.js';
import type { Analyzer } from '../../text/analyzer.js';
import type { WordRarity } from '../../vectors/wordRarity.js';
import { readWritten, type WrittenWord } from './words.js';

/** Bytes of an entry and of each of its characters, about, of both sides. */
const [entryBytes, characterBytes] = [600, 8];

/** What reads words: the analyzer of a corpus, and the embedded encoder with its rarities. */
export interface WordReader {
  analyzer: Analyzer;
  encoder: StaticEncoderHandle;
  rarity: WordRarity;
}

/**
 * Numbers of words and of texts (terms and lower-case forms), given once and kept: a reader of
 * many texts replaces a lexicon that has grown too large together with what refers to it.
 */
export class Lexicon {
  readonly handle = binding.openLexicon();
  /** By number of the word. */
  readonly words: WrittenWord[] = [];
  /** By number of the text. */
  readonly texts: string[] = [];
  /** About how much memory it takes. */
  bytes = 0;
  private readonly numbers = new Map<string, number>();

  constructor(readonly reader: WordReader) {}

  /** Reads written words that it lacks. */
  add(written: readonly string[]): void {
    const { analyzer, encoder, rarity } = this.reader;
    const read = written.map((each) => readWritten(each, analyzer));
    const all = read.flat();
    let end = 0;
    binding.addWords(this.handle, encoder, {
      written: [...written],
      ends: Uint32Array.from(read, ({ length }) => (end += length)),
      terms: all.map(({ term }) => term),
      lows: all.map(({ low }) => low),
      offsets: Uint32Array.from(all, ({ at }) => at),
      lengths: Uint32Array.from(all, ({ length }) => length),
      flags: Uint8Array.from(all, ({ capital, value }) => Number(capital) + 2 * Number(value)),
      rarities: Float64Array.from(all, ({ low }) => rarity(low)),
    });
    for (const word of all) {
      if (word.term === '') continue;
      this.words.push(word);
      this.enter(word.term);
      this.enter(word.low);
    }
    for (const each of written) this.bytes += entryBytes + characterBytes * each.length;
  }

  /** The number of a term or a lower-case form; -1 where no word has it. */
  numberOf(text: string): number {
    return this.numbers.get(text) ?? -1;
  }

  private enter(text: string): void {
    if (!this.numbers.has(text)) this.numbers.set(text, this.texts.push(text) - 1);
  }
}
