// asof tempo eval: TEMPO's tasks over a folder with its data, and its tables. Every option that
// changes a number is printed with the numbers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AsOfError } from '../../errors.js';
import { writeRun } from '../../eval/files/trec.js';
import { modelJudge } from '../../eval/judges/modelJudge.js';
import { ruleJudge } from '../../eval/judges/ruleJudge.js';
import { parseMetrics } from '../../eval/measures/metricNames.js';
import { tempoDefinitions } from '../../eval/measures/temporal.js';
import { classForms } from '../../eval/tempo/names.js';
import { stepStrategies, variantReadings } from '../../eval/tempo/queries.js';
import { answerContexts } from '../../eval/tempo/rag.js';
import { readTempo } from '../../eval/tempo/read.js';
import { exclusions } from '../../eval/tempo/retrieval.js';
import { evaluateTempo, type TempoOptions, type TempoResult } from '../../eval/tempo/suite.js';
import { systemNames } from '../../papers/registry.js';
import { mostPassages } from '../../systems/system.js';
import { queryVariants } from '../../time/question/variants.js';
import {
  UsageError,
  countOption,
  listOption,
  option,
  suggestion,
  type Command,
  type Invocation,
} from '../command.js';
import { tempoCorpus } from '../inputs/tempoSets.js';
import { encoderOptions, openEncoder, openReranker, rerankerOption } from '../options/encoders.js';
import { modelOptions, openModel } from '../options/model.js';
import { cacheOptions, keptModel, modelUses } from '../options/modelUses.js';
import { settingsOf, settingsOption } from '../options/settings.js';
import { checkOutput, keptFolder, writeOutput } from '../outputs.js';
import { renderTempo } from '../tables/tempoTables.js';

const tasks = ['documents', 'steps', 'answers'] as const;
const usualMetrics = ['ndcg@10', 'recall@10', 'precision@10', 'map@10', 'mrr'];
const judgedMetrics = ['tp@10', 'tr@10', 'tc@10', 'ndcg_fc@10'];
const usualSystems = ['bm25', 'dense', 'hybrid'];
const works = ['judge', 'answers', 'reformulation', 'systems'] as const;

export const command: Command = {
  name: 'tempo eval',
  summary: "Runs TEMPO's tasks over a folder with its data and prints its tables.",
  positionals: ['DIR'],
  options: {
    domains: {
      type: 'string',
      value: 'D,...',
      multiple: true,
      help: 'only these domains; default all of the folder',
    },
    tasks: {
      type: 'string',
      value: 'T,...',
      multiple: true,
      help: `some of ${tasks.join(', ')}; default documents`,
    },
    systems: {
      type: 'string',
      short: 's',
      value: 'S,...',
      multiple: true,
      help: `default ${usualSystems.join(', ')}`,
    },
    settings: settingsOption,
    metrics: {
      type: 'string',
      value: 'M,...',
      multiple: true,
      help: `default ${usualMetrics.join(', ')}; with --judge also ${judgedMetrics.join(', ')}`,
    },
    table: {
      type: 'string',
      value: 'M',
      help: 'the measure of the tables by domain, class, variant and strategy; default the first',
    },
    variants: {
      type: 'string',
      value: 'V,...',
      multiple: true,
      help: 'baseline (default), strip, temporal-only, normalized, or all',
    },
    'variant-by': {
      type: 'string',
      value: 'R',
      help: "variants by the data's annotation (default, as in the paper) or by rules",
    },
    strategies: {
      type: 'string',
      value: 'S,...',
      multiple: true,
      help: 'of steps: step-only, query+step, query+all; default all three',
    },
    contexts: {
      type: 'string',
      value: 'C,...',
      multiple: true,
      help: 'of answers: none, oracle, retrieved; default all three',
    },
    'context-depth': {
      type: 'string',
      value: 'N',
      help: 'retrieved documents that an answer is made of, default 10',
    },
    judge: {
      type: 'boolean',
      help: "judge documents for TEMPO's measures of time, by rules or by --model",
    },
    reasoning: {
      type: 'string',
      value: 'PART',
      help: 'queries as this part of the folder words them, such as gpt4o_reason',
    },
    excluded: {
      type: 'string',
      value: 'E',
      help: 'what leaves rankings: listed (excluded_ids, default), negatives (negative_ids too) or none',
    },
    tempo: {
      type: 'string',
      value: 'paper|code',
      help: "whose definition TEMPO's measures have, default paper",
    },
    classes: {
      type: 'string',
      value: 'C',
      help: "reported (default): the ten classes of the paper's tables; annotated: as annotated, the prompt has eleven",
    },
    'asked-at': {
      type: 'string',
      value: 'T',
      help: 'what "now" is for every query; default now, so that figures move with the day',
    },
    k: {
      type: 'string',
      value: 'K',
      help: 'how many passages to ask for; default the largest cutoff',
    },
    sample: {
      type: 'string',
      value: 'N',
      help: 'only N queries of each domain, chosen by the seed',
    },
    seed: { type: 'string', value: 'N', help: 'of the sample, default 1' },
    keep: {
      type: 'string',
      value: 'DIR',
      help: "where the domains' corpora are kept; default: nowhere",
    },
    out: { type: 'string', value: 'RESULT.json', help: 'write the result' },
    runs: {
      type: 'string',
      value: 'DIR',
      help: 'write the rankings of documents in TREC form: DIR/SYSTEM-VARIANT-DOMAIN.trec',
    },
    'per-query': {
      type: 'boolean',
      help: 'with --json or --out: the values of every query and step too',
    },
    ...modelOptions,
    'model-for': {
      type: 'string',
      value: 'W,...',
      multiple: true,
      help: `what --model does: ${works.join(', ')}; default answers, or judge with --judge`,
    },
    ...cacheOptions,
    ...encoderOptions,
    reranker: rerankerOption,
  },
  details:
    'DIR has documents/DOMAIN, examples/DOMAIN and steps/DOMAIN as parquet (published so; needs npm install hyparquet), .jsonl or .json, or\n' +
    'DOMAIN/documents.jsonl and so on. A domain is a corpus of its own. Tables are means over domains, each counting once; over all queries\n' +
    '(micro) stands below. Means over steps are over the steps of a query first; over all steps alike, as the published code, below.\n' +
    'What --model does not do is done by rules: they judge, and read answers off the documents. Where --budget ends the work of one, the exit\n' +
    'code is 1, and the output says how many queries are left; repeat it to continue from the cache.',
  async run(invocation) {
    const { terminal, signal } = invocation;
    const output = option(invocation, 'out');
    await checkOutput(output, 'out');
    const chosen = choices(invocation);
    const uses = modelUses(
      invocation,
      command,
      works,
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
    if (
      chosen.tasks.includes('steps') &&
      !data.domains.some(({ queries }) => queries.some(({ steps }) => steps.length > 0))
    ) {
      const message = `Expected steps of some query in ${data.folder}, found none. Fetch steps/DOMAIN.parquet too, or leave out --tasks steps.`;
      throw new AsOfError('ERR_NOT_FOUND', message, { details: { folder: data.folder } });
    }
    await using opened = await openModel(invocation, command);
    const kept =
      opened.options.model && (await keptModel(opened.options.model, invocation, command));
    const by = (work: (typeof works)[number]) => (uses.includes(work) ? kept?.model : undefined);
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
  },
};

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
    ...usualMetrics,
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
    systems: some('systems', systemNames, usualSystems),
  };
}

function checkName(option: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new UsageError(
    `--${option} takes ${known.join(', ')}, received ${JSON.stringify(name)}.${suggestion(name, known)}`,
    command.name,
  );
}
