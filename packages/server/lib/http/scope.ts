// A request from its arrival to the last byte of its answer. Its signal fires when the client goes,
// its time is over, its body does not come, another one needs its place, or the server stops.

/** Why a request was ended. */
export type EndOfRequest = 'client' | 'time' | 'body' | 'room' | 'closing';

/** Who counts what runs (`Admission`). */
interface Holder {
  hold(scope: RequestScope, bytes: number): void;
  leave(scope: RequestScope): void;
}

export class RequestScope {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private readonly listeners: (() => void)[] = [];
  private since: number | undefined;
  /** Why the signal fired. */
  ended: EndOfRequest | undefined;
  /** What went wrong after the answer had begun, for the log. */
  failure: unknown;

  constructor(
    client: AbortSignal,
    closing: AbortSignal,
    private readonly holder: Holder,
  ) {
    this.follow(client, 'client');
    this.follow(closing, 'closing');
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Since when it has waited for its client to send or to take bytes; undefined while it works. */
  get waitingSince(): number | undefined {
    return this.since;
  }

  waits(): void {
    this.since ??= performance.now();
  }

  works(): void {
    this.since = undefined;
  }

  /** Counts bytes of its body or its answer until it ends. @throws HttpError 503 */
  hold(bytes: number): void {
    this.holder.hold(this, bytes);
  }

  endAfter(seconds: number): void {
    this.timer = setTimeout(() => this.abort('time'), seconds * 1000).unref();
  }

  abort(why: EndOfRequest): void {
    this.ended ??= why;
    this.controller.abort();
  }

  /** Gives back its place, the timer and all listeners: the request has ended. */
  release(): void {
    clearTimeout(this.timer);
    this.works();
    this.holder.leave(this);
    for (const remove of this.listeners.splice(0)) remove();
  }

  private follow(signal: AbortSignal, why: EndOfRequest): void {
    if (signal.aborted) return this.abort(why);
    const abort = (): void => this.abort(why);
    signal.addEventListener('abort', abort, { once: true });
    this.listeners.push(() => signal.removeEventListener('abort', abort));
  }
}
