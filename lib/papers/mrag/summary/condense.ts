// Extractive query-focused summary of a passage (MRAG section 4, without a model): the fewest
// sentences that cover the query's terms, with the relevant date.

/** Sentence s has term t counts[from + s * terms + t] times, including those of the title. */
export interface CountedSentences {
  length: number;
  terms: number;
  counts: ArrayLike<number>;
  from: number;
  /** Whether a sentence has a date. */
  dated: (sentence: number) => boolean;
}

/** Sentences, ascending. */
export interface SentenceSelection {
  chosen: number[];
  /** The chosen sentences whose dates are those of the summary. */
  dating: number[];
}

const maxSentences = 3;

/**
 * The summary; undefined if fewer than two sentences add terms to those of the title.
 * @param adjacent indices of the terms of the word next to the question's constraint: sentences
 * with one of them have the relevant date
 * @param inTitle whether the title has a term; called only if all sentences count it
 */
export function condense(
  sentences: CountedSentences,
  adjacent: readonly number[],
  inTitle: (term: number) => boolean,
): SentenceSelection | undefined {
  const { length, dated } = sentences;
  if (length < 2) return undefined;
  const selected = selectSentences(sentences);
  const [first] = selected;
  if (first === undefined) return undefined;
  if (!selected.some(dated)) {
    const nearest = nearestDated(sentences, first);
    if (nearest !== undefined) selected.push(nearest);
  }
  if (selected.length < 2) return undefined;
  const chosen = selected.sort((a, b) => a - b);
  const deciding = adjacent.filter((term) => !inAll(sentences, term));
  // A term of all sentences does not distinguish their dates.
  if (deciding.length === 0 || adjacent.some((term) => !deciding.includes(term) && !inTitle(term)))
    return { chosen, dating: chosen };
  const dating = chosen.filter(
    (sentence) => dated(sentence) && deciding.some((term) => holds(sentences, sentence, term)),
  );
  return { chosen, dating: dating.length > 0 ? dating : chosen };
}

const holds = (
  { counts, from, terms }: CountedSentences,
  sentence: number,
  term: number,
): boolean => counts[from + sentence * terms + term]! > 0;

function inAll(sentences: CountedSentences, term: number): boolean {
  for (let each = 0; each < sentences.length; each += 1)
    if (!holds(sentences, each, term)) return false;
  return true;
}

/** Greedy cover: up to three sentences, each adding most terms to those before. */
function selectSentences(sentences: CountedSentences): number[] {
  const { length, terms, dated } = sentences;
  const uncovered: number[] = [];
  for (let term = 0; term < terms; term += 1) if (!inAll(sentences, term)) uncovered.push(term);
  const selected: number[] = [];
  while (selected.length < maxSentences && uncovered.length > 0) {
    let [next, most, nextDated] = [-1, 0, false];
    for (let each = 0; each < length; each += 1) {
      if (selected.includes(each)) continue;
      let gain = 0;
      for (let at = 0; at < uncovered.length; at += 1)
        if (holds(sentences, each, uncovered[at]!)) gain += 1;
      if (gain > most) [next, most, nextDated] = [each, gain, dated(each)];
      else if (gain === most && gain > 0 && !nextDated && dated(each))
        [next, nextDated] = [each, true];
    }
    if (next < 0) break;
    selected.push(next);
    let left = 0;
    for (const term of uncovered) if (!holds(sentences, next, term)) uncovered[left++] = term;
    uncovered.length = left;
  }
  return selected;
}

/** The nearest sentence with a date; of two the earlier. */
function nearestDated({ length, dated }: CountedSentences, from: number): number | undefined {
  for (let away = 1; away < length; away += 1) {
    for (const at of [from - away, from + away]) if (at >= 0 && at < length && dated(at)) return at;
  }
  return undefined;
}
