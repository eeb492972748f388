// Seeded random numbers: mulberry32.
export class Random {
  constructor(private state: number) {}

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let value = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  pick<Element>(list: readonly Element[]): Element {
    return list[this.below(list.length)]!;
  }

  /** An element, by weights. */
  weighted<Element>(choices: readonly (readonly [number, Element])[]): Element {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, element] of choices) if ((left -= weight) < 0) return element;
    return choices.at(-1)![1];
  }
}
