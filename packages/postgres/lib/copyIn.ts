// COPY FROM STDIN as a query of pg: a stream of buffers in place of parameters.
import type { Connection, Submittable } from 'pg';
import { once } from 'node:events';

/** What pg's connection has for COPY in addition to its types. */
type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

export class CopyIn implements Submittable {
  readonly done: Promise<void>;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;
  #settled = false;
  readonly #stopped = new AbortController();
  /** Of the source of the rows. */
  #sourceError: unknown;

  /** @param check throws to stop; called before each buffer */
  constructor(
    private readonly text: string,
    private readonly rows: AsyncIterable<Buffer> | Iterable<Buffer>,
    private readonly check: () => void,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  handleCopyInResponse(connection: Connection): void {
    void this.#send(connection as CopyConnection);
  }

  async #send(connection: CopyConnection): Promise<void> {
    const { signal } = this.#stopped;
    try {
      for await (const chunk of this.rows) {
        if (this.#settled) return;
        this.check();
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal });
      }
      if (!this.#settled) connection.endCopyFrom();
    } catch (error) {
      if (this.#settled) return;
      this.#sourceError = error;
      connection.sendCopyFail('the rows ended early');
    }
  }

  handleCommandComplete(): void {
    // Its end is that of the query.
  }

  handleReadyForQuery(): void {
    this.#settle(this.#resolve);
  }

  handleError(error: unknown): void {
    this.#settle(() => this.#reject(this.#sourceError ?? error));
  }

  #settle(settle: () => void): void {
    this.#settled = true;
    this.#stopped.abort();
    settle();
  }
}
