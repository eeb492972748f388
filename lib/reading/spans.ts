// Answer spans: the stretches of a text that could be an answer, with what their form says they
// are. Rules over capitals, digits, the time tagger and English forms; no model, no list of names.
// It finds and does not choose.
import type { Mention } from '../time/mention.js';
import { names } from './names.js';

/**
 * Forms of spans: a name is any proper name, a phrase a description behind "was", "as" and the
 * like, a chunk any run of content words, code a word with signs or capitals inside.
 */
export type SpanForm =
  | 'date'
  | 'number'
  | 'score'
  | 'version'
  | 'name'
  | 'phrase'
  | 'chunk'
  | 'quoted'
  | 'code';

/** A stretch of the text, by UTF-16 offsets, half-open. */
export interface TextSpan {
  start: number;
  end: number;
  form: SpanForm;
}

/** Which end of a stretch of time is asked for. */
export type Bound = 'start' | 'end';

/**
 * The spans of `text`, in order of appearance, each once. `mentions` are the times in it; of a
 * stretch ("1868–1891") all, or the end that `bound` names.
 */
export function spansOf(text: string, mentions: readonly Mention[], bound?: Bound): TextSpan[] {
  // "Three years" answers no when, and "May 2021" neither who nor how many.
  const times = mentions.filter(({ timexType }) => timexType === 'DATE' || timexType === 'TIME');
  const blanked = blank(text, times);
  const versions = matches(blanked, version, 'version');
  const named = [
    ...names(blanked.replace(measured, (words) => ' '.repeat(words.length))).map(
      (span): TextSpan => ({ ...span, form: 'name' }),
    ),
    ...matches(blanked, program, 'version'),
  ];
  const quantities = numbers(blank(blanked.replace(result, '   '), versions));
  const found = [
    ...chunks(blanked),
    ...phrases(blanked),
    ...matches(blanked, identifier, 'code').filter(({ start, end }) =>
      signed.test(text.slice(start, end)),
    ),
    ...quoted(text),
    ...extended(text, named),
    ...named,
    ...matches(text, clockOffset, 'number'),
    ...counted(blanked).filter(({ start, end }) =>
      quantities.every((each) => each.start > start || each.end < end),
    ),
    ...quantities,
    ...versions,
    ...matches(blanked, scoreLine, 'score'),
    ...times
      .map((time) => dated(time, bound))
      .filter(({ start, end }) => !presentWord.test(text.slice(start, end))),
  ];
  return [...new Map(found.map((span) => [`${span.start} ${span.end}`, span])).values()].sort(
    (a, b) => a.start - b.start || a.end - b.end,
  );
}

/** What says when only to who reads it on the day. */
export const presentWord = /^(?:now|currently|presently|at present|nowadays|today)$/i;

function dated({ timexes }: Mention, bound: Bound | undefined): TextSpan {
  const first = timexes[bound === 'end' ? timexes.length - 1 : 0]!;
  const last = timexes[bound === 'start' ? 0 : timexes.length - 1]!;
  return { start: first.start, end: last.end, form: 'date' };
}

/** The text with stretches of it as blanks: offsets stay. */
function blank(text: string, times: readonly { start: number; end: number }[]): string {
  let blanked = '';
  let at = 0;
  for (const { start, end } of times) {
    blanked += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return blanked + text.slice(at);
}

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
const release = String.raw`\d{1,6}(?:[._]\d{1,6})`;
const suffix = String.raw`[-_.+]?\p{L}{1,10}(?:[.-]?\d{1,4})?`;
/** "4.2.1", "v1.0", "5.6-RC1"; with the program before it "Varn 4.2", "Varn 12". */
const version = new RegExp(
  String.raw`(?<![\p{N}.,_\p{Sc}]|(?<!-)(?!(?<=(?<!\p{L})v))(?<=\p{L}))(?:${release}{2,}(?:${suffix})?|${release}${suffix}|(?<=v)${release}+)` +
    String.raw`(?![\p{L}\p{N}%])`,
  'gu',
);
const program = new RegExp(
  String.raw`(?<![\p{L}\p{N}.-])(?:\p{Lu}[\p{L}\p{N}+#/-]*\s){1,3}v?\d{1,4}(?:[._]\d{1,6})*(?:${suffix})?(?:\s\p{Lu}{2,4}\b)?(?![\p{L}\p{N}%])`,
  'gu',
);
/** The unit of a quantity, which is no name ("8 MB"). */
const measured = new RegExp(String.raw`(?<=\d\s?)(?:${measure})(?![\p{L}\p{N}])`, 'gu');
/** "2–0": no number of its own. */
const result = /(?<![\d.,–-])\d[–-]\d(?![\d–-])/g;
const quantity = new RegExp(
  String.raw`(?:(?<=^|[\s(|])[+−-](?=[\d$€£¥]))?(?<![\p{L}\d.,])(?:US|A|C|NZ|HK)?[$€£¥]?\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:${unit}))?`,
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

/** "UTC+5:30", "-03:00". */
const clockOffset = /(?:(?:UTC|GMT)\s?)?[+−-]\d{1,2}(?::?\d{2})?(?![\d.%])/gu;

/** A number with up to three words of what it counts: "310.2 parts per million". */
function counted(text: string): TextSpan[] {
  const found: TextSpan[] = [];
  for (const { 0: words, index } of text.matchAll(countedNoun)) {
    const start = index + words.search(/\S/);
    for (const { index: at } of words
      .slice(words.search(/\d\s\p{Ll}/u) + 2)
      .matchAll(/(?<=\p{Ll})(?=\s|$)/gu))
      found.push({ start, end: index + words.search(/\d\s\p{Ll}/u) + 2 + at, form: 'number' });
  }
  return found;
}
const noun = String.raw`(?!(?:of|in|on|at|to|by|and|for|from|after|before|was|is|were|are|as|with)\b)\p{Ll}[\p{L}-]*`;
const countedNoun = new RegExp(
  String.raw`(?<![\p{L}\d.,\p{Sc}-])(?:(?<![^\s(])[+−-])?\d[\d,]*(?:\.\d+)?\s${noun}` +
    String.raw`(?:\s(?:per|of|an?)\s\p{Ll}[\p{L}-]*|\s${noun})?`,
  'gu',
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
  return [...text.matchAll(/["“`]([^"“”`\n]{2,80})["”`]/gu)].map((match) => {
    const start = match.index + 1;
    return { start, end: start + match[1]!.length, form: 'quoted' };
  });
}

const identifier =
  /(?<![\p{L}\p{N}_/.-])(?:--?(?=\p{L}))?[\p{L}_$][\p{L}\p{N}_$]{0,40}(?:(?:::|->|[.:/-])[\p{L}\p{N}_$]{1,40}){0,6}(?:\(\))?/gu;
/** What a word of prose does not have inside. */
const signed = /^-|[_$()]|::|->|\p{L}[.:/]\p{L}|\p{Ll}\p{Lu}|\p{L}\d/u;

const small = String.raw`(?!(?:of|for|at|in|to|and|the|by|with|from)\b)\p{Ll}[\p{L}-]*`;
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

/** Runs of up to six content words. */
function chunks(text: string): TextSpan[] {
  const found: TextSpan[] = [];
  let run: { start: number; end: number }[] = [];
  const close = (): void => {
    if (run.length > 0 && run.length <= 6)
      found.push({ start: run[0]!.start, end: run.at(-1)!.end, form: 'chunk' });
    run = [];
  };
  let end = -1;
  for (const { 0: word, index } of text.matchAll(contentWord)) {
    if (text.slice(end, index) !== ' ') close();
    end = index + word.length;
    if (functional.has(word.toLowerCase())) close();
    else run.push({ start: index, end });
  }
  close();
  return found;
}

/** Names with the one or two words in lower case behind them, and with a bracket behind them. */
function extended(text: string, named: readonly TextSpan[]): TextSpan[] {
  return named.flatMap(({ start, end }) => {
    const behind = /^((?:\s\p{Ll}[\p{L}-]*){0,2}?)(\s\([^()\n]{1,40}\))/u.exec(
      text.slice(end, end + 80),
    );
    const bracketed: TextSpan[] = behind
      ? [{ start, end: end + behind[0].length, form: 'chunk' }]
      : [];
    const found: TextSpan[] = [];
    let at = end;
    for (let words = 0; words < 2; words += 1) {
      const word = /^\s(\p{Ll}[\p{L}-]*)/u.exec(text.slice(at, at + 40));
      if (!word || functional.has(word[1]!)) break;
      at += word[0].length;
      found.push({ start, end: at, form: 'chunk' });
    }
    return [...found, ...bracketed];
  });
}

const contentWord = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’.-]*[\p{L}\p{N}])?/gu;

// Descriptions that are no names: after the words that give somebody an office, a use or a place.
const giving =
  'as|became|becoming|was|is|were|been|be|appointed|elected|named|made|promoted to|rank ' +
  'of|position of|post of|role of|office of|title of|job of|' +
  'worked as|served as|acting as|to';
const leadIn =
  'as|to be|the|a|an|its|his|her|their|first|new|acting|full|appointed|elected|named|made|' +
  'promoted to';
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
