// Pieces of long texts, for loops over words that yield to the event loop between them.

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
