// Features of relevance: how much of the question a sentence, its title and its passage say, in its words and in its meaning.
// All are between 0 and 1, or logarithms of counts; none reads a clock.
import type { PassageView, SentenceView } from './passages.js';
import type { QuestionView, Words } from './question.js';

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
}

/** What the sentences of a passage have in common, and each of them. */
export interface PassageRelevance {
  titleCovers: number;
  titleNamed: number;
  passageCovers: number;
  passageNames: number;
  sentences: SentenceRelevance[];
}

export function passageRelevance(question: QuestionView, { titleTerms, sentences }: PassageView): PassageRelevance {
  const { words, names } = question;
  const title = heldBy(words, titleTerms).terms;
  const own = sentences.map(({ terms }) => heldBy(words, terms));
  const passage = own.reduce((all, { terms }) => either(all, terms), title);
  const titled = new Set(titleTerms);
  return {
    titleCovers: titled.size > 0 ? coverage(words.weights, title) : NaN,
    titleNamed: titled.size > 0 ? share([...titled], (term) => words.places.has(term)) : NaN,
    passageCovers: coverage(words.weights, passage),
    passageNames: share(names, (place) => passage[place] === 1),
    sentences: sentences.map((sentence, at) => sentenceRelevance(question, sentence, own[at]!, title, titled)),
  };
}

function sentenceRelevance(question: QuestionView, { text, times }: SentenceView, held: Held, title: Uint8Array, titled: ReadonlySet<string>): SentenceRelevance {
  const { words, names, besideTime, wanted } = question;
  const withTitle = either(held.terms, title);
  const beyond = [...title.keys()].filter((place) => title[place] === 0);
  const newNames = countNewNames(text, words, titled);
  return {
    covers: coverage(words.weights, held.terms),
    coversWithTitle: coverage(words.weights, withTitle),
    coversBeyondTitle: beyond.length > 0 ? coverage(words.weights, held.terms, beyond) : NaN,
    names: share(names, (place) => withTitle[place] === 1),
    pairs: held.pairs,
    coversEqually: share(beyond, (place) => held.terms[place] === 1),
    besideTime: share(besideTime, (place) => withTitle[place] === 1),
    newNames: Math.log1p(newNames),
    answers: wanted === 'unknown' ? NaN : Number(wanted === 'name' ? newNames > 0 : wanted === 'date' ? times.length > 0 : /\d/.test(text)),
  };
}

function heldBy({ places, weights, pairs }: Words, terms: readonly string[]): Held {
  const held = new Uint8Array(weights.length);
  const together = new Set<number>();
  let before: number | undefined;
  for (const term of terms) {
    const place = places.get(term);
    if (place !== undefined) {
      held[place] = 1;
      if (before !== undefined) together.add(before * weights.length + place);
    }
    before = place;
  }
  return { terms: held, pairs: share(pairs, ([a, b]) => together.has(a * weights.length + b)) };
}

const either = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((has, place) => has | b[place]!);

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

/** The share of the list that passes; NaN of an empty one. */
function share<T>(list: readonly T[], passes: (each: T) => boolean): number {
  if (list.length === 0) return NaN;
  let count = 0;
  for (const each of list) if (passes(each)) count += 1;
  return count / list.length;
}

const capitalised = /\p{Lu}[\p{L}\p{M}]+/gu;
const noNames = new Set(
  ('january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'the a an in on at by for from to with as after before during when while since until this that these those it he she they his her their its').split(' '),
);

/** Capitalised words, other than the first, that neither the question nor the title has. */
function countNewNames(text: string, { places }: Words, title: ReadonlySet<string>): number {
  let count = 0;
  for (const match of text.matchAll(capitalised)) {
    if (match.index < 2) continue;
    const word = match[0].toLowerCase();
    if (!noNames.has(word) && !places.has(word) && !title.has(word)) count += 1;
  }
  return count;
}
