// Features of relevance: how much of the question a sentence, its title and its passage say, in its words and in its meaning.
// All are between 0 and 1, or logarithms of counts; none reads a clock.
import type { PassageView } from './passages.js';
import type { QuestionView, Words } from './question.js';
import type { SentenceReading } from './sentenceReading.js';

/** Which of the question's distinct terms a text has (1 or 0 by place), and the share of its pairs that stand together there. */
interface Held {
  terms: Uint8Array;
  pairs: number;
}

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

export function passageRelevance(question: QuestionView, { reading: { title: { terms, distinct } }, sentences }: PassageView): PassageRelevance {
  const { words, names } = question;
  const title = heldBy(words, terms).terms;
  const own = sentences.map((sentence) => heldBy(words, sentence.reading.terms));
  const passage = title.slice();
  for (const { terms: held } of own) for (let place = 0; place < passage.length; place += 1) passage[place]! |= held[place]!;
  const titled: Titled = { distinct, holds: title, beyond: [...title.keys()].filter((place) => title[place] === 0) };
  const all = sentences.map((sentence, at) => sentenceRelevance(question, sentence.reading, own[at]!, titled));
  return {
    holds: passage,
    titleCovers: distinct.size > 0 ? coverage(words.weights, title) : NaN,
    titleNamed: distinct.size > 0 ? share([...distinct], (term) => words.places.has(term)) : NaN,
    passageCovers: coverage(words.weights, passage),
    passageNames: shareHeld(names, passage),
    bestEqually: all.reduce((best, { coversEqually }) => Math.max(best, coversEqually), 0),
    bestMeans: all.reduce((best, { means }) => (best > means ? best : means), NaN),
    sentences: all,
  };
}

/** A title's terms, which of the question's it holds, and the places of those that it does not. */
interface Titled {
  distinct: ReadonlySet<string>;
  holds: Uint8Array;
  beyond: readonly number[];
}

function sentenceRelevance(question: QuestionView, sentence: SentenceReading, held: Held, { distinct, holds, beyond }: Titled): SentenceRelevance {
  const { words, names, besideTime } = question;
  const withTitle = held.terms.slice();
  for (let place = 0; place < withTitle.length; place += 1) withTitle[place]! |= holds[place]!;
  const isNew = (word: string): boolean => !words.places.has(word) && !distinct.has(word); // that neither the question nor the title has
  let newNames = 0;
  for (const word of sentence.names) if (isNew(word)) newNames += 1;
  return {
    covers: coverage(words.weights, held.terms),
    coversWithTitle: coverage(words.weights, withTitle),
    coversBeyondTitle: beyond.length > 0 ? coverage(words.weights, held.terms, beyond) : NaN,
    names: shareHeld(names, withTitle),
    pairs: held.pairs,
    coversEqually: shareHeld(beyond, held.terms),
    besideTime: shareHeld(besideTime, withTitle),
    newNames: Math.log1p(newNames),
    answers: answers(question, sentence, newNames, isNew),
    means: meansOf(question, sentence.terms, held.terms, beyond),
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
function meansOf({ words: { weights }, common, alike }: QuestionView, terms: readonly string[], held: Uint8Array, beyond: readonly number[]): number {
  const sought = common.filter((place) => beyond.includes(place));
  if (sought.length === 0) return NaN;
  const nearest = new Float64Array(weights.length);
  for (const term of terms) {
    const own = alike(term);
    if (own) for (const place of sought) if (own[place]! > nearest[place]!) nearest[place] = own[place]!;
  }
  let [sum, all] = [0, 0];
  for (const place of sought) {
    all += weights[place]!;
    sum += weights[place]! * (held[place] === 1 ? 1 : nearest[place]!);
  }
  return all > 0 ? sum / all : NaN;
}

function heldBy({ places, weights, pairs }: Words, terms: readonly string[]): Held {
  const held = new Uint8Array(weights.length);
  let together: Set<number> | undefined;
  let before: number | undefined;
  for (const term of terms) {
    const place = places.get(term);
    if (place !== undefined) {
      held[place] = 1;
      if (before !== undefined) (together ??= new Set()).add(before * weights.length + place);
    }
    before = place;
  }
  return { terms: held, pairs: share(pairs, (pair) => together !== undefined && together.has(pair[0] * weights.length + pair[1])) };
}

/** The share of the terms' weight that a text has, of all terms or of some; 0 where they weigh nothing. */
function coverage(weights: Float64Array, held: Uint8Array, places?: readonly number[]): number {
  let own = 0;
  let all = 0;
  const count = places?.length ?? weights.length;
  for (let i = 0; i < count; i += 1) {
    const place = places ? places[i]! : i;
    all += weights[place]!;
    if (held[place] === 1) own += weights[place]!;
  }
  return all > 0 ? own / all : 0;
}

/** The share of the places that a text holds; NaN of none. */
function shareHeld(places: readonly number[], held: Uint8Array): number {
  if (places.length === 0) return NaN;
  let count = 0;
  for (const place of places) if (held[place] === 1) count += 1;
  return count / places.length;
}

/** The share of the list that passes; NaN of an empty one. */
function share<T>(list: readonly T[], passes: (each: T) => boolean): number {
  if (list.length === 0) return NaN;
  let count = 0;
  for (const each of list) if (passes(each)) count += 1;
  return count / list.length;
}
