// `asof train re3`: Re3's time encoder over a frozen encoder.
import type { Passage } from '../../records.js';
import { readJsonLines } from '../../text/lines.js';
import {
  trainTimeEncoder,
  type TimeTrainingOptions,
} from '../../train/timeEncoder/trainTimeEncoder.js';
import { readTimeTriplets, type TimeTriplet } from '../../train/timeEncoder/triplets.js';
import { staticEncoder } from '../../vectors/staticEncoder.js';
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
  type Invocation,
} from '../command.js';
import { command } from '../commands/trainRe3.js';
import { openEncoder } from '../inputs/encoders.js';
import { passageOfRecord } from '../../json/passageRecord.js';
import { deviceOf } from '../inputs/searchOptions.js';
import { openExtractor } from '../inputs/timeExtractor.js';
import { numberOption, seedOption } from '../options/trainOptions.js';
import { checkOutput } from '../outputs.js';
import { counted } from '../tables/layout.js';
import { duration } from '../terminal.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal, strings } = invocation;
  const out = requiredOption(invocation, command, 'out');
  const options = trainingOptions(invocation);
  const device = deviceOf(invocation, command);
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
  const encoder = (await openEncoder(invocation)) ?? (await staticEncoder());
  const data = {
    triplets: triplets(strings['triplets']),
    passages: passages(),
    validation: triplets(strings['dev']),
  };
  await using opened = await openExtractor(invocation, command);
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
  const options: Record<string, unknown> = {
    negatives: listOption(invocation, 'negatives'),
    kind,
    ...numbers,
    rate: numberOption(invocation, command, 'rate', 10),
    temperature: numberOption(invocation, command, 'temperature', 1000),
    ...Object.fromEntries(
      Object.entries(counts).map(([name, flag]) => [name, countOption(invocation, command, flag)]),
    ),
    ...(file === undefined ? {} : { checkpoint: { file, resume, everySteps } }),
  };
  return {
    seed: seedOption(invocation, command),
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
