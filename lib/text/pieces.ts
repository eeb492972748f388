// Words and pieces of texts: common words and likely surnames by case, and pieces of long texts for
// loops that yield to the event loop. Case is the only evidence ("Prime Minister" yields a surname
// too), so that callers must check further.

/** UTF-16 units after which a piece ends as soon as it can: about a millisecond of analysis. */
const pieceUnits = 16_384;

/** White space that is not inside a run of capitalised words, and stops that need none. */
const boundary = /(?<![\p{L}'’-])\s|\s(?!\p{Lu})|[。！？]/gu;

/**
 * A text in pieces whose words, terms and surnames (`words.ts`) are together those of the text:
 * each ends before white space or a stop. Most texts are one piece.
 */
export function* textPieces(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > pieceUnits) {
    boundary.lastIndex = from + pieceUnits;
    const to = boundary.exec(text)?.index ?? text.length;
    yield text.slice(from, to);
    from = to;
  }
  if (from < text.length) yield text.slice(from);
}

/** Words in lower case, in order. */
export function lowercaseWords(text: string): string[] {
  return text.match(/(?<![\p{L}\p{N}'’])\p{Ll}[\p{L}'’]*/gu) ?? [];
}

/** "Champion" in "Thierry Champion of France", but not after a possessive. */
export function surnames(text: string): string[] {
  const runs = text.match(/\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)+/gu) ?? [];
  return runs
    .map((run) => run.split(' '))
    .filter((words) => !/['’]s?$/.test(words.at(-2)!))
    .map((words) => words.at(-1)!);
}
