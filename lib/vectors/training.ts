// Training of weights over vectors, in native code: the door of what trains adapters and time
// encoders. Rows are gathered once; steps run off the JS thread.
import type {
  AdapterTrainingRequest,
  TimeTrainingRequest,
  TrainingHandle,
  TrainingRowsHandle,
} from '../../binding.js';
import { binding, withCancellation } from '../binding.js';
import { checkDevice, deviceNames, requireDevice, type Device } from './device.js';
import type { TimeTuple } from '../time/tuple.js';
import { networkOf, timeColumns, type TimeEncoderWeights } from './timeEncoder.js';
import { readWeightFile, writeWeightFile } from './weightFile.js';

/** Vectors that trainings refer to by row number. */
export class TrainingRows {
  readonly #handle: TrainingRowsHandle;
  readonly #device: Device;

  private constructor(dimensions: number, device: Device) {
    this.#handle = binding.trainingRows(dimensions);
    this.#device = device;
  }

  /** No rows yet. @throws AsOfError ERR_DEVICE_UNAVAILABLE */
  static async open(dimensions: number, device: Device = 'cpu'): Promise<TrainingRows> {
    await requireDevice(checkDevice(device));
    return new TrainingRows(dimensions, device);
  }

  /** Adds whole rows, before any training over them. */
  append(vectors: Float32Array): void {
    binding.appendTrainingRows(this.#handle, vectors);
  }

  trainAdapter(request: AdapterTrainingRequest): Training {
    return new Training(binding.startAdapterTraining(this.#handle, request));
  }

  /** Trains the network that `weights` describe; their parameters are those of the training. */
  trainTimeEncoder(
    weights: TimeEncoderWeights,
    {
      times,
      ...request
    }: Omit<TimeTrainingRequest, 'network' | 'dates' | 'device'> & { times: readonly TimeTuple[] },
  ): Training {
    const device = deviceNames.indexOf(this.#device) as 0 | 1;
    const of = { network: networkOf(weights), dates: timeColumns(times), device };
    return new Training(binding.startTimeTraining(this.#handle, { ...request, ...of }));
  }

  /** Products of every query with every row, by query; both row-major. */
  static products(
    queries: Float32Array,
    rows: Float32Array,
    dimensions: number,
  ): Promise<Float32Array> {
    return binding.innerProduct(queries, rows, dimensions);
  }
}

/** A training: parameters, and the state of the optimizer. */
export class Training {
  readonly #handle: TrainingHandle;

  /** By `TrainingRows`. @internal */
  constructor(handle: TrainingHandle) {
    this.#handle = handle;
  }

  /** Steps done. */
  get step(): number {
    return binding.trainingState(this.#handle).step;
  }

  get parameters(): Float32Array {
    return binding.trainingState(this.#handle).parameters;
  }

  /** Up to `steps` further steps, and their mean loss; an abort keeps the whole ones. */
  run(steps: number, signal?: AbortSignal): Promise<{ step: number; loss: number }> {
    return withCancellation(signal, (cancellation) =>
      binding.runTraining(this.#handle, steps, cancellation),
    );
  }

  /** The mean loss of examples. */
  async loss(examples: Uint32Array): Promise<number> {
    return (await binding.trainingGradient(this.#handle, examples)).loss;
  }

  /** Writes the state, with a header and arrays of the caller's. */
  async save(
    file: string,
    header: Record<string, unknown>,
    more: Record<string, Float32Array>,
  ): Promise<void> {
    const { step, ...arrays } = binding.trainingState(this.#handle);
    await writeWeightFile(file, 'checkpoint', { ...header, step }, { ...arrays, ...more });
  }

  /**
   * Continues from a file that `save` wrote, if `accepts` its header; undefined for another file,
   * which changes nothing. @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_CORRUPT
   */
  async restore(
    file: string,
    accepts: (header: Readonly<Record<string, unknown>>) => boolean,
  ): Promise<
    { header: Record<string, unknown>; arrays: Record<string, Float32Array> } | undefined
  > {
    const { header, arrays } = await readWeightFile(file, 'checkpoint');
    const { step } = header;
    const { parameters, first, second, ...more } = arrays;
    if (!accepts(header) || typeof step !== 'number' || !parameters || !first || !second)
      return undefined;
    binding.restoreTraining(this.#handle, { step, parameters, first, second });
    return { header, arrays: more };
  }

  /** Frees the memory of steps; the parameters stay. */
  release(): void {
    binding.releaseTrainingMemory(this.#handle);
  }
}
