// Words of a text with their index terms, and which of them are values, dates or written as names.
import type { Analyzer } from '../../text/analyzer.js';

export interface Word {
  /** Index term; of a compound ("mime-db") and a value its lower-case form; '' of a stop word. */
  term: string;
  low: string;
  /** UTF-16 offsets, half-open. */
  start: number;
  end: number;
  /** A capital first, or capitals, digits, dots or hyphens inside. */
  capital: boolean;
  /** First of its sentence, where a capital tells nothing. */
  opens: boolean;
  value: boolean;
  date: boolean;
}

export interface Span {
  start: number;
  end: number;
}

const word = /[\p{L}\p{N}$#@−](?:[\p{L}\p{N}_.'’+−:/-]|(?<=\p{N}),(?=\p{N}{3}))*/gu;
const trailing = /[.'’:/+−-]+$|['’]s$/u;
/** Numbers, amounts, versions ("v1.2", "V8.1"; "V8" is a name). */
const valueForm = /^(?:[v$#@]|V(?=\p{N}+\.))?[−-]?\p{N}/u;
/** The word of a pre-release: "12.0.0-beta.16". */
const stage = /^\D?\p{N}+(?:\.\p{N}+)+[.\-_]?(\p{L}{2,})/u;
const innerCapital = /[\p{L}\p{N}][._/-]?\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{L}[.\-/]\p{L}/u;

/**
 * The words of a text in order. `isTerm` tells compounds that the corpus has from those that are
 * read as their parts; by default all are terms.
 */
export function wordsOf(
  text: string,
  analyzer: Analyzer,
  { sentences, dates }: { sentences: readonly Span[]; dates: readonly Span[] },
  isTerm: (compound: string) => boolean = () => true,
): Word[] {
  const words: Word[] = [];
  let [sentence, date, opened] = [0, 0, -1];
  for (const { 0: raw, index } of text.matchAll(word)) {
    const trimmed = raw.replace(trailing, '').replace(trailing, '');
    if (trimmed === '') continue;
    const end = index + trimmed.length;
    while (sentence < sentences.length && sentences[sentence]!.end <= index) sentence += 1;
    while (date < dates.length && dates[date]!.end <= index) date += 1;
    const base = {
      opens: opened !== sentence,
      value: valueForm.test(trimmed),
      date: date < dates.length && dates[date]!.start < end,
    };
    opened = sentence;
    const low = trimmed.toLowerCase();
    const terms = base.value ? [] : analyzer.analyze(trimmed);
    if (terms.length > 1 && !isTerm(low)) {
      for (const { 0: part, index: from } of trimmed.matchAll(/[\p{L}\p{N}]+/gu)) {
        words.push({
          ...base,
          term: analyzer.analyze(part)[0] ?? '',
          low: part.toLowerCase(),
          start: index + from,
          end: index + from + part.length,
          capital: /^\p{Lu}/u.test(part),
        });
      }
      continue;
    }
    words.push({
      ...base,
      term: base.value ? valueTerm(low) : terms.length > 1 ? low : (terms[0] ?? ''),
      low,
      start: index,
      end,
      capital: terms.length > 1 || /^\p{Lu}/u.test(trimmed) || innerCapital.test(trimmed),
    });
    const found = base.value ? stage.exec(low) : null;
    if (found) {
      const part = found[1]!;
      const partEnd = index + found[0].length;
      words.push({
        ...base,
        value: false,
        term: analyzer.analyze(part)[0] ?? '',
        low: part,
        start: partEnd - part.length,
        end: partEnd,
        capital: false,
      });
    }
  }
  return words;
}

/** "v1.2" and "1.2", "$1,234" and "1234" are one value. */
const valueTerm = (low: string): string =>
  low.replace(/^[v$#@]/, '').replace(/(?<=\d),(?=\d{3})/g, '');

/** Whether a text's value is the question's, or a version within it: "15.3.0" of "15". */
export const isWithin = (value: string, asked: string): boolean =>
  value === asked || (value.startsWith(asked) && /^[.\-_]/.test(value.slice(asked.length)));

const connector = /^[\s'’s(]*(?:(?:of|the|and|de|la|for|on|du|von|van|al|&)\s+)*$/iu;

/** Whether only blanks, brackets or small words of names stand between two words of a name. */
export const joinsName = (between: string): boolean => connector.test(between);
