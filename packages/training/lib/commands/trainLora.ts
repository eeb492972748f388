// `asof train lora`: an encoder fine-tuned by LoRA in Python, alone or jointly with Re3's time
// network.
import {
  type Command,
  type Invocation,
  UsageError,
  countOption,
  counted,
  duration,
  ensureFolder,
  extractorChoice,
  listOption,
  option,
  requiredOption,
  wordOption,
} from 'asof/command';
import { join } from 'node:path';
import { trainLora, type LoraOptions } from '../lora/trainLora.js';
import { trainingNegatives } from '../timeEncoder/trainTimeEncoder.js';
import {
  seedOptions,
  seedTable,
  seedsOf,
  spreadOf,
  timeTripletOptions,
  timeTriplets,
  tripletDetails,
} from './inputs/timeTriplets.js';
import { numberOption } from './options/trainOptions.js';

const numbers = {
  rate: ['peak learning rate of the encoder, default 3e-4, with --rank 0 2e-5', 10],
  'time-rate': ['that of the time network, default 0.002', 10],
  temperature: ['temperature of the contrastive loss, default 0.1', 1000],
  margin: ['margin of both kinds of negatives, in cosine, default 0.2', 2],
  contrast: ['weight of the contrastive loss, default 1', 1000],
  'lambda-hard': ['weight of the hardest negative of a batch, default 0.1', 1000],
  'lambda-time': ["weight of a triplet's own negatives, default 0.1", 1000],
} as const;

const counts = {
  epochs: 'passes over the triplets, default 2',
  batch: 'batch size, default 16',
  tokens: "tokens of a text, default and at most the model's",
  threads: 'threads, default 1',
} as const;

export const command: Command = {
  name: 'train lora',
  summary: 'Fine-tunes a BERT sentence encoder by LoRA, alone or with the time network of Re3.',
  positionals: ['MODEL'],
  options: {
    ...timeTripletOptions,
    dev: { value: 'FILE.jsonl', multiple: true, help: 'held-out triplets; default none' },
    out: {
      value: 'FOLDER',
      required: true,
      help: 'output for --encoder onnx:FOLDER; of several seeds FOLDER/seed-N',
    },
    film: {
      help: 'train the time network of Re3 jointly, into times.bin in the output, for --weights',
    },
    python: { value: 'FILE', help: 'interpreter with torch, default python3' },
    environment: {
      value: 'FOLDER',
      help:
        'virtual environment of Python; where it has no torch, it is made and torch is installed ' +
        'by pip',
    },
    device: { value: 'D', help: 'cpu (default) or cuda' },
    extractor: { ...extractorChoice.option, group: 'training' },
    rank: {
      value: 'N',
      group: 'training',
      help: 'rank of the updates, default 16; 0 trains every weight',
    },
    negatives: {
      value: 'K,...',
      group: 'training',
      help: `kinds of negatives of --lambda-time (${trainingNegatives.join(', ')}), default time`,
    },
    ...Object.fromEntries(
      Object.entries(counts).map(([name, help]) => [
        name,
        { value: 'N', group: 'training' as const, help },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(numbers).map(([name, [help]]) => [
        name,
        { value: 'X', group: 'training' as const, help },
      ]),
    ),
    ...seedOptions,
  },
  details:
    'MODEL is a folder with config.json, tokenizer.json and model.safetensors of a BERT. ' +
    tripletDetails +
    'The output is checked: the exported encoder must give the vectors of the training.',
  example:
    'asof train lora all-MiniLM-L6-v2 --triplets t.jsonl --out tuned --film --environment ~/py',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const out = requiredOption(invocation, 'out');
  const options = loraOptions(invocation);
  const seeds = seedsOf(invocation);
  await ensureFolder(out);
  const started = performance.now();
  await using opened = await extractorChoice.open(invocation);
  const bar = terminal.progress('training', 'steps');
  const folderOf = (seed: number): string => (seeds.length > 1 ? join(out, `seed-${seed}`) : out);
  let models;
  try {
    models = await trainLora(
      invocation.positionals[0]!,
      () => timeTriplets(invocation),
      folderOf,
      seeds,
      {
        ...options,
        ...opened.options,
        onInstall: (folder) => terminal.say(`asof: installing torch in ${folder}: some minutes`),
        signal,
        onProgress: bar.update,
      },
    );
  } finally {
    bar.end();
  }
  const seconds = (performance.now() - started) / 1000;
  const gains = models.flatMap(({ found }) => found ?? []);
  const spread = gains.length > 0 ? spreadOf(gains) : undefined;
  if (terminal.json) return terminal.printJson({ models, ...(spread ? { spread } : {}), seconds });
  const { examples, steps, validation } = models[0]!.counts;
  await terminal.print(
    `${models[spread?.best ?? 0]!.folder}: ${counted(examples, 'example', 'examples')}, ` +
      `${counted(steps, 'step', 'steps')} a seed, ${duration(seconds * 1000)}\n` +
      (spread ? seedTable(seeds, gains, validation) : ''),
  );
}

function loraOptions(invocation: Invocation): LoraOptions {
  const rank = option(invocation, 'rank');
  if (rank !== undefined && !/^\d{1,4}$/.test(rank))
    throw new UsageError(`--rank must be a whole number from 0, received ${JSON.stringify(rank)}.`);
  const value = (name: keyof typeof numbers): number | undefined =>
    option(invocation, name) === '0' ? 0 : numberOption(invocation, name, numbers[name][1]);
  const kinds = listOption(invocation, 'negatives') as LoraOptions['negatives'];
  const wrong = kinds?.find((kind) => !trainingNegatives.includes(kind));
  if (wrong !== undefined)
    throw new UsageError(
      `--negatives must be of ${trainingNegatives.join(', ')}, received ${wrong}.`,
    );
  return {
    film: invocation.flags.has('film'),
    rank: rank === undefined ? undefined : Number(rank),
    negatives: kinds,
    device: wordOption(invocation, 'device', ['cpu', 'cuda']),
    epochs: countOption(invocation, 'epochs'),
    batch: countOption(invocation, 'batch'),
    tokens: countOption(invocation, 'tokens'),
    threads: countOption(invocation, 'threads'),
    rate: value('rate'),
    timeRate: value('time-rate'),
    temperature: value('temperature'),
    margin: value('margin'),
    contrast: value('contrast'),
    lambdaHard: value('lambda-hard'),
    lambdaTime: value('lambda-time'),
    python: option(invocation, 'python'),
    environment: option(invocation, 'environment'),
  };
}
