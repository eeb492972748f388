// asof compare: several systems over several sets by several measures, tested for chance; the
// result names all that its figures depend on.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFolder } from '../../eval/comparison/runStore.js';
import { checkComparison, compare, type CompareOptions } from '../../eval/comparison/compare.js';
import { dateScores } from '../../eval/comparison/dateScores.js';
import type { TestCollection } from '../../eval/comparison/testCollection.js';
import type { Correction, SignificanceTest } from '../../eval/comparison/result.js';
import { parseMetrics } from '../../eval/measures/metricNames.js';
import type { TempoDefinition } from '../../eval/measures/temporal.js';
import { systemNames } from '../../papers/registry.js';
import { mostPassages } from '../../systems/system.js';
import {
  UsageError,
  countOption,
  listOption,
  option,
  suggestion,
  type Command,
  type Invocation,
} from '../command.js';
import { fillCells, jobFolder, measureCells } from '../comparisonJobs.js';
import { openSets, setForm } from '../inputs/comparisonSets.js';
import { encoderOptions, openEncoder, openReranker, rerankerOption } from '../options/encoders.js';
import { exactnessOf, exactnessOption } from '../options/exactness.js';
import { modelOptions, namesModel, openModel } from '../options/model.js';
import { formsOf, formsOption, whichAreDated } from '../options/perturbed.js';
import { readingOf, readingOptions } from '../options/reading.js';
import { settingsOf, settingsOption } from '../options/settings.js';
import { usersOf } from '../options/unused.js';
import { checkOutput, keptFolder, writeOutput } from '../outputs.js';
import { renderComparison } from '../tables/comparisonTables.js';
import type { Terminal } from '../terminal.js';

const usualMetrics = ['hit@1', 'hit@5', 'mrr@10', 'ndcg@10', 'recall@10'];
const usualSystems = ['bm25', 'dense', 'tempralm', 'mrag', 'hybrid'];

export const command: Command = {
  name: 'compare',
  summary: 'Compares systems over sets of questions, with significance, intervals and latency.',
  positionals: ['[FOLDER...]'],
  options: {
    set: {
      type: 'string',
      value: 'FOLDER',
      multiple: true,
      help: `a set, as the arguments are: ${setForm}`,
    },
    systems: {
      type: 'string',
      short: 's',
      value: 'S,...',
      multiple: true,
      help: `default ${usualSystems.join(', ')}`,
    },
    metrics: {
      type: 'string',
      value: 'M,...',
      multiple: true,
      help: `default ${usualMetrics.join(', ')}`,
    },
    baseline: {
      type: 'string',
      value: 'S',
      help: 'the system that the others are tested against, default the first',
    },
    test: {
      type: 'string',
      value: 'T',
      help: 'randomisation (default) or bootstrap, both paired by question',
    },
    correction: {
      type: 'string',
      value: 'C',
      help: 'holm (default), bonferroni, benjamini-hochberg or none: over all pairs of a measure in a set',
    },
    rounds: {
      type: 'string',
      value: 'N',
      help: 'relabellings or resamples of a test, default 10000',
    },
    sample: {
      type: 'string',
      value: 'N',
      help: 'only N questions of each set, chosen by the seed',
    },
    seed: {
      type: 'string',
      value: 'N',
      help: 'of the sample, the tests and which questions are shown, default 1',
    },
    shown: {
      type: 'string',
      value: 'N',
      help: 'questions of each set whose candidates the result has, default 20, 0 for none',
    },
    out: { type: 'string', value: 'RESULT.json', help: 'write the result, for asof report' },
    keep: {
      type: 'string',
      value: 'DIR',
      help: 'where corpora and finished cells are kept, so that a stopped one can continue; default: beside --out as RESULT.kept, else nowhere',
    },
    'group-by': {
      type: 'string',
      value: 'FIELD,...',
      multiple: true,
      help: "fields of a question's line or of its metadata that scores are broken down by too, beside class and domain",
    },
    perturb: {
      type: 'boolean',
      help: 'also asks dated questions with other time constraints that keep their answers: how far each measure falls',
    },
    forms: formsOption,
    jobs: {
      type: 'string',
      value: 'N',
      help: 'processes that measure cells at once, default 1; with more, latencies are of questions that compete, and are said to be',
    },
    dates: {
      type: 'boolean',
      help: "also MRAG's controlled experiment: scores by temporal relation and date of the passage (its figure 5)",
    },
    k: {
      type: 'string',
      value: 'K',
      help: 'how many passages to ask for, to 10000, and how far recall curves go; default the largest cutoff',
    },
    tempo: {
      type: 'string',
      value: 'paper|code',
      help: "whose definition TEMPO's measures have, default paper",
    },
    'relevant-from': {
      type: 'string',
      value: 'G',
      help: 'the grade from which a document is relevant, default 1',
    },
    settings: settingsOption,
    ...modelOptions,
    ...readingOptions,
    ...encoderOptions,
    reranker: rerankerOption,
    exactness: exactnessOption,
  },
  details:
    'outdated.tsv, future.tsv, facts.tsv (facts-NAME.tsv) and judgements.jsonl are read where a folder has them, for the measures of\n' +
    'versions and of TEMPO. Scores are broken down by the relation and condition of each question, and by "class" and "domain" of its line.\n' +
    'A question is asked alone, after one that is not timed. Cells kept by other code, other options or of another set are measured anew.\n' +
    whichAreDated,
  async run(invocation) {
    const { terminal, signal } = invocation;
    const folders = [...(invocation.strings['set'] ?? []), ...invocation.positionals];
    if (folders.length === 0)
      throw new UsageError(`Name a set: --set FOLDER, with ${setForm}.`, command.name);
    const systems = listOption(invocation, 'systems') ?? usualSystems;
    await checkSystems(systems);
    const output = option(invocation, 'out');
    await checkOutput(output, 'out');
    const tempo = option(invocation, 'tempo') as TempoDefinition | undefined;
    const metricOptions = tempo === undefined ? {} : { tempo };
    const metrics = parseMetrics(listOption(invocation, 'metrics') ?? usualMetrics, metricOptions);
    const count = (name: string, range?: { least?: number; most?: number }) =>
      countOption(invocation, command, name, range);
    const [seed, sample, exactness] = [
      count('seed') ?? 1,
      count('sample'),
      await exactnessOf(invocation, command),
    ];
    const [k, shown] = [count('k', { most: mostPassages }), count('shown', { least: 0 })];
    const forms = formsOf(invocation, command, 'perturb');
    const file = await settingsOf(invocation);
    if (file && !systems.includes(file.system)) {
      throw new UsageError(
        `--settings is for ${file.system}, --systems names ${systems.join(', ')}.`,
        command.name,
      );
    }
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
      if (invocation.flags.has('dates')) {
        const brought = {
          ...opened.options,
          ...(encoder ? { encoder } : {}),
          ...(reranker ? { reranker } : {}),
        };
        const common = {
          systems,
          signal,
          ...brought,
          ...(file ? { settings: { [file.system]: file.settings } } : {}),
        };
        const { scores, reasoning } = await dateScores(common);
        Object.assign(result, { date_scores: scores, date_reasoning: reasoning });
      }
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
  },
};

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
