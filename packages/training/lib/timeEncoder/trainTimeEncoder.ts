// Training of a time encoder over a frozen encoder (Re3, section 3.3, equations 10 to 13), with
// early stopping.
import {
  checkEncoder,
  invalidArgument,
  mustBe,
  mustBeWhole,
  throwIfAborted,
  TrainingRows,
} from 'asof/kit';
import { AsOfError, type Passage, type Encoder } from 'asof';
import type { TimeExtractor, TimeTuple } from 'asof/time';
import { timeEncoder, type Device, type TimeEncoderWeights } from 'asof/models';
import {
  trainingFingerprint,
  runTraining,
  type CheckpointOptions,
  type TrainingProgress,
  type Training,
} from '../trainingLoop.js';
import type { Triplet } from '../mining/triplets.js';
import { encodeTriplets, type EncodedTriplets, type AnyIterable } from './encodeTriplets.js';
import type { TimeTriplet } from './triplets.js';
import { negativeKinds } from '@asof/evaluation';
import type { RetrievalQuality } from './validation.js';

export interface TimeTrainingData {
  /** By passage id, or mined; mined ones of the split test are validation triplets. */
  triplets: AnyIterable<TimeTriplet | Triplet>;
  /** The passages of triplets that come without; others are skipped. */
  passages?: AnyIterable<Passage> | undefined;
  /** Validation triplets for early stopping; the best parameters are returned. Default none. */
  validation?: AnyIterable<TimeTriplet | Triplet> | undefined;
}

export interface TimeTrainingOptions {
  /** Default film, the paper's. */
  kind?: TimeEncoderWeights['kind'] | undefined;
  /** Hidden units of MLP_proj, or components that another kind adds. Default 64. */
  width?: number | undefined;
  /** Hidden units of the year's network. Default 32. */
  waves?: number | undefined;
  /** tau of equation 10. Default 0.1. */
  temperature?: number | undefined;
  /** delta of equations 11 and 12, in cosine. Default 0.2. */
  margin?: number | undefined;
  /** lambda_hard of equation 13. Default 0.1, as in the paper. */
  lambdaHard?: number | undefined;
  /** lambda_tw of equation 13. Default 0.1, as in the paper. */
  lambdaTime?: number | undefined;
  /**
   * Kinds of negatives for the d_tw of equation 12. Default: those of another time, as in the
   * paper. `random` is a positive of another question.
   */
  negatives?: readonly TrainingNegative[] | undefined;
  /** Maximum number of epochs. Default 5. */
  epochs?: number | undefined;
  /** Examples per step, up to 4096. Default 128. */
  batch?: number | undefined;
  /** Highest learning rate. Default 0.002. */
  rate?: number | undefined;
  /** Default 1. */
  seed?: number | undefined;
  /** Steps between two measurements of the validation split. Default 200. */
  validateEvery?: number | undefined;
  /** Measurements without improvement that stop the training. Default 5. */
  patience?: number | undefined;
  /**
   * Device of the training. Default 'cpu'. 'cuda', the first CUDA device (docs/cuda.md), has
   * another order of summation: weights agree to rounding, and checkpoints are interchangeable.
   */
  device?: Device | undefined;
  /**
   * Extractor of the times of questions and passages, the one that `re3` is to use. Default: the
   * times that `re3` fuses by default.
   */
  extractor?: TimeExtractor | undefined;
  checkpoint?: CheckpointOptions | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Texts encoded so far, before training starts. */
  onGather?: ((count: number) => void) | undefined;
}

/** Kinds of negatives in training. */
export const trainingNegatives = [...negativeKinds, 'random'] as const;
export type TrainingNegative = (typeof trainingNegatives)[number];

/** Kinds of fusion. */
export const timeKinds: readonly TimeEncoderWeights['kind'][] = [
  'film',
  'concatenated',
  'direct',
  'absolute',
];

/** Share of the steps with linear warm-up, and the weight decay of AdamW. */
const [warmup, decay] = [0.1, 0.01];

type Settings = Required<
  Omit<
    TimeTrainingOptions,
    'device' | 'extractor' | 'checkpoint' | 'signal' | 'onProgress' | 'onGather'
  >
> & { warmup: number; decay: number };

/**
 * Trains on the triplets; each negative of the kinds `negatives` is the d_tw of an example of
 * equation 12, and all negatives of the validation split are in its pool. Times are those that
 * retrieval fuses, relative to a question's askedAt and a passage's publishedAt on days of UTC;
 * questions of no time or of several give no examples. All texts are encoded first and kept in
 * memory: 4 bytes per dimension and distinct text. Bit-reproducible for the same data, settings and
 * seed at one instruction-set level, with any number of threads.
 * @throws AsOfError ERR_INVALID_ARGUMENT (no training data, a diverging loss), ERR_INVALID_INPUT (a
 * missing passage),
 * ERR_ENCODER_FAILED, ERR_DEVICE_UNAVAILABLE, ERR_ABORTED, ERR_STORAGE, and for resumption from a
 * checkpoint ERR_NOT_FOUND, ERR_CORPUS_CORRUPT
 */
export async function trainTimeEncoder(
  encoder: Encoder,
  data: TimeTrainingData,
  options: TimeTrainingOptions = {},
): Promise<TimeEncoderWeights> {
  mustBe('an object', { options });
  return (await trainTimeEncoders(encoder, data, options, [options.seed ?? 1]))[0]!;
}

/** One training for each seed over texts that are encoded once. */
export async function trainTimeEncoders(
  encoder: Encoder,
  data: TimeTrainingData,
  options: TimeTrainingOptions,
  seeds: readonly number[],
): Promise<TimeEncoderWeights[]> {
  checkEncoder(encoder);
  const { triplets, passages, validation } = checkedData(data);
  const each = seeds.map((seed) => checkedSettings({ ...options, seed }));
  const { signal, onGather, extractor, device } = options;
  throwIfAborted(signal);
  // Before the texts are encoded: the device may be missing.
  await TrainingRows.open(encoder.dimensions, device);
  const gathered = await encodeTriplets(encoder, triplets, validation, passages, {
    kinds: each[0]!.negatives,
    signal,
    extractor,
    onText: onGather,
  });
  checkExamples(gathered.counts);
  const trained: TimeEncoderWeights[] = [];
  for (const settings of each) trained.push(await trainOver(gathered, encoder, settings, options));
  return trained;
}

async function trainOver(
  gathered: EncodedTriplets,
  encoder: Encoder,
  settings: Settings,
  { checkpoint, signal, onProgress, extractor, device }: TimeTrainingOptions,
): Promise<TimeEncoderWeights> {
  const rows = await TrainingRows.open(encoder.dimensions, device);
  const { examples, times, vectors, counts } = gathered;
  const { kind, width, waves } = settings;
  const untrained = {
    encoder: encoder.id,
    dimensions: encoder.dimensions,
    kind,
    waves,
    width,
    statistics: yearStatistics(times),
    parameters: new Float32Array(0),
    settings: { ...settings, ...(extractor ? { extractor: extractor.id } : {}) },
    training: {},
  };
  const { training, steps } = start(untrained, settings, gathered, rows);
  const found = async (parameters: Float32Array): Promise<RetrievalQuality> =>
    gathered.validation.measure(await timeEncoder(encoder, { ...untrained, parameters }));
  const measure = async (parameters: Float32Array): Promise<number> => {
    const { recall, reciprocalRank } = await found(parameters);
    return (recall + reciprocalRank) / 2;
  };
  const held =
    counts.validation > 0
      ? { validation: { measure, everySteps: settings.validateEvery, patience: settings.patience } }
      : {};
  const fingerprint = trainingFingerprint({ ...untrained, counts }, [
    vectors,
    Int32Array.from(
      times.flatMap(({ year, month, dayOfMonth, mask }) => [year, month, dayOfMonth, ...mask]),
    ),
    examples.question,
    examples.positive,
    examples.negative,
  ]);
  const {
    best,
    loss,
    steps: done,
  } = await runTraining(training, {
    steps,
    fingerprint,
    ...held,
    ...(signal ? { signal } : {}),
    checkpoint,
    onProgress,
  });
  const parameters = best?.parameters ?? training.parameters;
  const reached = best
    ? {
        bestStep: best.step,
        found: { before: await gathered.validation.measure(), after: await found(parameters) },
      }
    : {};
  return {
    ...untrained,
    parameters,
    training: { ...counts, steps: done, ...(Number.isFinite(loss) ? { loss } : {}), ...reached },
  };
}

function start(
  untrained: TimeEncoderWeights,
  settings: Settings,
  gathered: EncodedTriplets,
  rows: TrainingRows,
): { training: Training; steps: number } {
  const { vectors, times, examples, counts } = gathered;
  const { batch, epochs, seed, rate, temperature, margin, lambdaHard, lambdaTime } = settings;
  const steps = Math.ceil((counts.examples * epochs) / batch);
  rows.append(vectors);
  const training = rows.trainTimeEncoder(untrained, {
    times,
    ...examples,
    temperature,
    margin,
    hard: lambdaHard,
    time: lambdaTime,
    groups: Uint32Array.of(counts.examples),
    seed,
    batch,
    steps,
    warmup: Math.round(warmup * steps),
    rate,
    decay,
  });
  return { training, steps };
}

function checkedData(data: TimeTrainingData): Required<TimeTrainingData> {
  const { triplets, passages = [], validation = [] } = (data ?? {}) as Partial<TimeTrainingData>;
  const iterables = { triplets, passages, validation };
  for (const [name, value] of Object.entries(iterables))
    if (!isIterable(value)) throw invalidArgument(`data.${name}`, 'an iterable', value);
  return iterables as Required<TimeTrainingData>;
}

const isIterable = (given: unknown): boolean => {
  const iterable = given as Partial<Iterable<unknown> & AsyncIterable<unknown>> | undefined;
  return (
    typeof iterable === 'object' &&
    (iterable?.[Symbol.iterator] ?? iterable?.[Symbol.asyncIterator]) !== undefined
  );
};

/** @throws AsOfError ERR_INVALID_ARGUMENT without examples */
export function checkExamples({ triplets, examples }: EncodedTriplets['counts']): void {
  if (examples > 0) return;
  const expected =
    triplets === 0
      ? 'triplets to train on, received none.'
      : 'questions that name a time to train a time encoder on, one each, received none that does.';
  throw new AsOfError('ERR_INVALID_ARGUMENT', `Expected ${expected}`);
}

/**
 * mu_y and sigma_y of equation 4: over the texts that name a year; a deviation of at least one
 * year.
 */
export function yearStatistics(times: readonly TimeTuple[]): {
  meanYear: number;
  deviationYear: number;
} {
  const years = times.filter(({ mask }) => mask[0] === 1).map(({ year }) => year);
  const meanYear = years.reduce((sum, each) => sum + each, 0) / years.length;
  const variance = years.reduce((sum, each) => sum + (each - meanYear) ** 2, 0) / years.length;
  return { meanYear, deviationYear: Math.max(1, Math.sqrt(variance)) };
}

function checkedSettings(options: TimeTrainingOptions): Settings {
  const {
    kind = 'film',
    width = 64,
    waves = 32,
    temperature = 0.1,
    margin = 0.2,
    lambdaHard = 0.1,
    lambdaTime = 0.1,
    negatives = ['time'],
    epochs = 5,
    batch = 128,
    rate = 0.002,
    seed = 1,
    validateEvery = 200,
    patience = 5,
  } = options;
  if (!timeKinds.includes(kind)) throw invalidArgument('kind', timeKinds.join(', '), kind);
  mustBeWhole({ width, waves }, 1, 4096);
  mustBeWhole({ epochs }, 1, 10_000);
  mustBeWhole({ batch }, 2, 4096);
  mustBeWhole({ validateEvery, patience }, 1, 1e9);
  const ranges = {
    margin: [margin, 0, 2],
    lambdaHard: [lambdaHard, 0, 1000],
    lambdaTime: [lambdaTime, 0, 1000],
    temperature: [temperature, 0.001, 1000],
  } as const;
  for (const [name, [value, least, most]] of Object.entries(ranges)) {
    if (!(value >= least && value <= most))
      throw invalidArgument(name, `a number from ${least} to ${most}`, value);
  }
  if (
    !Array.isArray(negatives) ||
    !negatives.every((each: TrainingNegative) => trainingNegatives.includes(each))
  ) {
    throw invalidArgument('negatives', `some of ${trainingNegatives.join(', ')}`, negatives);
  }
  if (!(rate > 0 && rate <= 10)) throw invalidArgument('rate', 'a number above 0, up to 10', rate);
  mustBeWhole({ seed }, 0);
  return {
    kind,
    width,
    waves,
    temperature,
    margin,
    lambdaHard,
    lambdaTime,
    negatives,
    epochs,
    batch,
    rate,
    warmup,
    decay,
    seed,
    validateEvery,
    patience,
  };
}
