// Every span of the passages that could answer a question, with its features and its score: how well its sentence matches the question's
// words, how near it stands to them, how its date fits the question's time, and what its form says. It finds and scores; it decides nothing.
import { writeOut } from '../text/abbreviations.js';
import { englishAnalyser } from '../text/analyser.js';
import { splitSentences, type Span } from '../text/sentences.js';
import type { ParsedQuestion } from '../time/constraint.js';
import type { Mention } from '../time/mention.js';
import { jointConstraint, type JointConstraint } from '../time/question/joint.js';
import { tagText } from '../time/tagger.js';
import type { ReadablePassage } from './answer.js';
import { contestOf, cuesOf, unitOf, type Features } from './cues.js';
import { dateOf, fitOf } from './dating.js';
import { spansOf, type TextSpan } from './spans.js';
import type { AnswerKind } from '../text/wanted.js';
import { cueWeights, sharedWeights } from './weights.js';

export interface CandidateSpan {
  text: string;
  passage: ReadablePassage;
  sentence: string;
  /** Where it stands in the passage; empty for the title. */
  span: Span;
  shared: Features;
  cues: Features;
  score: number;
}

// One for the process: it caches stems.
const analyser = englishAnalyser();

interface Stem {
  stem: string;
  start: number;
  end: number;
}

interface ReadSentence {
  passage: ReadablePassage;
  rank: number;
  span: Span;
  text: string;
  mentions: readonly Mention[];
  titleStems: ReadonlySet<string>;
  stems: readonly Stem[];
}

/** What is asked, in stems: all of the question's, and those of its content with their weights. */
interface AskedWords {
  all: ReadonlySet<string>;
  weights: ReadonlyMap<string, number>;
  total: number;
}

/** The candidates of a kind, in the order of the passages and their texts. */
export function candidatesOf(question: ParsedQuestion, passages: readonly ReadablePassage[], kind: AnswerKind): CandidateSpan[] {
  const known = new Map<string, readonly string[]>(); // of words, most of which passages have several times
  const stemsOf = (word: string): readonly string[] => {
    let stems = known.get(word);
    if (!stems) known.set(word, (stems = analyser.analyse(word)));
    return stems;
  };
  const sentences = passages.flatMap((passage, rank) => sentencesOf(passage, rank, stemsOf));
  const asked = askedWords(question, sentences);
  const constraint = jointConstraint(question);
  return sentences.flatMap((sentence) => {
    const overlap = overlapOf(sentence, asked);
    const { rank, winner, inSentence, withTitle } = overlap; // by name: copies of all properties take longer than the rest
    const said = saidIn(sentence, asked);
    const contest = contestOf(question.text, sentence.text);
    const { start, end } = sentence.span;
    const own = sentence.mentions.filter((each) => each.start >= start && each.start < end).map((each) => shifted(each, -start));
    const inText = spansOf(kind, sentence.text, own).map((span) => {
      const words = sentence.text.slice(span.start, span.end);
      const cues = cuesOf(span, sentence.text);
      const unit = unitOf(kind, question.text, words, sentence.text.slice(span.end, span.end + 40));
      const inPassage = { start: span.start + start, end: span.end + start };
      const { near, fresh, ofTitle, length, inside, holds, outside, nearInTime, apart } = placed(sentence, said, span, asked, constraint);
      return candidate(sentence, inPassage, words, kind, cues, {
        rank, winner, inSentence, withTitle, ...contest(span), ...unit, near, fresh, ofTitle, length, inside, holds, outside, nearInTime, apart,
      });
    });
    return [
      ...inText.filter((each) => each !== undefined),
      ...titleOf(sentence, kind, asked, { ...overlap, ...timed(sentence, sentence.span, constraint, false) }),
    ];
  });
}

function candidate(sentence: ReadSentence, span: Span, text: string, kind: AnswerKind, cues: Features, shared: Features): CandidateSpan | undefined {
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  const score = weighted(shared, sharedWeights) + weighted(cues, cueWeights[kind]);
  return { text, passage: sentence.passage, sentence: sentence.text, span, shared, cues, score };
}

function weighted(features: Features, weights: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const name in features) sum += features[name]! * (weights[name] ?? 0);
  return sum;
}

const titled: ReadonlySet<AnswerKind> = new Set(['person', 'organisation', 'place', 'name']);

/** The passage's title, as what its sentence may be about without naming it: a record's subject. */
function titleOf(sentence: ReadSentence, kind: AnswerKind, asked: AskedWords, shared: Features): CandidateSpan[] {
  const { title } = sentence.passage;
  if (title === undefined || !titled.has(kind) || sentence.titleStems.size === 0) return [];
  const unasked = [...sentence.titleStems].every((stem) => !asked.all.has(stem));
  const place = sentence.span.start;
  const made = candidate(
    sentence,
    { start: place, end: place },
    title,
    kind,
    { title: 1, ...(unasked ? { unasked: 1 } : {}) },
    { ...shared, fresh: 1, length: lengthOf(title) },
  );
  return made ? [made] : [];
}

/** Nearness to the question's words and time, and how much of the span the question has not said itself. */
function placed(sentence: ReadSentence, said: readonly SaidWord[], span: TextSpan, asked: AskedWords, constraint: JointConstraint) {
  const words = sentence.text.slice(span.start, span.end);
  const stems = analyser.analyse(words);
  const share = (holds: (stem: string) => boolean): number => (stems.length === 0 ? 0 : stems.filter(holds).length / stems.length);
  const inPassage = { start: span.start + sentence.span.start, end: span.end + sentence.span.start };
  const { inside, holds, outside, nearInTime, apart } = timed(sentence, inPassage, constraint, true);
  return {
    near: nearness(sentence, said, inPassage, asked.total),
    fresh: share((stem) => !asked.all.has(stem)),
    ofTitle: share((stem) => sentence.titleStems.has(stem)),
    length: lengthOf(words), inside, holds, outside, nearInTime, apart,
  };
}

const lengthOf = (words: string): number => Math.min(8, words.split(/\s+/).length) / 8;

function timed(sentence: ReadSentence, span: Span, constraint: JointConstraint, apart: boolean) {
  const date = dateOf(span, sentence.span, sentence.passage.text, sentence.mentions);
  const { inside, holds, outside, near } = fitOf(date, constraint);
  return { inside, holds, outside, nearInTime: near, apart: apart && date ? Math.min(4, date.apart) / 4 : 0 };
}

/** The question's words around a span, each by its weight and the words between: a half at four words. */
function nearness({ stems }: ReadSentence, said: readonly SaidWord[], span: Span, total: number): number {
  if (said.length === 0) return 0;
  const first = firstIndex(stems, ({ end }) => end > span.start);
  const after = firstIndex(stems, ({ start }) => start >= span.end);
  let sum = 0;
  for (const { at, weight } of said) {
    if (at < first) sum += weight / (1 + (first - at - 1) / 4);
    else if (at >= after) sum += weight / (1 + (at - after) / 4);
  }
  return sum / total;
}

/** A word of the question's in a sentence. */
interface SaidWord {
  /** Among the sentence's stems. */
  at: number;
  weight: number;
}

function saidIn({ stems }: ReadSentence, { weights }: AskedWords): SaidWord[] {
  return stems.flatMap(({ stem }, at) => {
    const weight = weights.get(stem);
    return weight === undefined ? [] : [{ at, weight }];
  });
}

/** The first index from which on `holds`; the length where it never does. */
function firstIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function overlapOf({ stems, titleStems, rank, passage, text }: ReadSentence, { weights, total }: AskedWords) {
  const own = new Set(stems.map(({ stem }) => stem));
  const share = (has: (stem: string) => boolean): number => [...weights].reduce((sum, [stem, weight]) => sum + (has(stem) ? weight : 0), 0) / total;
  return {
    rank: 1 / (1 + rank),
    winner: passage.sentence?.includes(text.slice(0, 40)) ? 1 : 0,
    inSentence: share((stem) => own.has(stem)),
    withTitle: share((stem) => own.has(stem) || titleStems.has(stem)),
  };
}

// Words of questions that say nothing of what is asked about.
const filler = new Set('who whom whose what which where when how did do doe name were has had from period time person he she hi her'.split(' '));

function askedWords(question: ParsedQuestion, sentences: readonly ReadSentence[]): AskedWords {
  const all = new Set([question.text, writeOut(question.text)].flatMap((text) => analyser.analyse(text)));
  const content = new Set(analyser.analyse(question.mainContent).filter((stem) => !filler.has(stem)));
  const held = sentences.map(({ stems }) => new Set(stems.map(({ stem }) => stem)));
  // A word that every sentence has tells none of them from the others.
  const rarity = (stem: string): number => Math.log(1 + (sentences.length + 1) / (held.filter((stems) => stems.has(stem)).length + 0.5));
  const weights = new Map([...content].map((stem) => [stem, rarity(stem)]));
  return { all, weights, total: [...weights.values()].reduce((sum, weight) => sum + weight, 0) || 1 };
}

function sentencesOf(passage: ReadablePassage, rank: number, stemsOf: (word: string) => readonly string[]): ReadSentence[] {
  const { mentions } = tagText(passage.text, passage.publishedAt === undefined ? {} : { reference: passage.publishedAt });
  const titleStems = new Set(analyser.analyse(passage.title ?? ''));
  return splitSentences(passage.text).map((span) => {
    const text = passage.text.slice(span.start, span.end);
    const stems: Stem[] = [];
    for (const match of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      const start = span.start + match.index;
      for (const stem of stemsOf(match[0])) stems.push({ stem, start, end: start + match[0].length });
    }
    return { passage, rank, span, text, mentions, titleStems, stems };
  });
}

function shifted(mention: Mention, by: number): Mention {
  const moved = { start: mention.start + by, end: mention.end + by };
  return { ...mention, ...moved, timexes: mention.timexes.map((timex) => ({ ...timex, start: timex.start + by, end: timex.end + by })) };
}
