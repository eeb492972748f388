// A text as BM25 reads it: how long it is, and how often it has each of some terms. It weighs
// nothing.

/**
 * A piece of a text as BM25 reads it: its length in terms, and how often it has each of the
 * question's.
 */
export interface TermFrequencies {
  length: number;
  counts: ArrayLike<number>;
}

/** A text that was analyzed, by how often it has each of the terms; `places` gives theirs. */
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
