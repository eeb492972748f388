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
import { mostPassages } from '../../systems/system.js';
import type { Encoder } from '../../vectors/encoder.js';
import { UsageError, countOption, listOption, option, suggestion, type Invocation } from '../command.js';
import { command, defaultMetrics, defaultSystems } from '../commands/compare.js';
import { fillCells, jobFolder, measureCells } from '../comparisonJobs.js';
import { openSets } from '../inputs/comparisonSets.js';
import { openEncoder, openReranker } from '../inputs/encoders.js';
import { openModel } from '../inputs/model.js';
import { usersOf } from '../inputs/modelUsers.js';
import { readingOf } from '../inputs/reading.js';
import { exactnessOf } from '../inputs/searchOptions.js';
import { setForm } from '../options/collectionForm.js';
import { namesModel } from '../options/model.js';
import { formsOf } from '../options/perturbation.js';
import { settingsOf } from '../options/settings.js';
import { checkOutput, keptFolder, writeOutput } from '../outputs.js';
import { renderComparison } from '../tables/comparisonTables.js';
import type { Terminal } from '../terminal.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const folders = [...(invocation.strings['set'] ?? []), ...invocation.positionals];
  if (folders.length === 0)
    throw new UsageError(`Name a set: --set FOLDER, with ${setForm}.`, command.name);
  const systems = listOption(invocation, 'systems') ?? defaultSystems;
  await checkSystems(systems);
  const output = option(invocation, 'out');
  await checkOutput(output, 'out');
  const tempo = option(invocation, 'tempo') as TempoDefinition | undefined;
  const metricOptions = tempo === undefined ? {} : { tempo };
  const metrics = parseMetrics(
    listOption(invocation, 'metrics') ?? defaultMetrics,
    metricOptions,
  );
  const count = (name: string, range?: { least?: number; most?: number }) =>
    countOption(invocation, command, name, range);
  const [seed, sample, exactness] = [
    count('seed') ?? 1,
    count('sample'),
    await exactnessOf(invocation, command),
  ];
  const [k, shown] = [count('k', { most: mostPassages }), count('shown', { least: 0 })];
  const forms = formsOf(invocation, command, 'perturb');
  const file = await settingsFor(systems, invocation);
  const read = await readingOf(invocation, command, namesModel(invocation));
  await usersOf(systems, read, file, invocation, command);
  await using opened = await openModel(invocation, command);
  const reranker = await openReranker(invocation);
  const jobs = count('jobs') ?? 1;
  const given =
    jobFolder() ?? option(invocation, 'keep') ?? output?.replace(/(?:\.json)?$/, '.kept');
  const keep = given ?? (await mkdtemp(join(tmpdir(), 'asof-compare-')));
  const bar = terminal.progress('comparing', 'questions');
  try {
    await keptFolder(keep);
    const encoder = await openEncoder(invocation);
    const groupBy = listOption(invocation, 'group-by') ?? [];
    const sets = await openSets(folders, {
      keep,
      groupBy,
      encoder,
      sample,
      seed,
      signal,
      terminal,
    });
    checkGroups(sets, groupBy);
    const options: CompareOptions = {
      systems,
      metrics,
      seed,
      signal,
      relevantFrom: count('relevant-from') ?? 1,
      read,
      ...opened.options,
      ...(reranker ? { reranker } : {}),
      ...chosen(invocation),
      ...(forms === undefined ? {} : { perturb: { perQuestion: forms } }),
      ...(tempo === undefined ? {} : { metricOptions }),
      ...numbers({ k, sample, rounds: count('rounds'), shown }),
      ...(exactness ? { exactness } : {}),
      ...(file ? { settings: { [file.system]: file.settings } } : {}),
      ...(given === undefined && jobs === 1 ? {} : { store: runFolder(join(keep, 'cells')) }),
      command: `asof ${written(invocation)}`,
    };
    checkComparison(sets, options); // before any corpus is indexed
    if (jobFolder() !== undefined) {
      await measureCells(sets, options);
      return 0;
    }
    const [started, used] = [performance.now(), process.cpuUsage()];
    const filled =
      jobs === 1
        ? 0
        : await fillCells(sets, {
            jobs,
            keep,
            systems,
            signal,
            onCell: cellCounter(sets, systems, bar),
          });
    const result = await compare(sets, {
      ...options,
      ...(jobs > 1 ? {} : { onProgress: bar.update }),
    });
    bar.end();
    if (invocation.flags.has('dates')) await addDateScores(result, options, encoder);
    const { user, system } = process.cpuUsage(used);
    const took = {
      seconds: (performance.now() - started) / 1000,
      processor_seconds: (user + system) / 1e6 + filled,
    };
    Object.assign(result, took, jobs > 1 ? { jobs } : {});
    if (output !== undefined) await writeOutput(output, `${JSON.stringify(result)}\n`, signal);
    if (terminal.json) await terminal.printJson(result);
    else await terminal.print(renderComparison(result, terminal));
    return 0;
  } catch (fault) {
    if (signal.aborted && given !== undefined)
      terminal.say(`asof: finished cells are kept in ${keep}; repeat the command to continue.`);
    throw fault;
  } finally {
    bar.end();
    if (given === undefined) await rm(keep, { recursive: true, force: true });
  }
}

/** The settings file. Errors: UsageError where it is for a system that is not compared. */
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
  { systems, signal, settings, model, reranker }: CompareOptions,
  encoder: Encoder | undefined,
): Promise<void> {
  const { scores, reasoning } = await dateScores({
    systems,
    ...(signal ? { signal } : {}),
    ...(model ? { model } : {}),
    ...(encoder ? { encoder } : {}),
    ...(reranker ? { reranker } : {}),
    ...(settings ? { settings } : {}),
  });
  Object.assign(result, { date_scores: scores, date_reasoning: reasoning });
}

async function checkSystems(systems: readonly string[]): Promise<void> {
  const unknown = systems.find((name) => !systemNames.includes(name));
  if (unknown === undefined) return;
  const taken = `--systems takes ${systemNames.join(', ')}, received ${JSON.stringify(unknown)}.`;
  throw new UsageError(`${taken}${suggestion(unknown, systemNames)}`, command.name);
}

/** A field that no question has is a misspelt one; one that a sample lacks may be in others. */
function checkGroups(sets: readonly TestCollection[], fields: readonly string[]): void {
  const has = new Set(
    sets.flatMap(({ queries }) => queries.flatMap(({ groups }) => Object.keys(groups ?? {}))),
  );
  const unknown = fields.find((field) => !has.has(field));
  if (unknown !== undefined)
    throw new UsageError(
      `No question asked has the field ${JSON.stringify(unknown)} of --group-by.`,
      command.name,
    );
}

function cellCounter(
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

function chosen(invocation: Invocation): {
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

function numbers<Names extends string>(
  values: Record<Names, number | undefined>,
): { [Name in Names]?: number } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in Names]?: number;
  };
}

/** The command again, so that a result says how to make it. */
function written({ strings, flags, positionals }: Invocation): string {
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
