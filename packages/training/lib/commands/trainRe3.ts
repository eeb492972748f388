// `asof train re3`: Re3's time encoder over a frozen encoder.
import {
  type Command,
  UsageError,
  countOption,
  listOption,
  option,
  requiredOption,
  type Invocation,
  checkOutput,
  counted,
  duration,
  encoderChoice,
  deviceChoice,
  extractorChoice,
  wordOption,
} from 'asof/command';
import { staticEncoder } from 'asof';
import {
  timeKinds,
  trainTimeEncoders,
  type TimeTrainingOptions,
} from '../timeEncoder/trainTimeEncoder.js';
import {
  seedOptions,
  seedTable,
  seedsOf,
  spreadOf,
  timeTripletOptions,
  timeTriplets,
  tripletDetails,
  type Gain,
} from './inputs/timeTriplets.js';
import { writeTimeEncoder, type TimeEncoderWeights } from 'asof/models';
import { checkpointOf, checkpointOptions, numberOption } from './options/trainOptions.js';

export const command: Command = {
  name: 'train re3',
  summary: "Trains Re3's time encoder over the vectors of an encoder.",
  positionals: [],
  options: {
    ...timeTripletOptions,
    out: { value: 'FILE', required: true, help: 'output of the weights' },
    dev: {
      value: 'FILE.jsonl',
      multiple: true,
      help: 'validation triplets: the best weights are kept, with early stopping; default none',
    },
    extractor: { ...extractorChoice.option, group: 'training' },
    kind: {
      value: 'K',
      group: 'training',
      help: "film (default, the paper's), concatenated, direct or absolute",
    },
    width: {
      value: 'N',
      group: 'training',
      help:
        'hidden units of the projection to gamma and beta, or added components of another kind, ' +
        'default 64',
    },
    'lambda-hard': {
      value: 'X',
      group: 'training',
      help: 'weight of the hardest negative of a batch, default 0.1',
    },
    'lambda-time': {
      value: 'X',
      group: 'training',
      help: 'weight of the negatives of another time, default 0.1',
    },
    negatives: {
      value: 'K,...',
      group: 'training',
      help:
        'kinds of negatives of --lambda-time, default time; others are entity, attribute, ' +
        'outdated and random (a positive of another question)',
    },
    temperature: {
      value: 'X',
      group: 'training',
      help: 'temperature of the contrastive loss, default 0.1',
    },
    margin: {
      value: 'X',
      group: 'training',
      help: 'margin of both kinds of negatives, in cosine, default 0.2',
    },
    epochs: { value: 'N', group: 'training', help: 'at most N epochs, default 5' },
    batch: { value: 'N', group: 'training', help: 'batch size, default 128' },
    rate: { value: 'X', group: 'training', help: 'peak learning rate, default 0.002' },
    patience: {
      value: 'N',
      group: 'training',
      help: 'validations without improvement before early stopping, default 5',
    },
    'validate-every': {
      value: 'N',
      group: 'training',
      help: 'steps between validations, default 200',
    },
    ...seedOptions,
    ...checkpointOptions,
    ...encoderChoice.options,
    device: {
      ...deviceChoice.option,
      help: 'device of the training: cpu (default) or cuda, the first CUDA device',
    },
  },
  details:
    tripletDetails +
    'Weights are deterministic for the same files, options and seed. Of several seeds the ' +
    'weights that find most of the held-out questions are written.',
  example: 'asof train re3 --triplets triplets-train.jsonl --passages passages.jsonl --out re3.bin',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const out = requiredOption(invocation, 'out');
  const options = trainingOptions(invocation);
  const seeds = seedsOf(invocation);
  if (seeds.length > 1 && options.checkpoint)
    throw new UsageError('--checkpoint is of one training: give one seed with it.');
  const device = deviceChoice.of(invocation);
  await checkOutput(out, 'out');
  await checkOutput(option(invocation, 'checkpoint'), 'checkpoint');
  const started = performance.now();
  const encoder = (await encoderChoice.open(invocation)) ?? (await staticEncoder());
  await using opened = await extractorChoice.open(invocation);
  const bar = terminal.progress('training', 'steps');
  let trained: TimeEncoderWeights[];
  try {
    const all = { ...options, ...(device ? { device } : {}), ...opened.options };
    const how = { ...all, signal, onProgress: bar.update };
    trained = await trainTimeEncoders(encoder, timeTriplets(invocation), how, seeds);
  } finally {
    bar.end();
  }
  const gains = trained.flatMap(({ training }) => (training['found'] as Gain | undefined) ?? []);
  const spread = gains.length > 0 ? spreadOf(gains) : undefined;
  const weights = trained[spread?.best ?? 0]!;
  await writeTimeEncoder(out, weights, { signal });
  const seconds = (performance.now() - started) / 1000;
  const { parameters, ...rest } = weights;
  if (terminal.json) {
    const several = seeds.length > 1 ? { seeds, ...(spread ? { spread } : {}), gains } : {};
    await terminal.printJson({ out, ...rest, parameters: parameters.length, seconds, ...several });
    return;
  }
  await terminal.print(`${summary(out, weights, seconds)}\n`);
  if (seeds.length > 1 && spread)
    await terminal.print(seedTable(seeds, gains, weights.training['validation'] as number));
}

/** A number from 0 on. */
function weightOption(invocation: Invocation, name: string): number | undefined {
  return option(invocation, name) === '0' ? 0 : numberOption(invocation, name, 1000);
}

function trainingOptions(invocation: Invocation): TimeTrainingOptions {
  const kind = wordOption(invocation, 'kind', timeKinds);
  const counts = {
    width: 'width',
    epochs: 'epochs',
    batch: 'batch',
    patience: 'patience',
    validateEvery: 'validate-every',
  } as const;
  const numbers = {
    lambdaHard: weightOption(invocation, 'lambda-hard'),
    lambdaTime: weightOption(invocation, 'lambda-time'),
    margin: weightOption(invocation, 'margin'),
  };
  const options: Record<string, unknown> = {
    negatives: listOption(invocation, 'negatives'),
    kind,
    ...numbers,
    rate: numberOption(invocation, 'rate', 10),
    temperature: numberOption(invocation, 'temperature', 1000),
    ...Object.fromEntries(
      Object.entries(counts).map(([name, flag]) => [name, countOption(invocation, flag)]),
    ),
    checkpoint: checkpointOf(invocation),
  };
  return {
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  };
}

function summary(
  out: string,
  { kind, parameters, training }: TimeEncoderWeights,
  seconds: number,
): string {
  const { examples, steps, loss, found, bestStep, validation } = training as {
    examples: number;
    steps: number;
    loss?: number;
    validation: number;
    bestStep?: number;
    found?: Record<'before' | 'after', { recall: number; reciprocalRank: number }>;
  };
  const last = loss === undefined ? '' : `, last loss ${loss.toFixed(4)}`;
  const held = found
    ? `; of ${counted(validation, 'held-out question', 'held-out questions')} Recall@5 ${found.before.recall.toFixed(3)} before, ` +
      `${found.after.recall.toFixed(3)} after (step ${bestStep})`
    : '';
  return (
    `${out}: ${kind}, ${parameters.length} parameters; ${counted(examples, 'example', 'examples')}, ${counted(steps, 'step', 'steps')} ` +
    `in ${duration(seconds * 1000)}${last}${held}`
  );
}
