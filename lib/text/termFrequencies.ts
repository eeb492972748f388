// Term frequencies of a text for BM25: its length and the counts of given terms.

/** Length of a text in terms, and the frequency of each query term. */
export interface TermFrequencies {
  length: number;
  counts: ArrayLike<number>;
}

/** Term frequencies of an analyzed text; `places` maps each query term to its index. */
export function termFrequenciesOf(
  analyzed: readonly string[],
  places: ReadonlyMap<string, number>,
): TermFrequencies {
  const counts = new Float64Array(places.size);
  for (const term of analyzed) {
    const place = places.get(term);
    if (place !== undefined) counts[place]! += 1;
  }
  return { length: analyzed.length, counts };
}
