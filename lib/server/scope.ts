// The signal of a request: it fires when the client goes, its time is over, its body does not come,
// or the server stops, and says which.
export type EndOfRequest = 'client' | 'time' | 'body' | 'closing';

export class RequestScope {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly listeners: (() => void)[] = [];
  /** Why the signal fired. */
  ended: EndOfRequest | undefined;
  /** What went wrong after the answer had begun, for the log. */
  failure: unknown;

  /** `seconds`: none for requests without a limit. */
  constructor(client: AbortSignal, closing: AbortSignal, seconds: number | undefined) {
    this.follow(client, 'client');
    this.follow(closing, 'closing');
    if (seconds !== undefined)
      this.timer = setTimeout(() => this.abort('time'), seconds * 1000).unref();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(why: EndOfRequest): void {
    this.ended ??= why;
    this.controller.abort();
  }

  /** Releases the timer and all listeners: the request has ended. */
  release(): void {
    clearTimeout(this.timer);
    for (const remove of this.listeners.splice(0)) remove();
  }

  private follow(signal: AbortSignal, why: EndOfRequest): void {
    if (signal.aborted) return this.abort(why);
    const abort = (): void => this.abort(why);
    signal.addEventListener('abort', abort, { once: true });
    this.listeners.push(() => signal.removeEventListener('abort', abort));
  }
}
