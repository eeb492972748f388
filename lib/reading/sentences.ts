// Sentences of passages as the extractive reader sees them: the question's words in each, weighted
// by how few of the sentences have them, and the times of the passage. The title is a sentence too.
import { firstIndex } from '../runtime/firstIndex.js';
import { expandAbbreviations } from '../text/abbreviations.js';
import type { AnswerType } from '../text/answerType.js';
import { englishAnalyzer } from '../text/analyzer.js';
import { inflections, isIrregular } from '../text/inflections.js';
import { splitSentences, type Span } from '../text/sentences.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { tagText } from '../time/tagger.js';
import type { ReadablePassage } from './answer.js';
import { eventWord } from './clauses.js';
import { PassageMentions } from './dating.js';
import { focusOf } from './focus.js';
import { verbAsked } from './subjects.js';

// One for the process: it caches stems.
const analyzer = englishAnalyzer();

/** A passage with its title before its text, in one string that all offsets are of. */
export interface ReadPassage {
  passage: ReadablePassage;
  rank: number;
  text: string;
  mentions: PassageMentions;
  titleStems: ReadonlySet<string>;
  /** The title first, where there is one. */
  sentences: readonly ReadSentence[];
}

export interface ReadSentence {
  span: Span;
  text: string;
  isTitle: boolean;
  /** Where its stems begin and end in the passage. */
  starts: readonly number[];
  ends: readonly number[];
  /** Which of them are of what is asked, and of which of its stems. */
  said: readonly SaidWord[];
}

/** A word of the question's: its place among the sentence's stems and the question's. */
interface SaidWord {
  at: number;
  asked: number;
}

/** What is asked, in stems: all of the question's, and those of its content with their weights. */
export interface AskedWords {
  all: ReadonlySet<string>;
  stems: readonly string[];
  weights: Float64Array;
  total: number;
  /** The place among the stems of what happened, where its date is asked for; else -1. */
  event: number;
  /** The places among the stems of the noun phrase that names what is asked for. */
  focus: ReadonlySet<number>;
  /** The place among the stems of the verb of which who did it is asked for; -1 where it is not. */
  verb: number;
}

/** Stems of words, of which passages have most several times. */
export type StemsOf = (words: string) => readonly string[];

export function stemmer(): StemsOf {
  const known = new Map<string, readonly string[]>();
  return (words) => {
    let stems = known.get(words);
    if (!stems) known.set(words, (stems = analyzer.analyze(words)));
    return stems;
  };
}

/**
 * A word with signs inside is a word of its own, beside its parts: "4.2.1", "mime-types". Begins
 * where a word does, so that no word is read from each of its letters.
 */
const compound = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[._/-][\p{L}\p{N}]+)+/gu;

// Words of questions that say nothing of what is asked about.
const filler = new Set(
  (
    'who whom whose what which where when how did do doe name were has had from period time ' +
    'person he she hi her'
  ).split(' '),
);

/** The passages in sentences, with the words that the question asks by. */
export function readSentences(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
  kind: AnswerType | undefined,
  stemsOf: StemsOf,
): { read: ReadPassage[]; asked: AskedWords } {
  const content = new Set([
    ...stemsOf(question.mainContent).filter((stem) => !filler.has(stem)),
    ...(question.mainContent.toLowerCase().match(compound) ?? []),
  ]);
  const places = placesOf([...content], question.mainContent);
  const read = passages.map((passage, rank) => passageOf(passage, rank, stemsOf, places));
  return { read, asked: askedWords(question, kind, [...content], read, stemsOf) };
}

/** Words that say how often, by the word of the period; and spelled numbers by digits. */
const equivalents: Readonly<Record<string, readonly string[]>> = {
  annual: ['year', 'yearly', '12 months'],
  yearly: ['year', 'annual', '12 months'],
  twelve: ['12', 'year'],
  year: ['annual', 'yearly', '12'],
  monthly: ['month'],
  weekly: ['week'],
  daily: ['day'],
  quarterly: ['quarter'],
};

/**
 * The places of stems, and those of the irregular forms of the question's words: "sold" answers
 * "When did they sell it?".
 */
function placesOf(content: readonly string[], question: string): Map<string, number> {
  const places = new Map(content.map((stem, at) => [stem, at]));
  for (const [word, others] of Object.entries(equivalents)) {
    const place = places.get(analyzer.analyze(word)[0] ?? '');
    if (place === undefined) continue;
    for (const stem of others.flatMap((other) => analyzer.analyze(other)))
      if (!places.has(stem)) places.set(stem, place);
  }
  for (const [word] of question.matchAll(/[a-z]{2,}/g)) {
    const place = isIrregular(word) ? places.get(analyzer.analyze(word)[0] ?? '') : undefined;
    if (place === undefined) continue;
    for (const stem of inflections(word).flatMap((form) => analyzer.analyze(form)))
      if (!places.has(stem)) places.set(stem, place);
  }
  return places;
}

const acting: ReadonlySet<AnswerType | undefined> = new Set([
  'person',
  'organisation',
  'name',
  'place',
]);

function askedWords(
  question: ParsedQuestion,
  kind: AnswerType | undefined,
  stems: readonly string[],
  read: readonly ReadPassage[],
  stemsOf: StemsOf,
): AskedWords {
  const focus = focusOf(question.text);
  const all = new Set(
    [question.text, expandAbbreviations(question.text)].flatMap((text) => analyzer.analyze(text)),
  );
  const sentences = read.flatMap(({ sentences: of }) => of).filter(({ isTitle }) => !isTitle);
  const holding = new Uint32Array(stems.length);
  for (const { said } of sentences)
    for (const stem of new Set(said.map(({ asked }) => asked))) holding[stem]! += 1;
  // A word that every sentence has tells none of them from the others.
  const weights = Float64Array.from(stems, (_, at) =>
    Math.log(1 + (sentences.length + 1) / (holding[at]! + 0.5)),
  );
  const placeOf = (word: string | undefined): number =>
    word === undefined ? -1 : stems.indexOf(analyzer.analyze(word)[0] ?? '');
  return {
    all,
    stems,
    weights,
    total: weights.reduce((sum, weight) => sum + weight, 0) || 1,
    focus: new Set([
      ...stemsOf(focus).map((stem) => stems.indexOf(stem)),
      ...(focus.toLowerCase().match(compound) ?? []).map((word) => stems.indexOf(word)),
    ]),
    event: placeOf(kind === 'date' ? eventWord(question.text) : undefined),
    verb: placeOf(acting.has(kind) ? verbAsked(question.text) : undefined),
  };
}

function passageOf(
  passage: ReadablePassage,
  rank: number,
  stemsOf: StemsOf,
  places: ReadonlyMap<string, number>,
): ReadPassage {
  const { title = '', publishedAt, timeZone } = passage;
  const before = title === '' ? 0 : title.length + 1;
  const text = title === '' ? passage.text : `${title}\n${passage.text}`;
  const { mentions } = tagText(text, {
    reference: publishedAt,
    timeZone,
  });
  const spans = splitSentences(passage.text).map(({ start, end }) => ({
    start: start + before,
    end: end + before,
  }));
  if (title !== '') spans.unshift({ start: 0, end: title.length });
  const sentences = spans.map((span, at) => {
    const words = text.slice(span.start, span.end);
    const [starts, ends, said]: [number[], number[], SaidWord[]] = [[], [], []];
    const whole = new Map<number, number>();
    for (const { 0: word, index } of words.matchAll(compound)) {
      const asked = places.get(word.toLowerCase());
      if (asked !== undefined) whole.set(span.start + index, asked);
    }
    for (const match of words.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      const start = span.start + match.index;
      const compoundAsked = whole.get(start);
      if (compoundAsked !== undefined) said.push({ at: starts.length, asked: compoundAsked });
      for (const stem of stemsOf(match[0])) {
        const asked = places.get(stem);
        if (asked !== undefined) said.push({ at: starts.length, asked });
        starts.push(start);
        ends.push(start + match[0].length);
      }
    }
    return { span, text: words, isTitle: at === 0 && title !== '', starts, ends, said };
  });
  return {
    passage,
    rank,
    text,
    mentions: new PassageMentions(text, mentions, publishedAt, timeZone),
    titleStems: new Set(stemsOf(title)),
    sentences,
  };
}

/** What of the question's words a sentence has, alone and with the passage's title; 0 to 1. */
export function overlapOf(
  { said }: ReadSentence,
  titleStems: ReadonlySet<string>,
  { stems, weights, total }: AskedWords,
): { inSentence: number; withTitle: number } {
  const held = new Set(said.map(({ asked }) => asked));
  let [inSentence, withTitle] = [0, 0];
  for (let at = 0; at < weights.length; at += 1) {
    if (held.has(at)) inSentence += weights[at]!;
    if (held.has(at) || titleStems.has(stems[at]!)) withTitle += weights[at]!;
  }
  return { inSentence: inSentence / total, withTitle: withTitle / total };
}

/** The question's words around a span by weight and distance: a half at four words. */
export function nearness(
  { starts, ends, said }: ReadSentence,
  span: Span,
  { weights, total }: AskedWords,
): number {
  if (said.length === 0) return 0;
  const first = firstIndex(ends, (end) => end > span.start);
  const after = firstIndex(starts, (start) => start >= span.end);
  let sum = 0;
  for (const { at, asked } of said) {
    if (at < first) sum += weights[asked]! / (1 + (first - at - 1) / 4);
    else if (at >= after) sum += weights[asked]! / (1 + (at - after) / 4);
  }
  return sum / total;
}
