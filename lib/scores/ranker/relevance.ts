// Features of relevance: how much of the question a sentence, its title and its passage say, in its words and in its meaning.
// All are between 0 and 1, or logarithms of counts; none reads a clock.
import type { TextPlaces, TextTable } from '../../candidates/textTable.js';
import type { PassageView } from './passages.js';
import type { QuestionView } from './question.js';
import type { SentenceReading } from './sentenceReading.js';

export interface SentenceRelevance {
  covers: number;
  coversWithTitle: number;
  coversBeyondTitle: number;
  names: number;
  pairs: number;
  /** Like coversBeyondTitle, every term counting alike: rare or not, it tells one sentence of a passage from another. */
  coversEqually: number;
  besideTime: number;
  newNames: number;
  answers: number;
  /** How much of the question's common words that the title lacks the sentence says in these or in like words, 0 to 1. */
  means: number;
}

/** What the sentences of a passage have in common, and each of them. */
export interface PassageRelevance {
  /** Which of the question's terms it or its title has, by place. */
  holds: Uint8Array;
  titleCovers: number;
  titleNamed: number;
  passageCovers: number;
  passageNames: number;
  /** The greatest coversEqually of its sentences; 0 where there is none. */
  bestEqually: number;
  /** The greatest `means` of its sentences; NaN where the question has no such words. */
  bestMeans: number;
  sentences: SentenceRelevance[];
}

export function passageRelevance(
  question: QuestionView,
  { reading: { title: { distinct } }, sentences }: PassageView,
  table: TextTable,
  places: TextPlaces,
): PassageRelevance {
  const { words: { weights, places: terms }, names, common } = question;
  const { held, places: width } = table;
  const title = places.title * width;
  const passage = held.slice(title, title + width);
  for (let at = 0; at < sentences.length * width; at += 1) passage[at % width]! |= held[places.first * width + at]!;
  const beyond: number[] = [];
  for (let place = 0; place < width; place += 1) if (held[title + place] === 0) beyond.push(place);
  const titled: Titled = { distinct, title, beyond, sought: common.filter((place) => held[title + place] === 0) };
  const all = sentences.map((sentence, at) => sentenceRelevance(question, sentence.reading, table, places.first + at, titled));
  return {
    holds: passage,
    titleCovers: distinct.size > 0 ? coverage(weights, held, title, title) : NaN,
    titleNamed: distinct.size > 0 ? share([...distinct], (term) => terms.has(term)) : NaN,
    passageCovers: coverage(weights, passage, 0, 0),
    passageNames: shareHeld(names, passage, 0, 0),
    bestEqually: all.reduce((best, { coversEqually }) => Math.max(best, coversEqually), 0),
    bestMeans: all.reduce((best, { means }) => (best > means ? best : means), NaN),
    sentences: all,
  };
}

/** A title's terms, where the table says which of the question's it holds, and the places of those that it does not: all, and common words. */
interface Titled {
  distinct: ReadonlySet<string>;
  title: number;
  beyond: readonly number[];
  sought: readonly number[];
}

function sentenceRelevance(
  question: QuestionView,
  sentence: SentenceReading,
  table: TextTable,
  text: number,
  { distinct, title, beyond, sought }: Titled,
): SentenceRelevance {
  const { words: { places, weights }, names, besideTime } = question;
  const { held } = table;
  const own = text * table.places;
  const isNew = (word: string): boolean => !places.has(word) && !distinct.has(word); // that neither the question nor the title has
  let newNames = 0;
  for (const word of sentence.names) if (isNew(word)) newNames += 1;
  return {
    covers: coverage(weights, held, own, own),
    coversWithTitle: coverage(weights, held, own, title),
    coversBeyondTitle: beyond.length > 0 ? coverage(weights, held, own, own, beyond) : NaN,
    names: shareHeld(names, held, own, title),
    pairs: table.pairs[text]!,
    coversEqually: shareHeld(beyond, held, own, own),
    besideTime: shareHeld(besideTime, held, own, title),
    newNames: Math.log1p(newNames),
    answers: answers(question, sentence, newNames, isNew),
    means: meansOf(weights, table, own, sought),
  };
}

/** Whether the sentence has what could be an answer of the kind: 1 in its form, 0.5 a name that may be one, 0 none; NaN for no known kind. */
function answers({ wanted }: QuestionView, sentence: SentenceReading, newNames: number, isNew: (word: string) => boolean): number {
  if (wanted === undefined) return NaN;
  if (wanted === 'date') return Number(sentence.times.length > 0);
  if (wanted === 'number' || wanted === 'score') return Number(sentence.hasDigit);
  const inForm =
    wanted === 'person' ? newNames > 0 && sentence.namesPerson
    : wanted === 'role' ? sentence.offices.some(isNew)
    : wanted === 'place' ? sentence.places.some(isNew)
    : newNames > 0;
  return inForm ? 1 : newNames > 0 ? 0.5 : 0;
}

/** The weighted mean, over the question's common words that the title lacks, of the likeness of the nearest word; NaN where it has none. */
function meansOf(weights: Float64Array, { held, nearest }: TextTable, own: number, sought: readonly number[]): number {
  if (sought.length === 0) return NaN;
  let [sum, all] = [0, 0];
  for (const place of sought) {
    all += weights[place]!;
    sum += weights[place]! * (held[own + place] === 1 ? 1 : nearest[own + place]!);
  }
  return all > 0 ? sum / all : NaN;
}

/** The share of the terms' weight that a text or `other` has, of all terms or of some; 0 where they weigh nothing. */
function coverage(weights: Float64Array, held: Uint8Array, own: number, other: number, places?: readonly number[]): number {
  let has = 0;
  let all = 0;
  const count = places?.length ?? weights.length;
  for (let i = 0; i < count; i += 1) {
    const place = places ? places[i]! : i;
    all += weights[place]!;
    if ((held[own + place]! | held[other + place]!) === 1) has += weights[place]!;
  }
  return all > 0 ? has / all : 0;
}

/** The share of the places that a text or `other` holds; NaN of none. */
function shareHeld(places: readonly number[], held: Uint8Array, own: number, other: number): number {
  if (places.length === 0) return NaN;
  let count = 0;
  for (const place of places) count += held[own + place]! | held[other + place]!;
  return count / places.length;
}

/** The share of the list that passes; NaN of an empty one. */
function share<T>(list: readonly T[], passes: (each: T) => boolean): number {
  if (list.length === 0) return NaN;
  let count = 0;
  for (const each of list) if (passes(each)) count += 1;
  return count / list.length;
}
