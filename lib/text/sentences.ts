// Splits a passage into sentences by Unicode's rules (UAX 29, through Intl.Segmenter) and joins again what those rules cut
// after abbreviations, initials and list numbers. It gives spans, not strings: offsets stay valid in the passage.

/** UTF-16 offsets into the passage, half-open, without surrounding white space. */
export interface Span {
  start: number;
  end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

// Abbreviations that are followed by what they belong to: a sentence does not end with them.
const leading = new Set(
  ('mr mrs ms mx dr prof rev hon sr fr st ste gen col lt maj capt cmdr adm sgt cpl pvt gov sen rep pres amb insp messrs mme mlle ' +
    'no nos vol vols pp p fig figs ch sec art ed eds op cit cf vs v viz al approx ca c b d r fl est ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mt ft univ dept dist bros').split(' '),
);
// Abbreviations that may also end a sentence ("in the U.S. The next ..."): what follows decides.
const either = /^(?:(?:\p{L}\.){2,}|(?:jr|sr|inc|ltd|co|corp|etc|kgl)\.)$/iu;
const starters = new Set(
  ('the a an in on at by for from to with as after before during when while since until this that these those it its he she they his ' +
    'her their there then however although though but and or so if we i you who what which where how one both all some many most').split(' '),
);
const initial = /^\p{Lu}\.$/u;
const listNumber = /^\(?\d{1,3}[.)]$/;
const lastWord = /[^\s([{"“‘']*$/u;
const firstWord = /^[\s([{"“‘']*([\p{L}\p{N}]*)/u;

/** The sentences of a text in order. A text of white space only has none. */
export function splitSentences(text: string): Span[] {
  const sentences: Span[] = [];
  let open: number | undefined; // where a sentence began that is being continued
  for (const { index, segment } of segmenter.segment(text)) {
    const start = open ?? index;
    const end = index + segment.length;
    if (continues(text, start, end)) {
      open = start;
      continue;
    }
    open = undefined;
    push(sentences, text, start, end);
  }
  if (open !== undefined) push(sentences, text, open, text.length);
  return sentences;
}

function push(sentences: Span[], text: string, from: number, to: number): void {
  const part = text.slice(from, to);
  const trimmed = part.trim();
  if (trimmed.length === 0) return;
  const start = from + part.indexOf(trimmed);
  sentences.push({ start, end: start + trimmed.length });
}

/** Whether the cut at `end` falls inside a sentence that began at `start`. */
function continues(text: string, start: number, end: number): boolean {
  if (end >= text.length) return false;
  const tail = text.slice(Math.max(start, end - 40), end);
  if (/[\n\r\u2028\u2029]\s*$/u.test(tail)) return false; // a line's end always ends a sentence
  const trimmed = tail.trimEnd();
  if (listNumber.test(trimmed) && text.slice(start, end).trim() === trimmed) return true; // "1." of a list
  if (!trimmed.endsWith('.')) return false;
  const word = lastWord.exec(trimmed)?.[0] ?? '';
  if (initial.test(word) || either.test(word)) return !isStarter(text, end);
  return leading.has(word.slice(0, -1).toLowerCase());
}

function isStarter(text: string, at: number): boolean {
  const next = firstWord.exec(text.slice(at, at + 30))?.[1] ?? '';
  return starters.has(next.toLowerCase());
}
