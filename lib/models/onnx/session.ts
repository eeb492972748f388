// ONNX Runtime session of a worker: inputs, outputs and one batch at a time.
import { importPeer } from '../../runtime/installation.js';
import { roles, type WorkerSettings, type Head } from './messages.js';
import { bestSpan, spanWidth } from './spanScores.js';
import { padded, type Row } from './tokens.js';
import { AsOfError } from '../../errors.js';

interface RuntimeSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(
    feeds: Record<string, RuntimeTensor>,
    fetches?: readonly string[],
  ): Promise<Record<string, RuntimeTensor>>;
  release(): Promise<void>;
}

interface Runtime {
  InferenceSession: { create(path: string, options: object): Promise<RuntimeSession> };
  Tensor: new (type: string, data: BigInt64Array, dims: readonly number[]) => RuntimeTensor;
}

export interface Model {
  /** Values for each row. */
  width: number;
  run(
    batch: readonly Row[],
    write: (row: number, values: ArrayLike<number>) => void,
  ): Promise<void>;
  release(): Promise<void>;
}

const known = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'] as const;
type InputName = (typeof known)[number];

/**
 * Opens the model and runs `probe` to see what it gives. @throws AsOfError ERR_NATIVE_UNAVAILABLE
 * without the runtime; ERR_INVALID_INPUT for a file that is no such model
 */
export async function openModel(
  settings: WorkerSettings,
  runtimeName: string,
  probe: Row,
): Promise<Model> {
  const runtime = await loadRuntime(runtimeName);
  const { modelFile: file, threads, padId, typeCount } = settings;
  let session: RuntimeSession;
  try {
    session = await runtime.InferenceSession.create(file, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
  } catch (error) {
    throw unfit(
      `Expected ${file} to be an ONNX model, the runtime refused it: ${reason(error)}. Fetch or export it again.`,
      error,
    );
  }
  checkInputs(session, file);
  const reader = outputReader(settings);
  const outputs = reader.outputs.flatMap(
    (names, at) =>
      names.find((name) => session.outputNames.includes(name)) ?? session.outputNames[at] ?? [],
  );
  const run = async (batch: readonly Row[]): Promise<Output[]> => {
    const { rows, length, inputs } = padded(batch, padId, typeCount);
    const feeds: Record<string, RuntimeTensor> = {};
    for (const name of session.inputNames)
      feeds[name] = new runtime.Tensor('int64', inputs[name as InputName](), [rows, length]);
    const found = await session.run(feeds, outputs);
    return outputs.map((name) => {
      const { dims, data } = found[name]!;
      return { name, dims, data };
    });
  };
  let first: Output[];
  try {
    first = await run([probe]);
  } catch (error) {
    const does = roles[settings.head.kind].does;
    throw unfit(
      `Expected the model ${file} to ${does} a text, it failed: ${reason(error)}. Export it with int64 inputs of [batch, sequence].`,
      error,
    );
  }
  const width = reader.width(first, probe);
  return {
    width,
    async run(batch, write) {
      const found = await run(batch);
      const wrong = found.find((output) => !reader.fits(output, batch.length, width));
      if (wrong)
        throw new Error(
          `its output ${wrong.name} is [${wrong.dims.join(', ')}] for ${batch.length} texts`,
        );
      reader.read(found, batch, width, write);
    },
    release: () => session.release(),
  };
}

async function loadRuntime(name: string): Promise<Runtime> {
  const remedy =
    'Install it next to asof: ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node ' +
    '(the variable leaves out the CUDA libraries).';
  const loaded = await importPeer<Runtime & { default?: Runtime }>(
    name,
    'to run the model',
    remedy,
  );
  return loaded.InferenceSession ? loaded : loaded.default!;
}

function checkInputs(session: RuntimeSession, file: string): void {
  const wrong = session.inputNames.filter((name) => !(known as readonly string[]).includes(name));
  if (wrong.length === 0 && session.inputNames.includes('input_ids')) return;
  throw unfit(
    `Expected the model ${file} to take input_ids and some of ${known.slice(1).join(', ')}, received one that takes ` +
      `${session.inputNames.join(', ')}. ` +
      'Export it for feature extraction or, a reranker, for sequence classification or, a ' +
      'reader, for question answering.',
  );
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface RuntimeTensor {
  readonly dims: readonly number[];
  readonly data: unknown;
}

interface Output extends RuntimeTensor {
  name: string;
}

/** Outputs as they are shown in errors. */
const shapes = (outputs: readonly Output[]): string =>
  outputs.map(({ name, dims }) => `${name} of [${dims.join(', ')}]`).join(' and ');

interface OutputReader {
  /**
   * Names of each output, the likeliest first; a model without any of them gives that of the same
   * place, if it has as many.
   */
  outputs: readonly (readonly string[])[];
  /** Values for each text, from the outputs for one row. @throws AsOfError ERR_INVALID_INPUT */
  width(outputs: readonly Output[], row: Row): number;
  /** Whether an output fits as many rows. */
  fits(output: Output, rows: number, width: number): boolean;
  read(
    outputs: readonly Output[],
    batch: readonly Row[],
    width: number,
    write: (row: number, values: ArrayLike<number>) => void,
  ): void;
}

function outputReader(settings: WorkerSettings): OutputReader {
  const { head, modelFile } = settings;
  if (head.kind === 'logits') return logits(head, modelFile);
  if (head.kind === 'span') return spans(modelFile);
  return head.kind === 'vector' ? vectors(head, modelFile) : scores(head, modelFile);
}

function logits({ width }: Extract<Head, { kind: 'logits' }>, file: string): OutputReader {
  return {
    outputs: [['logits']],
    width(found) {
      const { dims, data } = found[0]!;
      if (data instanceof Float32Array && dims.length === 2 && dims[0] === 1 && dims[1] === width)
        return width;
      throw unfit(
        `Expected the model ${file} to give ${width} logits for a text, float32 of [batch, ${width}], received ${shapes(found)}. ` +
          'Give the folder of a time extractor that was trained for this version: ' +
          'models/train/extractor makes one.',
      );
    },
    fits: ({ dims }, rows) => dims[0] === rows && dims[1] === width,
    read: ([output], batch, _, write) =>
      batch.forEach((_row, i) =>
        write(i, (output!.data as Float32Array).subarray(i * width, (i + 1) * width)),
      ),
  };
}

function vectors(head: Extract<Head, { kind: 'vector' }>, file: string): OutputReader {
  return {
    outputs: [['last_hidden_state', 'token_embeddings']],
    width(found, { ids }) {
      const { name, dims, data } = found[0]!;
      const right =
        data instanceof Float32Array &&
        dims.length === 3 &&
        dims[0] === 1 &&
        dims[1] === ids.length;
      if (!right) {
        const logits = name === 'logits' ? ' A cross-encoder is opened by onnxReranker().' : '';
        throw unfit(
          `Expected the model ${file} to give a vector for each token, float32 of [batch, sequence, dimensions], received ${shapes(found)}. ` +
            `Export it for feature extraction, with last_hidden_state as its output.${logits}`,
        );
      }
      const dimensions = dims[2]!;
      if (head.dimensions === undefined || head.dimensions === dimensions) return dimensions;
      throw unfit(
        `Expected vectors of ${head.dimensions} dimensions as the folder's configuration says, received ${dimensions} from ${file}. ` +
          'Its files belong to different models: fetch them again.',
      );
    },
    fits: ({ dims }, rows, width) => dims[0] === rows && dims[2] === width,
    read([output], batch, width, write) {
      const { dims, data } = output!;
      batch.forEach(({ ids }, i) => {
        // Rows are padded at their end.
        const first = head.pooling === 'last' ? ids.length - 1 : 0;
        const count = head.pooling === 'mean' ? ids.length : 1;
        write(i, pool(data as Float32Array, (i * dims[1]! + first) * width, count, width));
      });
    },
  };
}

/** The mean of the first `tokens` vectors from `offset` on, scaled to length 1. */
function pool(
  data: Float32Array,
  offset: number,
  tokens: number,
  dimensions: number,
): Float64Array {
  const sums = new Float64Array(dimensions);
  for (let at = 0; at < tokens; at += 1) {
    const from = offset + at * dimensions;
    for (let j = 0; j < dimensions; j += 1) sums[j]! += data[from + j]!;
  }
  let squares = 0;
  for (const sum of sums) squares += sum * sum;
  const norm = Math.sqrt(squares);
  return norm === 0 ? sums : sums.map((sum) => sum / norm);
}

/** Of two classes the difference is the margin: its sigmoid is their softmax. */
function scores(head: Extract<Head, { kind: 'score' }>, file: string): OutputReader {
  return {
    outputs: [['logits', 'scores']],
    width(found) {
      const { dims, data } = found[0]!;
      const classes = dims.length === 2 ? dims[1] : dims.length === 1 ? 1 : undefined;
      if (data instanceof Float32Array && dims[0] === 1 && (classes === 1 || classes === 2))
        return 1;
      throw unfit(
        `Expected the model ${file} to give one or two logits for a question and a text, float32 of [batch, 1] or [batch, 2], received ` +
          `${shapes(found)}. ` +
          'Export a cross-encoder for sequence classification; a sentence encoder is opened ' +
          'by onnxEncoder().',
      );
    },
    fits: ({ dims, data }, rows) =>
      dims[0] === rows && [rows, 2 * rows].includes((data as Float32Array).length),
    read([output], batch, _, write) {
      const logits = output!.data as Float32Array;
      const classes = logits.length / batch.length;
      batch.forEach((_row, i) => {
        const margin =
          classes === 1
            ? logits[i]!
            : logits[2 * i + head.positive]! - logits[2 * i + 1 - head.positive]!;
        write(i, [head.activation === 'sigmoid' ? 1 / (1 + Math.exp(-margin)) : margin]);
      });
    },
  };
}

/** The best span of each window. */
function spans(file: string): OutputReader {
  return {
    outputs: [['start_logits'], ['end_logits']],
    width(found, { ids }) {
      const right = found.every(
        ({ dims, data }) =>
          data instanceof Float32Array &&
          dims.length === 2 &&
          dims[0] === 1 &&
          dims[1] === ids.length,
      );
      if (right && found.length === 2) return spanWidth;
      throw unfit(
        `Expected the model ${file} to give start and end logits of each token, two float32 of [batch, sequence], received ` +
          `${shapes(found)}. ` +
          'Export it for question answering, with the outputs start_logits and end_logits; a ' +
          'cross-encoder is opened by onnxReranker(), a sentence encoder by onnxEncoder().',
      );
    },
    fits: ({ dims }, rows) => dims[0] === rows,
    read([starts, ends], batch, _, write) {
      const length = starts!.dims[1]!;
      const [from, to] = [starts!.data as Float32Array, ends!.data as Float32Array];
      batch.forEach(({ window }, i) => {
        const row = [i * length, (i + 1) * length] as const;
        write(i, bestSpan(from.subarray(...row), to.subarray(...row), window!));
      });
    },
  };
}

function unfit(message: string, cause?: unknown): AsOfError {
  return new AsOfError('ERR_INVALID_INPUT', message, { cause });
}
