// `asof bench-data re2`: test collection from structured records (Re3 appendix A).
import { readFile } from 'node:fs/promises';
import { AsOfError } from '../../errors.js';
import { re2Benchmark, type Re2Options } from '../../eval/re2/benchmark.js';
import { writeByModel } from '../../eval/re2/modelTexts.js';
import { crashRow, crashSchema } from '../../eval/re2/crashes.js';
import { readRe2Records, type ReadRe2Options } from '../../eval/re2/records.js';
import type { Re2Schema } from '../../eval/re2/schema.js';
import type { Re2Statistics } from '../../eval/re2/statistics.js';
import { writeRe2 } from '../../eval/re2/write.js';
import { UsageError, countOption, option, requiredOption, type Invocation } from '../command.js';
import { command } from '../commands/re2.js';
import { faultCollector } from '../inputs/faults.js';
import { openModel } from '../inputs/model.js';
import { namesModel } from '../options/model.js';
import { counted } from '../tables/layout.js';
import { whole } from '../terminal.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const [records, out] = [
    requiredOption(invocation, command, 'records'),
    requiredOption(invocation, command, 'out'),
  ];
  const table = await tableOf(requiredOption(invocation, command, 'schema'));
  const options = optionsOf(invocation);
  const { faults, onFault } = faultCollector(terminal.say);
  const bar = terminal.progress('bench-data', 'texts');
  try {
    const benchmark = await re2Benchmark(
      readRe2Records(records, table.schema, { ...table.mapping, signal, onFault }),
      table.schema,
      { ...options, signal },
    );
    await using opened = await openModel(invocation, command);
    const { model } = opened.options;
    const texts =
      model === undefined
        ? undefined
        : await writeByModel(benchmark, model, { signal, onProgress: bar.update });
    const statistics = await writeRe2(out, benchmark, {
      signal,
      onProgress: bar.update,
      texts,
    });
    bar.end();
    const report = {
      ...statistics,
      rejected: faults.length,
      ...(texts ? { refused: texts.refused } : {}),
    };
    if (terminal.json) await terminal.printJson(report);
    else await terminal.print(`${summary(out, statistics, faults.length)}\n`);
    if (texts && namesModel(invocation) && statistics.written.model === 0)
      terminal.say(`asof: no usable text of the model: ${JSON.stringify(texts.refused)}`);
    return faults.length > 0 ? 1 : 0;
  } finally {
    bar.end();
  }
}

/** Schemas by name, with the mapping of their table's rows. */
const knownTables: Readonly<Record<string, Table>> = {
  'nyc-crashes': { schema: crashSchema, mapping: { row: crashRow } },
};

interface Table {
  schema: Re2Schema;
  mapping: Pick<ReadRe2Options, 'row'>;
}

const tableOf = async (named: string): Promise<Table> =>
  Object.hasOwn(knownTables, named)
    ? knownTables[named]!
    : { schema: await readSchema(named), mapping: {} };

async function readSchema(path: string): Promise<Re2Schema> {
  const invalid = (received: string, cause: unknown): AsOfError =>
    new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${path} to be a JSON file with a schema, received ${received}.`,
      {
        cause,
        details: { file: path },
      },
    );
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw invalid(cause instanceof Error ? cause.message : String(cause), cause);
  });
  try {
    return JSON.parse(text) as Re2Schema;
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function optionsOf(invocation: Invocation): Re2Options {
  const seed = option(invocation, 'seed') ?? '1';
  if (!/^-?\d{1,15}$/.test(seed))
    throw new UsageError(
      `--seed must be a whole number, received ${JSON.stringify(seed)}.`,
      command.name,
    );
  const share = (name: string, most: number): number | undefined => {
    const text = option(invocation, name);
    if (text === undefined) return undefined;
    const value = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
    if (!(value >= 0 && value <= most))
      throw new UsageError(
        `--${name} must be a share from 0 to ${most}, received ${JSON.stringify(text)}.`,
        command.name,
      );
    return value;
  };
  const questions = countOption(invocation, command, 'questions');
  const [latest, pairs, masked] = [share('latest', 1), share('pairs', 1), share('masked', 1)];
  const [dev, test] = [share('dev', 0.5), share('test', 0.5)];
  return {
    seed: Number(seed),
    splits: { dev, test },
    questions,
    latest,
    pairs,
    masked,
  };
}

function summary(
  out: string,
  {
    passages,
    madeUp,
    clusters,
    questions,
    negatives,
    dates,
    entities,
    times,
    duplicates,
  }: Re2Statistics,
  rejected: number,
): string {
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const lines = [
    `${out}: ${counted(passages, 'passage', 'passages')}, ${whole(madeUp)} of them synthetic; dates masked in ${percent(dates.masked)}`,
    `facts: ${whole(clusters.all)}, ${whole(clusters.versioned)} with versions, ${whole(clusters.conflicting)} with versions that differ`,
    ...Object.entries(questions).map(
      ([split, { explicit, latest, pair, withOutdated, withFuture }]) => {
        const dated = `${split}: ${counted(explicit, 'question', 'questions')} with a date, ${pair > 0 ? `${whole(pair)} with two, ` : ''}`;
        const of = `${dated}${whole(latest)} for the latest`;
        const versions = `${whole(withOutdated)} with outdated versions, ${whole(withFuture)} with future ones`;
        return `${of}; ${versions}; ${counted(entities[split as 'train'], 'entity', 'entities')}`;
      },
    ),
    `negatives: ${Object.entries(negatives)
      .filter(([name]) => name !== 'perTriplet')
      .map(([name, count]) => `${name} ${whole(count)}`)
      .join(', ')}; ${negatives.perTriplet.toFixed(2)} a question`,
    times.unit === null
      ? 'times: too few for a held-out part'
      : `times: ${times.heldOut} of ${counted(times.units, times.unit, `${times.unit}s`)} held out for test`,
  ];
  if (duplicates > 0) lines.push(`${counted(duplicates, 'record', 'records')} duplicated`);
  if (rejected > 0) lines.push(`${counted(rejected, 'invalid line', 'invalid lines')} skipped`);
  return lines.join('\n');
}
