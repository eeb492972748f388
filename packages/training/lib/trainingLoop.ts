// Training loop over native steps off the JS thread: progress, checkpoints and resumption, early
// stopping on validation.
import { createHash, type Hash } from 'node:crypto';
import { mustBe, mustBeWhole, throwIfAborted, type TrainingRows } from 'asof/kit';
import { AsOfError } from 'asof';

export type Training = ReturnType<TrainingRows['trainAdapter']>;

/** Progress of a training. */
export interface TrainingProgress {
  /** Steps. */
  done: number;
  total: number;
  /** Mean over the steps since the last report. */
  loss: number;
}

/** Checkpoint file, interval and resumption. */
export interface CheckpointOptions {
  file: string;
  /** Steps between two checkpoints. Default 500. */
  everySteps?: number | undefined;
  /**
   * Resume from the file, which must exist and be of the same training. Default false: overwrite.
   */
  resume?: boolean | undefined;
}

/** Periodic validation on held-out data. */
export interface Validation {
  /** Higher is better. */
  measure: (parameters: Float32Array) => Promise<number>;
  everySteps: number;
  /** Consecutive measurements without improvement that stop the training. */
  patience: number;
}

/** The best measurement so far, with its parameters. */
export interface BestParameters {
  step: number;
  value: number;
  parameters: Float32Array;
}

export interface RunTrainingOptions {
  steps: number;
  /** Digest of data and settings; a checkpoint with another is refused. */
  fingerprint: string;
  checkpoint?: CheckpointOptions;
  /** Measured before the first step, periodically, and after the last step. */
  validation?: Validation;
  signal?: AbortSignal;
  onProgress?: (progress: TrainingProgress) => void;
}

export interface TrainingOutcome {
  /** Mean over the last steps; NaN for a finished training that was resumed. */
  loss: number;
  /** Completed steps, fewer than requested after early stopping. */
  steps: number;
  best?: BestParameters;
}

/** Steps of one native task: some tens of milliseconds. */
const taskSteps = 32;

/**
 * Runs all steps, or until early stopping. After an abort the checkpoint, if any, has the last
 * completed step.
 */
export async function runTraining(
  training: Training,
  options: RunTrainingOptions,
): Promise<TrainingOutcome> {
  try {
    return await run(training, options);
  } finally {
    training.release();
  }
}

async function run(training: Training, options: RunTrainingOptions): Promise<TrainingOutcome> {
  const { steps, fingerprint, checkpoint, validation, signal, onProgress } = options;
  throwIfAborted(signal);
  const every = checkpoint?.everySteps ?? 500;
  mustBeWhole({ 'checkpoint.everySteps': every }, 1);
  if (checkpoint) mustBe('a string', { 'checkpoint.file': checkpoint.file });
  const judge = new EarlyStopping(validation);
  if (checkpoint?.resume) await restore(training, checkpoint.file, fingerprint, judge);
  let { step } = training;
  let saved = step;
  let loss = NaN;
  const save = async (): Promise<void> => {
    if (!checkpoint || saved === step) return;
    await writeCheckpoint(
      training,
      checkpoint.file,
      { fingerprint, loss: Number.isFinite(loss) ? loss : null },
      judge,
    );
    saved = step;
  };
  await judge.measureIfDue(training, step, steps);
  while (step < steps && !judge.ended) {
    const some = Math.min(
      taskSteps,
      steps - step,
      checkpoint ? saved + every - step : Infinity,
      judge.stepsUntilNext(step),
    );
    try {
      ({ step, loss } = await training.run(some, signal));
    } catch (error) {
      if (AsOfError.is(error) && error.code === 'ERR_ABORTED') {
        ({ step } = training);
        await save();
      }
      throw error;
    }
    await judge.measureIfDue(training, step, steps);
    if (step - saved >= every || step === steps || judge.ended) await save();
    onProgress?.({ done: step, total: steps, loss });
  }
  return { loss, steps: step, ...(judge.best ? { best: judge.best } : {}) };
}

/**
 * Tracks the best measurement and the number since. Each step is measured once, also after
 * resumption.
 */
class EarlyStopping {
  best: BestParameters | undefined;
  measuredAt = -1;
  since = 0;

  constructor(private readonly validation: Validation | undefined) {}

  get ended(): boolean {
    return this.validation !== undefined && this.since >= this.validation.patience;
  }

  stepsUntilNext(step: number): number {
    return this.validation
      ? this.validation.everySteps - (step % this.validation.everySteps)
      : Infinity;
  }

  async measureIfDue(training: Training, step: number, steps: number): Promise<void> {
    if (
      !this.validation ||
      this.measuredAt === step ||
      (step % this.validation.everySteps !== 0 && step !== steps)
    )
      return;
    const { parameters } = training;
    const value = await this.validation.measure(parameters);
    this.measuredAt = step;
    const better = this.best === undefined || value > this.best.value;
    this.since = better ? 0 : this.since + 1;
    if (better) this.best = { step, value, parameters };
  }
}

async function writeCheckpoint(
  training: Training,
  file: string,
  header: Record<string, unknown>,
  { best, measuredAt, since }: EarlyStopping,
): Promise<void> {
  const judged = best ? { judged: { step: best.step, value: best.value, measuredAt, since } } : {};
  await training.save(file, { ...header, ...judged }, best ? { best: best.parameters } : {});
}

async function restore(
  training: Training,
  file: string,
  fingerprint: string,
  judge: EarlyStopping,
): Promise<void> {
  const restored = await training.restore(file, (header) => header['fingerprint'] === fingerprint);
  if (!restored) {
    throw new AsOfError(
      'ERR_INVALID_ARGUMENT',
      `Expected a checkpoint of this training at ${file}, received one of another (other triplets, encoder, settings or seed). ` +
        'Resume with the original data and settings, or start without resuming.',
    );
  }
  const judged = restored.header['judged'] as
    | { step: number; value: number; measuredAt: number; since: number }
    | undefined;
  const { best } = restored.arrays;
  if (!judged || !best) return;
  judge.best = { step: judged.step, value: judged.value, parameters: best };
  judge.measuredAt = judged.measuredAt;
  judge.since = judged.since;
}

/** A fingerprint of plain values and arrays of numbers. */
export function trainingFingerprint(
  values: Record<string, unknown>,
  arrays: readonly ArrayBufferView[],
): string {
  const hash: Hash = createHash('sha256').update(JSON.stringify(values));
  for (const array of arrays)
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest('hex').slice(0, 32);
}
