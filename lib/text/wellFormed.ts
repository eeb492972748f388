// Strings as Unicode: JavaScript's may hold halves of characters, which UTF-8 cannot.

/** The text with U+FFFD for every lone surrogate; UTF-16 offsets stay. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
