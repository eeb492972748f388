// Words as they are written: what each is read as, and how they join to names.
import { utf16Units, type Analyzer } from '../../text/analyzer.js';

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

const trailing = /[.'’:/+−-]+$|['’]s$/u;
/** Numbers, amounts, versions ("v1.2", "V8.1"; "V8" is a name). */
const valueForm = /^(?:[v$#@]|V(?=\p{N}+\.))?[−-]?\p{N}/u;
/** The word of a pre-release: "12.0.0-beta.16". */
const stage = /^\D?\p{N}+(?:\.\p{N}+)+[.\-_]?(\p{L}{2,})/u;
const innerCapital = /[\p{L}\p{N}][._/-]?\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{L}[.\-/]\p{L}/u;

/** Where a character may stand in a written word: a digit, like a letter, everywhere. */
const [nowhere, behind, first, anywhere, digit] = [0, 1, 2, 3, 4] as const;
const unread = 255;
const roles = new Uint8Array(0x10000).fill(unread); // memo by UTF-16 unit

function readRole(character: string): number {
  if (/^\p{N}/u.test(character)) return digit;
  if (/^[\p{L}−]/u.test(character)) return anywhere;
  return /^[$#@]/.test(character) ? first : /^[_.'’+:/-]/.test(character) ? behind : nowhere;
}

/** Both surrogates have the role of their character, which the table does not hold. */
function readRoleAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit >= 0xe000) return (roles[unit] = readRole(text[at]!));
  const codePoint = text.codePointAt(unit < 0xdc00 ? at : at - 1) ?? 0;
  return codePoint > 0xffff ? readRole(String.fromCodePoint(codePoint)) : nowhere;
}

/**
 * Writes the spans of written words, which stand between blanks and punctuation, start and end in
 * turn:
 * letters and digits with signs before and inside ("v1.2", "$1,234", "mime-db"), and the
 * punctuation that follows. Returns how many there are. `units` are the text's, then one that is no
 * part of a word; `spans` has room for twice as many.
 */
export function writtenSpans(text: string, units: Uint16Array, spans: Int32Array): number {
  const { length } = text;
  const roleAt = (at: number): number => {
    const role = roles[units[at]!]!;
    return role === unread ? readRoleAt(text, at) : role;
  };
  const isThousands = (at: number): boolean =>
    units[at] === 0x2c && [at - 1, at + 1, at + 2, at + 3].every((each) => roleAt(each) === digit);
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    if (roleAt(at) < first) continue;
    spans[2 * count] = at;
    for (at += 1; at < length; at += 1) {
      const role = roleAt(at);
      if (role === first || (role === nowhere && !isThousands(at))) break;
    }
    spans[2 * count + 1] = at;
    count += 1;
    // It may be the first of the next one.
    at -= 1;
  }
  return count;
}

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

/** The text's UTF-16 units and a blank, in a copy that stays valid: analyzers use the scratch. */
export function unitsOf(text: string): Uint16Array {
  const units = utf16Units(text).slice(0, text.length + 1);
  units[text.length] = 0x20;
  return units;
}

/** The words of a question, which is one sentence, in order. */
export function wordsOf(
  text: string,
  analyzer: Analyzer,
  isTerm?: (compound: string) => boolean,
): PlacedWord[] {
  let opens = true;
  const words: PlacedWord[] = [];
  const spans = new Int32Array(2 * text.length);
  const count = writtenSpans(text, unitsOf(text), spans);
  for (let nth = 0; nth < count; nth += 1) {
    const start = spans[2 * nth]!;
    const read = readWritten(text.slice(start, spans[2 * nth + 1]), analyzer, isTerm);
    for (const { at, length, ...word } of read)
      words.push({ ...word, start: start + at, end: start + at + length, opens });
    opens &&= read.length === 0;
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
