// Bounded cache of two generations: a full young generation becomes the old one, whose unused
// entries are evicted. Approximates LRU without a list: a lookup is one or two hash probes.

export interface CacheLimits {
  /** Largest total weight of the entries, in the caller's unit (entries, characters, bytes). */
  capacity: number;
  /** Heavier entries are not admitted. Default: half of the capacity. */
  maxEntryWeight?: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
}

/** Maps keys to values; a lookup counts as a use, and entries without a use are evicted first. */
export class GenerationalCache<Value, Key = string> {
  private young = new Map<Key, Entry<Value>>();
  private old = new Map<Key, Entry<Value>>();
  private youngWeight = 0;
  private readonly generationCapacity: number;
  private readonly maxEntryWeight: number;

  constructor({ capacity, maxEntryWeight = capacity / 2 }: CacheLimits) {
    this.generationCapacity = capacity / 2;
    this.maxEntryWeight = Math.min(maxEntryWeight, capacity / 2);
  }

  /** Entries of both generations. */
  get size(): number {
    let size = this.young.size;
    for (const key of this.old.keys()) if (!this.young.has(key)) size += 1;
    return size;
  }

  get(key: Key): Value | undefined {
    const young = this.young.get(key);
    if (young !== undefined) return young.value;
    const old = this.old.get(key);
    if (old === undefined) return undefined;
    this.insert(key, old);
    return old.value;
  }

  /** @param weight of key and value, approximately */
  set(key: Key, value: Value, weight: number): void {
    if (weight > this.maxEntryWeight) return;
    const previous = this.young.get(key);
    if (previous !== undefined) {
      this.young.delete(key);
      this.youngWeight -= previous.weight;
    }
    this.insert(key, { value, weight });
  }

  /** The value of a key, computed and cached on a miss. */
  getOrCompute(key: Key, weight: number, compute: () => Value): Value {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const value = compute();
    this.set(key, value, weight);
    return value;
  }

  private insert(key: Key, entry: Entry<Value>): void {
    if (this.youngWeight + entry.weight > this.generationCapacity) {
      this.old = this.young;
      this.young = new Map();
      this.youngWeight = 0;
    }
    this.young.set(key, entry);
    this.youngWeight += entry.weight;
  }
}
