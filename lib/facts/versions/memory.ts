// What is remembered of texts read lately, within a number of bytes: two halves, of which the older
// one is forgotten when the newer is full, so that what is asked for again stays. It reads nothing
// itself.

export class Memory<Value> {
  private fresh = new Map<string, Value>();
  private stale = new Map<string, Value>();
  private bytes = 0;

  /** @param most bytes of what is kept, about */
  constructor(private readonly most: number) {}

  get(key: string): Value | undefined {
    return this.fresh.get(key) ?? this.stale.get(key);
  }

  /** @param bytes what key and value take, about; what would fill a half alone is not kept */
  set(key: string, value: Value, bytes: number): void {
    if (2 * bytes > this.most) return;
    if (2 * (this.bytes + bytes) > this.most) {
      this.stale = this.fresh;
      this.fresh = new Map();
      this.bytes = 0;
    }
    this.fresh.set(key, value);
    this.bytes += bytes;
  }

  /** The value of a key, made where it is not there; it counts as asked for. */
  of(key: string, bytes: number, make: () => Value): Value {
    const kept = this.fresh.get(key);
    if (kept !== undefined) return kept;
    const value = this.stale.get(key) ?? make();
    this.set(key, value, bytes);
    return value;
  }
}
