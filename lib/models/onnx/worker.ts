// Worker thread of a model. It exits by itself, as terminating a thread inside ONNX Runtime aborts
// the process.
import { parentPort, workerData } from 'node:worker_threads';
import { AsOfError } from '../../errors.js';
import { roles, words, type FromWorker, type ToWorker, type WorkerStart } from './messages.js';
import { openModel, type Model } from './session.js';
import { mergeSpans, noSpans } from './spanScores.js';
import { byLength, openTokenizer, type Row, type Tokeniser } from './tokens.js';

const { settings, runtime, control } = workerData as WorkerStart;
/** Tokens of a run with padding, unless one text has more: they bound its memory and time. */
const tokensAtOnce = 8192;
const role = roles[settings.head.kind];
const port = parentPort!;
const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void =>
  port.postMessage(message, transfer);

/** Runs `work` unless the worker must stop. Process exit is delayed while the word is 1. */
async function inside<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  Atomics.store(control, words.inside, 1);
  try {
    return Atomics.load(control, words.stop) === 1 ? undefined : await work();
  } finally {
    Atomics.store(control, words.inside, 0);
    Atomics.notify(control, words.inside);
  }
}

/** Undefined for an abandoned job. Blank texts give zeros. */
async function run(
  tokeniser: Tokeniser,
  model: Model,
  { job, texts, query }: Extract<ToWorker, { kind: 'run' }>,
): Promise<Float32Array<ArrayBuffer> | undefined> {
  const isReader = settings.head.kind === 'span';
  const values = isReader ? noSpans(texts.length) : new Float32Array(texts.length * model.width);
  const nothing: Row = { ids: [], types: [] };
  const alone = (text: string): Row => (text.trim() === '' ? nothing : tokeniser.one(text));
  const rowsOf = (text: string): Row[] => {
    if (query === undefined) return [alone(text)];
    return isReader ? tokeniser.windows(query, text) : [tokeniser.pair(query, text)];
  };
  const each = texts.flatMap((text, at) => rowsOf(text).map((row) => ({ row, at })));
  const rows = each.map(({ row }) => row);
  const order = byLength(rows).filter((i) => rows[i]!.ids.length > 0);
  const lengths = order.map((i) => rows[i]!.ids.length);
  for (let from = 0; from < order.length; ) {
    if (Atomics.load(control, words.dropped) === job || Atomics.load(control, words.stop) === 1)
      return undefined;
    const batch = order.slice(from, batchEnd(lengths, from));
    from += batch.length;
    await inside(() =>
      model.run(
        batch.map((i) => rows[i]!),
        (row, found) => {
          const from = each[batch[row]!]!.at * model.width;
          if (isReader) mergeSpans(values.subarray(from, from + model.width), found);
          else values.set(found, from);
        },
      ),
    );
  }
  return Atomics.load(control, words.stop) === 1 ? undefined : values;
}

/** End of the batch that starts at `from`; lengths ascend, and rows are padded to the last. */
function batchEnd(lengths: readonly number[], from: number): number {
  let to = from + 1;
  while (
    to < lengths.length &&
    to - from < settings.batchSize &&
    (to - from + 1) * lengths[to]! <= tokensAtOnce
  )
    to += 1;
  return to;
}

function failure(error: unknown): Omit<Extract<FromWorker, { kind: 'failed' }>, 'job'> {
  if (AsOfError.is(error)) return { kind: 'failed', code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  const message =
    `Expected the model ${settings.modelFile} to ${role.does} its texts, it failed: ${reason}. ` +
    'Give a smaller batchSize or maxTokens if memory ran out.';
  return { kind: 'failed', code: role.code, message };
}

async function main(): Promise<void> {
  const tokeniser = openTokenizer(
    settings.tokenizerFile,
    settings.tokenizerConfigFile,
    settings.maxTokens,
  );
  const isPair = settings.head.kind === 'score' || settings.head.kind === 'span';
  const probe = isPair ? tokeniser.pair('a', 'a') : tokeniser.one('a');
  const model = await inside(() => openModel(settings, runtime, probe));
  if (!model) return port.close();
  send({ kind: 'ready', width: model.width });
  let last: Promise<void> = Promise.resolve();
  port.on('message', (message: ToWorker) => {
    last = last.then(async () => {
      if (message.kind === 'close') {
        await model.release();
        port.close();
        return;
      }
      const { job } = message;
      try {
        const values = await run(tokeniser, model, message);
        if (values) send({ kind: 'done', job, values }, [values.buffer]);
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
