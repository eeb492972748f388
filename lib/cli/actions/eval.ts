// `asof eval`: metrics of systems over queries.
import { evaluate, type Evaluation } from '../../eval/evaluate.js';
import { beirQrels } from '../../eval/files/beir.js';
import { readQrels, writeRun } from '../../eval/files/trec.js';
import { averageByGroup, type GroupedAverages } from '../../eval/measures/averages.js';
import { parseMetrics, type Metric } from '../../eval/measures/metricNames.js';
import type { TempoDefinition } from '../../eval/measures/temporal.js';
import { createSystem } from '../../papers/registry.js';
import { type System, mostPassages } from '../../systems/system.js';
import { UsageError, countOption, listOption, option, requiredOption, type Invocation } from '../command.js';
import { command, rankingMetrics, answerMetrics, evaluableMetrics } from '../commands/eval.js';
import { openCorpus } from '../inputs/corpus.js';
import { openReranker } from '../inputs/encoders.js';
import { readPool, readQueries } from '../inputs/jsonLines.js';
import { judgingOf, relevanceOption, type Judging } from '../inputs/judging.js';
import { openModel } from '../inputs/model.js';
import { moreJudgements, tempoNote } from '../inputs/auxiliaryJudgements.js';
import { perturbation, perturbedOf, type Perturbation } from '../inputs/perturbation.js';
import { countsOf, groupsJson, meansOf, readGroups } from '../inputs/queryGroups.js';
import { readingOf } from '../inputs/reading.js';
import { deviceOf, exactnessOf } from '../inputs/searchOptions.js';
import { namesModel } from '../options/model.js';
import { formsOf } from '../options/perturbation.js';
import { settingsFor, settingsOf, systemsWith } from '../options/settings.js';
import { usersOf, type Users } from '../inputs/modelUsers.js';
import { checkOutput } from '../outputs.js';
import { counted } from '../tables/layout.js';
import { averagesTable, groupsTable } from '../tables/metricTables.js';
import { robustnessTable } from '../tables/robustness.js';
import { duration, whole, type Terminal } from '../terminal.js';

/** What metrics read that need no relevance judgements and no answers. */
const needingNeither: ReadonlySet<string> = new Set([
  'temporal judgements',
  'later versions',
  'passages and time',
  'passages and evidence',
]);

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const file = await settingsOf(invocation);
  const names = systemsWith(listOption(invocation, 'system'), file, command);
  const output = option(invocation, 'run');
  if (output !== undefined && names.length > 1)
    throw new UsageError('--run writes one ranking: name one --system.', command.name);
  await checkOutput(output, 'run');
  const queries = await readQueries(
    requiredOption(invocation, command, 'queries'),
    countOption(invocation, command, 'limit') ?? Infinity,
    signal,
  );
  if (queries.length === 0)
    throw new UsageError(`${option(invocation, 'queries')} has no queries.`, command.name);
  const groups =
    option(invocation, 'group-by') === undefined
      ? undefined
      : await readGroups(invocation, command);
  const judgements = option(invocation, 'qrels');
  const byAnswers = relevanceOption(invocation, command);
  const given =
    judgements === undefined
      ? undefined
      : await readQrels(await beirQrels(judgements, option(invocation, 'split')), { signal });
  const more = await moreJudgements(invocation, command);
  const answered = queries.some(({ answers }) => answers!.length > 0);
  const usual = byAnswers
    ? evaluableMetrics
    : [...(given ? rankingMetrics : []), ...(answered ? answerMetrics : [])];
  const fallback =
    [...usual, ...more.usual].length > 0 ? [...usual, ...more.usual] : rankingMetrics;
  const metrics = parseMetrics(listOption(invocation, 'metrics') ?? fallback, {
    tempo: more.tempo,
  });
  if (!given && !answered && !metrics.some(({ source }) => needingNeither.has(source))) {
    throw new UsageError(
      'Nothing to measure by: the queries have no answers, and --qrels is not given.',
      command.name,
    );
  }
  const k = depthOption(invocation, metrics, mostPassages);
  const relevantFrom = countOption(invocation, command, 'relevant-from') ?? 1;
  const [exactness, device] = [
    await exactnessOf(invocation, command),
    await deviceOf(invocation, command),
  ];
  const poolFile = option(invocation, 'pool');
  const candidates = poolFile === undefined ? undefined : await readPool(poolFile, signal);
  const perturb = formsOf(invocation, command, 'perturbed');
  const read = await readingOf(invocation, command, namesModel(invocation));
  const users = await usersOf(names, read, file, invocation, command);
  await using opened = await openModel(invocation, command);
  const reranker = await openReranker(invocation);
  const corpus = await openCorpus(invocation.positionals[0]!, invocation, {
    create: false,
    ...(device ? { device } : {}),
  });
  try {
    const judging = await judgingOf(
      corpus,
      queries,
      { given, byAnswers, candidates },
      signal,
      terminal,
    );
    const asked = { ...(k === undefined ? {} : { k }), ...(exactness ? { exactness } : {}) };
    const settings = {
      metrics,
      relevantFrom,
      signal,
      ...more.judgements,
      ...judging.settings,
      ...asked,
    };
    const systems = names.map((name) =>
      createSystem(name, {
        corpus,
        ...settingsFor(name, file),
        read,
        ...opened.options,
        ...(reranker ? { reranker } : {}),
      }),
    );
    const forms =
      perturb === undefined ? undefined : await perturbedOf(queries, perturb, settings, command);
    const done: Done[] = [];
    for (const system of systems) {
      const one = await evaluateOne(system, queries, settings, terminal);
      const byGroup =
        groups?.groupOf && averageByGroup(one.evaluation.queries, metrics, groups.groupOf);
      const perturbed = forms && (await perturbation(one, forms, perturb!, settings));
      done.push({ ...one, ...(byGroup ? { byGroup } : {}), ...(perturbed ? { perturbed } : {}) });
    }
    const encoder =
      option(invocation, 'encoder') === undefined ? {} : { encoder: corpus.encoder.id };
    const by = groups?.by === undefined ? {} : { group_by: groups.by };
    const common = {
      ...judging.options,
      ...by,
      ...more.shown,
      ...encoder,
      ...(exactness ? { exactness } : {}),
      ...(device ? { device } : {}),
    };
    const { model } = opened.options;
    const brought = (name: string): Shown => ({
      ...(model && users.model.includes(name) ? { model: model.id } : {}),
      ...(reranker && users.reranker.includes(name) ? { reranker: reranker.id } : {}),
    });
    if (output !== undefined) await writeRanking(output, done[0]!.evaluation, signal, terminal);
    const reports = done.map((each, i) =>
      evaluationJson(
        each,
        { relevant_from: relevantFrom, ...common, ...brought(names[i]!) },
        invocation.flags.has('per-query'),
      ),
    );
    if (terminal.json) await terminal.printJson(reports.length === 1 ? reports[0] : reports);
    else {
      const shown = {
        ...common,
        ...(model ? { model: model.id } : {}),
        ...(reranker ? { reranker: reranker.id } : {}),
      };
      await terminal.print(
        renderEvaluations(
          done,
          metrics.map(({ name }) => name),
          shown,
          users,
          terminal,
        ),
      );
    }
    return 0;
  } finally {
    await corpus.close();
  }
}

/**
 * -k, where it is given; without it the largest cutoff counts, which a system must be able to
 * return.
 */
function depthOption(
  invocation: Invocation,
  metrics: readonly Metric[],
  most: number,
): number | undefined {
  const k = countOption(invocation, command, 'k', { most });
  const deepest = metrics.find(({ cutoff = 0 }) => cutoff > most);
  if (k !== undefined || !deepest) return k;
  throw new UsageError(
    `${deepest.name} looks at more than the ${whole(most)} passages that a system returns: lower it, or give -k.`,
    command.name,
  );
}

/** What is printed with the figures, besides the systems' own options. */
type Shown = Judging['options'] & Asked;

interface Asked {
  group_by?: string;
  tempo?: TempoDefinition;
  judge?: string;
  encoder?: string;
  exactness?: string;
  device?: string;
  model?: string;
  reranker?: string;
}

interface Done {
  system: System;
  evaluation: Evaluation;
  perturbed?: Perturbation;
  byGroup?: GroupedAverages;
}

async function evaluateOne(
  system: System,
  queries: Awaited<ReturnType<typeof readQueries>>,
  settings: Parameters<typeof evaluate>[2],
  terminal: Terminal,
): Promise<Done> {
  const bar = terminal.progress(system.name, 'queries');
  try {
    return {
      system,
      evaluation: await evaluate(system, queries, { ...settings, onProgress: bar.update }),
    };
  } finally {
    bar.end();
  }
}

async function writeRanking(
  path: string,
  evaluation: Evaluation,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  const moved = await writeRun(path, evaluation.run, evaluation.system.replace(/\s+/g, '_'), {
    signal,
  });
  if (moved > 0) {
    terminal.say(
      `asof: ${path}: ${counted(moved, 'score', 'scores')} lowered by the least a single can be, so that equal scores keep this ranking`,
    );
  }
}

/** `asof eval --json`. */
function evaluationJson(
  { system, evaluation, perturbed, byGroup }: Done,
  judging: Shown & { relevant_from: number },
  perQuery: boolean,
): Record<string, unknown> {
  const { evaluable, ...options } = judging;
  return {
    system: system.name,
    options: { ...system.options, k: evaluation.k, ...options, composition: String(system) },
    queries: evaluation.queries.length,
    ...(evaluable === undefined ? {} : { evaluable }),
    metrics: meansOf(evaluation.averages),
    averaged_over: countsOf(evaluation.averages),
    ...(byGroup ? groupsJson(byGroup) : {}),
    latency_ms: evaluation.latencyMs,
    ...(perturbed ? { perturbed } : {}),
    trace: evaluation.trace,
    ...(perQuery ? { per_query: evaluation.queries } : {}),
  };
}

function renderEvaluations(
  done: readonly Done[],
  names: readonly string[],
  judging: Shown,
  users: Users,
  terminal: Terminal,
): string {
  const first = done[0]!.evaluation;
  const latency = ({ latencyMs }: Evaluation): string[] => [
    duration(latencyMs.p50),
    duration(latencyMs.p99),
  ];
  const rows = done.map(({ system, evaluation }) => ({
    label: system.name,
    averages: evaluation.averages,
    more: latency(evaluation),
  }));
  const single = done.length === 1;
  const notes = [
    ...(single ? [`one question took ${latency(first).join(' (p50), ')} (p99)`] : []),
    overWhich(first, names),
    ...(judging.evaluable === undefined
      ? []
      : [
          `evaluable, with an answer in some passage: ${counted(judging.evaluable, 'query', 'queries')}`,
        ]),
    ...(judging.pool === undefined
      ? []
      : [`only passages of the pool could be found: ${whole(judging.pool)}`]),
    ...(first.unjudged.length > 0 && judging.evaluable === undefined
      ? [
          `asked without judgements, left out of those metrics: ${counted(first.unjudged.length, 'query', 'queries')}`,
        ]
      : []),
    ...(first.unasked.length > 0
      ? [`judged but not asked, left out: ${counted(first.unasked.length, 'query', 'queries')}`]
      : []),
    ...(judging.tempo === undefined ? [] : [tempoNote(judging.tempo)]),
    ...(judging.encoder === undefined ? [] : [`encoder: ${judging.encoder}`]),
    ...(judging.model === undefined
      ? []
      : [`model, for stages of ${users.model.join(', ')}: ${judging.model}`]),
    ...(judging.reranker === undefined
      ? []
      : [`reranker, in ${users.reranker.join(', ')}: ${judging.reranker}`]),
    ...done.map(({ system }) => `${system.name}: ${String(system)}${optionsNote(system)}`),
  ];
  const table = single
    ? averagesTable(rows, names, terminal)
    : averagesTable(rows, names, terminal, ['p50', 'p99']);
  const changes = done.flatMap(({ system, perturbed }) =>
    perturbed ? [{ system, perturbed }] : [],
  );
  const robust = changes.length === 0 ? '' : robustnessTable(changes, names, terminal);
  const grouped = done.flatMap(({ system, byGroup }) =>
    byGroup
      ? [
          `\n${terminal.style(system.name, 'bold')}\n${groupsTable(judging.group_by!, byGroup, names, terminal)}`,
        ]
      : [],
  );
  return `${table}${grouped.join('')}${robust}\n${notes.map((note) => `${terminal.style(note, 'dim')}\n`).join('')}`;
}

/** How many queries were asked and how many each metric is averaged over. */
function overWhich(evaluation: Evaluation, names: readonly string[]): string {
  const groups = new Map<number, string[]>();
  for (const name of names) {
    const count = evaluation.averages[name]?.queries ?? 0;
    groups.set(count, [...(groups.get(count) ?? []), name]);
  }
  const asked = `${counted(evaluation.queries.length, 'query', 'queries')} asked for ${counted(evaluation.k, 'passage', 'passages')} each`;
  const over = [...groups].map(([count, group]) =>
    groups.size === 1 ? whole(count) : `${whole(count)} for ${group.join(', ')}`,
  );
  return `${asked}; averages are over ${over.join('; ')}`;
}

function optionsNote(system: System): string {
  const options = Object.entries(system.options).map(
    ([name, value]) =>
      `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
  );
  return options.length === 0 ? '' : ` (${options.join(', ')})`;
}
