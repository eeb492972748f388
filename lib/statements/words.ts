// Words as they are written, which the addon reads (native/statements/words.hpp), and how they join
// to names.
import { binding } from '../binding.js';

export interface Word {
  /** Index term; of a compound ("mime-db") and a value its lower-case form; '' of a stop word. */
  term: string;
  low: string;
  /** A capital first, or capitals, digits, dots or hyphens inside. */
  capital: boolean;
  value: boolean;
}

/** A word and where it stands: UTF-16 offsets, half-open. */
export interface PlacedWord extends Word {
  start: number;
  end: number;
  /** First of its sentence, where a capital tells nothing. */
  opens: boolean;
}

export interface Span {
  start: number;
  end: number;
}

/**
 * The words of a question, which is one sentence, in order; the parts of a compound where `isTerm`
 * does not know it.
 */
export function wordsOf(
  text: string,
  isTerm: (compound: string) => boolean = () => true,
): PlacedWord[] {
  const { terms, lows, starts, ends, flags } = binding.readWords(text);
  const words: PlacedWord[] = [];
  let takesParts = false;
  for (const [at, flag] of flags.entries()) {
    const isPart = (flag & 8) !== 0;
    if (isPart && !takesParts) continue;
    const low = lows[at]!;
    if (!isPart) {
      takesParts = ((flags[at + 1] ?? 0) & 8) !== 0 && !isTerm(low);
      if (takesParts) continue;
    }
    words.push({
      term: terms[at]!,
      low,
      capital: (flag & 1) !== 0,
      value: (flag & 2) !== 0,
      start: starts[at]!,
      end: ends[at]!,
      opens: (flag & 4) !== 0,
    });
  }
  return words;
}
