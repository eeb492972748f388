// Tokens of a text, as `maxTokens` counts them, and cuts of a text at them.

/**
 * A token: up to 16 letters and digits of a script that has case, one letter of another (Han,
 * Arabic, Hangul), or one other sign. The vocabularies of encoders give some 1.3 times as many for
 * English; theirs are neither synchronous nor the same for two encoders.
 */
const token = /[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{M}\p{N}_]{1,16}|\S/gu;

export function countTokens(text: string): number {
  let count = 0;
  token.lastIndex = 0;
  while (token.test(text)) count += 1;
  return count;
}

/** A part of a text in UTF-16 units, with its tokens. */
export interface Piece {
  start: number;
  end: number;
  tokens: number;
}

/**
 * Cuts text[start, end) into parts of at most `most` tokens, after the last white space of each
 * where it has any. No part begins or ends with white space.
 */
export function cutAtTokens(text: string, start: number, end: number, most: number): Piece[] {
  const pieces: Piece[] = [];
  let part: { start: number; end: number }[] = [];
  const close = (size: number): void => {
    pieces.push({ start: part[0]!.start, end: part[size - 1]!.end, tokens: size });
    part = part.slice(size);
  };
  for (const match of text.slice(start, end).matchAll(token)) {
    const at = start + match.index;
    if (part.length === most) {
      let size = most;
      let next = at;
      while (size > 0 && part[size - 1]!.end === next) next = part[--size]!.start;
      close(size > 0 ? size : most);
    }
    part.push({ start: at, end: at + match[0].length });
  }
  if (part.length > 0) close(part.length);
  return pieces;
}
