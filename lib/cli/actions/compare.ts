// `asof compare`: systems over test collections, with significance tests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from '../../eval/comparison/compare.js';
import { checkComparison, type CompareOptions } from '../../eval/comparison/compareOptions.js';
import { dateScores } from '../../eval/comparison/dateScores.js';
import type { Comparison, Correction, SignificanceTest } from '../../eval/comparison/result.js';
import { runFolder } from '../../eval/comparison/runStore.js';
import type { TestCollection } from '../../eval/comparison/testCollection.js';
import { parseMetrics } from '../../eval/measures/metricNames.js';
import type { TempoDefinition } from '../../eval/measures/temporal.js';
import { systemNames } from '../../papers/registry.js';
import { maxPassages } from '../../systems/system.js';
import type { Encoder } from '../../vectors/encoder.js';
import { UsageError, countOption, listOption, option, type Invocation } from '../command.js';
import { suggestion } from '../../runtime/nearestName.js';
import { command, defaultMetrics, defaultSystems } from '../commands/compare.js';
import { jobFolder, measureInProcesses, measureRuns } from '../comparisonJobs.js';
import { openSets } from '../inputs/comparisonSets.js';
import { openEncoder, openReranker } from '../inputs/encoders.js';
import { openModel } from '../inputs/model.js';
import { openExtractor } from '../inputs/timeExtractor.js';
import { modelUsersOf } from '../inputs/modelUsers.js';
import { readingOf } from '../inputs/reading.js';
import { exactnessOf } from '../inputs/searchOptions.js';
import { setForm } from '../options/collectionForm.js';
import { namesModel } from '../options/model.js';
import { formsOf } from '../options/perturbation.js';
import { settingsOf } from '../options/settings.js';
import { checkOutput, ensureFolder, writeOutput } from '../outputs.js';
import { renderComparison } from '../tables/comparisonTables.js';
import type { Terminal } from '../terminal.js';

interface CompareInput {
  folders: readonly string[];
  systems: readonly string[];
  groupBy: readonly string[];
  sample: number | undefined;
  seed: number;
  /** Concurrent processes. */
  jobs: number;
  /** File of the result. */
  output: string | undefined;
  /** Folder of corpora and finished runs; undefined for a temporary one. */
  keep: string | undefined;
  options: CompareOptions;
}

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const input = await readInput(invocation);
  const { folders, groupBy, sample, seed, jobs, output } = input;
  await using opened = await openModel(invocation, command);
  await using times = await openExtractor(invocation, command, input.systems);
  const reranker = await openReranker(invocation);
  const keep = input.keep ?? (await mkdtemp(join(tmpdir(), 'asof-compare-')));
  try {
    await ensureFolder(keep);
    const encoder = await openEncoder(invocation);
    const common = { keep, encoder, signal, terminal };
    const sets = await openSets(folders, { ...common, groupBy, sample, seed });
    checkGroups(sets, groupBy);
    const options: CompareOptions = {
      ...input.options,
      ...opened.options,
      ...times.options,
      ...(reranker ? { reranker } : {}),
      ...(input.keep === undefined && jobs === 1 ? {} : { store: runFolder(join(keep, 'cells')) }),
    };
    checkComparison(sets, options); // before any corpus is indexed
    if (jobFolder() !== undefined) {
      await measureRuns(sets, options);
      return 0;
    }
    const result = await measure(sets, options, { jobs, keep, encoder }, invocation);
    if (output !== undefined) await writeOutput(output, `${JSON.stringify(result)}\n`, signal);
    if (terminal.json) await terminal.printJson(result);
    else await terminal.print(renderComparison(result, terminal));
    return 0;
  } catch (fault) {
    if (signal.aborted && input.keep !== undefined)
      terminal.say(`asof: finished runs are kept in ${keep}; repeat the command to continue.`);
    throw fault;
  } finally {
    if (input.keep === undefined) await rm(keep, { recursive: true, force: true });
  }
}

/** @throws UsageError for options that are invalid or exclude each other. */
async function readInput(invocation: Invocation): Promise<CompareInput> {
  const folders = [...(invocation.strings['set'] ?? []), ...invocation.positionals];
  if (folders.length === 0)
    throw new UsageError(`Name a set: --set FOLDER, with ${setForm}.`, command.name);
  const systems = listOption(invocation, 'systems') ?? defaultSystems;
  checkSystems(systems);
  const output = option(invocation, 'out');
  await checkOutput(output, 'out');
  const tempo = option(invocation, 'tempo') as TempoDefinition | undefined;
  const metricOptions = tempo === undefined ? {} : { tempo };
  const metrics = parseMetrics(listOption(invocation, 'metrics') ?? defaultMetrics, metricOptions);
  const count = (name: string, range?: { least?: number; most?: number }) =>
    countOption(invocation, command, name, range);
  const [seed, sample] = [count('seed') ?? 1, count('sample')];
  const exactness = exactnessOf(invocation, command);
  const [k, shown] = [count('k', { most: maxPassages }), count('shown', { least: 0 })];
  const forms = formsOf(invocation, command, 'perturb');
  const file = await settingsFor(systems, invocation);
  const read = await readingOf(invocation, command, namesModel(invocation));
  modelUsersOf(systems, read, file, invocation, command);
  const options: CompareOptions = {
    systems,
    metrics,
    seed,
    signal: invocation.signal,
    relevantFrom: count('relevant-from') ?? 1,
    read,
    ...significanceOptions(invocation),
    ...(forms === undefined ? {} : { perturb: { perQuestion: forms } }),
    ...(tempo === undefined ? {} : { metricOptions }),
    ...defined({ k, sample, rounds: count('rounds'), shown }),
    exactness,
    ...(file ? { settings: { [file.system]: file.settings } } : {}),
    command: `asof ${commandLine(invocation)}`,
  };
  const jobs = count('jobs') ?? 1;
  const keep =
    jobFolder() ?? option(invocation, 'keep') ?? output?.replace(/(?:\.json)?$/, '.kept');
  const groupBy = listOption(invocation, 'group-by') ?? [];
  return { folders, systems, groupBy, sample, seed, jobs, output, keep, options };
}

/** Measures all runs, in this process or in several, with wall-clock and processor time. */
async function measure(
  sets: readonly TestCollection[],
  options: CompareOptions,
  { jobs, keep, encoder }: { jobs: number; keep: string; encoder: Encoder | undefined },
  { terminal, signal, flags }: Invocation,
): Promise<Comparison> {
  const { systems } = options;
  const bar = terminal.progress('comparing', 'questions');
  const [started, used] = [performance.now(), process.cpuUsage()];
  try {
    const onRun = questionCounter(sets, systems, bar);
    const childSeconds =
      jobs === 1 ? 0 : await measureInProcesses(sets, { jobs, keep, systems, signal, onRun });
    const result = await compare(sets, {
      ...options,
      ...(jobs > 1 ? {} : { onProgress: bar.update }),
    });
    bar.end();
    if (flags.has('dates')) await addDateScores(result, options, encoder);
    const { user, system } = process.cpuUsage(used);
    const seconds = (performance.now() - started) / 1000;
    const processorSeconds = (user + system) / 1e6 + childSeconds;
    return Object.assign(
      result,
      { seconds, processor_seconds: processorSeconds },
      jobs > 1 ? { jobs } : {},
    );
  } finally {
    bar.end();
  }
}

/**
 * The settings file.
 * @throws UsageError if it is for a system that is not compared.
 */
async function settingsFor(
  systems: readonly string[],
  invocation: Invocation,
): ReturnType<typeof settingsOf> {
  const file = await settingsOf(invocation);
  if (file && !systems.includes(file.system)) {
    throw new UsageError(
      `--settings is for ${file.system}, --systems names ${systems.join(', ')}.`,
      command.name,
    );
  }
  return file;
}

/** Adds MRAG's controlled experiment (figure 5) to a result. */
async function addDateScores(
  result: Comparison,
  { systems, signal, settings, model, reranker, extractor }: CompareOptions,
  encoder: Encoder | undefined,
): Promise<void> {
  const { scores, reasoning } = await dateScores({
    systems,
    signal,
    model,
    encoder,
    reranker,
    extractor,
    settings,
  });
  Object.assign(result, { date_scores: scores, date_reasoning: reasoning });
}

function checkSystems(systems: readonly string[]): void {
  const unknown = systems.find((name) => !systemNames.includes(name));
  if (unknown === undefined) return;
  const message = `--systems takes ${systemNames.join(', ')}, received ${JSON.stringify(unknown)}.`;
  throw new UsageError(`${message}${suggestion(unknown, systemNames)}`, command.name);
}

/** A field that no question of any set has is misspelt. */
function checkGroups(sets: readonly TestCollection[], fields: readonly string[]): void {
  const has = new Set(
    sets.flatMap(({ queries }) => queries.flatMap(({ groups }) => Object.keys(groups ?? {}))),
  );
  const unknown = fields.find((field) => !has.has(field));
  if (unknown !== undefined)
    throw new UsageError(
      `No question has the field ${JSON.stringify(unknown)} of --group-by.`,
      command.name,
    );
}

function questionCounter(
  sets: readonly TestCollection[],
  systems: readonly string[],
  bar: ReturnType<Terminal['progress']>,
): (questions: number) => void {
  const total = systems.length * sets.reduce((sum, { queries }) => sum + queries.length, 0);
  let done = 0;
  return (questions) => {
    done += questions;
    bar.update({ done, total });
  };
}

function significanceOptions(invocation: Invocation): {
  baseline?: string;
  test?: SignificanceTest;
  correction?: Correction;
} {
  return Object.fromEntries(
    ['baseline', 'test', 'correction'].flatMap((name) => {
      const value = option(invocation, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The values that are not undefined. */
function defined<Names extends string>(
  values: Record<Names, number | undefined>,
): { [Name in Names]?: number } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in Names]?: number;
  };
}

/** The command line that reproduces a result. */
function commandLine({ strings, flags, positionals }: Invocation): string {
  const quoted = (text: string): string =>
    /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);
  const options = Object.entries(strings).flatMap(([name, values]) =>
    values.flatMap((value) => [dashed(name), quoted(value)]),
  );
  return [
    'compare',
    ...positionals.map(quoted),
    ...options,
    ...[...flags].map((name) => `--${name}`),
  ].join(' ');
}
