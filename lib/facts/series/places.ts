// Places of a question's terms in a text: in one pass, of its terms alone.
import type { SeriesQuestion } from './question.js';
import { isWithin, type Word } from './words.js';

/** Where the terms of a question stand in a text; of a value, those that it may be the head of. */
export type Places = ReadonlyMap<string, number[]>;

/** Places of the terms that a question has, and of nothing else. */
export function placer(given: ReadonlySet<string>, { terms }: SeriesQuestion) {
  const values = terms.flatMap(({ value, term }) => (value ? [term] : []));
  const isGiven = (term: string): boolean =>
    given.has(term) || values.some((value) => term.startsWith(value));
  return (words: readonly Word[]): Places => {
    const places = new Map<string, number[]>();
    words.forEach(({ term }, place) => {
      if (!isGiven(term)) return;
      const list = places.get(term);
      if (list) list.push(place);
      else places.set(term, [place]);
    });
    return places;
  };
}

/** A value counts fully where it is stated itself, and less as the head of a version. */
const versionShare = 0.8;

/** By term of the question, how far a text has it. */
export function presence({ terms }: SeriesQuestion, places: Places): Float64Array {
  return Float64Array.from(terms, ({ term, value }) => {
    if (places.has(term)) return 1;
    if (value) for (const each of places.keys()) if (isWithin(each, term)) return versionShare;
    return 0;
  });
}
