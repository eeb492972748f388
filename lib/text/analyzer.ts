// Text analysis equivalent to Lucene's English analyzer: Unicode words in lower case without
// possessives and stop words, stemmed (Porter). Other analyzers implement the interface below.
import { stemmer } from 'stemmer';
import { GenerationalCache } from '../runtime/generationalCache.js';

/** The terms of a text in order. A corpus opens only with the analyzer that wrote it. */
export interface Analyzer {
  readonly id: string;
  analyze(text: string): string[];
  /** The term of one word of the letters a to z; '' where it has none. */
  stem(word: string): string;
}

/** Lucene's English stop words. */
export const englishStopWords: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such ' +
    'that the their then there these they this to was will with'
  ).split(' '),
);

/** Longer words are cut into pieces, as Lucene's tokenizer does. */
const longestWord = 255;

const none = 0;
const letter = 1;
const digit = 2;
const ideograph = 3;

const letterPattern = /^[\p{L}\p{M}]$/u;
const digitPattern = /^\p{N}$/u;
const ideographPattern = /^[\p{Script=Han}\p{Script=Hiragana}]$/u;
const unknown = 255;
const kinds = new Uint8Array(0x10000).fill(unknown); // memo of Unicode properties by UTF-16 unit

function kindOfCodePoint(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (digitPattern.test(character)) return digit;
  if (ideographPattern.test(character)) return ideograph;
  return letterPattern.test(character) ? letter : none;
}

/** The kind of the character at `at`; outside the text and for broken surrogates, none. */
function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (!(unit >= 0)) return none;
  let kind = kinds[unit]!;
  if (kind !== unknown) return kind;
  if (unit >= 0xd800 && unit <= 0xdfff) {
    const codePoint = text.codePointAt(unit >= 0xdc00 && at > 0 ? at - 1 : at)!;
    return codePoint > 0xffff ? kindOfCodePoint(codePoint) : none;
  }
  kind = kindOfCodePoint(unit);
  kinds[unit] = kind;
  return kind;
}

const isApostrophe = (unit: number): boolean => unit === 0x27 || unit === 0x2019 || unit === 0xff07;

/** End of the run of digits that starts at `at`. */
function endOfDigits(text: string, at: number): number {
  while (kindAt(text, at) === digit) at += 1;
  return at;
}

/** Scratch copy of a text's UTF-16 units: indexing it is several times as fast as charCodeAt. */
class Units {
  private readonly bytes: Buffer;
  constructor(readonly units: Uint16Array<ArrayBuffer>) {
    this.bytes = Buffer.from(units.buffer);
  }
  of(text: string): Uint16Array {
    const { units } = this;
    if (text.length > 24) this.bytes.write(text, 'utf16le');
    // cheaper than a native call
    else for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
    return units;
  }
}

/** Longest text that uses the shared scratch buffer. */
const scratchUnits = 1 << 16;
const scratch = new Units(new Uint16Array(scratchUnits));
/** The text's UTF-16 units, followed by undefined content; valid until the next call. */
export const utf16Units = (text: string): Uint16Array =>
  (text.length <= scratchUnits ? scratch : new Units(new Uint16Array(text.length))).of(text);

/**
 * Visits the span of every word: runs of letters and digits, with inner apostrophes between letters
 * ("o'neil"), a decimal point ("3.5"), commas between thousands ("1,234,567") and the dots of an
 * acronym ("u.s.a"). Ideographs are words of their own.
 */
function eachWord(
  text: string,
  units: Uint16Array,
  visit: (start: number, end: number) => void,
): void {
  for (let at = 0; at < text.length; ) {
    const kind = kinds[units[at]!] === none ? none : kindAt(text, at);
    if (kind === none) {
      at += 1;
      continue;
    }
    const start = at;
    at += 1;
    if (kind === ideograph) {
      if ((units[start]! & 0xfc00) === 0xd800) at += 1;
      visit(start, at);
      continue;
    }
    while (at < text.length) {
      const known = kinds[units[at]!]!;
      const next = known === unknown ? kindAt(text, at) : known;
      if (next === letter || next === digit) at += 1;
      else if (units[at] === 0x20 || next === ideograph || !joins(text, start, at)) break;
      else at += 1;
    }
    visit(start, at);
  }
}

/** Whether the punctuation at `at` is part of the word that began at `start`. */
function joins(text: string, start: number, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (!(isApostrophe(unit) || unit === 0x2c || unit === 0x2e)) return false;
  const before = kindAt(text, at - 1);
  const after = kindAt(text, at + 1);
  if (isApostrophe(unit)) return before === letter && after === letter;
  if (before === digit && after === digit) return joinsDigits(text, start, at, unit);
  if (unit === 0x2c || before !== letter || after !== letter) return false;
  const follows = kindAt(text, at + 2); // single letters on both sides: "u.s", not "end.Start"
  const single = at - 1 === start || (text.charCodeAt(at - 2) === 0x2e && at - 2 > start);
  return single && follows !== letter && follows !== digit;
}

function joinsDigits(text: string, start: number, at: number, unit: number): boolean {
  const end = endOfDigits(text, at + 1);
  // Digits alone, as before the comma before them, which would not have joined others.
  let group = at;
  while (group > start && text.charCodeAt(group - 1) !== 0x2c) {
    group -= 1;
    if (kindAt(text, group) !== digit) return false;
  }
  const inDate = (dot: number, beyond: number): boolean =>
    text.charCodeAt(dot) === 0x2e && kindAt(text, beyond) === digit;
  // 6.5.2021 is three numbers
  if (unit === 0x2e) return !inDate(end, end + 1) && !inDate(start - 1, start - 2);
  return end - at === 4 && (group === start ? at - group <= 3 : at - group === 3);
}

/** A copy of a word: a slice would keep the whole text alive while the cache holds it. */
export function detached(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, 'utf16le').toString('utf16le');
}

/** The term of a word; '' for a stop word. */
function termOf(word: string): string {
  let term = word.toLowerCase().replaceAll(/[\u2019\uff07]/g, "'");
  if (term.endsWith("'s")) term = term.slice(0, -2);
  if (/^\p{N}/u.test(term)) term = term.replaceAll(',', '');
  else if (term.includes('.')) term = term.replaceAll('.', '');
  return stem(term);
}

const stem = (word: string): string => (englishStopWords.has(word) ? '' : stemmer(word));

/**
 * The English analyzer, id `english-porter-1`. Numbers and years are terms ("1,234" and "1234" are
 * the same one); ranges such as 1998-2002 are two; dotted acronyms lose their dots ("U.S." and "US"
 * are the same term). Broken surrogates separate words.
 * @param cacheWords capacity of the stem cache
 */
export function englishAnalyzer(cacheWords = 131_072): Analyzer {
  const cache = new GenerationalCache<string>({ capacity: Math.max(2, cacheWords) });
  const spans = new SpanCache(16_384, (word) => {
    const key = detached(word);
    return cache.getOrCompute(key, 1, () => termOf(key));
  });
  return {
    id: 'english-porter-1',
    stem,
    analyze(text) {
      const source = /[^\x00-\x7f]/.test(text) ? text.normalize('NFC') : text;
      const terms: string[] = [];
      const units = utf16Units(source);
      eachWord(source, units, (start, end) => {
        while (start < end) {
          let stop = Math.min(end, start + longestWord);
          // not between two surrogates
          if (stop < end && (units[stop]! & 0xfc00) === 0xdc00) stop -= 1;
          const term = spans.get(source, units, start, stop);
          if (term !== '') terms.push(term);
          start = stop;
        }
      });
      return terms;
    },
  };
}

/** UTF-16 units of a slot: the word's length and the word. */
const slotUnits = 16;

/** Direct-mapped cache by spans of a text: a hit allocates no string. */
export class SpanCache<Value> {
  private readonly words: Uint16Array;
  private readonly values: Value[];

  /**
   * @param slots a power of two: most words of a text are common ones
   * @param read the value of a word, which is '' at first
   */
  constructor(
    private readonly slots: number,
    private readonly read: (word: string) => Value,
  ) {
    this.words = new Uint16Array(slots * slotUnits);
    this.values = new Array<Value>(slots).fill(read(''));
  }

  /** The value of `text.slice(start, end)`, whose UTF-16 units are `units`. */
  get(text: string, units: Uint16Array, start: number, end: number): Value {
    const length = end - start;
    if (length >= slotUnits) return this.read(text.slice(start, end));
    let hash = length;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + units[at]!) | 0;
    const slot = (hash ^ (hash >>> 15)) & (this.slots - 1);
    const from = slot * slotUnits;
    if (this.matches(from, units, start, length)) return this.values[slot]!;
    this.words[from] = length;
    for (let i = 0; i < length; i += 1) this.words[from + 1 + i] = units[start + i]!;
    return (this.values[slot] = this.read(text.slice(start, end)));
  }

  private matches(from: number, units: Uint16Array, start: number, length: number): boolean {
    const { words } = this;
    if (words[from] !== length) return false;
    for (let i = 0; i < length; i += 1) if (words[from + 1 + i] !== units[start + i]) return false;
    return true;
  }
}
