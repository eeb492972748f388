// Calls of simulated threads, which wait for the scheduler's answer: one thread runs at a time, so
// that a seed decides every interleaving. Messages are JSON in shared memory.

const [state, length] = [0, 1];
const [running, parked] = [0, 1];
const headerBytes = 8;

export class Channel {
  private readonly control: Int32Array;
  private readonly bytes: Buffer;

  constructor(readonly memory = new SharedArrayBuffer(1 << 17)) {
    this.control = new Int32Array(memory, 0, 2);
    this.bytes = Buffer.from(memory, headerBytes);
  }

  /** On the thread: sends a request and waits for its answer. */
  call<Answer>(request: unknown): Answer {
    this.write(request);
    this.become(parked);
    while (Atomics.load(this.control, state) === parked) Atomics.wait(this.control, state, parked);
    return this.read() as Answer;
  }

  /** On the scheduler: the thread's request, once it has made one. */
  request<Request>(timeout: number): Request {
    // A notification may come late, when the next wait has begun.
    while (Atomics.load(this.control, state) === running)
      if (Atomics.wait(this.control, state, running, timeout) === 'timed-out')
        throw new Error(`a thread makes no call for ${timeout} ms: a promise that never settles`);
    return this.read() as Request;
  }

  /** On the scheduler: lets the thread go on. */
  answer(answer: unknown): void {
    this.write(answer);
    this.become(running);
  }

  private become(next: number): void {
    Atomics.store(this.control, state, next);
    Atomics.notify(this.control, state);
  }

  private write(message: unknown): void {
    this.control[length] = this.bytes.write(JSON.stringify(message));
  }

  private read(): unknown {
    return JSON.parse(this.bytes.toString('utf8', 0, this.control[length]));
  }
}
