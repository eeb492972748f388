// `asof tempo eval`: TEMPO's tasks and tables.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AsOfError } from '../../errors.js';
import { writeRun } from '../../eval/files/trec.js';
import { modelJudge } from '../../eval/judges/modelJudge.js';
import { ruleJudge } from '../../eval/judges/ruleJudge.js';
import { parseMetrics, type Metric } from '../../eval/measures/metricNames.js';
import { tempoDefinitions } from '../../eval/measures/temporal.js';
import type { TempoData } from '../../eval/tempo/data.js';
import { classForms } from '../../eval/tempo/names.js';
import type { TempoOptions } from '../../eval/tempo/options.js';
import { stepStrategies, variantReadings } from '../../eval/tempo/queries.js';
import { answerContexts } from '../../eval/tempo/rag.js';
import { readTempo } from '../../eval/tempo/read.js';
import type { TempoResult } from '../../eval/tempo/result.js';
import { exclusions } from '../../eval/tempo/retrieval.js';
import { evaluateTempo } from '../../eval/tempo/suite.js';
import { systemNames } from '../../papers/registry.js';
import { maxPassages } from '../../systems/system.js';
import { queryVariants } from '../../time/question/variants.js';
import { UsageError, countOption, listOption, option, type Invocation } from '../command.js';
import { suggestion } from '../../runtime/nearestName.js';
import {
  command,
  tasks,
  modelTasks,
  defaultMetrics,
  judgedMetrics,
  defaultSystems,
} from '../commands/tempoEval.js';
import { openEncoder, openReranker } from '../inputs/encoders.js';
import { openModel } from '../inputs/model.js';
import { cachedModel } from '../inputs/modelCache.js';
import { tempoCorpus } from '../inputs/tempoSets.js';
import { modelUses } from '../options/modelUses.js';
import { settingsOf } from '../options/settings.js';
import { splitOf } from '../options/split.js';
import { checkOutput, ensureFolder, writeOutput } from '../outputs.js';
import { renderTempo } from '../tables/tempoTables.js';

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal, flags } = invocation;
  const input = await readInput(invocation);
  const { choices, uses, metrics, data, reasoning } = input;
  await using opened = await openModel(invocation, command);
  const cached =
    opened.options.model && (await cachedModel(opened.options.model, invocation, command));
  const modelFor = (task: (typeof modelTasks)[number]) =>
    uses.includes(task) ? cached?.model : undefined;
  const judgeModel = modelFor('judge');
  const { tempo = 'paper' } = choices;
  const judge = judgeModel ? modelJudge(judgeModel, { tempo }) : ruleJudge();
  const [answerModel, reformulator] = [modelFor('answers'), modelFor('reformulation')];
  const model = modelFor('systems');
  const [reranker, encoder] = [await openReranker(invocation), await openEncoder(invocation)];
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
  const uses = modelUses(invocation, command, modelTasks, [defaultUse]);
  const { tempo } = choices;
  const metrics = parseMetrics(choices.metrics, tempo === undefined ? {} : { tempo });
  const tables = tablesOf(invocation, metrics);
  const runs = await runWriter(option(invocation, 'runs'), signal);
  const file = await settingsOf(invocation);
  const settings = file && { [file.system]: file.settings };
  const domains = listOption(invocation, 'domains');
  const reasoning = option(invocation, 'reasoning');
  const split = splitOf(invocation, command);
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
    throw new UsageError(
      `--table takes metrics of --metrics, received ${JSON.stringify(other)}.`,
      command.name,
    );
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
    const named = listOption(invocation, name);
    if (named?.includes('all')) return [...known];
    for (const each of named ?? []) checkName(name, each, known);
    return (named as T[] | undefined) ?? [...defaults];
  };
  const one = <T extends string>(name: string, known: readonly T[]): T | undefined => {
    const named = option(invocation, name);
    if (named !== undefined) checkName(name, named, known);
    return named as T | undefined;
  };
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
  const count = (name: string): number | undefined => countOption(invocation, command, name);
  const k = countOption(invocation, command, 'k', { most: maxPassages });
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

function checkName(option: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new UsageError(
    `--${option} takes ${known.join(', ')}, received ${JSON.stringify(name)}.${suggestion(name, known)}`,
    command.name,
  );
}
