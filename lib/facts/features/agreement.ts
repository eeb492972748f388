// Agreement of a question with the words of a statement: its names, values, pairs of words and the
// kind of its answer.
import type { AnswerType } from '../../text/answerType.js';
import type { Name } from '../question/names.js';
import type { PassageStatements, Statement } from '../statements/statements.js';
import type { WordRange } from '../statements/textWords.js';
import { asked, given, type AskedTerms } from '../question/vocabulary.js';

/** How the question's names agree with the names of a statement. */
export function entityMatcher(
  { question: { terms, names }, vocabulary: { lexicon }, marks }: AskedTerms,
  idf: (term: string) => number,
) {
  const idfOf = (term: number): number => idf(lexicon.texts[term]!);
  const sought = names.map((name) => {
    const own = new Set(name.map((t) => terms[t]!.term));
    const mass = [...own].reduce((sum, term) => sum + idf(term), 0) || 1;
    return { own: new Set([...own].map((term) => lexicon.numberOf(term))), mass };
  });
  const total = sought.reduce((sum, { mass }) => sum + mass, 0);
  const weights = terms.map(({ weight }, t) => (names.some((n) => n.includes(t)) ? weight : 0));
  const weightTotal = weights.reduce((sum, each) => sum + each, 0);
  /** Rarity-weighted Jaccard with the best of the names; what that one has in excess. */
  const best = (
    { own, mass }: (typeof sought)[number],
    group: readonly Name[],
  ): [overlap: number, extra: number] => {
    let [overlap, excess] = [0, 0];
    for (const name of group) {
      if (!name.some((term) => own.has(term))) continue;
      let [both, extra] = [0, 0];
      for (const term of new Set(name))
        if (own.has(term)) both += idfOf(term);
        else if ((marks[term]! & asked) === 0) extra += idfOf(term);
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
    match(local: readonly Name[], subject: readonly Name[]): { overlap: number; extra: number } {
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
  { of: { words, lexicon }, from, to }: WordRange,
  { marks }: AskedTerms,
  idf: (term: string) => number,
): number {
  const terms = new Set<number>();
  let isAsked = false;
  for (let at = from; at < to; at += 1) {
    if (lexicon.isValue[words[at]!]) continue;
    const term = lexicon.terms[words[at]!]!;
    terms.add(term);
    isAsked ||= (marks[term]! & asked) !== 0;
  }
  if (!isAsked) return 0;
  let [all, has] = [0, 0];
  for (const term of terms) {
    const own = idf(lexicon.texts[term]!);
    all += own;
    if ((marks[term]! & asked) !== 0) has += own;
  }
  return all > 0 ? has / all : 0;
}

/** 1 where the question's value `t` follows the word, -1 where another value does, else 0. */
export function valueAfter(
  word: number,
  t: number,
  { of: { words, lexicon }, from, to }: WordRange,
  asked: AskedTerms,
): number {
  let found = 0;
  for (let at = from; at < to - 1; at += 1) {
    if (lexicon.terms[words[at]!] !== word || !lexicon.isValue[words[at + 1]!]) continue;
    if (asked.isValue(lexicon.terms[words[at + 1]!]!, t)) return 1;
    found = -1;
  }
  return found;
}

/** Whether another word stands right before the head: "producer prices" for "consumer prices". */
export function hasOtherModifier(head: number, { of, from, to }: WordRange): boolean {
  const { words, starts, lexicon } = of;
  for (let at = from + 1; at < to; at += 1) {
    if (lexicon.terms[words[at]!] !== head) continue;
    const before = lexicon.words[words[at - 1]!]!;
    if (starts[at]! - starts[at - 1]! - before.length <= 2 && !before.value) return true;
  }
  return false;
}

/** Whether a figure is asked for, which is of its time: a holder of an office lasts. */
export const isFigure = (wanted: AnswerType | undefined): boolean =>
  wanted === 'number' || wanted === 'score' || wanted === 'date' || wanted === undefined;

/** 1 where the statement has nothing of the kind that is asked for, 0.5 where it has another. */
export function typeMissing(
  { question: { wanted }, marks }: AskedTerms,
  { words, times }: Statement,
  { title }: PassageStatements,
  names: readonly Name[],
): number {
  const isNew = (term: number): boolean => (marks[term]! & given) === 0;
  const hasFigure = (): boolean => hasValue(words, isNew);
  switch (wanted) {
    case 'version': {
      const isVersion = (term: number): boolean =>
        isNew(term) && /\d\.\d/.test(words.of.lexicon.texts[term]!);
      return hasValue(words, isVersion) || hasValue(title, isVersion) ? 0 : hasFigure() ? 0.5 : 1;
    }
    case 'number':
    case 'score':
      return hasFigure() ? 0 : 1;
    case 'date':
      return times.length > 0 ? 0 : 1;
    case 'person':
    case 'name':
    case 'organisation':
    case 'place':
      return names.some((name) => name.some(isNew)) || (wanted === 'name' && hasFigure()) ? 0 : 1;
    default:
      return 0;
  }
}

function hasValue(
  { of: { words, lexicon }, from, to }: WordRange,
  test: (term: number) => boolean,
): boolean {
  for (let at = from; at < to; at += 1)
    if (lexicon.isValue[words[at]!] && test(lexicon.terms[words[at]!]!)) return true;
  return false;
}
