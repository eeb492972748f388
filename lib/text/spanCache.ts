// Cache from the words of texts to values, looked up by the place of a word in a text.

/** UTF-16 units of a slot: the word's length and the word. */
const slotUnits = 16;

/** Direct-mapped cache by spans of a text: a hit allocates no string. */
export class SpanCache<Value> {
  private readonly words: Uint16Array;
  private readonly values: Value[];

  /**
   * @param slots a power of two: most words of a text are common ones
   * @param read the value of a word, which is '' at first
   */
  constructor(
    private readonly slots: number,
    private readonly read: (word: string) => Value,
  ) {
    this.words = new Uint16Array(slots * slotUnits);
    this.values = new Array<Value>(slots).fill(read(''));
  }

  /** The value of `text.slice(start, end)`, whose UTF-16 units are `units`. */
  get(text: string, units: Uint16Array, start: number, end: number): Value {
    const length = end - start;
    if (length >= slotUnits) return this.read(text.slice(start, end));
    let hash = length;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + units[at]!) | 0;
    const slot = (hash ^ (hash >>> 15)) & (this.slots - 1);
    const from = slot * slotUnits;
    if (this.matches(from, units, start, length)) return this.values[slot]!;
    this.words[from] = length;
    for (let i = 0; i < length; i += 1) this.words[from + 1 + i] = units[start + i]!;
    return (this.values[slot] = this.read(text.slice(start, end)));
  }

  private matches(from: number, units: Uint16Array, start: number, length: number): boolean {
    const { words } = this;
    if (words[from] !== length) return false;
    for (let i = 0; i < length; i += 1) if (words[from + 1 + i] !== units[start + i]) return false;
    return true;
  }
}
