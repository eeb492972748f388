// Candidate answer spans of passages with their features and scores.
import { expandAbbreviations } from '../text/abbreviations.js';
import { scoreOrder } from '../ranking/columns.js';
import { englishAnalyzer } from '../text/analyzer.js';
import { inflections, isIrregular } from '../text/keywords/inflections.js';
import { splitSentences, type Span } from '../text/sentences.js';
import type { ParsedQuestion } from '../time/constraint.js';
import type { Mention } from '../time/mention.js';
import { queryDay } from '../time/question/deicticDates.js';
import { jointConstraint, type JointConstraint } from '../time/question/jointConstraint.js';
import { tagText } from '../time/tagger.js';
import { isAgent, verbAsked } from './subjects.js';
import type { ReadablePassage } from './answer.js';
import { boundAsked, clauseAround, clausesOf, eventWord } from './clauses.js';
import { contestOf, cuesOf, unitOf, type Features } from './spanFeatures.js';
import { fitOf, PassageMentions, type AskedTime } from './dating.js';
import { placesIn } from './rosters.js';
import { spansOf, type TextSpan } from './spans.js';
import { sidesOf, successionIn } from './succession.js';
import type { AnswerType } from '../text/answerType.js';
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
const analyzer = englishAnalyzer();

interface ReadSentence {
  passage: ReadablePassage;
  rank: number;
  span: Span;
  text: string;
  mentions: PassageMentions;
  titleStems: ReadonlySet<string>;
  /** Where its stems begin and end in the passage. */
  starts: readonly number[];
  ends: readonly number[];
  /** Which of them are of what is asked, and of which of its stems. */
  said: readonly SaidWord[];
}

/**
 * A word of the question's in a sentence: its place among the sentence's stems, and that of its own
 * among the question's.
 */
interface SaidWord {
  at: number;
  asked: number;
}

/** What is asked, in stems: all of the question's, and those of its content with their weights. */
interface AskedWords {
  all: ReadonlySet<string>;
  stems: readonly string[];
  weights: Float64Array;
  total: number;
  /**
   * The place among the stems of what happened, where a date of it is asked for; -1 where the
   * question does not tell.
   */
  event: number;
  /** The place among the stems of the verb of which who did it is asked for; -1 where it is not. */
  verb: number;
}

/** A question and what was read for it. */
interface Read {
  question: ParsedQuestion;
  kind: AnswerType;
  constraint: JointConstraint & AskedTime;
  asked: AskedWords;
  sentences: readonly ReadSentence[];
  stemsOf: (words: string) => readonly string[];
  contest: ReturnType<typeof contestOf>;
  /** The cues that are looked for. Default: all. */
  counted?: Readonly<Record<string, number>>;
}

/** The candidates of a kind, in the order of the passages and their texts. */
export function candidatesOf(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
  kind: AnswerType,
): CandidateSpan[] {
  const read = readAll(question, passages, kind);
  return read.sentences.flatMap((sentence) =>
    candidatesIn(sentence, overlapOf(sentence, read.asked), read),
  );
}

/**
 * Of the candidates all that score at most `margin` below the best, and some of the others, in the
 * same order. Sentences that match what is asked too little for it, or whose dates do, are not
 * taken apart.
 */
export function leadingCandidates(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
  kind: AnswerType,
  margin: number,
): CandidateSpan[] {
  const read: Read = { ...readAll(question, passages, kind), counted: cueWeights[kind] };
  const overlaps = read.sentences.map((sentence) => overlapOf(sentence, read.asked));
  const ceilings = Float64Array.from(
    read.sentences.map((sentence, at) => ceilingOf(sentence, overlaps[at]!, read)),
  );
  const found: CandidateSpan[][] = read.sentences.map(() => []);
  let best = -Infinity;
  for (const at of scoreOrder(ceilings)) {
    if (ceilings[at]! < best - margin) break;
    found[at] = candidatesIn(read.sentences[at]!, overlaps[at]!, read);
    for (const { score } of found[at]) best = Math.max(best, score);
  }
  return found.flat();
}

function readAll(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
  kind: AnswerType,
): Read {
  // of words, most of which passages have several times
  const known = new Map<string, readonly string[]>();
  const stemsOf = (words: string): readonly string[] => {
    let stems = known.get(words);
    if (!stems) known.set(words, (stems = analyzer.analyze(words)));
    return stems;
  };
  const content = new Set(
    analyzer.analyze(question.mainContent).filter((stem) => !filler.has(stem)),
  );
  const places = placesOf([...content], question.mainContent);
  const sentences = passages.flatMap((passage, rank) =>
    sentencesOf(passage, rank, stemsOf, places),
  );
  const asked = askedWords(question, kind, [...content], sentences);
  return {
    question,
    kind,
    constraint: askedTime(question),
    asked,
    sentences,
    stemsOf,
    contest: contestOf(question.text),
  };
}

/**
 * What a question asks of time; one in the present that names none asks of the day it is asked on.
 */
function askedTime(question: ParsedQuestion): JointConstraint & AskedTime {
  const joint = jointConstraint(question);
  if (joint.relation !== 'none' || joint.condition !== 'none' || !inPresent.test(question.text))
    return joint;
  return { ...joint, relation: 'as of', interval: queryDay(question.askedAt), implied: true };
}

const inPresent = new RegExp(
  String.raw`\b(?:(?:who|what|which|where|how)(?:\s[\p{L}'’-]+){0,3}?\s(?:is|are|does|do|has|` +
    String.raw`have)|who\s(?!was\b)\p{Ll}+[^s\s]s)\b` +
    String.raw`(?![^?]*\b(?:was|were|did|had|been)\b)`,
  'iu',
);

/**
 * The places of stems, and those of the irregular forms of the question's words: "sold" answers
 * "When did they sell it?".
 */
function placesOf(content: readonly string[], question: string): Map<string, number> {
  const places = new Map(content.map((stem, at) => [stem, at]));
  for (const [word] of question.matchAll(/[a-z]{2,}/g)) {
    const place = isIrregular(word) ? places.get(analyzer.analyze(word)[0] ?? '') : undefined;
    if (place === undefined) continue;
    for (const stem of inflections(word).flatMap((form) => analyzer.analyze(form)))
      if (!places.has(stem)) places.set(stem, place);
  }
  return places;
}

function candidatesIn(sentence: ReadSentence, overlap: Overlap, read: Read): CandidateSpan[] {
  const { kind, question } = read;
  // by name: copies of all properties take longer than the rest
  const { rank, winner, inSentence, withTitle } = overlap;
  const side = sidesIn(sentence, read);
  const verbs = placesOfStem(sentence, read.asked.verb);
  const clauses = clausesOf(sentence.text);
  const { start } = sentence.span;
  const own = sentence.mentions.within(sentence.span).map((each) => shifted(each, -start));
  const found: CandidateSpan[] = [];
  for (const span of spansOf(kind, sentence.text, own, boundAsked(question.text))) {
    const words = sentence.text.slice(span.start, span.end);
    if (!hasWord.test(words)) continue;
    const unit = unitOf(kind, question.text, span, sentence.text);
    const inPassage = { start: span.start + start, end: span.end + start };
    const { near, fresh, ofTitle, length, inside, holds, outside, nearInTime, apart } = placed(
      sentence,
      words,
      inPassage,
      read,
    );
    const { clause, happened } = saidBeside(
      sentence,
      clauseAround(clauses, span),
      inPassage,
      read.asked,
    );
    const stands = side.of(span);
    // What was done, won or followed at another time is not asked for.
    const agent = outside === 0 && isAgent(sentence.text, verbs, span) ? 1 : 0;
    const then = stands['outside'] === 0 || (outside === 0 && (side.lasting || holds === 0));
    const contestRight = then ? (stands['contestRight'] ?? 0) : 0;
    const cues = cuesOf(span, sentence.text, read.counted);
    const shared = {
      ...{ clause, happened, agent, rank, winner, inSentence, withTitle, ...unit, near, fresh },
      ...{ ofTitle, length, inside, holds, outside, nearInTime, apart, ...stands, contestRight },
    };
    found.push(candidate(sentence, { span: inPassage, text: words }, kind, cues, shared));
  }
  return [...found, ...titleOf(sentence, read, overlap)];
}

const succeeding: ReadonlySet<AnswerType> = new Set([
  'person',
  'organisation',
  'name',
  'place',
  'number',
]);

const acting: ReadonlySet<AnswerType> = new Set(['person', 'organisation', 'name', 'place']);

/** Where the words of one of the question's stems stand in a sentence, by offsets of its text. */
function placesOfStem({ said, starts, ends, span }: ReadSentence, stem: number): Span[] {
  return said
    .filter(({ asked }) => asked === stem)
    .map(({ at }) => ({ start: starts[at]! - span.start, end: ends[at]! - span.start }));
}

/**
 * On which side of a contest or a succession a span stands. A contest is of its day, a succession
 * tells of what held from then on.
 */
interface Sides {
  of: (span: TextSpan) => Features;
  lasting: boolean;
}

function sidesIn(
  sentence: ReadSentence,
  { kind, question, constraint, contest, asked, stemsOf }: Read,
): Sides {
  const { text } = sentence;
  const decided = { of: contest(text), lasting: false };
  if (!succeeding.has(kind)) return decided;
  const place = placesIn(question.text, text, constraint.window !== undefined);
  if (place) return { of: place, lasting: true };
  const verb = successionIn(text, (words) =>
    stemsOf(words).some((stem) => asked.stems.includes(stem)),
  );
  if (!verb) return decided;
  const { start } = sentence.span;
  const date = sentence.mentions.dateOf(
    { start: verb.start + start, end: verb.end + start },
    sentence.span,
  );
  const window = constraint.window ?? (constraint.implied ? constraint.interval : undefined);
  const side = sidesOf(question.text, text, verb, window, date?.interval.start);
  return side ? { of: side, lasting: true } : decided;
}

/**
 * What of the question's words the span's own clause has, by their weight, and whether it says what
 * happened.
 */
function saidBeside(
  { said, starts, span: { start } }: ReadSentence,
  clause: Span,
  span: Span,
  { weights, total, event }: AskedWords,
) {
  const counted = new Set<number>();
  let sum = 0;
  for (const { at, asked } of said) {
    const place = starts[at]!;
    if (
      place < clause.start + start ||
      place >= clause.end + start ||
      (place >= span.start && place < span.end) ||
      counted.has(asked)
    )
      continue;
    counted.add(asked);
    sum += weights[asked]!;
  }
  return { clause: sum / total, happened: counted.has(event) ? 1 : 0 };
}

const hasWord = /[\p{L}\p{N}]/u;

/** No candidate of a sentence scores above this, whatever its words are. */
function ceilingOf(
  sentence: ReadSentence,
  { rank, winner, inSentence, withTitle }: Overlap,
  { kind, constraint, asked }: Read,
): number {
  let near = 0;
  for (const each of sentence.said) near += asked.weights[each.asked]!;
  // Of a date a span may tell of what held before it or from then on: at best it fits.
  const dates = sentence.mentions.datesFor(sentence.span);
  const nearInTime = dates.reduce((most, date) => Math.max(most, fitOf(date, constraint).near), 0);
  const time = weighted(
    { holds: dates.length > 0 || succeeding.has(kind) ? 1 : 0, nearInTime },
    sharedWeights,
  );
  const happened = sentence.said.some((each) => each.asked === asked.event) ? 1 : 0;
  const known = weighted(
    { rank, winner, inSentence, withTitle, near: near / asked.total, clause: inSentence, happened },
    sharedWeights,
  );
  return known + time + mostOf(kind) + rounding;
}

/** What sums of the same numbers in another order may differ by, and more. */
const rounding = 1e-6;

const ceilings = new Map<AnswerType, number>();

/** The most that a span's form, the words around it and how new it is can count. */
function mostOf(kind: AnswerType): number {
  let most = ceilings.get(kind);
  if (most === undefined) {
    const unknown = ['agent', 'contestRight', 'unitFits', 'unitCounted', 'fresh', 'length'].map(
      (name) => sharedWeights[name]!,
    );
    most = [...unknown, ...Object.values(cueWeights[kind])].reduce(
      (sum, weight) => sum + Math.max(0, weight),
      0,
    );
    ceilings.set(kind, most);
  }
  return most;
}

function candidate(
  sentence: ReadSentence,
  { span, text }: { span: Span; text: string },
  kind: AnswerType,
  cues: Features,
  shared: Features,
): CandidateSpan {
  const score = weighted(shared, sharedWeights) + weighted(cues, cueWeights[kind]);
  return { text, passage: sentence.passage, sentence: sentence.text, span, shared, cues, score };
}

function weighted(features: Features, weights: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const name in features) sum += features[name]! * (weights[name] ?? 0);
  return sum;
}

const titled: ReadonlySet<AnswerType> = new Set(['person', 'organisation', 'place', 'name']);

/** The passage's title, as what its sentence may be about without naming it: a record's subject. */
function titleOf(
  sentence: ReadSentence,
  { kind, asked, constraint }: Read,
  { rank, winner, inSentence, withTitle }: Overlap,
): CandidateSpan[] {
  const { title } = sentence.passage;
  if (
    title === undefined ||
    !titled.has(kind) ||
    sentence.titleStems.size === 0 ||
    !hasWord.test(title)
  )
    return [];
  const unasked = [...sentence.titleStems].every((stem) => !asked.all.has(stem));
  const place = sentence.span.start;
  const times = timed(sentence, sentence.span, constraint, false);
  const cues = { title: 1, ...(unasked ? { unasked: 1 } : {}) };
  const overlap = { rank, winner, inSentence, withTitle };
  const shared = { ...overlap, ...times, fresh: 1, length: lengthOf(title) };
  const span = { start: place, end: place };
  return [candidate(sentence, { span, text: title }, kind, cues, shared)];
}

/**
 * Nearness to the question's words and time, and how much of the span the question has not said
 * itself.
 */
function placed(
  sentence: ReadSentence,
  words: string,
  inPassage: Span,
  { asked, constraint, stemsOf }: Read,
) {
  const stems = stemsOf(words);
  const share = (holds: (stem: string) => boolean): number =>
    stems.length === 0 ? 0 : stems.filter(holds).length / stems.length;
  const { inside, holds, outside, nearInTime, apart } = timed(
    sentence,
    inPassage,
    constraint,
    true,
  );
  return {
    near: nearness(sentence, inPassage, asked),
    fresh: share((stem) => !asked.all.has(stem)),
    ofTitle: share((stem) => sentence.titleStems.has(stem)),
    length: lengthOf(words),
    inside,
    holds,
    outside,
    nearInTime,
    apart,
  };
}

const lengthOf = (words: string): number =>
  Math.min(8, /\s/.test(words) ? words.split(/\s+/).length : 1) / 8;

function timed(
  sentence: ReadSentence,
  span: Span,
  constraint: JointConstraint & AskedTime,
  apart: boolean,
) {
  const date = sentence.mentions.dateOf(span, sentence.span);
  const { inside, holds, outside, near } = fitOf(date, constraint);
  return {
    inside,
    holds,
    outside,
    nearInTime: near,
    apart: apart && date ? Math.min(4, date.apart) / 4 : 0,
  };
}

/**
 * The question's words around a span, each by its weight and the words between: a half at four
 * words.
 */
function nearness(
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

interface Overlap {
  rank: number;
  winner: number;
  inSentence: number;
  withTitle: number;
}

function overlapOf(
  { said, titleStems, rank, passage, text }: ReadSentence,
  { stems, weights, total }: AskedWords,
): Overlap {
  const held = new Uint8Array(weights.length);
  for (const { asked } of said) held[asked] = 1;
  let [inSentence, withTitle] = [0, 0];
  for (let at = 0; at < weights.length; at += 1) {
    if (held[at]) inSentence += weights[at]!;
    if (held[at] || titleStems.has(stems[at]!)) withTitle += weights[at]!;
  }
  const winner = passage.sentence?.includes(text.slice(0, 40)) ? 1 : 0;
  return {
    rank: 1 / (1 + rank),
    winner,
    inSentence: inSentence / total,
    withTitle: withTitle / total,
  };
}

// Words of questions that say nothing of what is asked about.
const filler = new Set(
  (
    'who whom whose what which where when how did do doe name were has had from period time ' +
    'person he she hi her'
  ).split(' '),
);

function askedWords(
  question: ParsedQuestion,
  kind: AnswerType,
  stems: readonly string[],
  sentences: readonly ReadSentence[],
): AskedWords {
  const all = new Set(
    [question.text, expandAbbreviations(question.text)].flatMap((text) => analyzer.analyze(text)),
  );
  const holding = new Uint32Array(stems.length);
  for (const { said } of sentences)
    for (const stem of new Set(said.map(({ asked }) => asked))) holding[stem]! += 1;
  // A word that every sentence has tells none of them from the others.
  const weights = Float64Array.from(stems, (_, at) =>
    Math.log(1 + (sentences.length + 1) / (holding[at]! + 0.5)),
  );
  const happened = kind === 'date' ? eventWord(question.text) : undefined;
  const placeOf = (word: string | undefined): number =>
    word === undefined ? -1 : stems.indexOf(analyzer.analyze(word)[0] ?? '');
  const [event, verb] = [
    placeOf(happened),
    acting.has(kind) ? placeOf(verbAsked(question.text)) : -1,
  ];
  return {
    all,
    stems,
    weights,
    total: weights.reduce((sum, weight) => sum + weight, 0) || 1,
    event,
    verb,
  };
}

function sentencesOf(
  passage: ReadablePassage,
  rank: number,
  stemsOf: (words: string) => readonly string[],
  places: ReadonlyMap<string, number>,
): ReadSentence[] {
  const tagged = tagText(
    passage.text,
    passage.publishedAt === undefined ? {} : { reference: passage.publishedAt },
  );
  const mentions = new PassageMentions(passage.text, tagged.mentions, passage.publishedAt);
  const titleStems = new Set(analyzer.analyze(passage.title ?? ''));
  return splitSentences(passage.text).map((span) => {
    const text = passage.text.slice(span.start, span.end);
    const [starts, ends, said]: [number[], number[], SaidWord[]] = [[], [], []];
    for (const match of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      const start = span.start + match.index;
      for (const stem of stemsOf(match[0])) {
        const asked = places.get(stem);
        if (asked !== undefined) said.push({ at: starts.length, asked });
        starts.push(start);
        ends.push(start + match[0].length);
      }
    }
    return { passage, rank, span, text, mentions, titleStems, starts, ends, said };
  });
}

function shifted(mention: Mention, by: number): Mention {
  const moved = { start: mention.start + by, end: mention.end + by };
  return {
    ...mention,
    ...moved,
    timexes: mention.timexes.map((timex) => ({
      ...timex,
      start: timex.start + by,
      end: timex.end + by,
    })),
  };
}
