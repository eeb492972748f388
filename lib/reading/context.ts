// Passages of a prompt: all of them if they fit, else whole sentences around the best of each.
import { splitSentences } from '../text/sentences.js';
import type { ReadablePassage } from './answer.js';

/**
 * The passages with their texts cut so that all together have at most `characters`; what short ones
 * leave the longer ones use.
 */
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

/**
 * Equal shares of a total, where nobody gets more than is wanted and what is left goes to the
 * others.
 */
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

/**
 * As many whole sentences around the best one as fit, the next before the previous; a single one
 * that is too long ends at a word.
 */
function cutAround(text: string, best: string | undefined, characters: number): string {
  const sentences = splitSentences(text);
  if (sentences.length === 0) return '';
  const place = best === undefined ? -1 : text.indexOf(best);
  const winner =
    place < 0
      ? 0
      : Math.max(
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

function atWord(piece: string): string {
  const blank = piece.search(/\s\S*$/u);
  const cut = blank > 0 ? piece.slice(0, blank) : piece;
  return cut.replace(/[\uD800-\uDBFF]$/, '');
}
