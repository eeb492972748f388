// Passages of a prompt: all of them if they fit, else whole sentences around the best of each.
import { sentenceWindows, type Span } from '../text/sentences.js';
import type { ReadablePassage } from './answer.js';

/** Texts cut to at most `characters` in all; what short ones leave the longer ones use. */
export function fitPassages<P extends ReadablePassage>(
  passages: readonly P[],
  characters: number,
): P[] {
  const shares = fairShares(
    passages.map(({ text }) => text.length),
    characters,
  );
  return passages.map((passage, at) =>
    passage.text.length <= shares[at]!
      ? passage
      : { ...passage, text: cutAround(passage.text, passage.sentence, shares[at]!) },
  );
}

/** Equal shares of a total, where what is left goes to the others. */
function fairShares(wanted: readonly number[], total: number): number[] {
  const shares = new Array<number>(wanted.length).fill(0);
  let left = total;
  [...wanted.keys()]
    .sort((a, b) => wanted[a]! - wanted[b]!)
    .forEach((index, served) => {
      shares[index] = Math.min(wanted[index]!, Math.floor(left / (wanted.length - served)));
      left -= shares[index];
    });
  return shares;
}

/** UTF-16 units before those that are read from which on a text is segmented. */
const lead = 2048;

/** As many whole sentences around the best one as fit; a single long one ends at a word. */
function cutAround(text: string, best: string | undefined, characters: number): string {
  const place = best === undefined ? 0 : Math.max(0, text.indexOf(best));
  const sentences = sentencesBetween(text, place - characters, place + characters);
  if (sentences.length === 0) return '';
  const winner = Math.max(
    0,
    sentences.findLastIndex(({ start }) => start <= place),
  );
  let [from, to] = [winner, winner];
  const length = (first: number, last: number): number =>
    sentences[last]!.end - sentences[first]!.start;
  if (length(winner, winner) > characters)
    return atWord(text.slice(sentences[winner]!.start, sentences[winner]!.start + characters));
  for (;;) {
    if (to + 1 < sentences.length && length(from, to + 1) <= characters) to += 1;
    else if (from > 0 && length(from - 1, to) <= characters) from -= 1;
    else return text.slice(sentences[from]!.start, sentences[to]!.end);
  }
}

/** The sentences that begin in a part of a text, and some before. */
function sentencesBetween(text: string, from: number, to: number): Span[] {
  const sentences: Span[] = [];
  for (const some of sentenceWindows(text, Math.max(0, from - lead))) {
    for (const each of some) sentences.push(each);
    if (sentences.length > 0 && sentences.at(-1)!.start > to) break;
  }
  return sentences;
}

function atWord(piece: string): string {
  const blank = piece.search(/\s\S*$/u);
  const cut = blank > 0 ? piece.slice(0, blank) : piece;
  return cut.replace(/[\uD800-\uDBFF]$/, '');
}
