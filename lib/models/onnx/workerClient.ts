// Client of the worker: a fair queue of requests, abort, and close without terminate(), which would
// abort the process while the runtime is busy.
import { Worker } from 'node:worker_threads';
import { abortError, AsOfError, throwIfAborted } from '../../errors.js';
import type { RunOptions } from '../../records.js';
import { installedFile } from '../../runtime/installation.js';
import { identity, type ModelFolder } from './modelFolder.js';
import type { RunSettings } from './options.js';
import {
  roles,
  words,
  type FromWorker,
  type Head,
  type ToWorker,
  type WorkerSettings,
  type WorkerStart,
} from './messages.js';

/** Batches of a request before the next request is served. */
const batchesInTurn = 4;
/** Longest delay of process exit by a batch. */
const exitWaitMs = 60_000;

export interface Work {
  texts: readonly string[];
  /** Prefix of every text that is not blank. */
  prefix?: string;
  /** If present, each text is paired with this one. */
  query?: string;
}

interface Request extends Work {
  values: Float32Array;
  /** The texts from short to long: a portion of texts of one length pads little. */
  order: readonly number[];
  /** Texts done so far, in that order. */
  done: number;
  /** Abandoned by its caller. */
  settled: boolean;
  /** Settles the request, once. */
  settle(error?: AsOfError): void;
}

const open = new Set<Int32Array<SharedArrayBuffer>>();

/** Keeps workers from entering the runtime, and awaits those inside. */
function waitForRuntime(): void {
  for (const control of open) Atomics.store(control, words.stop, 1);
  for (const control of open) Atomics.wait(control, words.inside, 1, exitWaitMs);
}

export class WorkerClient {
  /** Values for each text: a vector's dimensions, 1 for a score, 5 for a span. */
  width = 0;
  private readonly control = new Int32Array(
    new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT),
  );
  private readonly worker: Worker;
  private readonly ended: Promise<void>;
  private readonly queue: Request[] = [];
  private running: Request | undefined;
  private job = 0;
  /** Reason why the client accepts no more requests. */
  private over: AsOfError | undefined;
  private opened: { resolve(): void; reject(error: AsOfError): void } | undefined;

  private constructor(
    private readonly settings: WorkerSettings,
    runtime: string,
  ) {
    // As it was built, and without this process's options: the worker needs no loader, and Node
    // refuses some of them (--input-type) for a file.
    this.worker = new Worker(installedFile('dist/models/onnx/worker.js'), {
      workerData: { settings, runtime, control: this.control } satisfies WorkerStart,
      name: `asof ${roles[settings.head.kind].name}`,
      execArgv: [],
    });
    if (open.size === 0) process.on('exit', waitForRuntime);
    open.add(this.control);
    this.worker.on('message', (message: FromWorker) => this.receive(message));
    this.worker.on('error', (error: Error) => this.end(this.lost(error)));
    this.ended = new Promise((resolve) => {
      this.worker.on('exit', () => {
        open.delete(this.control);
        if (open.size === 0) process.off('exit', waitForRuntime);
        this.end(this.lost());
        resolve();
      });
    });
  }

  /** Resolves once the model is open. `runtime` is the module that runs it; tests give others. */
  static async start(
    settings: WorkerSettings,
    {
      runtime = 'onnxruntime-node',
      signal,
    }: { runtime?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<WorkerClient> {
    throwIfAborted(signal);
    const client = new WorkerClient(settings, runtime);
    const abort = (): void => void client.close();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await new Promise<void>((resolve, reject) => (client.opened = { resolve, reject }));
    } catch (error) {
      throwIfAborted(signal);
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
    client.worker.unref();
    return client;
  }

  /** Resolves with `width` values for each text, in their order. */
  run(work: Work, signal: AbortSignal | undefined): Promise<Float32Array> {
    if (this.over) return Promise.reject(this.over);
    const values = new Float32Array(work.texts.length * this.width);
    if (work.texts.length === 0) return Promise.resolve(values);
    return new Promise((resolve, reject) => {
      const settle = (error?: AsOfError): void => {
        if (request.settled) return;
        request.settled = true;
        signal?.removeEventListener('abort', abort);
        if (error) reject(error);
        else resolve(values);
      };
      const texts = [...work.texts];
      const order = texts.map((_, i) => i).sort((a, b) => texts[a]!.length - texts[b]!.length);
      const request: Request = { ...work, texts, values, order, done: 0, settled: false, settle };
      const abort = (): void => this.drop(request, abortError(signal!));
      signal?.addEventListener('abort', abort, { once: true });
      this.queue.push(request);
      this.next();
    });
  }

  close(): Promise<void> {
    if (!this.over) {
      Atomics.store(this.control, words.stop, 1);
      const { name, opener } = roles[this.settings.head.kind];
      this.end(
        new AsOfError(
          'ERR_CLOSED',
          `Expected an open ${name}, received one that was closed. Open it again with ${opener}.`,
        ),
      );
      this.worker.ref(); // keeps the process alive until closed
      this.post({ kind: 'close' });
    }
    return this.ended;
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  /** The next portion, of the oldest waiting request. */
  private next(): void {
    if (this.running || this.over) return;
    const request = this.queue.shift();
    if (!request) return this.worker.unref();
    this.running = request;
    this.job += 1;
    this.worker.ref();
    const { prefix = '', query, done, order } = request;
    const portion = order
      .slice(done, done + this.settings.batchSize * batchesInTurn)
      .map((i) => request.texts[i]!);
    this.post({
      kind: 'run',
      job: this.job,
      texts: portion.map((text) => (text.trim() === '' ? text : prefix + text)),
      query,
    });
  }

  private receive(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.width = message.width;
      this.opened?.resolve();
      return;
    }
    const error =
      message.kind === 'failed' ? new AsOfError(message.code, message.message) : undefined;
    if (error && !('job' in message)) return this.end(error);
    const request = this.running;
    this.running = undefined;
    if (this.over || !request) return;
    if (error) request.settle(error);
    else if (message.kind === 'done' && !request.settled) this.keep(request, message.values);
    this.next();
  }

  private keep(request: Request, values: Float32Array): void {
    const texts = values.length / this.width;
    for (let i = 0; i < texts; i += 1) {
      request.values.set(
        values.subarray(i * this.width, (i + 1) * this.width),
        request.order[request.done + i]! * this.width,
      );
    }
    request.done += texts;
    if (request.done >= request.texts.length) request.settle();
    else this.queue.push(request);
  }

  private drop(request: Request, error: AsOfError): void {
    const at = this.queue.indexOf(request);
    if (at !== -1) this.queue.splice(at, 1);
    // The running batch finishes: the worker checks between batches.
    if (this.running === request) Atomics.store(this.control, words.dropped, this.job);
    request.settle(error);
  }

  private end(error: AsOfError): void {
    if (this.over) return;
    this.over = error;
    this.opened?.reject(error);
    for (const request of [this.running, ...this.queue.splice(0)]) request?.settle(error);
  }

  private lost(cause?: Error): AsOfError {
    const { name, code } = roles[this.settings.head.kind];
    const why = cause ? cause.message : 'its thread ended';
    return new AsOfError(
      code,
      `Expected the ${name}'s thread to go on, it stopped: ${why}. Open the ${name} again.`,
      { cause },
    );
  }
}

/** A model in a worker thread until it is closed. */
export interface WorkerModel extends AsyncDisposable {
  readonly id: string;
  /**
   * Rejects queued requests (ERR_CLOSED), finishes the running batch and frees the model.
   * Idempotent.
   */
  close(): Promise<void>;
}

/** Opens a model; `choices` are what its results depend on beside its files and its length. */
export async function openModel(
  model: ModelFolder,
  head: Head,
  choices: readonly unknown[],
  { threads = 1, batchSize = 16, signal }: RunSettings & RunOptions,
): Promise<{ client: WorkerClient; opened: WorkerModel }> {
  const id = await identity(model, [...choices, model.maxTokens]);
  const client = await WorkerClient.start({ ...model, head, threads, batchSize }, { signal });
  const close = (): Promise<void> => client.close();
  return { client, opened: { id, close, [Symbol.asyncDispose]: close } };
}
