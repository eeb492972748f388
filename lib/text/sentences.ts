// Sentence segmentation of English text by UAX 29 (Intl.Segmenter), corrected at abbreviations,
// initials, list numbers, days, quoted questions and list items. Returns spans. No cut before a
// digit, nor before a small letter in uncased text: no evaluation set gains by it.
import { mustBe } from '../errors.js';

/** UTF-16 offsets into the passage, half-open, without surrounding white space. */
export interface Span {
  start: number;
  end: number;
}

let segmenter: Intl.Segmenter | undefined;
const words = (list: string): Set<string> => new Set(list.split(' '));

// Abbreviations before the word they belong to: a sentence does not end with them.
const leading = words(
  'mr mrs ms mx dr prof asst assoc rev hon sr fr st ste gen col lt maj capt cmdr adm sgt cpl ' +
    'pvt gov sen rep pres amb insp messrs mme mlle wm chas ed eds cit cf vs v viz al approx ca c ' +
    'b d r fl mt ft univ dept dist i.e e.g def bt feat incl excl dir illus arr trad elev pop',
);
// Abbreviations and words that are references before a number ("no. 5", "Fig. B", "vol. II") and
// otherwise end a sentence.
const numbered = words(
  'no nos nr vol vols p pp fig figs ref refs eq eqs ch chap sec art op bk pt par est',
);
const numeral = /^(?:\p{N}|[ivxlc]+\b|[IVXLC]{2,}\b|[B-Z]\b)/u;
// Abbreviations that may also end a sentence ("in the U.S. The next ..."): the next word decides.
const either = /^(?:(?:\p{L}\.){2,}|(?:jr|sr|inc|ltd|co|corp|bros|etc|kgl)\.)$/iu;
// A word of consonants alone is an abbreviation ("wkt.", "mfg."); after a number it is a unit,
// which often ends a sentence.
const consonants = /(?<!\p{N}\s?)(?<![\p{L}\p{N}])\p{Ll}{2,4}\.$/u;
const vowel = /[aeiouyà-ÿ]/;
const starters = words(
  'the a an in on at by for from to with as after before during when while since until this ' +
    'that these those it he she they his her their then however although though but and or so if ' +
    'we i you who what which where how one both all some many most its our my there here now ' +
    'today later soon another several such no not each every only',
);
const month =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;
const monthAbbreviation = /^(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.$/i;
const listNumber = /^\(?\d{1,3}[.)]$/;
const dayNumber = /^(?:0?[1-9]|[12]\d|3[01])\.$/;
const monthAndYear = /^(?:0?[1-9]|1[0-2])\.\s?\d{2,4}\b/;
const lastWord = /[^\s([{"“‘']*$/u;
const firstWord = /^[\s([{"“‘']*([\p{L}\p{N}]*)/u;
/** Context of a rule in characters, so that the whole stays linear in the text. */
const reach = 60;
/** UTF-16 units of a call of the segmenter, and of its end, where cuts are unreliable. */
const window = 2048;
const margin = 256;

/**
 * Longest sentence in UTF-16 units. Texts without stops (a transcript, a table in one line) are cut
 * at white space, so that each part has a vector and the work for a sentence is bounded.
 */
const longest = 8192;

/** No stop but at the end and within numbers, no line break: no need of the segmenter. */
const oneSentence = /^(?:[\t "-\-/->@-~À-ɏ°º–—‘’“”€£]|\.(?=\d))*[.!?]?[\t ]*$/;

/**
 * The sentences of a text in order, as the rows of a corpus have them: UTF-16 offsets, half-open,
 * without surrounding white space. A text of white space only has none.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a value that is no text
 * @example splitSentences('It opened in 1932. Nobody knows why.').map(({ start, end }) =>
 * text.slice(start, end))
 */
export function splitSentences(text: string): { start: number; end: number }[] {
  mustBe('a string', { text });
  const sentences: Span[] = [];
  for (const some of sentenceWindows(text)) for (const each of some) sentences.push(each);
  return sentences;
}

/**
 * The sentences window by window, for readers of long texts that yield to the event loop or stop
 * early. `from`: where to begin; what is before the first cut after it counts as a sentence.
 */
export function* sentenceWindows(text: string, from = 0): Generator<readonly Span[]> {
  let sentences: Span[] = [];
  if (text.length < window && oneSentence.test(text)) {
    push(sentences, text, 0, text.length);
    yield sentences;
    return;
  }
  const cased = /\p{Lu}/u.test(text);
  let start = from;
  const cut = (at: number): void => {
    if (at < text.length && continues(text, start, at, cased)) return;
    push(sentences, text, start, at);
    start = at;
  };
  for (const segments of unicodeSentences(text, from)) {
    for (const { start: first, end } of segments) {
      for (const at of missedCuts(text.slice(first, end))) cut(first + at);
      cut(end);
    }
    yield sentences;
    sentences = [];
  }
}

/** By UAX 29 in windows: the segmenter's time is quadratic in the sentences of one text. */
function* unicodeSentences(text: string, first: number): Generator<Span[]> {
  // Made here, since it takes as long as a tenth of all that is loaded.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  let size = window;
  for (let from = first; from < text.length; ) {
    const to = Math.min(text.length, from + size);
    const sentences: Span[] = [];
    for (const { index, segment } of segmenter.segment(text.slice(from, to))) {
      const start = from + index;
      const end = start + segment.length;
      // The deciding context may lie outside the window.
      if (to < text.length && end > to - margin) break;
      sentences.push({ start, end });
    }
    size = sentences.length === 0 ? 2 * size : window;
    from = sentences.at(-1)?.end ?? from;
    yield sentences;
  }
}

function push(sentences: Span[], text: string, from: number, to: number): void {
  while (to - from > longest) {
    const part = text.slice(from, from + longest);
    const blank = part.search(/\s\S*$/u);
    const end = from + (blank > 0 ? blank : part.replace(/[\uD800-\uDBFF]$/, '').length);
    push(sentences, text, from, end);
    from = end;
  }
  const part = text.slice(from, to);
  const trimmed = part.trim();
  if (trimmed.length === 0) return;
  const start = from + part.indexOf(trimmed);
  sentences.push({ start, end: start + trimmed.length });
}

/** Cuts that UAX 29 misses because a small letter follows: before the next list item, "b) Iron". */
function missedCuts(segment: string): number[] {
  const cuts: number[] = [];
  for (const stop of segment.matchAll(/\.["”’')\]]*\s+(?=\(?(?:\p{Ll}|\d{1,3})\)\s+\S)/gu)) {
    const before = segment.slice(Math.max(0, stop.index - reach), stop.index);
    const inParentheses =
      before.lastIndexOf('(') > before.lastIndexOf(')') && !stop[0].includes(')'); // "(cap. 44)"
    if (!inParentheses) cuts.push(stop.index + stop[0].length);
  }
  return cuts;
}

/** Whether the cut at `end` lies inside a sentence that began at `start`. */
function continues(text: string, start: number, end: number, cased: boolean): boolean {
  const tail = text.slice(Math.max(start, end - reach), end);
  if (/[\n\r\u2028\u2029]\s*$/u.test(tail)) return false; // a line's end always ends a sentence
  const next = text.slice(end, end + reach);
  // A table cell, or punctuation that no sentence starts with.
  if (/^[|,;:)\]}/]/.test(next)) return true;
  const trimmed = tail.trimEnd();
  const word = lastWord.exec(trimmed)?.[0] ?? '';
  if (trimmed === tail && /:\/\/|^www\./i.test(word)) return true; // "?" within an address
  if (/[?!]["”’')\]]*$/u.test(trimmed)) return continuesQuestion(trimmed, next, cased);
  if (end - start <= reach && listNumber.test(trimmed.trimStart())) return true; // "1." of a list
  if (!trimmed.endsWith('.')) return false;
  if (/\.\s?\.\s?\.$/.test(trimmed)) return /^\d/.test(next); // "1990, 1991, ... 1999"
  if (/\([^()]{0,40}(?<!\p{L})\p{Ll}{1,5}\.$/u.test(trimmed) && /^[^().]{1,40}\)/u.test(next))
    return true; // "(dir. Ann Lee)"
  if (cased && consonants.test(trimmed) && !vowel.test(closedUp(trimmed)))
    return !startsSentence(next);
  return continuesAbbreviation(closedUp(trimmed), next, cased);
}

const startsSentence = (next: string): boolean =>
  starters.has(firstWord.exec(next)?.[1]?.toLowerCase() ?? '');

/** "Stop!" she said; Who Is Ann? (1957); the musical Oklahoma! opened. */
function continuesQuestion(trimmed: string, next: string, cased: boolean): boolean {
  if (/^\(\d[^\p{L})]*\)/u.test(next)) return true;
  const quoted = /["”’')\]]$/u.test(trimmed) || /^["”’']/u.test(next);
  return (cased || quoted) && /^["”’'\s]*\p{Ll}/u.test(next);
}

function continuesAbbreviation(word: string, next: string, cased: boolean): boolean {
  const bare = word.slice(0, -1).toLowerCase();
  const initial = cased ? /^\p{Lu}\.$/u : /^\p{L}\.$/u;
  if (leading.has(bare) && bare.length > 1) return true;
  if (initial.test(word) || either.test(word)) return !startsSentence(next);
  // "5. May", "1. 4. 1902"
  if (dayNumber.test(word) && (month.test(next) || monthAndYear.test(next))) return true;
  // "Sept. 12", but "in Sept. Pupils ..."
  if (monthAbbreviation.test(word)) return !/^\p{L}/u.test(next) || month.test(next);
  if (numbered.has(bare)) return bare === 'no' ? /^\p{N}/u.test(next) : numeral.test(next);
  return leading.has(bare);
}

/** The last word with its stop; tokenised text has a space before it ("Newton D . Baker"). */
function closedUp(trimmed: string): string {
  return lastWord.exec(trimmed.replace(/\s+\.$/, '.'))?.[0] ?? '';
}
