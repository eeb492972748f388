// The content words of a text as columns: numbers of a lexicon, and where they stand.
import type { Lexicon } from './lexicon.js';
import { joinsName, unitsOf, writtenSpans, type PlacedWord, type Span } from './words.js';

/** Content words of a text in order, without stop words and dates. */
export interface TextWords {
  text: string;
  lexicon: Lexicon;
  /** By place: number of the word. */
  words: Int32Array;
  /** By place: UTF-16 offset. */
  starts: Int32Array;
  /** By place: 1 of the first of a sentence, where a capital tells nothing. */
  opens: Uint8Array;
  /** Number of all words of the text. */
  length: number;
}

const columns = (size: number) => ({
  words: new Int32Array(size),
  starts: new Int32Array(size),
  opens: new Uint8Array(size),
  spans: new Int32Array(2 * size),
});
/** For the text being read, which has no more words than UTF-16 units. */
let scratch = columns(1 << 12);

export function readWords(
  text: string,
  lexicon: Lexicon,
  { sentences, dates }: { sentences: readonly Span[]; dates: readonly Span[] },
): TextWords {
  if (scratch.words.length <= text.length) scratch = columns(text.length + 1);
  const { words, starts, opens, spans } = scratch;
  const units = unitsOf(text);
  const count = writtenSpans(text, units, spans);
  let [sentence, date, opened, length, place] = [0, 0, -1, 0, 0];
  for (let nth = 0; nth < count; nth += 1) {
    const start = spans[2 * nth]!;
    const entry = lexicon.read(text, units, start, spans[2 * nth + 1]!);
    if (lexicon.allWords(entry) === 0) continue;
    length += lexicon.allWords(entry);
    while (sentence < sentences.length && sentences[sentence]!.end <= start) sentence += 1;
    while (date < dates.length && dates[date]!.end <= start) date += 1;
    const isFirst = opened === sentence ? 0 : 1;
    opened = sentence;
    if (date < dates.length && dates[date]!.start < start + lexicon.length(entry)) continue;
    const first = lexicon.firstWord(entry);
    for (let word = first; word < first + lexicon.contentWords(entry); word += 1) {
      words[place] = word;
      starts[place] = start + lexicon.offsets[word]!;
      opens[place] = isFirst;
      place += 1;
    }
  }
  return {
    text,
    lexicon,
    words: words.slice(0, place),
    starts: starts.slice(0, place),
    opens: opens.slice(0, place),
    length,
  };
}

/** Whether a word may go on with a name that the word before it belongs to. */
export function joinsBefore({ text, lexicon, words, starts }: TextWords, place: number): boolean {
  const end = starts[place - 1]! + lexicon.words[words[place - 1]!]!.length;
  const start = starts[place]!;
  const isNext = start === end + 1 && text.charCodeAt(end) === 0x20;
  return isNext || joinsName(text.slice(end, start));
}

/** Consecutive words of a text: those of a statement. */
export class WordRange implements Iterable<PlacedWord> {
  constructor(
    readonly of: TextWords,
    /** Places, half-open. */
    readonly from: number,
    readonly to: number,
  ) {}

  get length(): number {
    return this.to - this.from;
  }

  /** Numbers of its terms, each once; numbers among them by default. */
  terms({ values = true } = {}): Set<number> {
    const terms = new Set<number>();
    const { words, lexicon } = this.of;
    for (let at = this.from; at < this.to; at += 1)
      if (values || !lexicon.isValue[words[at]!]) terms.add(lexicon.terms[words[at]!]!);
    return terms;
  }

  *[Symbol.iterator](): Generator<PlacedWord> {
    for (let place = this.from; place < this.to; place += 1) yield this.at(place);
  }

  private at(place: number): PlacedWord {
    const { lexicon, words, starts, opens } = this.of;
    const { term, low, capital, value, length } = lexicon.words[words[place]!]!;
    const start = starts[place]!;
    return { term, low, capital, value, opens: opens[place] === 1, start, end: start + length };
  }
}
