// The caller's end of the worker: a queue of requests that take turns, so that a question asked while a corpus is indexed waits for one portion;
// aborts that reject at once; closing without force. Ending a thread while it is inside the runtime aborts the whole process: nothing here
// calls terminate(), and a process that exits waits for the batch that runs.
import { Worker } from 'node:worker_threads';
import { abortError, AsOfError } from '../../errors.js';
import { words, type FromWorker, type ToWorker, type WorkerSettings, type WorkerStart } from './messages.js';
import type { ModelDescription } from './modelFolder.js';

/** Batches that one request is given before the next has its turn. */
const batchesInTurn = 4;
/** The longest that an exiting process waits for a batch. */
const exitWaitMs = 60_000;

interface Request {
  texts: readonly string[];
  prefix: string;
  vectors: Float32Array;
  /** Texts encoded so far. */
  done: number;
  /** Nobody waits for it any more. */
  settled: boolean;
  /** Ends the request, once. */
  settle(error?: AsOfError): void;
}

const open = new Set<Int32Array<SharedArrayBuffer>>();

/** No worker enters the runtime from now on; those inside are waited for. */
function waitForRuntime(): void {
  for (const control of open) Atomics.store(control, words.stop, 1);
  for (const control of open) Atomics.wait(control, words.inside, 1, exitWaitMs);
}

/** A thread does not inherit the loader that runs TypeScript from the sources (as the tests do): there it is started first. */
function startThread(workerData: WorkerStart): Worker {
  const options = { workerData, name: 'asof encoder' };
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./worker.js', import.meta.url), options);
  const source = JSON.stringify(new URL('./worker.ts', import.meta.url).href);
  return new Worker(`import('tsx/esm/api').then(({ register }) => { register(); return import(${source}); });`, { ...options, eval: true });
}

export class WorkerClient {
  dimensions = 0;
  private readonly control = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  private readonly worker: Worker;
  private readonly ended: Promise<void>;
  private readonly queue: Request[] = [];
  private running: Request | undefined;
  private job = 0;
  /** Why nothing more is encoded. */
  private over: AsOfError | undefined;
  private opened: { resolve(): void; reject(error: AsOfError): void } | undefined;

  private constructor(settings: WorkerSettings, private readonly portion: number, runtime: string) {
    this.worker = startThread({ settings, runtime, control: this.control });
    if (open.size === 0) process.on('exit', waitForRuntime);
    open.add(this.control);
    this.worker.on('message', (message: FromWorker) => this.receive(message));
    this.worker.on('error', (error: Error) => this.end(lost(error)));
    this.ended = new Promise((resolve) => {
      this.worker.on('exit', () => {
        open.delete(this.control);
        if (open.size === 0) process.off('exit', waitForRuntime);
        this.end(lost());
        resolve();
      });
    });
  }

  /** Resolves once the model is open. `runtime` is the module that runs it; tests give others. */
  static async start(model: ModelDescription & { threads: number; batchSize: number }, runtime = 'onnxruntime-node'): Promise<WorkerClient> {
    const { prefixes: _, ...settings } = model;
    const client = new WorkerClient(settings, model.batchSize * batchesInTurn, runtime);
    await new Promise<void>((resolve, reject) => (client.opened = { resolve, reject }));
    client.worker.unref();
    return client;
  }

  encode(texts: readonly string[], prefix: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    if (this.over) return Promise.reject(this.over);
    const vectors = new Float32Array(texts.length * this.dimensions);
    if (texts.length === 0) return Promise.resolve(vectors);
    return new Promise((resolve, reject) => {
      const settle = (error?: AsOfError): void => {
        if (request.settled) return;
        request.settled = true;
        signal?.removeEventListener('abort', abort);
        if (error) reject(error);
        else resolve(vectors);
      };
      const request: Request = { texts: [...texts], prefix, vectors, done: 0, settled: false, settle };
      const abort = (): void => this.drop(request, abortError(signal!));
      signal?.addEventListener('abort', abort, { once: true });
      this.queue.push(request);
      this.next();
    });
  }

  close(): Promise<void> {
    if (!this.over) {
      Atomics.store(this.control, words.stop, 1);
      this.end(new AsOfError('ERR_CLOSED', 'Expected an open encoder, received one that was closed. Open it again with onnxEncoder().'));
      this.worker.ref(); // whoever waits for close() sees it through
      this.post({ kind: 'close' });
    }
    return this.ended;
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  /** The next portion, of the request that waits longest. */
  private next(): void {
    if (this.running || this.over) return;
    const request = this.queue.shift();
    if (!request) return this.worker.unref();
    this.running = request;
    this.job += 1;
    this.worker.ref();
    const texts = request.texts.slice(request.done, request.done + this.portion).map((text) => (text.trim() === '' ? '' : request.prefix + text));
    this.post({ kind: 'encode', job: this.job, texts });
  }

  private receive(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.dimensions = message.dimensions;
      this.opened?.resolve();
      return;
    }
    const error = message.kind === 'failed' ? new AsOfError(message.code, message.message) : undefined;
    if (error && !('job' in message)) return this.end(error);
    const request = this.running;
    this.running = undefined;
    if (this.over || !request) return;
    if (error) request.settle(error);
    else if (message.kind === 'encoded' && !request.settled) this.keep(request, message.vectors);
    this.next();
  }

  private keep(request: Request, vectors: Float32Array): void {
    request.vectors.set(vectors, request.done * this.dimensions);
    request.done += vectors.length / this.dimensions;
    if (request.done >= request.texts.length) request.settle();
    else this.queue.push(request);
  }

  private drop(request: Request, error: AsOfError): void {
    const at = this.queue.indexOf(request);
    if (at !== -1) this.queue.splice(at, 1);
    // The batch that runs is let finish: the worker looks between batches.
    if (this.running === request) Atomics.store(this.control, words.dropped, this.job);
    request.settle(error);
  }

  private end(error: AsOfError): void {
    if (this.over) return;
    this.over = error;
    this.opened?.reject(error);
    for (const request of [this.running, ...this.queue.splice(0)]) request?.settle(error);
  }
}

function lost(cause?: Error): AsOfError {
  const why = cause ? cause.message : 'its thread ended';
  return new AsOfError('ERR_ENCODER_FAILED', `Expected the encoder's thread to go on, it stopped: ${why}. Open the encoder again.`, { cause });
}
