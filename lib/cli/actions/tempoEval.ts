// `asof tempo eval`: TEMPO's tasks and tables.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AsOfError } from '../../errors.js';
import { writeRun } from '../../eval/files/trec.js';
import { modelJudge } from '../../eval/judges/modelJudge.js';
import { ruleJudge } from '../../eval/judges/ruleJudge.js';
import { parseMetrics } from '../../eval/measures/metricNames.js';
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
import { mostPassages } from '../../systems/system.js';
import { queryVariants } from '../../time/question/variants.js';
import { UsageError, countOption, listOption, option, suggestion, type Invocation } from '../command.js';
import { command, tasks, modelTasks, defaultMetrics, judgedMetrics, defaultSystems } from '../commands/tempoEval.js';
import { openEncoder, openReranker } from '../inputs/encoders.js';
import { openModel } from '../inputs/model.js';
import { keptModel } from '../inputs/modelCache.js';
import { tempoCorpus } from '../inputs/tempoSets.js';
import { modelUses } from '../options/modelUses.js';
import { settingsOf } from '../options/settings.js';
import { checkOutput, keptFolder, writeOutput } from '../outputs.js';
import { renderTempo } from '../tables/tempoTables.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const output = option(invocation, 'out');
  await checkOutput(output, 'out');
  const chosen = choices(invocation);
  const uses = modelUses(
    invocation,
    command,
    modelTasks,
    chosen.judge && !chosen.tasks.includes('answers') ? ['judge'] : ['answers'],
  );
  const metrics = parseMetrics(
    chosen.metrics,
    chosen.tempo === undefined ? {} : { tempo: chosen.tempo },
  );
  const shown = option(invocation, 'table') ?? metrics[0]!.name;
  if (!metrics.some(({ name }) => name === shown)) {
    throw new UsageError(
      `--table takes a measure of --metrics, received ${JSON.stringify(shown)}.`,
      command.name,
    );
  }
  const runs = await runsTo(option(invocation, 'runs'), signal);
  const file = await settingsOf(invocation);
  const domains = listOption(invocation, 'domains');
  const reasoning = option(invocation, 'reasoning');
  const wanted = {
    signal,
    ...(domains ? { domains } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
  const data = await readTempo(invocation.positionals[0]!, wanted);
  if (chosen.tasks.includes('steps')) checkSteps(data);
  await using opened = await openModel(invocation, command);
  const kept =
    opened.options.model && (await keptModel(opened.options.model, invocation, command));
  const by = (work: (typeof modelTasks)[number]) =>
    uses.includes(work) ? kept?.model : undefined;
  const judgeModel = by('judge');
  const [answerModel, reformulator, model] = [by('answers'), by('reformulation'), by('systems')];
  const judge = judgeModel ? modelJudge(judgeModel) : ruleJudge();
  const [reranker, encoder] = [await openReranker(invocation), await openEncoder(invocation)];
  const given = option(invocation, 'keep');
  const keep = given ?? (await mkdtemp(join(tmpdir(), 'asof-tempo-')));
  const bar = terminal.progress('tempo', 'queries');
  try {
    await keptFolder(keep);
    const options: TempoOptions = {
      ...chosen.options,
      systems: chosen.systems,
      metrics,
      signal,
      onProgress: bar.update,
      open: (domain) => tempoCorpus(domain, { keep, encoder, signal, terminal }),
      ...(chosen.judge || chosen.tasks.includes('answers') ? { judge } : {}),
      ...(answerModel ? { answerModel } : {}),
      ...(reformulator ? { reformulator } : {}),
      ...runs,
      perQuery: invocation.flags.has('per-query'),
      ...(model ? { model } : {}),
      ...(reranker ? { reranker } : {}),
      ...(file ? { settings: { [file.system]: file.settings } } : {}),
    };
    const result = {
      ...(await evaluateTempo(data, options)),
      ...(reasoning === undefined ? {} : { reasoning }),
    };
    bar.end();
    if (reasoning !== undefined) result.options['reasoning'] = reasoning;
    await print(result, output, shown, invocation);
    return result.rows.some(({ unjudged = 0 }) => unjudged > 0) ? 1 : 0;
  } finally {
    bar.end();
    if (given === undefined) await rm(keep, { recursive: true, force: true });
  }
}

/** @throws AsOfError ERR_NOT_FOUND if no query has steps. */
function checkSteps({ domains, folder }: TempoData): void {
  if (domains.some(({ queries }) => queries.some(({ steps }) => steps.length > 0))) return;
  const message = `Expected steps of some query in ${folder}, found none.`;
  throw new AsOfError(
    'ERR_NOT_FOUND',
    `${message} Fetch steps/DOMAIN.parquet too, or leave out --tasks steps.`,
    { details: { folder } },
  );
}

async function print(
  result: TempoResult,
  output: string | undefined,
  metric: string,
  { terminal }: Invocation,
): Promise<void> {
  if (output !== undefined) await writeOutput(output, `${JSON.stringify(result)}\n`);
  if (terminal.json) return terminal.printJson(result);
  return terminal.print(renderTempo(result, metric, terminal));
}

/** Writes rankings into a folder, which is made where it is missing. */
async function runsTo(
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Pick<TempoOptions, 'onRun'>> {
  if (folder === undefined) return {};
  await keptFolder(folder);
  const onRun: TempoOptions['onRun'] = async (run, { domain, system, variant }) =>
    void (await writeRun(join(folder, `${system}-${variant}-${domain}.trec`), run, system, {
      signal,
    }));
  return { onRun };
}

/** What the options say, checked. Errors: UsageError. */
function choices(invocation: Invocation) {
  const some = <T extends string>(name: string, known: readonly T[], usual: readonly T[]): T[] => {
    const named = listOption(invocation, name);
    if (named?.includes('all')) return [...known];
    for (const each of named ?? []) checkName(name, each, known);
    return (named as T[] | undefined) ?? [...usual];
  };
  const one = <T extends string>(name: string, known: readonly T[]): T | undefined => {
    const named = option(invocation, name);
    if (named !== undefined) checkName(name, named, known);
    return named as T | undefined;
  };
  const given = (name: string): boolean => option(invocation, name) !== undefined;
  const asked = some(
    'tasks',
    tasks,
    given('contexts') || given('strategies')
      ? [
          'documents',
          ...(given('strategies') ? (['steps'] as const) : []),
          ...(given('contexts') ? (['answers'] as const) : []),
        ]
      : ['documents'],
  );
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
  const k = countOption(invocation, command, 'k', { most: mostPassages });
  const [sample, seed, contextDepth] = [count('sample'), count('seed'), count('context-depth')];
  const options = {
    variants: asked.includes('documents') ? some('variants', queryVariants, ['baseline']) : [],
    strategies: asked.includes('steps') ? some('strategies', stepStrategies, stepStrategies) : [],
    contexts: asked.includes('answers') ? some('contexts', answerContexts, answerContexts) : [],
    ...(tempo ? { tempo } : {}),
    ...(excluded ? { excluded } : {}),
    ...(classes ? { classes } : {}),
    ...(variantBy ? { variantBy } : {}),
    ...(k === undefined ? {} : { k }),
    ...(sample === undefined ? {} : { sample }),
    ...(seed === undefined ? {} : { seed }),
    ...(contextDepth === undefined ? {} : { contextDepth }),
    ...(askedAt === undefined ? {} : { askedAt }),
  };
  return {
    tasks: asked,
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
