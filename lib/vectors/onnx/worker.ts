// The thread in which a model runs: it opens the model, then encodes one job after another, batch by batch, until it is told to close. Between
// batches it looks whether it must stop. It ends by itself: a thread that is ended from outside while it is in the runtime aborts the process.
import { parentPort, workerData } from 'node:worker_threads';
import { AsOfError } from '../../errors.js';
import { words, type FromWorker, type ToWorker, type WorkerStart } from './messages.js';
import { openModel, type Model } from './session.js';
import { byLength, openTokenizer, type Tokenise } from './tokens.js';

const { settings, runtime, control } = workerData as WorkerStart;
const port = parentPort!;
const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

/** Runs `work`, which enters the runtime, unless the worker must stop. Whoever ends the process waits while the word is 1. */
async function inside<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  Atomics.store(control, words.inside, 1);
  try {
    return Atomics.load(control, words.stop) === 1 ? undefined : await work();
  } finally {
    Atomics.store(control, words.inside, 0);
    Atomics.notify(control, words.inside);
  }
}

/** Undefined where nobody waits for the job any more. */
async function encode(tokenise: Tokenise, model: Model, job: number, texts: readonly string[]): Promise<Float32Array<ArrayBuffer> | undefined> {
  const vectors = new Float32Array(texts.length * model.dimensions);
  const ids = texts.map((text) => (text.trim() === '' ? [] : tokenise(text)));
  const order = byLength(ids).filter((i) => ids[i]!.length > 0);
  for (let from = 0; from < order.length; from += settings.batchSize) {
    if (Atomics.load(control, words.dropped) === job || Atomics.load(control, words.stop) === 1) return undefined;
    const batch = order.slice(from, from + settings.batchSize);
    const rows = batch.map((i) => ids[i]!);
    await inside(() => model.encode(rows, (row, vector) => vectors.set(vector, batch[row]! * model.dimensions)));
  }
  return Atomics.load(control, words.stop) === 1 ? undefined : vectors;
}

function failure(error: unknown): Omit<Extract<FromWorker, { kind: 'failed' }>, 'job'> {
  if (AsOfError.is(error)) return { kind: 'failed', code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  const message = `Expected the model ${settings.modelFile} to encode its texts, it failed: ${reason}. Give a smaller batchSize or maxTokens if memory ran out.`;
  return { kind: 'failed', code: 'ERR_ENCODER_FAILED', message };
}

async function main(): Promise<void> {
  const tokenise = openTokenizer(settings.tokenizerFile, settings.tokenizerConfigFile, settings.maxTokens);
  const model = await inside(() => openModel(settings, runtime, tokenise('a')));
  if (!model) return port.close();
  send({ kind: 'ready', dimensions: model.dimensions });
  let last: Promise<void> = Promise.resolve();
  port.on('message', (message: ToWorker) => {
    last = last.then(async () => {
      if (message.kind === 'close') {
        await model.release();
        port.close();
        return;
      }
      const { job, texts } = message;
      try {
        const vectors = await encode(tokenise, model, job, texts);
        if (vectors) send({ kind: 'encoded', job, vectors }, [vectors.buffer]);
        else send({ kind: 'dropped', job });
      } catch (error) {
        send({ ...failure(error), job });
      }
    });
  });
}

main().catch((error: unknown) => {
  send(failure(error));
  port.close();
});
