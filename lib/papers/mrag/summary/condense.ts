// Extractive query-focused summary of a passage (MRAG section 4, without a model): the fewest
// sentences with most of the query's terms, and the date in question.

/**
 * A passage's sentences by the terms of what is asked: sentence s holds term t counts[from + s *
 * terms + t] times, those of the title with it.
 */
export interface CountedSentences {
  length: number;
  terms: number;
  counts: ArrayLike<number>;
  from: number;
  /** Whether a sentence has a date. */
  dated: (sentence: number) => boolean;
}

/** Sentences, ascending. */
export interface Condensed {
  chosen: number[];
  /** Those of them whose dates are the summary's. */
  telling: number[];
}

const mostSentences = 3;

/**
 * Undefined where fewer than two sentences have something to say: they stand for themselves. What
 * the title says is said already.
 * @param beside places of the terms of the word beside the question's constraint: the sentences
 * that have one tell which date is asked for
 * @param inTitle whether the title has a term; asked only where the sentences leave it open
 */
export function condense(
  sentences: CountedSentences,
  beside: readonly number[],
  inTitle: (term: number) => boolean,
): Condensed | undefined {
  const { length, dated } = sentences;
  if (length < 2) return undefined;
  const taken = mostSaid(sentences);
  const [first] = taken;
  if (first === undefined) return undefined;
  if (!taken.some(dated)) {
    const nearest = nearestDated(sentences, first);
    if (nearest !== undefined) taken.push(nearest);
  }
  if (taken.length < 2) return undefined;
  const chosen = taken.sort((a, b) => a - b);
  const deciding = beside.filter((term) => !heldByAll(sentences, term));
  // A term that all of them have tells of each date as much as none would.
  if (deciding.length === 0 || beside.some((term) => !deciding.includes(term) && !inTitle(term)))
    return { chosen, telling: chosen };
  const telling = chosen.filter(
    (sentence) => dated(sentence) && deciding.some((term) => holds(sentences, sentence, term)),
  );
  return { chosen, telling: telling.length > 0 ? telling : chosen };
}

const holds = (
  { counts, from, terms }: CountedSentences,
  sentence: number,
  term: number,
): boolean => counts[from + sentence * terms + term]! > 0;

function heldByAll(sentences: CountedSentences, term: number): boolean {
  for (let each = 0; each < sentences.length; each += 1)
    if (!holds(sentences, each, term)) return false;
  return true;
}

/**
 * Up to three sentences, each adding most to what those before it say; of equal ones the first that
 * has a date. What every sentence holds, and with it whatever the title says, adds as much to each
 * of them and is said by the first, so that it decides nothing: where nothing else is said one
 * sentence would stand alone.
 */
function mostSaid(sentences: CountedSentences): number[] {
  const { length, terms, dated } = sentences;
  const wanted: number[] = [];
  for (let term = 0; term < terms; term += 1) if (!heldByAll(sentences, term)) wanted.push(term);
  const taken: number[] = [];
  while (taken.length < mostSentences && wanted.length > 0) {
    let [next, most, nextDated] = [-1, 0, false];
    for (let each = 0; each < length; each += 1) {
      if (taken.includes(each)) continue;
      let gain = 0;
      for (let at = 0; at < wanted.length; at += 1)
        if (holds(sentences, each, wanted[at]!)) gain += 1;
      if (gain > most) [next, most, nextDated] = [each, gain, dated(each)];
      else if (gain === most && gain > 0 && !nextDated && dated(each))
        [next, nextDated] = [each, true];
    }
    if (next < 0) break;
    taken.push(next);
    let left = 0;
    for (const term of wanted) if (!holds(sentences, next, term)) wanted[left++] = term;
    wanted.length = left;
  }
  return taken;
}

/** The sentence with a date that stands nearest, the one before of two. */
function nearestDated({ length, dated }: CountedSentences, from: number): number | undefined {
  for (let away = 1; away < length; away += 1) {
    for (const at of [from - away, from + away]) if (at >= 0 && at < length && dated(at)) return at;
  }
  return undefined;
}
