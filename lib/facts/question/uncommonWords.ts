// Words of a question that are no common ones of English, nor slips of such or of words of its
// candidates: names of things, in whatever case.
import { editDistance } from '../../runtime/nearestName.js';
import type { TokenEncoder } from '../../vectors/staticEncoder.js';
import type { WordVectors } from '../../vectors/wordVectors.js';

/** Rarity from which on a word is none of grammar. */
const rareWord = 15;
/** Words from this length on may have two slips where candidates have what is meant. */
const twoSlipsFrom = 8;
/** Words beyond are no slips, and have too many neighbours. */
const longestSlip = 32;
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

export interface KnownWords {
  encoder: TokenEncoder;
  /** Common words of English, by term. */
  common: WordVectors;
  /** Whether candidates have a term. */
  has(term: string): boolean;
  /** All terms of candidates. */
  terms(): readonly string[];
}

/** Whether a word in small letters, with its index term, is none that is known. */
export function uncommonWords({
  encoder,
  common,
  has,
  terms,
}: KnownWords): (low: string, term: string) => boolean {
  const isSlip = (low: string, term: string): boolean => {
    if (low.length > longestSlip) return false;
    const most = low.length < twoSlipsFrom ? 1 : 2;
    const isNear = (other: string): boolean =>
      other[0] === term[0] &&
      Math.abs(other.length - term.length) <= most &&
      editDistance(term, other) <= most;
    if (terms().some(isNear)) return true;
    const variants = oneSlipFrom(low);
    const { ends } = encoder.tokenize(variants);
    const isToken = (_: string, at: number): boolean => ends[at]! - (ends[at - 1] ?? 0) === 1;
    return variants.some(isToken) || common.hasAny(oneSlipFrom(term));
  };
  const found = new Map<string, boolean>();
  return (low, term) => {
    if (encoder.rarity(low) < rareWord || common.has(term)) return false;
    if (has(term)) return true;
    const known = found.get(low) ?? !isSlip(low, term);
    found.set(low, known);
    return known;
  };
}

/** Words of which one letter was left out, added, replaced or swapped with the next. */
function oneSlipFrom(word: string): string[] {
  return [...Array(word.length + 1).keys()].flatMap((at) => {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    return [
      ...letters.map((letter) => head + letter + tail),
      ...(tail === '' ? [] : [head + tail.slice(1)]),
      ...(tail === '' ? [] : letters.map((letter) => head + letter + tail.slice(1))),
      ...(tail.length < 2 ? [] : [head + tail[1] + tail[0] + tail.slice(2)]),
    ];
  });
}
