// Admission control: how many requests run, and how many bytes of bodies and answers they hold
// together. Where there is no room, the one that has waited longest for its client makes it.
import { overloaded, unavailable } from './errors.js';
import type { RequestScope } from './scope.js';

export interface AdmissionLimits {
  /** Requests at a time. */
  inFlight: number;
  /** Bytes of their bodies and answers. */
  bufferBytes: number;
}

/** A client has so long to send or to take bytes before its place may go to another, in ms. */
const patienceMs = 500;

export class Admission {
  /** Those that run, and the bytes that each holds. */
  private readonly running = new Map<RequestScope, number>();
  private bytes = 0;
  /** Called once nothing runs any more, after `stop`. */
  private stopped: (() => void) | undefined;

  constructor(private readonly limits: AdmissionLimits) {}

  get inFlight(): number {
    return this.running.size;
  }

  get heldBytes(): number {
    return this.bytes;
  }

  get isStopping(): boolean {
    return this.stopped !== undefined;
  }

  /** Counts a request until it leaves; `always`: however many run. @throws HttpError 503 */
  enter(scope: RequestScope, always = false): void {
    if (this.stopped)
      throw unavailable(
        'ERR_CLOSED',
        'Expected a running server, this one stops. Repeat it later.',
      );
    const { inFlight } = this.limits;
    if (this.running.size >= inFlight && !always && !this.makeRoom(scope))
      throw overloaded('inFlight', `at most ${inFlight} requests at a time, more are running`);
    this.running.set(scope, 0);
  }

  /** Nothing of requests without a place, whose bodies and answers are short. */
  hold(scope: RequestScope, bytes: number): void {
    const held = this.running.get(scope);
    if (held === undefined) return;
    const { bufferBytes } = this.limits;
    while (this.bytes + bytes > bufferBytes)
      if (!this.makeRoom(scope))
        throw overloaded(
          'bufferBytes',
          `bodies and answers of at most ${bufferBytes} bytes at a time, there are more`,
        );
    this.running.set(scope, held + bytes);
    this.bytes += bytes;
  }

  leave(scope: RequestScope): void {
    this.bytes -= this.running.get(scope) ?? 0;
    this.running.delete(scope);
    if (this.running.size === 0) this.stopped?.();
  }

  /** Refuses further requests; resolves once none runs, or after `seconds`. */
  async stop(seconds: number): Promise<void> {
    const idle = new Promise<void>((resolve) => (this.stopped = resolve));
    if (this.running.size === 0) return;
    const timer = setTimeout(() => this.stopped!(), seconds * 1000);
    await idle.finally(() => clearTimeout(timer));
  }

  /** Ends the request that has waited longest for its client, if there is one, for another one. */
  makeRoom(other?: RequestScope): boolean {
    let slowest: RequestScope | undefined;
    let since = performance.now() - patienceMs;
    for (const scope of this.running.keys())
      if (scope !== other && scope.waitingSince !== undefined && scope.waitingSince <= since) {
        slowest = scope;
        since = scope.waitingSince;
      }
    if (!slowest) return false;
    slowest.abort('room');
    this.leave(slowest);
    return true;
  }
}
