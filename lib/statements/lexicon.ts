// Lexicon: each word is read once and has a number in the addon, so that texts are columns of
// numbers and a question's work is done by distinct word. Few of its words and texts are read here.
import { binding } from '../binding.js';
import type { StaticEncoderHandle } from '../../binding.js';
import type { Word } from './words.js';

const mostBytes = 1 << 25;

type LexiconWord = Word & { length: number };

/**
 * Numbers of words and of texts (terms and lower-case forms), given once and kept: a reader of
 * many texts replaces a lexicon that has grown too large together with what refers to it.
 */
export class Lexicon {
  readonly handle;

  private readonly words: (LexiconWord | undefined)[] = [];

  constructor(encoder: StaticEncoderHandle) {
    this.handle = binding.openLexicon(encoder);
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
