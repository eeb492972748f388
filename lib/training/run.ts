// Runs a training that was started in native code, whatever it trains: step by step off the JS thread, with progress, a
// checkpoint every so many steps and after an abort, and resumption. It knows no model.
import { createHash, type Hash } from 'node:crypto';
import type { TrainingHandle } from '../../binding.js';
import { binding, withCancellation } from '../binding.js';
import { AsOfError, invalidArgument, throwIfAborted } from '../errors.js';
import { checkPath, readWeightFile, writeWeightFile } from '../vectors/weightFile.js';

export interface TrainingProgress {
  /** Steps. */
  done: number;
  total: number;
  /** Mean over the steps since the last report. */
  loss: number;
}

export interface CheckpointOptions {
  file: string;
  /** Steps between two checkpoints. Default 500. */
  everySteps?: number;
  /** Go on from the file; it must be there and be of this very training. Default false: it is overwritten. */
  resume?: boolean;
}

export interface RunTrainingOptions {
  steps: number;
  /** Of everything that the training was started with: a checkpoint of another is refused. */
  fingerprint: string;
  checkpoint?: CheckpointOptions;
  signal?: AbortSignal;
  onProgress?: (progress: TrainingProgress) => void;
}

/** Steps of one native task: some tens of milliseconds. */
const taskSteps = 32;

/** Runs to the end; gives the mean loss of the last steps. After an abort the last whole step is in the checkpoint, if there is one. */
export async function runToEnd(training: TrainingHandle, options: RunTrainingOptions): Promise<{ loss: number }> {
  const { steps, fingerprint, checkpoint, signal, onProgress } = options;
  throwIfAborted(signal);
  const every = checkpoint?.everySteps ?? 500;
  if (!Number.isInteger(every) || every < 1) throw invalidArgument('checkpoint.everySteps', 'a whole number of at least 1', every);
  if (checkpoint) checkPath(checkpoint.file, 'checkpoint.file');
  if (checkpoint?.resume) await restore(training, checkpoint.file, fingerprint);
  let { step } = binding.trainingState(training);
  let saved = step;
  let loss = NaN;
  const save = async (): Promise<void> => {
    if (!checkpoint || saved === step) return;
    await writeCheckpoint(training, checkpoint.file, fingerprint, loss);
    saved = step;
  };
  while (step < steps) {
    const some = Math.min(taskSteps, steps - step, checkpoint ? saved + every - step : Infinity);
    try {
      ({ step, loss } = await withCancellation(signal, (cancellation) => binding.runTraining(training, some, cancellation)));
    } catch (error) {
      if (AsOfError.is(error) && error.code === 'ERR_ABORTED') {
        ({ step } = binding.trainingState(training));
        await save();
      }
      throw error;
    }
    if (step - saved >= every || step === steps) await save();
    onProgress?.({ done: step, total: steps, loss });
  }
  return { loss };
}

async function writeCheckpoint(training: TrainingHandle, file: string, fingerprint: string, loss: number): Promise<void> {
  const { step, ...arrays } = binding.trainingState(training);
  await writeWeightFile(file, 'checkpoint', { fingerprint, step, loss: Number.isFinite(loss) ? loss : null }, { ...arrays });
}

async function restore(training: TrainingHandle, file: string, fingerprint: string): Promise<void> {
  const { header, arrays } = await readWeightFile(file, 'checkpoint');
  const { step } = header;
  const { parameters, first, second } = arrays;
  if (header['fingerprint'] !== fingerprint || typeof step !== 'number' || !parameters || !first || !second) {
    throw new AsOfError(
      'ERR_INVALID_ARGUMENT',
      `Expected a checkpoint of this training at ${file}, received one of another (other triplets, encoder, settings or seed). ` +
        'Go on with what it was started with, or start anew without resuming.',
    );
  }
  binding.restoreTraining(training, { step, parameters, first, second });
}

/** A fingerprint of plain values and arrays of numbers. */
export function fingerprintOf(values: Record<string, unknown>, arrays: readonly ArrayBufferView[]): string {
  const hash: Hash = createHash('sha256').update(JSON.stringify(values));
  for (const array of arrays) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest('hex').slice(0, 32);
}
