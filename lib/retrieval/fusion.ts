// Fusion of ranked lists, by reciprocal ranks or by normalised scores.
import { invalidArgument, mustBe } from '../errors.js';

/** A passage with its score in one list. Lists are ordered best first. */
export interface RankedPassage {
  id: string;
  score: number;
}

/** A passage with its fused score and its score in each list (undefined if absent there). */
export interface FusedPassage extends RankedPassage {
  parts: (number | undefined)[];
}

/**
 * Reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009): the sum over lists of weight
 * / (k + rank), ranks from 1; a list that lacks a passage adds nothing. Ordered by score, ties by
 * id. Scores lie in (0, sum of weights / (k + 1)].
 * @param options.k default 60, at least 0; larger values flatten the difference between ranks.
 * @param options.weights one per list, finite and at least 0, default 1.
 * @throws AsOfError ERR_INVALID_ARGUMENT for scores that are not numbers and options out of range.
 */
export function reciprocalRankFusion(
  lists: readonly (readonly RankedPassage[])[],
  options: { k?: number; weights?: readonly number[] } = {},
): FusedPassage[] {
  mustBe('an array', { lists });
  mustBe('an object', { options });
  const k = options.k ?? 60;
  if (!(k >= 0) || !Number.isFinite(k))
    throw invalidArgument('k', 'a finite number of at least 0', k);
  const weights = checkedWeights(options.weights ?? lists.map(() => 1), lists.length);
  return fuse(lists, (list, rank) => weights[list]! / (k + rank));
}

/**
 * Convex combination of scores normalised by their theoretical minimum and the list's maximum
 * (Bruch, Gai and Ingber, TOIS 2023, "TM2C2"): the sum over lists of weight (score - minimum) /
 * (maximum - minimum), weights summing to one. A passage that a list lacks has the list's minimum,
 * so score the union of candidates in every list if possible. A list whose maximum equals its
 * minimum adds nothing. Ordered by score, ties by id. Scores lie in [0, 1] unless a score lies
 * outside its bounds.
 * @param options.weights one per list, at least 0, scaled to sum to one; default equal. For two
 * lists, [alpha, 1 - alpha].
 * @param options.minima the lowest possible score of each list: 0 for BM25 (the default), -1 for a
 * cosine.
 * @param options.maxima the highest score of each list over the whole corpus, such as
 * searchLexical's maxScore; default the list's highest.
 * @throws AsOfError ERR_INVALID_ARGUMENT for scores that are not finite and options out of range.
 */
export function normalisedSum(
  lists: readonly (readonly RankedPassage[])[],
  options: {
    weights?: readonly number[];
    minima?: readonly number[];
    maxima?: readonly (number | undefined)[];
  } = {},
): FusedPassage[] {
  mustBe('an array', { lists });
  mustBe('an object', { options });
  const weights = checkedWeights(options.weights ?? lists.map(() => 1), lists.length);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0 && lists.length > 0)
    throw invalidArgument('weights', 'numbers of which at least one is above 0', weights);
  const minima = options.minima ?? lists.map(() => 0);
  if (minima.length !== lists.length || !minima.every(Number.isFinite))
    throw invalidArgument('minima', `${lists.length} finite numbers`, minima);
  if (options.maxima && options.maxima.length !== lists.length)
    throw invalidArgument('maxima', `${lists.length} numbers`, options.maxima);
  const spans = lists.map((list, i) => {
    const maximum =
      options.maxima?.[i] ?? list.reduce((most, { score }) => Math.max(most, score), -Infinity);
    return list.length === 0 ? 0 : maximum - minima[i]!;
  });
  return fuse(lists, (list, _rank, score) => {
    if (!Number.isFinite(score)) throw invalidArgument('a score', 'a finite number', score);
    return spans[list]! > 0
      ? ((weights[list]! / total) * (score - minima[list]!)) / spans[list]!
      : 0;
  });
}

function checkedWeights(weights: readonly number[], lists: number): readonly number[] {
  const valid =
    weights.length === lists && weights.every((weight) => Number.isFinite(weight) && weight >= 0);
  if (!valid) throw invalidArgument('weights', `${lists} finite numbers of at least 0`, weights);
  return weights;
}

/** Sums each passage's points. A duplicate in a list counts at its first rank. */
function fuse(
  lists: readonly (readonly RankedPassage[])[],
  points: (list: number, rank: number, score: number) => number,
): FusedPassage[] {
  const fused = new Map<string, FusedPassage>();
  lists.forEach((list, number) => {
    list.forEach(({ id, score }, position) => {
      if (typeof score !== 'number' || Number.isNaN(score))
        throw invalidArgument(`the score of ${id}`, 'a number', score);
      let entry = fused.get(id);
      if (!entry) fused.set(id, (entry = { id, score: 0, parts: lists.map(() => undefined) }));
      if (entry.parts[number] !== undefined) return;
      entry.parts[number] = score;
      entry.score += points(number, position + 1, score);
    });
  });
  return [...fused.values()].sort(
    (a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}
