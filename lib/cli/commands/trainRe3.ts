// asof train re3: trains Re3's time encoder over a frozen encoder on triplets and writes its
// weights.
import type { Passage } from '../../records.js';
import { staticEncoder } from '../../vectors/staticEncoder.js';
import { readJsonLines } from '../../text/lines.js';
import {
  trainTimeEncoder,
  type TimeTrainingOptions,
} from '../../train/timeEncoder/trainTimeEncoder.js';
import { readTimeTriplets, type TimeTriplet } from '../../train/timeEncoder/triplets.js';
import {
  writeTimeEncoder,
  type TimeEncoderWeights,
  type TimeKind,
} from '../../vectors/timeEncoder.js';
import {
  UsageError,
  countOption,
  listOption,
  option,
  requiredOption,
  type Command,
  type Invocation,
} from '../command.js';
import { passageShape } from '../inputs/jsonLines.js';
import { deviceOf, deviceOption } from '../options/device.js';
import { encoderOptions, openEncoder } from '../options/encoders.js';
import { numberOption, seedOption } from '../options/trainOptions.js';
import { checkOutput } from '../outputs.js';
import { counted } from '../tables/layout.js';
import { duration } from '../terminal.js';

export const command: Command = {
  name: 'train re3',
  summary: "Trains Re3's time encoder over an encoder's vectors and writes it to a file.",
  positionals: [],
  options: {
    triplets: {
      type: 'string',
      value: 'FILE.jsonl',
      multiple: true,
      help: 'needed: triplets-train.jsonl of asof bench-data re2, or others of that form',
    },
    passages: {
      type: 'string',
      value: 'FILE.jsonl',
      multiple: true,
      help: 'needed: the passages that the triplets name',
    },
    out: { type: 'string', value: 'FILE', help: 'needed: where the weights go' },
    dev: {
      type: 'string',
      value: 'FILE.jsonl',
      multiple: true,
      help: 'triplets to measure on: the best weights count, and training ends early; default none',
    },
    ...encoderOptions,
    device: {
      ...deviceOption,
      help: 'where steps are made: cpu (default), or cuda, the first CUDA device (asof devices says what there is)',
    },
    kind: {
      type: 'string',
      value: 'K',
      help: "film (default, the paper's), concatenated, direct or absolute",
    },
    width: {
      type: 'string',
      value: 'N',
      help: 'hidden units of the projection to gamma and beta, or components that another kind adds; default 64',
    },
    'lambda-hard': {
      type: 'string',
      value: 'X',
      help: 'weight of the hardest negative of a batch; default 0.1',
    },
    'lambda-time': {
      type: 'string',
      value: 'X',
      help: 'weight of the negatives of another time; default 0.1',
    },
    negatives: {
      type: 'string',
      value: 'K,...',
      help: 'kinds of negatives that count with them; default time',
    },
    temperature: { type: 'string', value: 'X', help: 'of the contrastive loss; default 0.1' },
    margin: {
      type: 'string',
      value: 'X',
      help: 'of both kinds of negatives, in cosine; default 0.2',
    },
    epochs: { type: 'string', value: 'N', help: 'passes over the examples at most; default 5' },
    batch: { type: 'string', value: 'N', help: 'examples a step; default 128' },
    rate: { type: 'string', value: 'X', help: 'highest learning rate; default 0.002' },
    patience: {
      type: 'string',
      value: 'N',
      help: 'measurements without a better one that end the training; default 5',
    },
    'validate-every': {
      type: 'string',
      value: 'N',
      help: 'steps between two measurements; default 200',
    },
    seed: {
      type: 'string',
      value: 'N',
      help: 'of order and first weights; a whole number, default 1',
    },
    checkpoint: {
      type: 'string',
      value: 'FILE',
      help: 'where the state of the training is saved, every so many steps and when it is interrupted',
    },
    'checkpoint-every': {
      type: 'string',
      value: 'N',
      help: 'steps between checkpoints; default 500',
    },
    resume: {
      type: 'boolean',
      help: 'continue from the checkpoint; the other options must be the same',
    },
  },
  details:
    'A triplet is {query,asked_at?,positive,negatives:[{id,kind}]} with ids of passages; a negative of kind time is about the same at\n' +
    'another time. ' +
    'A passage is {id,text,title?,published_at?}. Times are read from the texts. The same files, options and seed give the same weights.',
  async run(invocation) {
    const { terminal, signal, strings } = invocation;
    const out = requiredOption(invocation, command, 'out');
    requiredOption(invocation, command, 'triplets');
    requiredOption(invocation, command, 'passages');
    const options = trainingOptions(invocation);
    const device = await deviceOf(invocation, command);
    await checkOutput(out, 'out');
    await checkOutput(option(invocation, 'checkpoint'), 'checkpoint');
    const triplets = async function* (files: readonly string[] = []): AsyncGenerator<TimeTriplet> {
      for (const file of files) yield* readTimeTriplets(file, { signal });
    };
    const passages = async function* (): AsyncGenerator<Passage> {
      for (const file of strings['passages']!)
        yield* readJsonLines(file, passageShape(), { signal });
    };
    const started = performance.now();
    const encoder = (await openEncoder(invocation)) ?? (await staticEncoder());
    const data = {
      triplets: triplets(strings['triplets']),
      passages: passages(),
      validation: triplets(strings['dev']),
    };
    const bar = terminal.progress('training', 'steps');
    let weights: TimeEncoderWeights;
    try {
      weights = await trainTimeEncoder(encoder, data, {
        ...options,
        ...(device ? { device } : {}),
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
  },
};

/** A number from 0 on. */
function weightOption(invocation: Invocation, name: string): number | undefined {
  return option(invocation, name) === '0' ? 0 : numberOption(invocation, command, name, 1000);
}

function trainingOptions(invocation: Invocation): TimeTrainingOptions {
  const kind = option(invocation, 'kind') as TimeKind | undefined;
  if (kind !== undefined && !['film', 'concatenated', 'direct', 'absolute'].includes(kind)) {
    throw new UsageError(
      `--kind must be film, concatenated, direct or absolute, received ${JSON.stringify(kind)}.`,
      command.name,
    );
  }
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
  const file = option(invocation, 'checkpoint');
  const everySteps = countOption(invocation, command, 'checkpoint-every');
  const resume = invocation.flags.has('resume');
  if (file === undefined && (resume || everySteps !== undefined))
    throw new UsageError('--resume and --checkpoint-every need --checkpoint FILE.', command.name);
  const given: Record<string, unknown> = {
    negatives: listOption(invocation, 'negatives'),
    kind,
    ...numbers,
    rate: numberOption(invocation, command, 'rate', 10),
    temperature: numberOption(invocation, command, 'temperature', 1000),
    ...Object.fromEntries(
      Object.entries(counts).map(([name, flag]) => [name, countOption(invocation, command, flag)]),
    ),
    ...(file === undefined
      ? {}
      : { checkpoint: { file, resume, ...(everySteps === undefined ? {} : { everySteps }) } }),
  };
  return {
    seed: seedOption(invocation, command),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
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
