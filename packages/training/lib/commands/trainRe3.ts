// `asof train re3`: Re3's time encoder over a frozen encoder.
import {
  type Command,
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
import { type Passage, staticEncoder } from 'asof';
import { readJsonLines, passageOfRecord } from 'asof/kit';
import {
  timeKinds,
  trainTimeEncoder,
  type TimeTrainingOptions,
} from '../timeEncoder/trainTimeEncoder.js';
import { readTimeTriplets, type TimeTriplet } from '../timeEncoder/triplets.js';
import { writeTimeEncoder, type TimeEncoderWeights } from 'asof/models';
import {
  checkpointOf,
  checkpointOptions,
  numberOption,
  seedOption,
} from './options/trainOptions.js';

export const command: Command = {
  name: 'train re3',
  summary: "Trains Re3's time encoder over the vectors of an encoder.",
  positionals: [],
  options: {
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
      help: 'kinds of negatives of --lambda-time, default time',
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
    seed: { value: 'N', group: 'training', help: 'random seed, default 1' },
    ...checkpointOptions,
    ...encoderChoice.options,
    device: {
      ...deviceChoice.option,
      help: 'device of the training: cpu (default) or cuda, the first CUDA device',
    },
  },
  details:
    'A triplet is {query, asked_at?, positive, negatives:[{id, kind}]} with ids of passages, or ' +
    'passages in their place; a negative of kind time is about the same subject at another time. ' +
    'A passage is {id, text, title?, published_at?}. Lines of asof train mine are triplets too; ' +
    'those of its split test validate. Weights are deterministic for the same files, options and ' +
    'seed.',
  example: 'asof train re3 --triplets triplets-train.jsonl --passages passages.jsonl --out re3.bin',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal, strings } = invocation;
  const out = requiredOption(invocation, 'out');
  const options = trainingOptions(invocation);
  const device = deviceChoice.of(invocation);
  await checkOutput(out, 'out');
  await checkOutput(option(invocation, 'checkpoint'), 'checkpoint');
  const triplets = async function* (files: readonly string[] = []): AsyncGenerator<TimeTriplet> {
    for (const file of files) yield* readTimeTriplets(file, { signal });
  };
  const passages = async function* (): AsyncGenerator<Passage> {
    for (const file of strings['passages'] ?? [])
      yield* readJsonLines(file, passageOfRecord, { signal });
  };
  const started = performance.now();
  const encoder = (await encoderChoice.open(invocation)) ?? (await staticEncoder());
  const data = {
    triplets: triplets(strings['triplets']),
    passages: passages(),
    validation: triplets(strings['dev']),
  };
  await using opened = await extractorChoice.open(invocation);
  const bar = terminal.progress('training', 'steps');
  let weights: TimeEncoderWeights;
  try {
    weights = await trainTimeEncoder(encoder, data, {
      ...options,
      ...(device ? { device } : {}),
      ...opened.options,
      signal,
      onProgress: bar.update,
    });
  } finally {
    bar.end();
  }
  await writeTimeEncoder(out, weights, { signal });
  const seconds = (performance.now() - started) / 1000;
  const { parameters, ...rest } = weights;
  if (terminal.json)
    await terminal.printJson({ out, ...rest, parameters: parameters.length, seconds });
  else await terminal.print(`${summary(out, weights, seconds)}\n`);
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
    seed: seedOption(invocation),
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
