// Agreement of a question with the words of a statement: its names, values, pairs of words and the
// kind of its answer.
import type { Places } from './places.js';
import type { SeriesQuestion } from './question.js';
import type { PassageStatements, Statement } from './statements.js';
import { isWithin, type Word } from './words.js';

/** How the question's names agree with the names of a statement. */
export function entityMatcher(
  { terms, names }: SeriesQuestion,
  idf: (term: string) => number,
  asked: ReadonlySet<string>,
) {
  const massOf = (list: Iterable<string>): number => {
    let sum = 0;
    for (const term of list) sum += idf(term);
    return sum;
  };
  const sought = names.map((name) => {
    const own = new Set(name.map((t) => terms[t]!.term));
    return { own, mass: massOf(own) || 1 };
  });
  const total = sought.reduce((sum, { mass }) => sum + mass, 0);
  const weights = terms.map(({ weight }, t) => (names.some((n) => n.includes(t)) ? weight : 0));
  const weightTotal = weights.reduce((sum, each) => sum + each, 0);
  /** Rarity-weighted Jaccard with the best of the names; what that one has in excess. */
  const best = (
    { own, mass }: (typeof sought)[number],
    groups: readonly (readonly string[])[],
  ): [overlap: number, extra: number] => {
    let [overlap, excess] = [0, 0];
    for (const group of groups) {
      let [both, extra] = [0, 0];
      for (const term of new Set(group))
        if (own.has(term)) both += idf(term);
        else if (!asked.has(term)) extra += idf(term);
      if (both / (mass + extra) > overlap)
        [overlap, excess] = [both / (mass + extra), extra / (mass + extra)];
    }
    return [overlap, excess];
  };
  // A name that nearly all passages have tells nothing of one that lacks it.
  const telling = 1 - Math.exp(-Math.max(0, ...sought.map(({ mass }) => mass)));
  return {
    telling,
    share(held: Float64Array): number {
      let sum = 0;
      for (let t = 0; t < weights.length; t += 1) sum += weights[t]! * held[t]!;
      return weightTotal > 0 ? sum / weightTotal : 0;
    },
    match(
      local: readonly (readonly string[])[],
      subject: readonly (readonly string[])[],
    ): { overlap: number; extra: number } {
      let [overlap, extra] = [0, 0];
      for (const each of sought) {
        const own = best(each, local);
        const inherited = best(each, subject);
        const isOwn = own[0] >= 0.9 * inherited[0];
        overlap += each.mass * (isOwn ? own[0] : 0.9 * inherited[0]);
        extra += each.mass * (isOwn ? own[1] : inherited[1]);
      }
      return { overlap: overlap / total, extra: extra / total };
    },
  };
}

/** The rarity-weighted share of a title's words that the question has. */
export function shareAsked(
  title: readonly Word[],
  asked: ReadonlySet<string>,
  idf: (term: string) => number,
): number {
  const terms = new Set(title.filter(({ value }) => !value).map(({ term }) => term));
  let [all, has] = [0, 0];
  for (const term of terms) {
    all += idf(term);
    if (asked.has(term)) has += idf(term);
  }
  return all > 0 ? has / all : 0;
}

/** 1 where the value follows the word, -1 where another value does, else 0. */
export function valueAfter(
  word: string,
  value: string,
  places: Places,
  words: readonly Word[],
): number {
  let found = 0;
  for (const place of places.get(word) ?? []) {
    const next = words[place + 1];
    if (!next?.value) continue;
    if (isWithin(next.term, value)) return 1;
    found = -1;
  }
  return found;
}

/** Whether another word stands right before the head: "producer prices" for "consumer prices". */
export const hasOtherModifier = (head: string, places: Places, words: readonly Word[]): boolean =>
  (places.get(head) ?? []).some((place) => {
    const before = words[place - 1];
    return before !== undefined && words[place]!.start - before.end <= 2 && !before.value;
  });

/** Whether a figure is asked for, which is of its time: a holder of an office lasts. */
export const isFigure = (wanted: SeriesQuestion['wanted']): boolean =>
  wanted === 'number' || wanted === 'score' || wanted === 'date' || wanted === undefined;

/** 1 where the statement has nothing of the kind that is asked for, 0.5 where it has another. */
export function typeMissing(
  wanted: SeriesQuestion['wanted'],
  { words, times }: Statement,
  { title }: PassageStatements,
  asked: ReadonlySet<string>,
  names: readonly (readonly string[])[],
): number {
  const hasFigure = words.some(({ value, term }) => value && !asked.has(term));
  switch (wanted) {
    case 'version': {
      const isVersion = ({ value, term }: Word): boolean =>
        value && /\d\.\d/.test(term) && !asked.has(term);
      return words.some(isVersion) || title.some(isVersion) ? 0 : hasFigure ? 0.5 : 1;
    }
    case 'number':
    case 'score':
      return hasFigure ? 0 : 1;
    case 'date':
      return times.length > 0 ? 0 : 1;
    case 'person':
    case 'name':
    case 'organisation':
    case 'place':
      return names.some((name) => name.some((term) => !asked.has(term))) ||
        (wanted === 'name' && hasFigure)
        ? 0
        : 1;
    default:
      return 0;
  }
}
