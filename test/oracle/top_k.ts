// The k best by a full sort. Imports nothing.

/** Indices of the k best scores, higher first, ties to the lower index; NaN is excluded. */
export function topK(scores: ArrayLike<number>, k: number): number[] {
  return Array.from({ length: scores.length }, (_, index) => index)
    .filter((index) => !Number.isNaN(scores[index]))
    .sort((a, b) => (scores[a] === scores[b] ? a - b : scores[a]! < scores[b]! ? 1 : -1))
    .slice(0, k);
}
