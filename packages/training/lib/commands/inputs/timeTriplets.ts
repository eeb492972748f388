// Triplets and passages of `train re3` and `train lora`, and the seeds that both repeat with.
import { UsageError, counted, option, table, type Invocation, type OptionSpec } from 'asof/command';
import { passageOfRecord, readJsonLines } from 'asof/kit';
import type { Passage } from 'asof';
import type { TimeTrainingData } from '../../timeEncoder/trainTimeEncoder.js';
import { readTimeTriplets, type TimeTriplet } from '../../timeEncoder/triplets.js';
import type { RetrievalQuality } from '../../timeEncoder/validation.js';
import { seedOption } from '../options/trainOptions.js';

export const timeTripletOptions = {
  triplets: {
    value: 'FILE.jsonl',
    multiple: true,
    required: true,
    help: 'triplets-train.jsonl of asof bench-data re2, or output of asof train mine',
  },
  passages: {
    value: 'FILE.jsonl',
    multiple: true,
    help: 'the passages of triplets that name them by id',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const seedOptions = {
  seed: { value: 'N', group: 'training', help: 'random seed, default 1' },
  seeds: {
    value: 'N,...',
    group: 'training',
    help: 'several seeds in place of one: mean and deviation over them are printed',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const tripletDetails =
  'A triplet is {query, asked_at?, positive, negatives:[{id, kind}]} with ids of passages, or ' +
  'passages in their place; a negative of kind time is about the same subject at another time. ' +
  'A passage is {id, text, title?, published_at?}. Lines of asof train mine are triplets too; ' +
  'those of its split test validate. ';

/** The data of one pass over the files. */
export function timeTriplets({ strings, signal }: Invocation): TimeTrainingData {
  async function* triplets(files: readonly string[] = []): AsyncGenerator<TimeTriplet> {
    for (const file of files) yield* readTimeTriplets(file, { signal });
  }
  async function* passages(): AsyncGenerator<Passage> {
    for (const file of strings['passages'] ?? [])
      yield* readJsonLines(file, passageOfRecord, { signal });
  }
  return {
    triplets: triplets(strings['triplets']),
    passages: passages(),
    validation: triplets(strings['dev']),
  };
}

/** @throws UsageError for seeds that are no whole numbers, repeated, or given with --seed */
export function seedsOf(invocation: Invocation): number[] {
  const text = option(invocation, 'seeds');
  if (text === undefined) return [seedOption(invocation)];
  if (option(invocation, 'seed') !== undefined)
    throw new UsageError('--seeds takes the place of --seed: omit one of the two.');
  const seeds = text.split(',').map((each) => (/^\d{1,15}$/.test(each) ? Number(each) : NaN));
  if (seeds.some(Number.isNaN) || new Set(seeds).size < seeds.length) {
    throw new UsageError(
      `--seeds must be different whole numbers from 0, received ${JSON.stringify(text)}.`,
    );
  }
  return seeds;
}

/** Quality before and after a training. */
export interface Gain {
  before?: RetrievalQuality | undefined;
  after: RetrievalQuality;
}

/** (Recall@5 + MRR) / 2, by which the best of several seeds is chosen. */
export const qualityOf = ({ recall, reciprocalRank }: RetrievalQuality): number =>
  (recall + reciprocalRank) / 2;

/** Mean and sample deviation over seeds, and the place of the best. */
export function spreadOf(gains: readonly Gain[]): {
  recall: Spread;
  reciprocalRank: Spread;
  best: number;
} {
  const after = gains.map((gain) => gain.after);
  const values = after.map(qualityOf);
  return {
    recall: spread(after.map(({ recall }) => recall)),
    reciprocalRank: spread(after.map(({ reciprocalRank }) => reciprocalRank)),
    best: values.indexOf(Math.max(...values)),
  };
}

interface Spread {
  mean: number;
  deviation: number;
}

function spread(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, values.length - 1)) };
}

/** A row for each seed, after one of what there was before. */
export function seedTable(
  seeds: readonly number[],
  gains: readonly Gain[],
  questions: number,
): string {
  const row = (name: string, { recall, reciprocalRank }: RetrievalQuality): string[] => [
    name,
    recall.toFixed(3),
    reciprocalRank.toFixed(3),
  ];
  const { before } = gains[0]!;
  const { recall, reciprocalRank } = spreadOf(gains);
  const rows = [
    [counted(questions, 'held-out question', 'held-out questions'), 'Recall@5', 'MRR'],
    ...(before ? [row('before', before)] : []),
    ...gains.map(({ after }, at) => row(`seed ${seeds[at]}`, after)),
    ...(gains.length > 1
      ? [
          [
            'mean +- deviation',
            ...[recall, reciprocalRank].map(
              ({ mean, deviation }) => `${mean.toFixed(3)} +- ${deviation.toFixed(3)}`,
            ),
          ],
        ]
      : []),
  ];
  return table(rows);
}
