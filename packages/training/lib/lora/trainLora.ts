// LoRA fine-tuning of a BERT sentence encoder by Re3's objective, alone or jointly with its time
// network, in a Python process; what it wrote is opened, checked against the vectors of the
// training and measured here.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AsOfError, type Encoder } from 'asof';
import { invalidArgument, mustBeWhole } from 'asof/kit';
import type { TimeExtractor, TimeTuple } from 'asof/time';
import { onnxEncoder, timeEncoder, writeTimeEncoder, type TimeEncoderWeights } from 'asof/models';
import type { Triplet } from '../mining/triplets.js';
import {
  encodeTriplets,
  type AnyIterable,
  type EncodedTriplets,
} from '../timeEncoder/encodeTriplets.js';
import {
  checkExamples,
  yearStatistics,
  type TimeTrainingData,
  type TrainingNegative,
} from '../timeEncoder/trainTimeEncoder.js';
import type { TimeTriplet } from '../timeEncoder/triplets.js';
import type { RetrievalQuality, ValidationSet } from '../timeEncoder/validation.js';
import type { TrainingProgress } from '../trainingLoop.js';
import { preparePython, runPython, type PythonOptions } from './python.js';

export interface LoraSettings {
  /** Of the updates of query and value projections. Default 16; 0 trains every weight. */
  rank: number;
  /** Whether Re3's time network (FiLM) is trained with the encoder. Default false. */
  film: boolean;
  /** Kinds of negatives of equation 12. Default time. */
  negatives: readonly TrainingNegative[];
  /** Default 2. */
  epochs: number;
  /** Examples per step. Default 16. */
  batch: number;
  /** Highest learning rate of the encoder. Default 3e-4, of every weight 2e-5. */
  rate: number;
  /** That of the time network. Default 0.002. */
  timeRate: number;
  /** tau of equation 10. Default 0.1. */
  temperature: number;
  /** delta of equations 11 and 12. Default 0.2. */
  margin: number;
  /** Weight of equation 10. Default 1. */
  contrast: number;
  /** Default 0.1. */
  lambdaHard: number;
  /** Default 0.1. */
  lambdaTime: number;
  /** Tokens of a text. Default and at most the model's. */
  tokens?: number | undefined;
  /** Default cpu. */
  device: 'cpu' | 'cuda';
  /** Of the processor. Default 1. */
  threads: number;
}

export interface LoraOptions extends Partial<LoraSettings>, PythonOptions {
  /** Extractor of times, the one that `re3` is to use. Default: the times that `re3` fuses. */
  extractor?: TimeExtractor | undefined;
  onProgress?: ((progress: TrainingProgress) => void) | undefined;
}

export interface LoraModel {
  /** A folder for `onnxEncoder`; with `film` it holds times.bin for `re3`. */
  folder: string;
  seed: number;
  /** Of held-out triplets, where there are any; `before` where the model has an ONNX file. */
  found?: { before?: RetrievalQuality | undefined; after: RetrievalQuality } | undefined;
  /** Examples, steps and held-out questions. */
  counts: { examples: number; steps: number; validation: number };
}

const script = fileURLToPath(new URL('../../python/lora.py', import.meta.url));
/** Hidden units of the time network, as `trainTimeEncoder` has them. */
const [waves, width] = [32, 64];
/** Cosine of a vector of the training with that of the exported encoder. */
const leastAgreement = 0.999;

/**
 * Fine-tunes the model in `folder` (config.json, tokenizer.json, model.safetensors), once for each
 * seed, into the folders `out(seed)`. `data` is read once for the training and once for each
 * measurement.
 * @throws AsOfError ERR_NATIVE_UNAVAILABLE (no Python with torch), ERR_ENCODER_FAILED (the training
 * failed, or the exported encoder gives other vectors), as `trainTimeEncoder`
 */
export async function trainLora(
  folder: string,
  data: () => TimeTrainingData,
  out: (seed: number) => string,
  seeds: readonly number[],
  options: LoraOptions = {},
): Promise<LoraModel[]> {
  const settings = checkedSettings(options);
  const { signal, extractor, onProgress } = options;
  const python = await preparePython(options);
  const texts = new Map<number, string>();
  const { triplets, passages = [], validation = [] } = data();
  const gathered = await encodeTriplets(noEncoder, triplets, validation, passages, {
    kinds: settings.negatives,
    timeless: !settings.film,
    extractor,
    signal,
    onBatch: (rows, of) => rows.forEach((row, at) => texts.set(row, of[at]!)),
  });
  checkExamples(gathered.counts);
  const request = requestOf(gathered, texts, settings);
  const work = await mkdtemp(join(tmpdir(), 'asof-lora-'));
  try {
    const file = join(work, 'data.json');
    await writeFile(file, JSON.stringify(request));
    const before = await measureSource(folder, settings, data, options);
    const models: LoraModel[] = [];
    for (const seed of seeds) {
      const target = out(seed);
      await mkdir(target, { recursive: true });
      let steps = 0;
      const failure = await runPython(python, [script, file, folder, target, '--seed', `${seed}`], {
        signal,
        onLine: (line) => {
          const progress = progressOf(line);
          steps = progress?.total ?? steps;
          if (progress) onProgress?.(progress);
        },
      });
      if (failure !== undefined) {
        throw new AsOfError(
          'ERR_ENCODER_FAILED',
          `Expected the training of ${folder} by seed ${seed} to end, it ended with ${failure} ` +
            'Models are BERTs with model.safetensors and tokenizer.json.',
        );
      }
      const after = await measureTarget(target, request, extractor, data, options);
      const { examples, validation: held } = gathered.counts;
      models.push({
        folder: target,
        seed,
        ...(after ? { found: { before, after } } : {}),
        counts: { examples, steps, validation: held },
      });
    }
    return models;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** A line of progress; libraries of Python may print others. */
function progressOf(line: string): TrainingProgress | undefined {
  try {
    const parsed = JSON.parse(line) as Partial<TrainingProgress> | null;
    return Number.isFinite(parsed?.total) ? (parsed as TrainingProgress) : undefined;
  } catch {
    return undefined;
  }
}

/** Collects texts: nothing is encoded before the training. */
const noEncoder: Encoder = {
  id: 'none',
  dimensions: 1,
  encode: (texts) => Promise.resolve(new Float32Array(texts.length)),
};

interface TrainingRequest {
  texts: string[];
  questions: number[];
  times: (number | null)[][];
  examples: (number | null)[][];
  settings: LoraSettings;
  time: { mean: number; deviation: number; waves: number; width: number } | null;
  tuples: readonly TimeTuple[];
}

function requestOf(
  { times, examples, questions, counts }: EncodedTriplets,
  texts: ReadonlyMap<number, string>,
  settings: LoraSettings,
): TrainingRequest {
  const { meanYear: mean, deviationYear: deviation } = yearStatistics(times);
  return {
    texts: times.map((_, row) => texts.get(row)!),
    questions: [...questions],
    times: times.map(timeParts),
    examples: Array.from({ length: counts.examples }, (_, at) => {
      const negative = examples.negative[at]!;
      return [
        examples.question[at]!,
        examples.positive[at]!,
        negative < times.length ? negative : null,
      ];
    }),
    settings,
    time: settings.film ? { mean, deviation, waves, width } : null,
    tuples: times,
  };
}

/** Year, month, day and day of the year, null where unknown. */
function timeParts({ year, month, dayOfMonth, mask }: TimeTuple): (number | null)[] {
  // The Gregorian calendar repeats after 400 years, and Date takes years below 100 for others.
  const alike = 2000 + (((year % 400) + 400) % 400);
  const days = (Date.UTC(alike, month - 1, dayOfMonth) - Date.UTC(alike, 0, 0)) / 86_400_000;
  return [
    mask[0] ? year : null,
    mask[1] ? month : null,
    mask[2] ? dayOfMonth : null,
    mask[2] ? days : null,
  ];
}

/** The held-out triplets by a trained encoder; undefined where there are none. */
async function measureTarget(
  folder: string,
  { texts, questions, tuples, time, settings }: TrainingRequest,
  extractor: TimeExtractor | undefined,
  data: () => TimeTrainingData,
  { signal }: LoraOptions,
): Promise<RetrievalQuality | undefined> {
  await using encoder = await onnxEncoder({ path: folder, threads: settings.threads, signal });
  const raw = await takeFloats(join(folder, 'times.f32'));
  const weights: TimeEncoderWeights | undefined =
    time && raw
      ? {
          encoder: encoder.id,
          dimensions: encoder.dimensions,
          kind: 'film',
          waves: time.waves,
          width: time.width,
          statistics: { meanYear: time.mean, deviationYear: time.deviation },
          parameters: raw,
          settings: { ...settings, ...(extractor ? { extractor: extractor.id } : {}) },
          training: { examples: questions.length, jointly: true },
        }
      : undefined;
  const network = weights && (await timeEncoder(encoder, weights));
  const sample = (await takeFloats(join(folder, 'sample.f32')))!;
  const rows = sample.length / encoder.dimensions;
  const isQuestion = new Set(questions);
  for (let row = 0; row < rows; row += 1) {
    const kind = isQuestion.has(row) ? 'query' : 'passage';
    const vector = await encoder.encode([texts[row]!], { kind, signal });
    const fused = network ? await network.fuse(vector, [tuples[row]!]) : vector;
    const cosine = fused.reduce(
      (sum, value, at) => sum + value * sample[row * fused.length + at]!,
      0,
    );
    if (cosine >= leastAgreement || texts[row]!.trim() === '') continue;
    throw new AsOfError(
      'ERR_ENCODER_FAILED',
      `Expected the encoder in ${folder} to give the vectors of its training, received one of ` +
        `cosine ${cosine.toFixed(4)} with its own for ${JSON.stringify(texts[row]!.slice(0, 60))}. ` +
        'Report the model as one that the export does not support.',
    );
  }
  if (weights) await writeTimeEncoder(join(folder, 'times.bin'), weights, { signal });
  return (await heldOut(encoder, data, extractor, signal))?.measure(network);
}

async function measureSource(
  path: string,
  { threads, tokens }: LoraSettings,
  data: () => TimeTrainingData,
  { extractor, signal }: LoraOptions,
): Promise<RetrievalQuality | undefined> {
  const opening = onnxEncoder({ path, threads, signal, ...(tokens ? { maxTokens: tokens } : {}) });
  const opened = await opening.catch((fault: unknown) => {
    // Safetensors alone are enough for the training.
    if (AsOfError.is(fault) && fault.code === 'ERR_NOT_FOUND') return undefined;
    throw fault;
  });
  if (!opened) return undefined;
  await using encoder = opened;
  return (await heldOut(encoder, data, extractor, signal))?.measure();
}

async function heldOut(
  encoder: Encoder,
  data: () => TimeTrainingData,
  extractor: TimeExtractor | undefined,
  signal: AbortSignal | undefined,
): Promise<ValidationSet | undefined> {
  const { triplets, validation = [], passages = [] } = data();
  async function* held(): AsyncGenerator<TimeTriplet | Triplet> {
    const all: AnyIterable<TimeTriplet | Triplet> = triplets;
    for await (const triplet of all) if (triplet.split === 'test') yield triplet;
    yield* validation;
  }
  const found = await encodeTriplets(encoder, [], held(), passages, { extractor, signal });
  return found.validation.size > 0 ? found.validation : undefined;
}

/** A file of floats, which is then removed; undefined for none. */
async function takeFloats(file: string): Promise<Float32Array | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  if (!bytes) return undefined;
  await rm(file);
  return new Float32Array(new Uint8Array(bytes).buffer);
}

function checkedSettings(options: LoraOptions): LoraSettings {
  const { rank = 16, film = false, negatives = ['time'], epochs = 2, batch = 16, tokens } = options;
  const { temperature = 0.1, margin = 0.2, contrast = 1, threads = 1, device = 'cpu' } = options;
  const { lambdaHard = 0.1, lambdaTime = 0.1, timeRate = 0.002 } = options;
  const { rate = rank === 0 ? 2e-5 : 3e-4 } = options;
  mustBeWhole({ rank }, 0, 4096);
  mustBeWhole({ epochs }, 1, 10_000);
  mustBeWhole({ batch }, 2, 4096);
  mustBeWhole({ threads }, 1, 64);
  if (tokens !== undefined) mustBeWhole({ tokens }, 8, 1 << 16);
  if (device !== 'cpu' && device !== 'cuda') throw invalidArgument('device', 'cpu or cuda', device);
  const ranges = {
    rate: [rate, 0, 10],
    timeRate: [timeRate, 0, 10],
    temperature: [temperature, 0.001, 1000],
    margin: [margin, 0, 2],
    contrast: [contrast, 0, 1000],
    lambdaHard: [lambdaHard, 0, 1000],
    lambdaTime: [lambdaTime, 0, 1000],
  } as const;
  for (const [name, [value, least, most]] of Object.entries(ranges))
    if (!(value >= least && value <= most))
      throw invalidArgument(name, `a number from ${least} to ${most}`, value);
  return {
    ...{ rank, film, negatives, epochs, batch, rate, timeRate, temperature, margin, contrast },
    ...{ lambdaHard, lambdaTime, tokens, device, threads },
  };
}
