// Lexicon: each word is read once and has a number in the addon, so that texts are columns of
// numbers and a question's work is done by distinct word. Few of its words and texts are read here.
import { binding } from '../binding.js';
import type { StaticEncoderHandle } from '../../binding.js';
import type { Analyzer } from '../text/analyzer.js';
import { readWritten, type Word } from './words.js';

/** What reads words: the analyzer of a corpus, and to rank them the embedded encoder. */
export interface WordReader {
  analyzer: Analyzer;
  encoder?: StaticEncoderHandle;
}

const mostBytes = 1 << 25;

type LexiconWord = Word & { length: number };

/**
 * Numbers of words and of texts (terms and lower-case forms), given once and kept: a reader of
 * many texts replaces a lexicon that has grown too large together with what refers to it.
 */
export class Lexicon {
  readonly handle = binding.openLexicon();

  private readonly words: (LexiconWord | undefined)[] = [];

  constructor(readonly reader: WordReader) {}

  /** Reads written words that it lacks. */
  add(written: readonly string[]): void {
    const { analyzer, encoder } = this.reader;
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
    });
  }

  /** Whether it takes so much memory that another one is to go on. */
  get isFull(): boolean {
    return binding.lexiconBytes(this.handle) > mostBytes;
  }

  /** A word by its number; `length` is that of what is written. */
  word(number: number): LexiconWord {
    return (this.words[number] ??= binding.wordOf(this.handle, number));
  }

  texts(numbers: Uint32Array): string[] {
    return binding.textsOf(this.handle, numbers);
  }

  /** The number of a term or a lower-case form; -1 where no word has it. */
  numberOf(text: string): number {
    return binding.numberOf(this.handle, text);
  }
}
