// `asof tempo eval`: TEMPO's tasks and tables.
import {
  type Command,
  UsageError,
  countOption,
  listOption,
  option,
  type Invocation,
  checkOutput,
  ensureFolder,
  writeOutput,
  rerankerChoice,
  settingsChoice,
  encoderChoice,
  modelChoice,
  wordOption,
  wordsOption,
} from 'asof/command';
import { modelUses, cacheOptions } from './options/modelUses.js';
import { splitOption, splitOf } from './options/split.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AsOfError } from 'asof';
import { writeRun } from '../files/trec.js';
import { modelJudge } from '../judges/modelJudge.js';
import { ruleJudge } from '../judges/ruleJudge.js';
import { parseMetrics, type Metric } from '../measures/metricNames.js';
import { tempoDefinitions } from '../measures/temporal.js';
import type { TempoData } from '../tempo/data.js';
import { classForms } from '../tempo/names.js';
import type { TempoOptions } from '../tempo/options.js';
import { stepStrategies, variantReadings } from '../tempo/queries.js';
import { answerContexts } from '../tempo/rag.js';
import { readTempo } from '../tempo/read.js';
import type { TempoResult } from '../tempo/result.js';
import { exclusions } from '../tempo/retrieval.js';
import { evaluateTempo } from '../tempo/suite.js';
import { systemNames } from 'asof/papers';
import { maxPassages } from 'asof/kit';
import { cachedModel } from './inputs/modelCache.js';
import { tempoCorpus } from './inputs/tempoSets.js';
import { renderTempo } from './tables/tempoTables.js';
import { queryVariants } from '../tempo/variants.js';

export const tasks = ['documents', 'steps', 'answers'] as const;
export const modelTasks = ['judge', 'answers', 'reformulation', 'systems'] as const;
export const defaultMetrics = ['ndcg@10', 'recall@10', 'precision@10', 'map@10', 'mrr'];
export const judgedMetrics = ['tp@10', 'tr@10', 'tc@10', 'ndcg_fc@10'];
export const defaultSystems = ['bm25', 'dense', 'hybrid'];

export const command: Command = {
  name: 'tempo eval',
  summary: "Runs TEMPO's tasks over a folder with its data and prints its tables.",
  positionals: ['DIR'],
  options: {
    domains: { value: 'D,...', multiple: true, help: 'domains to read, default all of the folder' },
    split: splitOption,
    tasks: { value: 'T,...', multiple: true, help: `of ${tasks.join(', ')}; default documents` },
    systems: {
      short: 's',
      value: 'S,...',
      multiple: true,
      help: `default ${defaultSystems.join(', ')}`,
    },
    metrics: {
      value: 'M,...',
      multiple: true,
      help: `default ${defaultMetrics.join(', ')}; with --judge also ${judgedMetrics.join(', ')}`,
    },
    out: { value: 'RESULT.json', help: 'write the result' },
    runs: {
      value: 'DIR',
      help:
        'write TREC runs: DIR/SYSTEM-VARIANT-DOMAIN.trec, and of the steps task, by step id, ' +
        'DIR/SYSTEM-STRATEGY-DOMAIN.trec',
    },
    k: {
      value: 'K',
      help: 'passages for each query, default the largest cutoff; 1000 with --tempo code',
    },
    'asked-at': {
      value: 'T',
      help: 'time of every query; default now, so that figures change from day to day',
    },
    sample: { value: 'N', help: 'a random sample of N queries of each domain' },
    seed: { value: 'N', help: 'random seed of the sample, default 1' },
    keep: { value: 'DIR', help: 'keep the corpora of the domains; default: no' },
    'per-query': { help: 'with --json or --out: the values of every query and step too' },
    settings: settingsChoice.option,
    table: {
      value: 'M,...',
      multiple: true,
      group: 'evaluation',
      help:
        'metrics with tables by domain, or all; the first also by class, variant and strategy. ' +
        'Default the first of --metrics and those of TEMPO',
    },
    variants: {
      value: 'V,...',
      multiple: true,
      group: 'evaluation',
      help: 'query variants: baseline (default), strip, temporal-only, normalized, or all',
    },
    'variant-by': {
      value: 'R',
      group: 'evaluation',
      help: 'source of variants: annotation (default, as in the paper) or rules',
    },
    strategies: {
      value: 'S,...',
      multiple: true,
      group: 'evaluation',
      help:
        'of the steps task: step-only, query+step, query+all; default all, with --tempo code ' +
        'query+step',
    },
    contexts: {
      value: 'C,...',
      multiple: true,
      group: 'evaluation',
      help: 'of the answers task: none, oracle, retrieved; default all',
    },
    'context-depth': {
      value: 'N',
      group: 'evaluation',
      help: 'retrieved documents in the context of an answer, default 10',
    },
    judge: {
      group: 'evaluation',
      help: "judge documents for TEMPO's temporal metrics, by rules or by --model",
    },
    reasoning: {
      value: 'PART',
      group: 'evaluation',
      help: 'reworded queries of this part of the folder, such as gpt4o_reason',
    },
    excluded: {
      value: 'E',
      group: 'evaluation',
      help:
        'documents removed from rankings: listed (excluded_ids, default), negatives ' +
        '(negative_ids too; default with --tempo code, except of steps) or none',
    },
    tempo: {
      value: 'paper|code',
      group: 'evaluation',
      help:
        "TEMPO's metrics as its paper defines them (default), or the whole path of its " +
        'published code: exclusions, depth, prompts, periods, rounding',
    },
    classes: {
      value: 'C',
      group: 'evaluation',
      help:
        "reported (default): the ten classes of the paper's tables; annotated: the eleven " +
        'of the prompt',
    },
    ...modelChoice.options,
    'model-for': {
      value: 'W,...',
      multiple: true,
      group: 'model',
      help: `tasks of --model: ${modelTasks.join(', ')}; default answers, or judge with --judge`,
    },
    ...cacheOptions,
    ...encoderChoice.options,
    reranker: rerankerChoice.option,
  },
  details:
    'DIR has documents/DOMAIN, examples/DOMAIN and steps/DOMAIN as parquet (as published; ' +
    'needs npm ' +
    'install hyparquet), .jsonl or .json, or DOMAIN/documents.jsonl and so on. Each domain is a ' +
    'corpus. Tables are means over domains (macro), with the mean over all queries (micro) ' +
    'below; steps are averaged by query first, then over all steps of a domain, as in the ' +
    'published code.\n' +
    'Tasks that --model does not do are rule-based: judging, and answers read from the ' +
    'documents. After --budget is exhausted, the number of remaining queries is printed; run the ' +
    'command again ' +
    'with --cache to continue.',
  example: 'asof tempo eval tempo/ -s bm25,hybrid --out result.json',
  failure: '1 failure or --budget exhausted',
};

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal, flags } = invocation;
  const input = await readInput(invocation);
  const { choices, uses, metrics, data, reasoning } = input;
  const cached = await cachedModel(invocation);
  const modelFor = (task: (typeof modelTasks)[number]) =>
    uses.includes(task) ? cached?.model : undefined;
  const judgeModel = modelFor('judge');
  const { tempo = 'paper' } = choices;
  const judge = judgeModel ? modelJudge(judgeModel, { tempo }) : ruleJudge();
  const [answerModel, reformulator] = [modelFor('answers'), modelFor('reformulation')];
  const model = modelFor('systems');
  const [reranker, encoder] = [
    await rerankerChoice.open(invocation),
    await encoderChoice.open(invocation),
  ];
  const named = option(invocation, 'keep');
  const keep = named ?? (await mkdtemp(join(tmpdir(), 'asof-tempo-')));
  const bar = terminal.progress('tempo', 'queries');
  try {
    await ensureFolder(keep);
    const result = await evaluateTempo(data, {
      ...choices.options,
      systems: choices.systems,
      metrics,
      signal,
      onProgress: bar.update,
      open: (domain) => tempoCorpus(domain, { keep, encoder, signal, terminal }),
      ...(choices.judge || choices.tasks.includes('answers') ? { judge } : {}),
      answerModel,
      reformulator,
      ...input.runs,
      perQuery: flags.has('per-query'),
      model,
      reranker,
      settings: input.settings,
    });
    bar.end();
    if (reasoning !== undefined) result.options['reasoning'] = reasoning;
    if (input.split !== undefined) result.options['split'] = input.split;
    const reported = { ...result, ...(reasoning === undefined ? {} : { reasoning }) };
    await print(reported, input.output, input.tables, invocation);
    return result.rows.some(({ unjudged = 0 }) => unjudged > 0) ? 1 : 0;
  } finally {
    bar.end();
    if (named === undefined) await rm(keep, { recursive: true, force: true });
  }
}

interface TempoInput {
  choices: Choices;
  /** Tasks of the model. */
  uses: readonly (typeof modelTasks)[number][];
  metrics: readonly Metric[];
  /** Metrics of the tables by domain; the first also by class, variant and strategy. */
  tables: readonly string[];
  output: string | undefined;
  runs: Pick<TempoOptions, 'onRun'>;
  settings: TempoOptions['settings'];
  reasoning: string | undefined;
  split: string | undefined;
  data: TempoData;
}

async function readInput(invocation: Invocation): Promise<TempoInput> {
  const { signal } = invocation;
  const output = option(invocation, 'out');
  await checkOutput(output, 'out');
  const choices = choicesOf(invocation);
  const defaultUse = choices.judge && !choices.tasks.includes('answers') ? 'judge' : 'answers';
  const uses = modelUses(invocation, modelTasks, [defaultUse]);
  const { tempo } = choices;
  const metrics = parseMetrics(choices.metrics, tempo === undefined ? {} : { tempo });
  const tables = tablesOf(invocation, metrics);
  const runs = await runWriter(option(invocation, 'runs'), signal);
  const file = await settingsChoice.of(invocation);
  const settings = file && { [file.system]: file.settings };
  const domains = listOption(invocation, 'domains');
  const reasoning = option(invocation, 'reasoning');
  const split = splitOf(invocation);
  const data = await readTempo(invocation.positionals[0]!, {
    signal,
    domains,
    reasoning,
    ...split,
  });
  if (choices.tasks.includes('steps')) checkSteps(data);
  const named = { reasoning, split: split.split };
  return { choices, uses, metrics, tables, output, runs, settings, ...named, data };
}

/** @throws UsageError for a metric that is not measured. */
function tablesOf(invocation: Invocation, metrics: readonly Metric[]): string[] {
  const names = metrics.map(({ name }) => name);
  const ofTime = metrics.filter(({ source }) => source.startsWith('temporal judgements'));
  const named = listOption(invocation, 'table');
  const other = named?.find((each) => each !== 'all' && !names.includes(each));
  if (other !== undefined)
    throw new UsageError(`--table takes metrics of --metrics, received ${JSON.stringify(other)}.`);
  if (named?.includes('all')) return names;
  return [...new Set(named ?? [names[0]!, ...ofTime.map(({ name }) => name)])];
}

/** @throws AsOfError ERR_NOT_FOUND if no query has steps. */
function checkSteps({ domains, folder }: TempoData): void {
  if (domains.some(({ queries }) => queries.some(({ steps }) => steps.length > 0))) return;
  const message = `Expected steps of some query in ${folder}, found none.`;
  throw new AsOfError(
    'ERR_NOT_FOUND',
    `${message} Fetch steps/DOMAIN.parquet too, or omit --tasks steps.`,
    { details: { folder } },
  );
}

async function print(
  result: TempoResult,
  output: string | undefined,
  tables: readonly string[],
  { terminal }: Invocation,
): Promise<void> {
  if (output !== undefined) await writeOutput(output, `${JSON.stringify(result)}\n`);
  if (terminal.json) return terminal.printJson(result);
  return terminal.print(renderTempo(result, tables, terminal));
}

/** Writes rankings into a folder, created if missing. */
async function runWriter(
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Pick<TempoOptions, 'onRun'>> {
  if (folder === undefined) return {};
  await ensureFolder(folder);
  const onRun: TempoOptions['onRun'] = async (run, { domain, system, variant, strategy }) =>
    void (await writeRun(
      join(folder, `${system}-${variant ?? strategy}-${domain}.trec`),
      run,
      system,
      { signal },
    ));
  return { onRun };
}

type Choices = ReturnType<typeof choicesOf>;

/**
 * Options with a fixed set of values, and the numbers.
 * @throws UsageError for an unknown value.
 */
function choicesOf(invocation: Invocation) {
  const some = <T extends string>(
    name: string,
    known: readonly T[],
    defaults: readonly T[],
  ): T[] => {
    const named = wordsOption(invocation, name, [...known, 'all']);
    return named?.includes('all') ? [...known] : ((named as T[] | undefined) ?? [...defaults]);
  };
  const one = <T extends string>(name: string, known: readonly T[]): T | undefined =>
    wordOption(invocation, name, known);
  const has = (name: string): boolean => option(invocation, name) !== undefined;
  const chosen = some('tasks', tasks, [
    'documents',
    ...(has('strategies') ? (['steps'] as const) : []),
    ...(has('contexts') ? (['answers'] as const) : []),
  ]);
  const judge = invocation.flags.has('judge');
  const metrics = listOption(invocation, 'metrics') ?? [
    ...defaultMetrics,
    ...(judge ? judgedMetrics : []),
  ];
  const [tempo, excluded, classes, variantBy] = [
    one('tempo', tempoDefinitions),
    one('excluded', exclusions),
    one('classes', classForms),
    one('variant-by', variantReadings),
  ];
  const askedAt = option(invocation, 'asked-at');
  const count = (name: string): number | undefined => countOption(invocation, name);
  const k = countOption(invocation, 'k', { most: maxPassages });
  const [sample, seed, contextDepth] = [count('sample'), count('seed'), count('context-depth')];
  const options = {
    variants: chosen.includes('documents') ? some('variants', queryVariants, ['baseline']) : [],
    strategies: chosen.includes('steps')
      ? some('strategies', stepStrategies, tempo === 'code' ? ['query+step'] : stepStrategies)
      : [],
    contexts: chosen.includes('answers') ? some('contexts', answerContexts, answerContexts) : [],
    tempo,
    excluded,
    classes,
    variantBy,
    k,
    sample,
    seed,
    contextDepth,
    askedAt,
  };
  return {
    tasks: chosen,
    judge,
    metrics,
    tempo,
    options,
    systems: some('systems', systemNames, defaultSystems),
  };
}
