// The newest of values that arrive faster than they are taken.

/** Iterates over what is pushed, without what a newer value has replaced, until it is ended. */
export class Newest<Value> {
  private pending: { value: Value } | undefined;
  private isOver = false;
  private wake: () => void = () => undefined;

  push(value: Value): void {
    this.pending = { value };
    this.wake();
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value, void> {
    for (;;) {
      const { pending } = this;
      this.pending = undefined;
      if (pending) yield pending.value;
      else if (this.isOver) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
