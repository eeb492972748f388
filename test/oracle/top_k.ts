// The k best by a full sort, and the best of each group by looking at every row. Imports nothing.

/** Indices of the k best scores, higher first, ties to the lower index; NaN is excluded. */
export function topK(scores: ArrayLike<number>, k: number): number[] {
  return Array.from({ length: scores.length }, (_, index) => index)
    .filter((index) => !Number.isNaN(scores[index]))
    .sort((a, b) => (scores[a] === scores[b] ? a - b : scores[a]! < scores[b]! ? 1 : -1))
    .slice(0, k);
}

/**
 * The best row of each group, undefined where a group has no score; `groups` gives each row's
 * group.
 */
export function pool(
  scores: ArrayLike<number>,
  groups: ArrayLike<number>,
  count: number,
): (number | undefined)[] {
  return Array.from({ length: count }, (_, group) => {
    const members = Array.from({ length: scores.length }, (_, row) => row).filter(
      (row) => groups[row] === group,
    );
    const best = topK(
      members.map((row) => scores[row]!),
      1,
    )[0];
    return best === undefined ? undefined : members[best];
  });
}
