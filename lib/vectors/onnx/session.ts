// A model inside the runtime: opened, checked against what a sentence encoder takes and gives, and run on one batch. It is used in the worker
// only, since every call of the runtime blocks its thread. onnxruntime-node is described by the few members that are used: it may be absent.
import { AsOfError } from '../../errors.js';
import type { WorkerSettings } from './messages.js';
import { padded } from './tokens.js';

interface RuntimeTensor {
  readonly dims: readonly number[];
  readonly data: unknown;
}

interface RuntimeSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, RuntimeTensor>, fetches?: readonly string[]): Promise<Record<string, RuntimeTensor>>;
  release(): Promise<void>;
}

interface Runtime {
  InferenceSession: { create(path: string, options: object): Promise<RuntimeSession> };
  Tensor: new (type: string, data: BigInt64Array, dims: readonly number[]) => RuntimeTensor;
}

/** A text's token vectors as one, written at `into`, of length 1. */
export interface Model {
  dimensions: number;
  encode(ids: readonly (readonly number[])[], write: (row: number, vector: Float64Array) => void): Promise<void>;
  release(): Promise<void>;
}

const known = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'] as const;
type InputName = (typeof known)[number];

/** Opens the model and encodes `probe` to see what it gives. @throws AsOfError ERR_NATIVE_UNAVAILABLE, ERR_INVALID_INPUT */
export async function openModel(settings: WorkerSettings, runtimeName: string, probe: readonly number[]): Promise<Model> {
  const runtime = await loadRuntime(runtimeName);
  const file = settings.modelFile;
  let session: RuntimeSession;
  try {
    session = await runtime.InferenceSession.create(file, { intraOpNumThreads: settings.threads, interOpNumThreads: 1, logSeverityLevel: 3 });
  } catch (error) {
    throw unfit(`Expected ${file} to be an ONNX model, the runtime refused it: ${reason(error)}. Fetch or export it again.`, error);
  }
  checkInputs(session, file);
  const output = session.outputNames.find((name) => name === 'last_hidden_state' || name === 'token_embeddings') ?? session.outputNames[0]!;
  const run = async (ids: readonly (readonly number[])[]): Promise<RuntimeTensor> => {
    const { rows, length, inputs } = padded(ids, settings.padId);
    const feeds: Record<string, RuntimeTensor> = {};
    for (const name of session.inputNames) feeds[name] = new runtime.Tensor('int64', inputs[name as InputName](), [rows, length]);
    return (await session.run(feeds, [output]))[output]!;
  };
  let first: RuntimeTensor;
  try {
    first = await run([probe]);
  } catch (error) {
    throw unfit(`Expected the model ${file} to encode a text, it failed: ${reason(error)}. Export it with int64 inputs of [batch, sequence].`, error);
  }
  const dimensions = checkOutput(first, output, probe.length, settings);
  return {
    dimensions,
    async encode(ids, write) {
      const { dims, data } = await run(ids);
      if (dims[0] !== ids.length || dims[2] !== dimensions) throw new Error(`its output ${output} is [${dims.join(', ')}] for ${ids.length} texts`);
      ids.forEach((row, i) => write(i, pool(data as Float32Array, i * dims[1]! * dimensions, settings.pooling === 'cls' ? 1 : row.length, dimensions)));
    },
    release: () => session.release(),
  };
}

/** The mean of the first `tokens` vectors from `offset` on, scaled to length 1. */
function pool(data: Float32Array, offset: number, tokens: number, dimensions: number): Float64Array {
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

async function loadRuntime(name: string): Promise<Runtime> {
  try {
    const loaded = (await import(name)) as Runtime & { default?: Runtime };
    return loaded.InferenceSession ? loaded : loaded.default!;
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    const received = absent ? 'it is not installed' : `it could not be loaded: ${reason(error)}`;
    const remedy = 'Install it beside asof: ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node (the variable leaves out the CUDA libraries).';
    throw new AsOfError('ERR_NATIVE_UNAVAILABLE', `Expected ${name} to run the model, ${received}. ${remedy}`, { cause: error });
  }
}

function checkInputs(session: RuntimeSession, file: string): void {
  const wrong = session.inputNames.filter((name) => !(known as readonly string[]).includes(name));
  if (wrong.length === 0 && session.inputNames.includes('input_ids')) return;
  throw unfit(`Expected the model ${file} to take input_ids and some of ${known.slice(1).join(', ')}, received one that takes ${session.inputNames.join(', ')}. ${exportAgain}`);
}

function checkOutput(tensor: RuntimeTensor, name: string, tokens: number, settings: WorkerSettings): number {
  const { dims, data } = tensor;
  const fits = data instanceof Float32Array && dims.length === 3 && dims[0] === 1 && dims[1] === tokens;
  const file = settings.modelFile;
  if (!fits) throw unfit(`Expected the model ${file} to give a vector for each token, float32 of [batch, sequence, dimensions], received ${name} of [${dims.join(', ')}]. ${exportAgain}`);
  const dimensions = dims[2]!;
  if (settings.dimensions !== undefined && settings.dimensions !== dimensions) {
    throw unfit(`Expected vectors of ${settings.dimensions} dimensions as the folder's configuration says, received ${dimensions} from ${file}. Its files belong to different models: fetch them again.`);
  }
  return dimensions;
}

const exportAgain = 'Export it for feature extraction, with last_hidden_state as its output.';

function unfit(message: string, cause?: unknown): AsOfError {
  return new AsOfError('ERR_INVALID_INPUT', message, { cause });
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
