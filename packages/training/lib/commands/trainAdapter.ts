// `asof train adapter`: low-rank adapter over the encoder of a corpus.
import {
  type Command,
  UsageError,
  countOption,
  option,
  requiredOption,
  type Invocation,
  checkOutput,
  counted,
  duration,
  corpusChoice,
  modelChoice,
  encoderChoice,
  wordOption,
} from 'asof/command';
import {
  checkpointOf,
  checkpointOptions,
  miningOptions,
  numberOption,
  seedOption,
} from './options/trainOptions.js';
import { trainAdapter, type AdapterTrainingOptions } from '../adapter/trainAdapter.js';
import { readTriplets, type Triplet } from '../mining/triplets.js';
import { writeAdapter } from 'asof/models';
import { minedTriplets } from './inputs/minedTriplets.js';

export const command: Command = {
  name: 'train adapter',
  summary: 'Trains a low-rank adapter of the encoder of a corpus, for --encoder adapter:FILE.',
  positionals: ['DIR'],
  options: {
    out: { value: 'FILE', required: true, help: 'output of the weights' },
    triplets: {
      value: 'FILE.jsonl',
      multiple: true,
      help: 'training data of asof train mine; default: mined from DIR',
    },
    rank: { value: 'N', group: 'training', help: 'rank, default 16' },
    sides: {
      value: 'S',
      group: 'training',
      help: 'shared (default): one for questions and passages; separate: one for each',
    },
    epochs: { value: 'N', group: 'training', help: 'passes over the temporal triplets, default 3' },
    batch: { value: 'N', group: 'training', help: 'batch size, default 8' },
    rate: { value: 'X', group: 'training', help: 'peak learning rate, default 2e-5' },
    ...checkpointOptions,
    ...miningOptions,
    ...encoderChoice.options,
  },
  details:
    'Pages are split 80 to 20 into training and held-out data; the loss on both is printed. ' +
    'Weights are deterministic for the same corpus, options and seed.\n' +
    'Index the passages again with asof index NEW.asof FILE.jsonl --encoder adapter:FILE.',
  example: 'asof train adapter wiki.asof --out wiki.adapter',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const out = requiredOption(invocation, 'out');
  const options = trainingOptions(invocation);
  const mine = minedTriplets(invocation);
  const mining = Object.keys(miningOptions).find(
    (name) => name !== 'seed' && (name in invocation.strings || invocation.flags.has(name)),
  );
  if (invocation.strings['triplets'] && mining !== undefined) {
    throw new UsageError(
      `--${mining} is an option of mining, which --triplets replaces: omit one of the two.`,
    );
  }
  await checkOutput(out, 'out');
  await checkOutput(option(invocation, 'checkpoint'), 'checkpoint');
  const files = invocation.strings['triplets'];
  async function* fromFiles(): AsyncGenerator<Triplet> {
    for (const file of files!) yield* readTriplets(file, { signal });
  }
  const started = performance.now();
  const opened = modelChoice.open(invocation);
  const corpus = await corpusChoice.openFolder(invocation.positionals[0]!, invocation, {
    readOnly: true,
  });
  const bar = terminal.progress('training', 'steps');
  try {
    const weights = await trainAdapter(
      corpus.encoder,
      files ? fromFiles() : mine(corpus, opened.options),
      {
        ...options,
        signal,
        onProgress: bar.update,
      },
    );
    bar.end();
    await writeAdapter(out, weights, { signal });
    const seconds = (performance.now() - started) / 1000;
    const { base, rank, shared, settings, statistics } = weights;
    if (terminal.json)
      await terminal.printJson({ out, base, rank, shared, settings, statistics, seconds });
    else await terminal.print(`${summary(out, statistics, seconds)}\n`);
  } finally {
    bar.end();
    await corpus.close();
  }
}

function trainingOptions(invocation: Invocation): AdapterTrainingOptions {
  const sides = wordOption(invocation, 'sides', ['shared', 'separate']);
  const [rank, epochs, batch] = ['rank', 'epochs', 'batch'].map((name) =>
    countOption(invocation, name),
  );
  const rate = numberOption(invocation, 'rate', 10);
  return {
    seed: seedOption(invocation),
    rank,
    epochs,
    batch,
    rate,
    sides,
    checkpoint: checkpointOf(invocation),
  };
}

function summary(out: string, statistics: Record<string, unknown>, seconds: number): string {
  const { temporal, general, heldOut, steps, loss, heldOutLoss } = statistics as {
    temporal: number;
    general: number;
    heldOut: number;
    steps: number;
    loss?: number;
    heldOutLoss?: { before: number; after: number };
  };
  const held = heldOutLoss
    ? `; ${counted(heldOut, 'held-out triplet', 'held-out triplets')}: loss ${heldOutLoss.before.toFixed(4)} before, ` +
      `${heldOutLoss.after.toFixed(4)} after`
    : '';
  const last = loss === undefined ? '' : `, last loss ${loss.toFixed(4)}`;
  return (
    `${out}: ${counted(temporal, 'temporal triplet', 'temporal triplets')} and ${general} general, ${counted(steps, 'step', 'steps')} in ` +
    `${duration(seconds * 1000)}${last}${held}`
  );
}
