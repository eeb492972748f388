// Typed answer spans: the stretches of a text that could be an answer of some kind. Rules over
// capitals, digits, the time tagger and English forms; no model, no list of names. It finds and
// does not choose.
import type { Mention } from '../time/mention.js';
import type { AnswerType } from '../text/answerType.js';

/** A stretch of the text, by UTF-16 offsets, half-open. */
export interface TextSpan {
  start: number;
  end: number;
  /** What its form says it is: a name is any proper name, a phrase an uncapitalised description. */
  form: 'date' | 'number' | 'score' | 'name' | 'phrase' | 'quoted';
}

/** Which end of a stretch of time is asked for. */
export type Bound = 'start' | 'end';

/**
 * The spans of `text` that could be an answer of the kind, in order of appearance. `mentions` are
 * the times in it; of a stretch ("1868–1891") all, or the end that `bound` names.
 */
export function spansOf(
  kind: AnswerType,
  text: string,
  mentions: readonly Mention[],
  bound?: Bound,
): TextSpan[] {
  // "Three years" answers no when, and "May 2021" neither who nor how many.
  const times = mentions.filter(({ timexType }) => timexType === 'DATE' || timexType === 'TIME');
  if (kind === 'date')
    return times
      .map((time) => dated(time, bound))
      .filter(({ start, end }) => !presentWord.test(text.slice(start, end)));
  const blanked = blank(text, times);
  if (kind === 'score') return matches(blanked, scoreLine, 'score');
  if (kind === 'version') return matches(blanked, version, 'name');
  if (kind === 'number') return numbers(blanked.replace(result, '   '));
  const named = names(blanked.replace(measured, (words) => ' '.repeat(words.length)));
  const found = kind === 'person' ? named : [...named, ...phrases(blanked), ...quoted(text)];
  return unique(found).sort((a, b) => a.start - b.start || a.end - b.end);
}

/** What says when only to who reads it on the day. */
export const presentWord = /^(?:now|currently|presently|at present|nowadays|today)$/i;

function dated({ timexes }: Mention, bound: Bound | undefined): TextSpan {
  const first = timexes[bound === 'end' ? timexes.length - 1 : 0]!;
  const last = timexes[bound === 'start' ? 0 : timexes.length - 1]!;
  return { start: first.start, end: last.end, form: 'date' };
}

/** The text with its dates as blanks: offsets stay. */
function blank(text: string, times: readonly Mention[]): string {
  let blanked = '';
  let at = 0;
  for (const { start, end } of times) {
    blanked += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return blanked + text.slice(at);
}

const unique = (spans: readonly TextSpan[]): TextSpan[] => [
  ...new Map(spans.map((span) => [`${span.start} ${span.end}`, span])).values(),
];

const matches = (text: string, pattern: RegExp, form: TextSpan['form']): TextSpan[] =>
  [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    form,
  }));

// Two numbers or more joined by hyphens, in sets or innings: 7-6(2) 5-7 6-4.
const scoreLine =
  /(?<![\d-])\d{1,3}[-–]\d{1,3}(?:\s?\(\d+\))?(?:[, ]+\d{1,3}[-–]\d{1,3}(?:\s?\(\d+\))?)*(?![\d-])/gu;
/** Alternatives of a pattern: the names of currencies. */
export const currency =
  'dollars?|euros?|pounds?|cents?|pence|yen|yuan|rupees?|roubles?|rubles?|francs?|crowns?|' +
  'kron(?:a|or|e|er)|marks?|pesos?|lira|dinars?|shillings?|' +
  'guilders?|rand|reais|baht|zloty(?:s|ch)?';
/** Alternatives of a pattern: the units of measures. */
export const measure =
  '[kMGTP]i?B|kilomet(?:re|er)s?|met(?:re|er)s?|[kcm]?m(?:²|³)?|hectares?|acres?|miles?|feet|' +
  'foot|ft|inch(?:es)?|yards?|[km]?g|' +
  'kilograms?|tonnes?|tons?|' +
  'lit(?:re|er)s?|°\\s?[CF]|degrees|[CF]|seconds?|minutes?|hours?|days|weeks|months|[kMG]?Hz|' +
  '[kMG]Wh?|watts?|volts?|horsepower|hp|mph|knots';
const unit =
  String.raw`%|per ?cent\b|(?:million|billion|trillion|thousand|` +
  String.raw`hundred)\b(?: (?:${currency})\b)?|(?:${currency})\b|` +
  String.raw`(?:${measure})(?![\p{L}\p{N}])(?:\s?/\s?(?:s|h|min|hour|day)\b| (?:an|per) hour\b)?|°`;
/** "Varn 4.2", "Varn 12", "v1.0.3", "4.2". */
const version =
  /(?<![\p{L}\p{N}.-])(?:\p{Lu}[\p{L}\p{N}+#-]*\sv?\d{1,4}(?:\.\d{1,4}){0,3}|v?\d{1,4}(?:\.\d{1,4}){1,3})(?![\p{L}\p{N}%])/gu;
/** The unit of a quantity, which is no name ("8 MB"). */
const measured = new RegExp(String.raw`(?<=\d\s?)(?:${measure})(?![\p{L}\p{N}])`, 'gu');
/** "2–0": no number of its own. */
const result = /(?<![\d.,–-])\d[–-]\d(?![\d–-])/g;
const quantity = new RegExp(
  String.raw`(?<![\p{L}\d.,])(?:US|A|C|NZ|HK)?[$€£¥]?\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:${unit}))?`,
  'gu',
);
const ones = 'one|two|three|four|five|six|seven|eight|nine';
const teens = 'ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen';
const tens = 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety';
/** "Replaced by one of 155 cm" counts nothing. */
const pronoun = String.raw`one (?:of|who|which|that|in|on|at|to|by|with|from|was|is)\b`;
const spelled = new RegExp(
  String.raw`\b(?!${pronoun})(?:(?:${tens})(?:[- ](?:${ones}))?|${teens}|${ones})(?: (?:hundred|` +
    String.raw`thousand|million|billion))?\b`,
  'giu',
);

function numbers(text: string): TextSpan[] {
  const trimmed = matches(text, quantity, 'number').map((span) => {
    const words = text.slice(span.start, span.end);
    return {
      ...span,
      start: span.start + (words.length - words.trimStart().length),
      end: span.start + words.replace(/[,\s]+$/u, '').length,
    };
  });
  return [...trimmed, ...matches(text, spelled, 'number')].filter(({ start, end }) => end > start);
}

function quoted(text: string): TextSpan[] {
  return [...text.matchAll(/["“]([^"“”\n]{2,80})["”]/gu)].map((match) => {
    const start = match.index + 1;
    return { start, end: start + match[1]!.length, form: 'quoted' };
  });
}

const capital =
  /^(?:\p{Lu}[\p{L}\p{M}\p{N}'’.&/-]*|\p{N}+(?:st|nd|rd|th)|[a-z]{0,3}[-'’]\p{Lu}[\p{L}\p{M}'’-]*)$/u;
const joint = new Set([
  'of',
  'the',
  'de',
  'da',
  'do',
  'dos',
  'di',
  'del',
  'della',
  'van',
  'von',
  'zu',
  'der',
  'den',
  'la',
  'le',
  'el',
  'al',
  'bin',
  'ibn',
  'y',
  'e',
  'and',
  '&',
  'for',
  'du',
  'des',
  'in',
  'on',
  'at',
  'a',
]);
// Small words that hold a name together wherever they stand; the others only open a longer reading
// of it.
const tight = new Set([
  'of',
  'de',
  'da',
  'do',
  'dos',
  'di',
  'del',
  'della',
  'van',
  'von',
  'zu',
  'der',
  'den',
  'la',
  'le',
  'el',
  'al',
  'bin',
  'ibn',
  'y',
  'e',
  '&',
  'du',
  'des',
]);

/** A word with its place and what stands around it. */
interface Word {
  start: number;
  end: number;
  bare: string;
  /** A comma, stop or bracket follows. */
  closes: boolean;
  opens: boolean;
  first: boolean;
}

/** What is longer is no word of a name, and would cost its square to look at. */
const longestWord = 80;

const tailPattern = new RegExp(
  String.raw`(?:['’]s)?[)\]}"”’,;:!?–—]*(?:(?<!\b\p{Lu}|\b(?:Mr|Dr|St|Mrs|Jr|Sr|Inc|Co|Ltd|Lt|` +
    String.raw`Col|Gen|Capt))\.)?[)\]}"”’,;:!?]*$`,
  'u',
);

function wordsOf(text: string): Word[] {
  let first = true;
  return [...text.matchAll(/\S+/gu)].map((match) => {
    const [word] = match;
    if (word.length > longestWord)
      return { start: match.index, end: match.index, bare: '', closes: true, opens: true, first };
    const lead = /^[([{"“‘'–—-]+/u.exec(word)?.[0].length ?? 0;
    const tail = tailPattern.exec(word.slice(lead))?.[0].length ?? 0;
    const start = match.index + lead;
    const end = Math.max(start, match.index + word.length - tail);
    const made = {
      start,
      end,
      bare: text.slice(start, end),
      closes: tail > 0,
      opens: lead > 0,
      first,
    };
    first = (/[.!?]["”’)]*$/u.test(word) && !/^\p{Lu}\.$/u.test(word)) || /^[-–—•*]$/u.test(word);
    return made;
  });
}

/**
 * Runs of capitalised words, with the small words that join them; a sentence's first word counts
 * only in a longer run.
 */
function names(text: string): TextSpan[] {
  const found: TextSpan[] = [];
  let run: Word[] = [];
  const close = (): void => {
    while (run.length > 0 && joint.has(run.at(-1)!.bare)) run.pop();
    if (run.length > 0) found.push(...readings(run));
    run = [];
  };
  let last: Word | undefined;
  for (const word of wordsOf(text)) {
    const gap = last === undefined ? '' : text.slice(last.end, word.start);
    // A blank that is longer than a year was a date: "Lund from 2011 to 2016 and Brann" are two
    // names, "Rio 2016 Olympics" is one.
    const apart = gap.includes('\n') || gap.length > 6;
    if (word.opens || apart) close();
    if (word.bare === '') close();
    else if (
      capital.test(word.bare) &&
      !common.has(word.bare.toLowerCase()) &&
      !(word.first && adverbs.test(word.bare))
    )
      run.push(word);
    else if (capital.test(word.bare) && run.length > 0) run.push(word);
    else if (run.length > 0 && joint.has(word.bare) && !word.closes) run.push(word);
    else close();
    if (word.closes) close();
    last = word;
  }
  close();
  return found;
}

/** The whole run, and its parts where loose small words ("and", "in", "the") join them. */
function readings(run: readonly Word[]): TextSpan[] {
  const span = (words: readonly Word[]): TextSpan => ({
    start: words[0]!.start,
    end: words.at(-1)!.end,
    form: 'name',
  });
  const parts: Word[][] = [[]];
  for (const word of run) {
    if (joint.has(word.bare) && !tight.has(word.bare)) parts.push([]);
    else parts.at(-1)!.push(word);
  }
  const isName = ({ bare }: Word): boolean => !joint.has(bare);
  const apart = parts
    .filter((part) => part.some(isName))
    .map((part) => part.slice(part.findIndex(isName), part.findLastIndex(isName) + 1));
  // "Ana Lind of Norway", "the University of Oslo": what stands before "of" may be all of the name.
  const heads = apart
    .map((part) =>
      part.slice(
        0,
        part.findIndex((word) => word.bare === 'of'),
      ),
    )
    .filter((head, at) => head.length > 0 && head.length < apart[at]!.length - 1);
  return [...(parts.length === 1 ? [] : [span(run)]), ...apart.map(span), ...heads.map(span)];
}

// Descriptions that are no names: after the words that give somebody an office, a use or a place.
const giving =
  'as|became|becoming|was|is|were|been|be|appointed|elected|named|made|promoted to|rank ' +
  'of|position of|post of|role of|office of|title of|job of|' +
  'worked as|served as|acting as|to';
const leadIn =
  'as|to be|the|a|an|its|his|her|their|first|new|acting|full|appointed|elected|named|made|' +
  'promoted to';
const small = String.raw`(?!(?:of|for|at|in|to|and|the|by|with|from)\b)\p{Ll}[\p{L}-]*`;
const proper = String.raw`\p{Lu}[\p{L}\p{M}.'’&-]*`;
const role = new RegExp(
  String.raw`\b(?:${giving})(?: (?:${leadIn}))* ` +
    String.raw`((?:${small}\s){0,3}${small}(?:\s(?:of|for|at|in|to|and)\s(?:the\s)?(?:${proper}|` +
    String.raw`${small}(?:\s${small})?)(?:\s(?:of\s|and\s|the\s|` +
    String.raw`for\s)?${proper}){0,6})?)`,
  'gu',
);

function phrases(text: string): TextSpan[] {
  const found: TextSpan[] = [];
  for (const match of text.matchAll(role)) {
    const words = match[1]!.replace(/\s(?:and|of|for|at|in|to|the|by|with|from)$/u, '');
    const start = match.index + match[0].length - match[1]!.length;
    found.push({ start, end: start + words.length, form: 'phrase' });
    // Without what follows "of", "for", "at": the office alone.
    const office = /^[^\s]+(?:\s\p{Ll}[\p{L}-]*)*?(?=\s(?:of|for|at|in|to|and)\s)/u.exec(
      words,
    )?.[0];
    if (office !== undefined) found.push({ start, end: start + office.length, form: 'phrase' });
  }
  return found;
}

const adverbs = new RegExp(
  '^(?:Later|Today|Currently|Initially|Originally|Eventually|Subsequently|Previously|Formerly|' +
    'Afterwards?|Meanwhile|Soon|Finally|' +
    'Following|Under|Born|Prior|Upon|According|Once|Also|Since|Due|Despite|Both|All|Many|Most|' +
    'Some|No|Not|Built|Founded|Established|' +
    'Located|Between|Around|About|Over|Through|Throughout|Instead|' +
    'Thus|Hence|Several|Another|Other|Such|Only|Even|Here|What|Who|When|Where|Which|How|Why)$',
);
const common = new Set(
  (
    'the a an in on at by for from to with as after before during when while since until ' +
    'this that these those it its he she they his her their ' +
    'there then however although but and or so if we i you'
  ).split(' '),
);
