// `asof bench-data re2`: test collection from structured records (Re3 appendix A).
import {
  type Command,
  UsageError,
  countOption,
  option,
  requiredOption,
  type Invocation,
  faultCollector,
  counted,
  whole,
  modelChoice,
} from 'asof/command';
import { readFile } from 'node:fs/promises';
import { AsOfError } from 'asof';
import { cachedModel, sayLeft } from './inputs/modelCache.js';
import { cacheOptions, refuseWithoutModel } from './options/modelUses.js';
import { re2Benchmark, type Re2Options } from '../re2/benchmark.js';
import { writeByModel } from '../re2/modelTexts.js';
import { crashRow, crashSchema } from '../re2/crashes.js';
import { forecastSchema, readForecasts } from '../re2/forecasts.js';
import { readRe2Records, type ReadRe2Options } from '../re2/records.js';
import type { Re2Schema } from '../re2/schema.js';
import type { Re2Statistics } from '../re2/statistics.js';
import { writeRe2 } from '../re2/write.js';

export const command: Command = {
  name: 'bench-data re2',
  summary:
    'Makes a test collection of conflicting versions and hard negatives from structured records.',
  positionals: [],
  options: {
    records: {
      value: 'FILE',
      required: true,
      help: '.csv or .tsv with a header row, or JSON lines',
    },
    schema: {
      value: 'FILE',
      required: true,
      help:
        'JSON {entity, date, published?, attribute?, attributes:[{column, name?, unit?, role?, ' +
        "cumulative?, told?}], style?, latest?}; or nyc-crashes, for New York's table of motor " +
        'vehicle collisions; or nws-forecasts, for a folder of CITY/NAME.json as the National ' +
        "Weather Service's interface answers for a city's forecast",
    },
    out: { value: 'DIR', required: true, help: 'output folder' },
    seed: { value: 'N', help: 'random seed, an integer, default 1' },
    questions: { value: 'N', help: 'at most N, sampled; default one for each fact' },
    latest: {
      value: 'P',
      help: 'share of questions for the latest value, without a date, 0 to 1, default 0.15',
    },
    pairs: {
      value: 'P',
      help: 'share of dated questions with two dates, 0 to 1, default 0; in no triplet',
    },
    masked: { value: 'P', help: 'share of passages with a partial date, 0 to 1, default 0.3' },
    dev: { value: 'P', help: 'share of entities for dev, 0 to 0.5, default 0.1' },
    test: { value: 'P', help: 'share of entities and of times for test, 0 to 0.5, default 0.2' },
    ...modelChoice.options,
    ...cacheOptions,
  },
  details:
    'Columns may be combined: "entity": "{event} at {place}". style is weather, counts, scores, ' +
    'collisions or generic (default); weather needs a role of each attribute (conditions, high, ' +
    'low), and so do scores (winner, loser, score; without winner the entity wins) and ' +
    'collisions (injured, killed). Attributes with the ' +
    'same told are in one passage. latest is date (newest known date) or published (newest ' +
    'publication, as of forecasts).\n' +
    'out: passages.jsonl, queries-{train,dev,test}.jsonl, triplets-{train,dev,test}.jsonl, ' +
    'qrels.tsv, outdated.tsv, future.tsv, facts.tsv (passages of each fact), truth.jsonl.\n' +
    'Invalid lines are reported by file and line number and skipped.\n' +
    'With --model the model writes the texts, with --questions those of these questions alone; ' +
    'texts that contradict the record are replaced by rule-based ones.',
  example: 'asof bench-data re2 --records weather.csv --schema weather.json --out re2',
  failure: '1 failure or invalid lines',
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const [records, out] = [requiredOption(invocation, 'records'), requiredOption(invocation, 'out')];
  const table = await tableOf(requiredOption(invocation, 'schema'));
  const options = optionsOf(invocation);
  if (!modelChoice.isGiven(invocation)) refuseWithoutModel(invocation, ['cache', 'budget']);
  const { faults, onFault } = faultCollector(terminal.say);
  const bar = terminal.progress('bench-data', 'texts');
  try {
    const benchmark = await re2Benchmark(
      table.read
        ? table.read(records, { signal, onFault })
        : readRe2Records(records, table.schema, { ...table.mapping, signal, onFault }),
      table.schema,
      { ...options, signal },
    );
    const opened = await cachedModel(invocation);
    const texts =
      opened &&
      (await writeByModel(benchmark, opened.model, {
        signal,
        onProgress: bar.update,
        askedOnly: options.questions !== undefined,
      }));
    const statistics = await writeRe2(out, benchmark, {
      signal,
      onProgress: bar.update,
      texts,
    });
    bar.end();
    const report = {
      ...statistics,
      rejected: faults.length,
      ...(texts ? { refused: texts.refused, left: texts.left, calls: opened.budgeted.calls } : {}),
    };
    if (terminal.json) await terminal.printJson(report);
    else await terminal.print(`${summary(out, statistics, faults.length)}\n`);
    if (texts && statistics.written.model === 0)
      terminal.say(`asof: no usable text of the model: ${JSON.stringify(texts.refused)}`);
    sayLeft(invocation, texts?.left ?? 0, ['text', 'texts']);
    return faults.length > 0 ? 1 : 0;
  } finally {
    bar.end();
  }
}

/** Schemas by name, with the mapping of their table's rows. */
const knownTables: Readonly<Record<string, Table>> = {
  'nyc-crashes': { schema: crashSchema, mapping: { row: crashRow } },
  'nws-forecasts': { schema: forecastSchema, mapping: {}, read: readForecasts },
};

interface Table {
  schema: Re2Schema;
  mapping: Pick<ReadRe2Options, 'row'>;
  /** Of files that are no table. */
  read?: typeof readForecasts;
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
    throw new UsageError(`--seed must be a whole number, received ${JSON.stringify(seed)}.`);
  const share = (name: string, most: number): number | undefined => {
    const text = option(invocation, name);
    if (text === undefined) return undefined;
    const value = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
    if (!(value >= 0 && value <= most))
      throw new UsageError(
        `--${name} must be a share from 0 to ${most}, received ${JSON.stringify(text)}.`,
      );
    return value;
  };
  const questions = countOption(invocation, 'questions');
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
