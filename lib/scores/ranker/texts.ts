// What the candidates' texts have of a question's terms, side by side in tables: which they hold, how often, and how like the others are.
// Every token is looked up once, whatever is computed of it; a question reads some ten thousand. It weighs nothing.
import type { WordVectors } from '../../vectors/wordVectors.js';
import type { Words } from './question.js';

/** Of text t: its row in each table begins at t times the table's width. */
export interface TextTable {
  /** Distinct terms of the question: the width of `held` and `nearest`. */
  places: number;
  /** 1 where the text has the term of that place. */
  held: Uint8Array;
  /** How like the most alike of its words is to the term of that place, 0 to 1; of the question's common words alone. */
  nearest: Float64Array;
  /** The share of the question's pairs that stand together in the text; NaN without pairs. */
  pairs: Float64Array;
  /** How often it has each of the terms that are counted: that many wide. */
  counts: Float64Array;
  /** Terms, with repetition. */
  lengths: Uint32Array;
}

/** What a term is to the question; -1 where it is nothing of the kind. */
interface Meaning {
  place: number;
  counted: number;
  alike: number;
}

const nothing: Meaning = { place: -1, counted: -1, alike: -1 };

/**
 * Reads texts that are analysed.
 * @param common places of the question's terms that other words may stand for
 * @param counted the terms whose occurrences are counted, each once
 */
export function readTexts(
  texts: readonly (readonly string[])[],
  { places, weights, pairs }: Words,
  common: readonly number[],
  counted: readonly string[],
  vectors: WordVectors,
): TextTable {
  const width = weights.length;
  const table: TextTable = {
    places: width, held: new Uint8Array(texts.length * width), nearest: new Float64Array(texts.length * width),
    pairs: new Float64Array(texts.length), counts: new Float64Array(texts.length * counted.length), lengths: new Uint32Array(texts.length),
  };
  const { meaningOf, likeness } = meanings(places, common, counted, vectors);
  const together = new Uint8Array(width * width); // terms that follow one another in the text at hand
  texts.forEach((terms, text) => {
    const own = text * width;
    let before = -1;
    for (const term of terms) {
      const { place, counted: number, alike } = meaningOf(term);
      if (number >= 0) table.counts[text * counted.length + number]! += 1;
      if (place >= 0) {
        table.held[own + place] = 1;
        if (before >= 0) together[before * width + place] = 1;
      }
      before = place;
      if (alike < 0) continue;
      for (let i = 0; i < common.length; i += 1) {
        const value = likeness(alike + i);
        const at = own + common[i]!;
        if (value > table.nearest[at]!) table.nearest[at] = value;
      }
    }
    table.lengths[text] = terms.length;
    table.pairs[text] = shareTogether(pairs, together, width);
  });
  return table;
}

/** The share of the pairs that stand together, which is forgotten; NaN of none. */
function shareTogether(pairs: Words['pairs'], together: Uint8Array, width: number): number {
  if (pairs.length === 0) return NaN;
  let found = 0;
  for (const [one, other] of pairs) found += together[one * width + other]!;
  if (found > 0) together.fill(0);
  return found / pairs.length;
}

/** Meanings of terms, each found once a question, and the likenesses of those that have some, beginning at `alike`. */
function meanings(places: Words['places'], common: readonly number[], counted: readonly string[], vectors: WordVectors) {
  const known = new Map<string, Meaning>();
  const numbers = new Map(counted.map((term, number) => [term, number]));
  const distinct = [...places.keys()];
  const compare = common.length > 0 ? vectors.comparer(common.map((place) => distinct[place]!)) : undefined;
  let likenesses = new Float64Array(1024 * common.length);
  let used = 0;
  const alikeOf = (term: string): number => {
    if (used + common.length > likenesses.length) {
      const larger = new Float64Array(2 * likenesses.length);
      larger.set(likenesses);
      likenesses = larger;
    }
    if (!compare?.(term, likenesses, used)) return -1;
    used += common.length;
    return used - common.length;
  };
  const meaningOf = (term: string): Meaning => {
    let meaning = known.get(term);
    if (meaning === undefined) {
      const [place, number, alike] = [places.get(term) ?? -1, numbers.get(term) ?? -1, alikeOf(term)];
      meaning = place < 0 && number < 0 && alike < 0 ? nothing : { place, counted: number, alike };
      known.set(term, meaning);
    }
    return meaning;
  };
  return { meaningOf, likeness: (at: number): number => likenesses[at]! };
}
