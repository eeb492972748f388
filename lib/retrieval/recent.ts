// What was read lately of segments, for questions that come back to the same passages and words:
// bounded by weight, in two halves of which the older is forgotten when the younger is full.
// Segments never change, so nothing in it can be out of date.

export class Recent<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();
  private weight = 0;

  /** Keeps values of twice `half` at most, and none that weighs more than a sixteenth of it. */
  constructor(private readonly half: number) {}

  get(key: string): Value | undefined {
    return this.young.get(key) ?? this.old.get(key);
  }

  /** Remembers a value, or that it was of use again. */
  keep(key: string, value: Value, weight: number): void {
    if (16 * weight > this.half || this.young.has(key)) return;
    if (this.weight + weight > this.half) {
      this.old = this.young;
      this.young = new Map();
      this.weight = 0;
    }
    this.young.set(key, value);
    this.weight += weight;
  }
}

let numbered = 0;
const numbers = new WeakMap<object, number>();

/** A number that this process gives to a segment or an analyzer alone, and never again. */
export function numberOf(each: object): number {
  let number = numbers.get(each);
  if (number === undefined) numbers.set(each, (number = numbered += 1));
  return number;
}
