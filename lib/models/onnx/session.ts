// ONNX Runtime session of a worker: inputs, outputs and one batch at a time.
import { importPeer } from '../../runtime/peer.js';
import { outputReader, unfit, type RuntimeTensor } from './heads.js';
import { roles, type WorkerSettings } from './messages.js';
import { padded, type Row } from './tokens.js';

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
 * Opens the model and runs `probe` to see what it gives. @throws AsOfError ERR_NATIVE_UNAVAILABLE,
 * ERR_INVALID_INPUT
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
  const output =
    reader.outputs.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0]!;
  const run = async (batch: readonly Row[]): Promise<RuntimeTensor> => {
    const { rows, length, inputs } = padded(batch, padId, typeCount);
    const feeds: Record<string, RuntimeTensor> = {};
    for (const name of session.inputNames)
      feeds[name] = new runtime.Tensor('int64', inputs[name as InputName](), [rows, length]);
    return (await session.run(feeds, [output]))[output]!;
  };
  let first: RuntimeTensor;
  try {
    first = await run([probe]);
  } catch (error) {
    const does = roles[settings.head.kind].does;
    throw unfit(
      `Expected the model ${file} to ${does} a text, it failed: ${reason(error)}. Export it with int64 inputs of [batch, sequence].`,
      error,
    );
  }
  const width = reader.width(first, output, probe);
  return {
    width,
    async run(batch, write) {
      const tensor = await run(batch);
      if (!reader.fits(tensor, batch.length, width))
        throw new Error(
          `its output ${output} is [${tensor.dims.join(', ')}] for ${batch.length} texts`,
        );
      reader.read(tensor, batch, width, write);
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
      'Export it for feature extraction or, a reranker, for sequence classification.',
  );
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
