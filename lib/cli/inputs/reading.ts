// Values of --read, --reader, --passages, --least-confidence, --temperature, --fallback and
// --examples.
import {
  fallbacks,
  readerModes,
  type ReaderExample,
  type ReaderMode,
  type ReadOptions,
} from '../../reading/answer.js';
import { checkReaderExample } from '../../reading/examples.js';
import {
  readJsonLines,
  stringField,
  type LineLocation,
  listField,
  withLocation,
} from '../../text/lines.js';
import {
  UsageError,
  countOption,
  option,
  wordOption,
  type Invocation,
  type OptionSpec,
} from '../command.js';
import { openReader, readerOption } from './encoders.js';

export const readingOptions: Readonly<Record<string, OptionSpec>> = {
  read: {
    value: 'MODE',
    group: 'model',
    help:
      'reader of the answer: extract (default, without a model or by --reader), or a prompt of ' +
      '--model: direct, chainOfThought, concatenated, selfMrag',
  },
  reader: readerOption,
  passages: {
    value: 'N',
    group: 'model',
    help: 'passages that the answer is read from, default 5',
  },
  'least-confidence': {
    value: 'X',
    group: 'model',
    help:
      'probability from which on --read extract answers with a span in place of its sentence, ' +
      '0 to 1, default 0.6',
  },
  temperature: {
    value: 'X',
    group: 'model',
    help: 'of the reader that prompts --model, 0 to 2, default 0',
  },
  fallback: {
    value: 'F',
    group: 'model',
    help:
      'of --read concatenated and selfMrag where the passages do not tell: abstain (default), or ' +
      'memory, what --model knows',
  },
  examples: {
    value: 'E.jsonl',
    group: 'model',
    help:
      'few-shot examples of the reader in place of its own: {question, answer, asked_at?, ' +
      'reasoning?, passages?:[{title?, text}]} a line',
  },
};

/**
 * Opens the model of --reader.
 * @throws UsageError for a mode or a value that does not fit the others; faults of the examples and
 * of the model
 */
export async function readingOf(invocation: Invocation, hasModel: boolean): Promise<ReadOptions> {
  const mode = wordOption(invocation, 'read', readerModes);
  const passages = countOption(invocation, 'passages');
  if (mode !== undefined && mode !== 'extract' && !hasModel) {
    throw new UsageError(
      `--read ${mode} prompts a model: name one with --model, or use --read extract.`,
    );
  }
  const least = option(invocation, 'least-confidence');
  const stray = ['reader', 'least-confidence'].find(
    (name) => option(invocation, name) !== undefined,
  );
  if (stray !== undefined && (mode ?? 'extract') !== 'extract')
    throw new UsageError(`--${stray} is of --read extract.`);
  if (least !== undefined && !/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(least))
    throw new UsageError(
      `--least-confidence must be a number from 0 to 1, received ${JSON.stringify(least)}.`,
    );
  const prompting = await promptOptions(invocation, mode);
  const reader = await openReader(invocation);
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(reader === undefined ? {} : { reader }),
    ...(passages === undefined ? {} : { passages }),
    ...(least === undefined ? {} : { leastConfidence: Number(least) }),
    ...prompting,
  };
}

async function promptOptions(
  invocation: Invocation,
  mode: ReaderMode = 'extract',
): Promise<Pick<ReadOptions, 'temperature' | 'fallback' | 'examples'>> {
  const given = ['temperature', 'fallback', 'examples'].find(
    (name) => option(invocation, name) !== undefined,
  );
  if (given !== undefined && mode === 'extract')
    throw new UsageError(`--${given} is of a reader that prompts a model: name one with --read.`);
  const temperature = option(invocation, 'temperature');
  if (temperature !== undefined && !/^(?:[01](?:\.\d+)?|2(?:\.0+)?)$/.test(temperature))
    throw new UsageError(
      `--temperature must be a number from 0 to 2, received ${JSON.stringify(temperature)}.`,
    );
  const fallback = wordOption(invocation, 'fallback', fallbacks);
  if (fallback === 'memory' && mode !== 'concatenated' && mode !== 'selfMrag')
    throw new UsageError(
      `--fallback memory needs --read concatenated or selfMrag, received --read ${mode}.`,
    );
  const file = option(invocation, 'examples');
  const examples: ReaderExample[] = [];
  if (file !== undefined)
    for await (const each of readJsonLines(file, exampleShape, { signal: invocation.signal }))
      examples.push(each);
  return {
    ...(temperature === undefined ? {} : { temperature: Number(temperature) }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(file === undefined ? {} : { examples }),
  };
}

function exampleShape(record: Record<string, unknown>, where: LineLocation): ReaderExample {
  const askedAt = stringField(record, 'asked_at', where, 'allowed');
  const reasoning = stringField(record, 'reasoning', where, 'allowed');
  const passages = listField<{ text: string }>(record, 'passages', where, {
    of: 'objects {title?,text}',
    is: (each) => typeof each === 'object' && each !== null,
  });
  const example: ReaderExample = {
    question: stringField(record, 'question', where),
    answer: stringField(record, 'answer', where),
    ...(askedAt === undefined ? {} : { askedAt }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(passages ? { passages } : {}),
  };
  withLocation(() => checkReaderExample(example, where.line), where);
  return example;
}
