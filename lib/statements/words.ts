// Words as they are written: what each is read as, and how they join to names. Where they stand is
// found in the addon (native/statements/written.hpp).
import { binding } from '../binding.js';
import type { Analyzer } from '../text/analyzer.js';

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

/** Most words: nothing that the other patterns find, and one term. */
const plain = /^[A-Z]?[a-z]{1,64}$/;
const trailing = /[.'’:/+−-]+$|['’]s$/u;
/** Numbers, amounts, versions ("v1.2", "V8.1"; "V8" is a name). */
const valueForm = /^(?:[v$#@]|V(?=\p{N}+\.))?[−-]?\p{N}/u;
/** The word of a pre-release: "12.0.0-beta.16". */
const stage = /^\D?\p{N}+(?:\.\p{N}+)+[.\-_]?(\p{L}{2,})/u;
const innerCapital = /[\p{L}\p{N}][._/-]?\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{L}[.\-/]\p{L}/u;

/** A word that a written one is read as, `at` characters from its start. */
export interface WrittenWord extends Word {
  at: number;
  length: number;
}

/**
 * The words that a written one is read as: itself, and the stage of a pre-release; the parts of a
 * compound where `isTerm` does not know it; none where it is all punctuation.
 */
export function readWritten(
  written: string,
  analyzer: Analyzer,
  isTerm: (compound: string) => boolean = () => true,
): WrittenWord[] {
  if (plain.test(written)) {
    const low = written.toLowerCase();
    const term = analyzer.stem(low);
    return [{ term, low, capital: low !== written, value: false, at: 0, length: low.length }];
  }
  const trimmed = written.replace(trailing, '').replace(trailing, '');
  if (trimmed === '') return [];
  const low = trimmed.toLowerCase();
  const value = valueForm.test(trimmed);
  if (value) {
    const whole: WrittenWord = {
      term: valueTerm(low),
      low,
      capital: /^\p{Lu}/u.test(trimmed) || innerCapital.test(trimmed),
      value,
      at: 0,
      length: trimmed.length,
    };
    const found = stage.exec(low);
    if (!found) return [whole];
    const [head, part] = [found[0], found[1]!];
    return [whole, partOf(analyzer, part, head.length - part.length)];
  }
  const terms = analyzer.analyze(trimmed);
  if (terms.length > 1 && !isTerm(low))
    return [...trimmed.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: part, index }) =>
      partOf(analyzer, part, index),
    );
  return [
    {
      term: terms.length > 1 ? low : (terms[0] ?? ''),
      low,
      capital: terms.length > 1 || /^\p{Lu}/u.test(trimmed) || innerCapital.test(trimmed),
      value,
      at: 0,
      length: trimmed.length,
    },
  ];
}

const partOf = (analyzer: Analyzer, part: string, at: number): WrittenWord => ({
  term: analyzer.analyze(part)[0] ?? '',
  low: part.toLowerCase(),
  capital: /^\p{Lu}/u.test(part),
  value: false,
  at,
  length: part.length,
});

/** The words of a question, which is one sentence, in order. */
export function wordsOf(
  text: string,
  analyzer: Analyzer,
  isTerm?: (compound: string) => boolean,
): PlacedWord[] {
  let opens = true;
  const words: PlacedWord[] = [];
  const spans = binding.writtenWords(text);
  for (let at = 0; at < spans.length; at += 2) {
    const start = spans[at]!;
    const read = readWritten(text.slice(start, spans[at + 1]), analyzer, isTerm);
    for (const { at: offset, length, ...word } of read)
      words.push({ ...word, start: start + offset, end: start + offset + length, opens });
    opens &&= read.length === 0;
  }
  return words;
}

/** "v1.2" and "1.2", "$1,234" and "1234" are one value. */
const valueTerm = (low: string): string =>
  low.replace(/^[v$#@]/, '').replace(/(?<=\d),(?=\d{3})/g, '');
