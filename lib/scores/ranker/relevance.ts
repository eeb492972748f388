// Features of relevance: how much of the question a sentence, its title and its passage say, in its words and in its meaning.
// All are between 0 and 1, or logarithms of lengths; none reads a clock.
import type { PassageView, SentenceView } from './passages.js';
import type { QuestionView, Words } from './question.js';

/** The share of the words' weight that `holds` has; 0 for no words. */
export function coverage({ places, weights }: Words, holds: (term: string) => boolean): number {
  let held = 0;
  let all = 0;
  for (const [term, at] of places) {
    all += weights[at]!;
    if (holds(term)) held += weights[at]!;
  }
  return all > 0 ? held / all : 0;
}

/** What the sentences of a passage have in common. */
export interface PassageRelevance {
  titleCovers: number;
  passageCovers: number;
  passageNames: number;
  titleNamed: number;
  title: ReadonlySet<string>;
}

export function passageRelevance({ words, names }: QuestionView, passage: PassageView): PassageRelevance {
  const title = new Set(passage.titleTerms);
  return {
    title,
    titleCovers: title.size > 0 ? coverage(words, (term) => title.has(term)) : NaN,
    titleNamed: title.size > 0 ? share([...title], (term) => words.places.has(term)) : NaN,
    passageCovers: coverage(words, (term) => passage.terms.has(term)),
    passageNames: share([...names], (term) => passage.terms.has(term)),
  };
}

export interface SentenceRelevance {
  covers: number;
  coversWithTitle: number;
  coversBeyondTitle: number;
  names: number;
  pairs: number;
  newNames: number;
  answers: number;
}

export function sentenceRelevance(question: QuestionView, { text, terms, times }: SentenceView, { title }: PassageRelevance): SentenceRelevance {
  const { words, names, wanted } = question;
  const own = new Set(terms);
  const either = (term: string): boolean => own.has(term) || title.has(term);
  const beyond: Words = title.size === 0 ? words : { ...words, places: new Map([...words.places].filter(([term]) => !title.has(term))) };
  const following = new Set(terms.slice(1).map((term, at) => `${terms[at]!} ${term}`));
  const newNames = countNewNames(text, words, title);
  return {
    covers: coverage(words, (term) => own.has(term)),
    coversWithTitle: coverage(words, either),
    coversBeyondTitle: beyond.places.size > 0 ? coverage(beyond, (term) => own.has(term)) : NaN,
    names: share([...names], either),
    pairs: share(words.pairs, ([a, b]) => following.has(`${a} ${b}`)),
    newNames: Math.log1p(newNames),
    answers: wanted === 'unknown' ? NaN : Number(wanted === 'name' ? newNames > 0 : wanted === 'date' ? times.length > 0 : /\d/.test(text)),
  };
}

/** The share of the list that passes; NaN of an empty one. */
function share<T>(list: readonly T[], passes: (each: T) => boolean): number {
  return list.length === 0 ? NaN : list.filter(passes).length / list.length;
}

const capitalised = /\p{Lu}[\p{L}\p{M}]+/gu;

/** Capitalised words, other than the first, that neither the question nor the title has. */
function countNewNames(text: string, { places }: Words, title: ReadonlySet<string>): number {
  let count = 0;
  for (const match of text.matchAll(capitalised)) {
    if (match.index < 2) continue;
    const word = match[0].toLowerCase();
    if (!months.has(word) && !places.has(word) && !title.has(word)) count += 1;
  }
  return count;
}

const months = new Set('january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec the a an in on at by for from to with as after before during when while since until this that these those it he she they his her their its'.split(' '));
