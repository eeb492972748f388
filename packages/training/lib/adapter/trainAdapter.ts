// Training of a low-rank adapter over a frozen encoder (re-implementation, section 4.2): margin
// ranking loss, temporal and general triplets 1:1, linear warm-up.
import { invalidArgument, mustBeWhole, throwIfAborted, checkEncoder } from 'asof/kit';
import { AsOfError, type Encoder } from 'asof';
import type { AdapterWeights } from 'asof/models';
import type { Triplet } from '../mining/triplets.js';
import {
  trainingFingerprint,
  runTraining,
  type CheckpointOptions,
  type TrainingProgress,
  type Training,
} from '../trainingLoop.js';
import { collectTriplets, type EncodedTripletRows } from './tripletRows.js';

export interface AdapterTrainingOptions {
  /** Columns of A and B. Default 16. */
  rank?: number | undefined;
  /** `shared`: one A and B for questions and passages (default). `separate`: each side its own. */
  sides?: 'shared' | 'separate' | undefined;
  /**
   * Epochs over the temporal triplets, or over the general ones if there are no others. Default 3,
   * as in the paper.
   */
  epochs?: number | undefined;
  /** Triplets per step, half of each kind. Default 8, as in the paper. */
  batch?: number | undefined;
  /** Highest learning rate. Default 2e-5, as in the paper; ten times as much causes forgetting. */
  rate?: number | undefined;
  /** Default 1. */
  seed?: number | undefined;
  checkpoint?: CheckpointOptions | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: TrainingProgress) => void) | undefined;
  /** Triplets gathered and encoded so far, before training starts. */
  onGather?: ((count: number) => void) | undefined;
}

/** Share of the steps with linear warm-up, and the weight decay of AdamW. */
const [warmup, decay] = [0.1, 0.01];

type Settings = Required<
  Omit<AdapterTrainingOptions, 'checkpoint' | 'signal' | 'onProgress' | 'onGather'>
> & { warmup: number; decay: number };

/** Number of held-out triplets for the loss before and after training. */
const mostHeldOut = 20_000;

/**
 * Trains on the triplets of split `train`; those of `test` are only evaluated. All are encoded
 * first and kept in memory: 4 bytes per dimension and distinct text. Bit-reproducible for the same
 * triplets, settings and seed at one instruction-set level, with any number of threads.
 * @throws AsOfError ERR_INVALID_ARGUMENT (no training data, a diverging loss),
 * ERR_ENCODER_FAILED, ERR_ABORTED, ERR_STORAGE,
 * and for resumption from a checkpoint ERR_NOT_FOUND, ERR_CORPUS_CORRUPT
 */
export async function trainAdapter(
  encoder: Encoder,
  triplets: Iterable<Triplet> | AsyncIterable<Triplet>,
  options: AdapterTrainingOptions = {},
): Promise<AdapterWeights> {
  checkEncoder(encoder);
  const iterable = triplets as Partial<Iterable<Triplet> & AsyncIterable<Triplet>> | undefined;
  if (!iterable?.[Symbol.iterator] && !iterable?.[Symbol.asyncIterator]) {
    throw invalidArgument(
      'triplets',
      'triplets to go through, as mineTriplets gives them',
      triplets,
    );
  }
  const settings = checkedSettings(options);
  const { checkpoint, signal, onProgress, onGather } = options;
  throwIfAborted(signal);
  const gathered = await collectTriplets(triplets, encoder, {
    signal,
    onTriplet: onGather,
  });
  const { columns, counts, rows, textsHash } = gathered;
  const groups = [counts.temporal, counts.general].filter((count) => count > 0);
  if (groups.length === 0) {
    throw new AsOfError(
      'ERR_INVALID_ARGUMENT',
      'Expected triplets to train on, received none of split train. Mine more passages, or ' +
        'another split.',
    );
  }
  const share = Math.ceil(settings.batch / groups.length);
  const steps = Math.ceil((groups[0]! * settings.epochs) / share);
  const { rank, sides, seed, batch, rate } = settings;
  const training = rows.trainAdapter({
    rank,
    shared: sides === 'shared',
    ...columns,
    groups: Uint32Array.from(groups),
    seed,
    batch,
    steps,
    warmup: Math.round(warmup * steps),
    rate,
    decay,
  });
  const base = { id: encoder.id, dimensions: encoder.dimensions };
  const fingerprint = trainingFingerprint(
    { base, settings, counts, textsHash },
    Object.values(columns),
  );
  const before = await heldOutLoss(training, gathered);
  const { loss } = await runTraining(training, {
    steps,
    fingerprint,
    checkpoint,
    signal,
    onProgress,
  });
  const after = await heldOutLoss(training, gathered);
  const { parameters } = training;
  const statistics = {
    ...counts,
    steps,
    ...(Number.isFinite(loss) ? { loss } : {}),
    ...(before === undefined ? {} : { heldOutLoss: { before, after } }),
  };
  return {
    base,
    rank,
    shared: sides === 'shared',
    parameters,
    settings: { ...settings },
    statistics,
  };
}

async function heldOutLoss(
  training: Training,
  { columns, counts }: EncodedTripletRows,
): Promise<number | undefined> {
  if (counts.heldOut === 0) return undefined;
  const first = columns.margin.length - counts.heldOut;
  const examples = Uint32Array.from(
    { length: Math.min(mostHeldOut, counts.heldOut) },
    (_, i) => first + i,
  );
  return training.loss(examples);
}

function checkedSettings(options: AdapterTrainingOptions): Settings {
  const { rank = 16, sides = 'shared', epochs = 3, batch = 8, rate = 2e-5, seed = 1 } = options;
  mustBeWhole({ rank }, 1, 4096);
  mustBeWhole({ batch }, 1, 1 << 16);
  mustBeWhole({ epochs }, 1, 10_000);
  if (batch < 2) throw invalidArgument('batch', 'at least 2, one of each kind', batch);
  if (sides !== 'shared' && sides !== 'separate')
    throw invalidArgument('sides', 'shared or separate', sides);
  if (!(rate > 0 && rate <= 10)) throw invalidArgument('rate', 'a number above 0, up to 10', rate);
  mustBeWhole({ seed }, 0);
  return { rank, sides, epochs, batch, rate, warmup, decay, seed };
}
