// What varies between passages of one series and what stays: their values differ where their words
// around them agree. Compares strings in lower case; it knows no series.

const wordCharacter = /[\p{L}\p{N}]/u;

export class Variation {
  private readonly texts: readonly string[];
  private readonly known = new Map<string, readonly boolean[]>();

  constructor(texts: readonly string[]) {
    this.texts = texts.map((text) => text.toLowerCase());
  }

  /**
   * For a span of a passage: `constancy`, the share of the other passages that have its words too;
   * `slot`, how far its words are missing in the others where its neighbours are not; both 0 to 1.
   */
  of(passage: number, text: string, { start, end }: { start: number; end: number }) {
    const others = this.texts.length - 1;
    if (others === 0) return { constancy: 0, slot: 0 };
    const shareOf = (words: string | undefined): number =>
      this.holders(words).filter((has, at) => has && at !== passage).length / others;
    const inside = text.slice(start, end).match(/[\p{L}\p{N}]+(?:[.,'’-][\p{L}\p{N}]+)*/gu) ?? [];
    const within = inside.reduce((sum, word) => sum + shareOf(word), 0) / (inside.length || 1);
    // What is behind a mark has no neighbour there.
    const before = /[\p{L}\p{N}.'’-]+(?= $)/u.exec(text.slice(Math.max(0, start - 40), start))?.[0];
    const after = /^ ([\p{L}\p{N}'’-]+)/u.exec(text.slice(end, end + 40))?.[1];
    const around = [before, after].map((word) => (word === undefined ? 0.7 : shareOf(word)));
    return {
      constancy: shareOf(text.slice(start, end)),
      slot: (1 - within) * ((around[0]! + around[1]!) / 2),
    };
  }

  /** Which of the texts have these words. */
  private holders(given: string | undefined): readonly boolean[] {
    const words = given?.trim().toLowerCase() ?? '';
    let holders = this.known.get(words);
    if (!holders)
      this.known.set(words, (holders = this.texts.map((text) => words !== '' && has(text, words))));
    return holders;
  }
}

function has(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!joins(text, at) && !joins(text, at + words.length)) return true;
  return false;
}

/** Whether a place in a text is inside a word. */
const joins = (text: string, at: number): boolean =>
  at > 0 && at < text.length && wordCharacter.test(text[at - 1]!) && wordCharacter.test(text[at]!);
