// Candidate answer spans: the stretches of a text that could be an answer by their form alone. It
// finds and does not choose, and knows no names, units or offices.
import type { Mention } from '../time/mention.js';

/**
 * Forms of spans: a value has a digit or spells a number, a chunk is a run of content words, a
 * phrase such runs joined by a preposition, code a word with signs or capitals inside.
 */
export const spanForms = ['date', 'value', 'name', 'quoted', 'code', 'chunk', 'phrase'] as const;
/** See `spanForms`. */
export type SpanForm = (typeof spanForms)[number];

/** A stretch of the text, by UTF-16 offsets, half-open. */
export interface TextSpan {
  start: number;
  end: number;
  form: SpanForm;
}

/** The spans of a sentence, each once, in order of appearance; `mentions` are the times in it. */
export function spansOf(text: string, mentions: readonly Mention[]): TextSpan[] {
  // "Three years" answers no when.
  const dates = mentions
    .filter(({ timexType }) => timexType === 'DATE' || timexType === 'TIME')
    .flatMap(({ timexes }) => timexes)
    .filter(({ start, end }) => !presentWord.test(text.slice(start, end)));
  const undated = blank(text, dates);
  const found: TextSpan[] = [
    ...runs(undated),
    ...matches(undated, identifier, 'code'),
    ...matches(text, quotation, 'quoted'),
    ...names(undated),
    ...matches(undated, spelled, 'value').flatMap((span) => withUnits(undated, span)),
    ...matches(undated, result, 'value'),
    ...matches(undated, value, 'value').flatMap((span) =>
      withUnits(undated, closed(undated, span)),
    ),
    ...dates.map(({ start, end }): TextSpan => ({ start, end, form: 'date' })),
  ];
  return [...new Map(found.map((span) => [`${span.start} ${span.end}`, span])).values()].sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
}

/** What says when only to who reads it on the day. */
const presentWord = /^(?:now|currently|presently|at present|nowadays|today)$/i;

/** The text with stretches of it as line ends, which no span crosses: offsets stay. */
function blank(text: string, times: readonly { start: number; end: number }[]): string {
  let blanked = '';
  let at = 0;
  for (const { start, end } of times) {
    blanked += text.slice(at, start) + '\n'.repeat(end - start);
    at = end;
  }
  return blanked + text.slice(at);
}

const matches = (text: string, pattern: RegExp, form: SpanForm): TextSpan[] =>
  [...text.matchAll(pattern)].map(({ 0: words, index }) => ({
    start: index,
    end: index + words.length,
    form,
  }));

const quotation = /(?<=["“`])[^"“”`\n]{2,80}(?=["”`])/gu;
/** A word with signs or capitals inside, as prose does not write them. */
const identifier =
  /(?<![\p{L}\p{N}_/.-])(?=-?-?[^\s\d]{0,60}?(?:[_$()]|::|->|\p{L}[.:/]\p{L}|\p{Ll}\p{Lu}|^-))(?:--?)?[\p{L}_$][\p{L}\p{N}_$]{0,40}(?:(?:::|->|[.:/-])[\p{L}\p{N}_$]{1,40}){0,6}(?:\(\))?/gu;

/** Sets and innings: "7-6(2) 5-7 6-4". */
const result =
  /(?<![\d-])\d{1,3}[-–]\d{1,3}(?:\(\d+\))?(?:[, ]+\d{1,3}[-–]\d{1,3}(?:\(\d+\))?)+(?![\d-])/gu;
const magnitude = String.raw`(?:\s?(?:%|per ?cent\b|(?:hundred|thousand|[mbt]r?illion)\b))?`;
/** What stands between blanks and marks and has a digit, with an operator or a currency before. */
const value = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:[<>=~^]{1,2}\s?)?(?:\p{L}{0,3}\p{Sc}\s?)?[\p{L}\p{N}_+−-]{0,20}\d` +
    String.raw`(?:[\p{L}\p{N}_+~%°−–/()-]|[.,:](?=[\p{L}\p{N}]))*(?<![(/–-])${magnitude}`,
  'gu',
);
const ones = 'one|two|three|four|five|six|seven|eight|nine';
const spelled = new RegExp(
  String.raw`\b(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ](?:${ones}))?|(?:thir|four|fif|` +
    String.raw`six|seven|eigh|nine)teen|ten|eleven|twelve|${ones})\b${magnitude}`,
  'giu',
);

/** Without a bracket that closes one before the span. */
function closed(text: string, span: TextSpan): TextSpan {
  const words = text.slice(span.start, span.end);
  return words.endsWith(')') && !words.includes('(') ? { ...span, end: span.end - 1 } : span;
}

/** The span, and with the words behind it that may be its unit or what it counts. */
function withUnits(text: string, span: TextSpan): TextSpan[] {
  const found = [span];
  const behind = text.slice(span.end, span.end + 60);
  let end = 0;
  for (const { 0: word, index } of behind.matchAll(
    /\s?(?:per\s|an?\s|°\s?)?(?:\p{L}[\p{L}/²³-]*|%)/gu,
  )) {
    if (index !== end || found.length > 3 || functional.has(word.trim())) break;
    end = index + word.length;
    if (end === behind.length && span.end + end < text.length) break; // may be half a word
    found.push({ ...span, end: span.end + end });
  }
  // "449 million" is short of its crowns.
  const isShort =
    found.length > 1 && /(?:hundred|thousand|illion)$/.test(text.slice(span.start, span.end));
  return isShort ? found.slice(1) : found;
}

/** A word with a capital first, or the number behind one ("Windows 10"). */
const capitalised =
  /(?<![\p{L}\p{N}_])(?:\p{Lu}(?:[\p{L}\p{M}\p{N}&/+#-]|['’](?!s\b))*|(?<=\p{Lu}\p{L}* )\p{N}[\p{L}\p{N}.]*(?![\p{N}–-]))/gu;
/** What a stop belongs to, rather than to the end of a sentence. */
const abbreviated = /\b(?:\p{Lu}|Mr|Dr|St|Mrs|Jr|Sr|Lt|Col|Gen|Capt)$/u;
const particles = 'de|da|do|dos|di|del|della|van|von|der|den|la|le|el|al|bin|y|du|des';
/** What may stand between the words of a name, ever more. */
const joints = [particles, `${particles}|of`, `${particles}|of|and|the|for|in|on|at|a|&`].map(
  (between) => new RegExp(`^\\.? (?:(?:${between}) ){0,2}$`),
);

/** Runs of capitalised words with the particles of names, with "of", and with more small words. */
function names(text: string): TextSpan[] {
  const words = Array.from(text.matchAll(capitalised), ({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }));
  const joined = words.map(({ start }, at) => jointOf(text, words[at - 1]?.end ?? start, start));
  const found: TextSpan[] = [];
  for (const most of joints.keys())
    for (let [from, to] = [0, 1]; from < words.length; from = to, to += 1) {
      while (to < words.length && joined[to]! <= most) to += 1;
      const { start } = words[from]!;
      const run = text.slice(start, words[to - 1]!.end);
      // "The" or "In" that opens a sentence is no name.
      const lead = /^(\p{L}+)\s/u.exec(run);
      const skipped = lead && functional.has(lead[1]!.toLowerCase()) ? lead[0].length : 0;
      const end = run.replace(/['’&/+-]+$/, '').length;
      if (end > skipped && !functional.has(run.slice(skipped, end).toLowerCase()))
        found.push({ start: start + skipped, end: start + end, form: 'name' });
    }
  return found;
}

/** Place of the first of `joints` that joins two words; Infinity where none does. */
function jointOf(text: string, end: number, start: number): number {
  const between = text.slice(end, start);
  if (between === ' ') return 0;
  if (between.startsWith('.') && !abbreviated.test(text.slice(Math.max(0, end - 5), end)))
    return Infinity;
  const place = joints.findIndex((joint) => joint.test(between));
  return place < 0 ? Infinity : place;
}

/** Words that end a run of content words. */
export const functional = new Set(
  (
    'the a an this that these those its his her their our your my it he she they we you i who ' +
    'which what when where how of for at in on to by with from as into over under after before ' +
    'since until between during against than about and or but so if because while although is ' +
    'are was were be been being has have had do does did will would can could may might must ' +
    'shall should not no there then also now'
  ).split(' '),
);

const contentWord = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’.-]*[\p{L}\p{N}])?/gu;
const joining = /^ (?:of|for|at|in|on|to|by|with|from|and)(?: (?:the|an?|his|her|its|their))? $/;
const longestRun = 6;

/** Runs of content words, and two or three of them with what joins them. */
function runs(text: string): TextSpan[] {
  const chunks: TextSpan[] = [];
  for (const { 0: word, index } of text.matchAll(contentWord)) {
    if (functional.has(word.toLowerCase())) continue;
    const last = chunks.at(-1);
    if (last && text.slice(last.end, index) === ' ') last.end = index + word.length;
    else chunks.push({ start: index, end: index + word.length, form: 'chunk' });
  }
  const phrases = chunks.flatMap(({ start }, at): TextSpan[] => {
    const found: TextSpan[] = [];
    for (let to = at + 1; to < Math.min(chunks.length, at + 3); to += 1) {
      if (!joining.test(text.slice(chunks[to - 1]!.end, chunks[to]!.start))) break;
      found.push({ start, end: chunks[to]!.end, form: 'phrase' });
    }
    return found;
  });
  return [...chunks, ...phrases].filter(
    ({ start, end }) => text.slice(start, end).split(' ').length <= 2 * longestRun,
  );
}
