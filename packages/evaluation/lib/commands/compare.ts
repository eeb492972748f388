// `asof compare`: systems over test collections, with significance tests.
import {
  type Command,
  askOptions,
  UsageError,
  countOption,
  listOption,
  option,
  type Invocation,
  askValues,
  checkOutput,
  ensureFolder,
  writeOutput,
  type Terminal,
  rerankerChoice,
  settingsChoice,
  encoderChoice,
  modelChoice,
  extractorChoice,
  readingChoice,
  wordOption,
  wordsOption,
} from 'asof/command';
import { setForm } from './options/collectionForm.js';
import { formsOption, perturbableQuestions, formsOf } from './options/perturbation.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from '../comparison/compare.js';
import { checkComparison, type CompareOptions } from '../comparison/compareOptions.js';
import { dateScores } from '../comparison/dateScores.js';
import type { Comparison, Correction, SignificanceTest } from '../comparison/result.js';
import { runFolder } from '../comparison/runStore.js';
import type { TestCollection } from '../comparison/testCollection.js';
import { parseMetrics } from '../measures/metricNames.js';
import { systemNames } from 'asof/papers';
import { maxPassages } from 'asof/kit';
import { timeEncoder } from 'asof/models';
import type { Encoder } from 'asof';
import { jobFolder, measureInProcesses, measureRuns } from './comparisonJobs.js';
import { openSets } from './inputs/comparisonSets.js';
import { renderComparison } from './tables/comparisonTables.js';
import { tempoDefinitions } from '../measures/temporal.js';

export const defaultMetrics = ['hit@1', 'hit@5', 'mrr@10', 'ndcg@10', 'recall@10'];
export const defaultSystems = ['bm25', 'dense', 'tempralm', 'mrag', 'hybrid'];

export const command: Command = {
  name: 'compare',
  summary: 'Compares systems over test collections: significance, intervals, latency.',
  positionals: ['[FOLDER...]'],
  options: {
    systems: {
      short: 's',
      value: 'S,...',
      multiple: true,
      help: `default ${defaultSystems.join(', ')}`,
    },
    metrics: { value: 'M,...', multiple: true, help: `default ${defaultMetrics.join(', ')}` },
    set: {
      value: 'FOLDER',
      multiple: true,
      help: `a test collection, as the arguments: ${setForm}`,
    },
    out: { value: 'RESULT.json', help: 'write the result, for asof report' },
    k: {
      value: 'K',
      help:
        'passages for each query and end of recall curves, to 10000; default the largest ' +
        'cutoff',
    },
    sample: { value: 'N', help: 'a random sample of N questions of each set' },
    seed: { value: 'N', help: 'random seed of samples, tests and printed questions, default 1' },
    jobs: {
      value: 'N',
      help: 'concurrent processes, default 1; latencies of more than one are marked as such',
    },
    keep: {
      value: 'DIR',
      help:
        'keep corpora and finished runs to continue after an interruption; default RESULT.kept ' +
        'next to --out, else a temporary folder',
    },
    settings: settingsChoice.option,
    'relevant-from': { value: 'G', group: 'evaluation', help: 'lowest relevant grade, default 1' },
    'group-by': {
      value: 'FIELD,...',
      multiple: true,
      group: 'evaluation',
      help: 'fields of questions or their metadata for scores by group, with class and domain',
    },
    shown: {
      value: 'N',
      group: 'evaluation',
      help: 'questions of each set with candidates in the result, default 20, 0 for none',
    },
    tempo: {
      value: 'paper|code',
      group: 'evaluation',
      help: "TEMPO's metrics as its paper defines (default) or its code computes them",
    },
    baseline: {
      value: 'S',
      group: 'statistics',
      help: 'the system that others are tested against, default the first',
    },
    test: {
      value: 'T',
      group: 'statistics',
      help: 'paired test by question: randomisation (default) or bootstrap',
    },
    correction: {
      value: 'C',
      group: 'statistics',
      help:
        'correction for multiple tests of a metric in a set: holm (default), bonferroni, ' +
        'benjamini-hochberg or none',
    },
    rounds: {
      value: 'N',
      group: 'statistics',
      help: 'permutations or resamples of a test, default 10000',
    },
    perturb: {
      group: 'perturbation',
      help: 'robustness: drop of each metric when only the time constraints vary',
    },
    forms: formsOption,
    dates: {
      group: 'perturbation',
      help: "MRAG's controlled experiment (figure 5): scores by temporal relation and passage date",
    },
    ...modelChoice.options,
    ...readingChoice.options,
    ...encoderChoice.options,
    reranker: rerankerChoice.option,
    extractor: { ...extractorChoice.option, group: 'encoder' },
    weights: { ...extractorChoice.weights, group: 'encoder' },
    ...askOptions({ exactness: { group: 'encoder' } }),
  },
  details:
    'outdated.tsv, future.tsv, facts.tsv (facts-NAME.tsv) and judgements.jsonl in a folder are ' +
    'used ' +
    'for the metrics of versions and of TEMPO. Scores are broken down by relation and condition ' +
    'of the questions, and by their fields "class" and "domain".\n' +
    'Latency is of one question at a time, after one warm-up. Kept runs of other code, options ' +
    'or sets are not reused.\n' +
    perturbableQuestions,
  example: 'asof compare nfcorpus/ -s bm25,dense,hybrid --out result.json',
};

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
  const opened = modelChoice.open(invocation);
  await using times = await extractorChoice.open(invocation, input.systems);
  const reranker = await rerankerChoice.open(invocation);
  const keep = input.keep ?? (await mkdtemp(join(tmpdir(), 'asof-compare-')));
  try {
    await ensureFolder(keep);
    const encoder = await encoderChoice.open(invocation);
    await checkWeights(input, encoder, times.options.timeWeights);
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
  if (folders.length === 0) throw new UsageError(`Name a set: --set FOLDER, with ${setForm}.`);
  const systems = wordsOption(invocation, 'systems', systemNames) ?? defaultSystems;
  const output = option(invocation, 'out');
  await checkOutput(output, 'out');
  const tempo = wordOption(invocation, 'tempo', tempoDefinitions);
  const metricOptions = tempo === undefined ? {} : { tempo };
  const metrics = parseMetrics(listOption(invocation, 'metrics') ?? defaultMetrics, metricOptions);
  const count = (name: string, range?: { least?: number; most?: number }) =>
    countOption(invocation, name, range);
  const [seed, sample] = [count('seed') ?? 1, count('sample')];
  const { exactness } = askValues(invocation, ['exactness']);
  const [k, shown] = [count('k', { most: maxPassages }), count('shown', { least: 0 })];
  const forms = formsOf(invocation, 'perturb');
  const file = await settingsFor(systems, invocation);
  const read = await readingChoice.of(invocation, modelChoice.isGiven(invocation));
  modelChoice.users(systems, read, file, invocation);
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

/**
 * Opens re3's time encoder before anything is measured: a run that fails at last would take the
 * others with it.
 */
async function checkWeights(
  { systems, options: { settings } }: CompareInput,
  encoder: Encoder | undefined,
  given: string | undefined,
): Promise<void> {
  const weights = given ?? settings?.['re3']?.['weights'];
  if (encoder && systems.includes('re3') && weights !== false)
    await timeEncoder(encoder, weights as string | undefined);
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
): ReturnType<typeof settingsChoice.of> {
  const file = await settingsChoice.of(invocation);
  if (file && !systems.includes(file.system)) {
    throw new UsageError(
      `--settings is for ${file.system}, --systems names ${systems.join(', ')}.`,
    );
  }
  return file;
}

/** Adds MRAG's controlled experiment (figure 5) to a result. */
async function addDateScores(
  result: Comparison,
  { systems, signal, settings, model, reranker, extractor, timeWeights }: CompareOptions,
  encoder: Encoder | undefined,
): Promise<void> {
  const { scores, reasoning } = await dateScores({
    systems,
    signal,
    model,
    encoder,
    reranker,
    extractor,
    timeWeights,
    settings,
  });
  Object.assign(result, { date_scores: scores, date_reasoning: reasoning });
}

/** A field that no question of any set has is misspelt. */
function checkGroups(sets: readonly TestCollection[], fields: readonly string[]): void {
  const has = new Set(
    sets.flatMap(({ queries }) => queries.flatMap(({ groups }) => Object.keys(groups ?? {}))),
  );
  const unknown = fields.find((field) => !has.has(field));
  if (unknown !== undefined)
    throw new UsageError(`No question has the field ${JSON.stringify(unknown)} of --group-by.`);
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
