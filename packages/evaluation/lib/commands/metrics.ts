// `asof metrics`: metrics of an existing TREC run, without a corpus.
import {
  type Command,
  countOption,
  listOption,
  option,
  requiredOption,
  type Invocation,
  counted,
} from 'asof/command';
import { AsOfError } from 'asof';
import { beirQrels } from '../files/beir.js';
import { readQrels, type Qrels } from '../files/trec.js';
import { averageByGroup, type GroupedAverages } from '../measures/averages.js';
import { parseMetrics, type Metric } from '../measures/metricNames.js';
import { scoreRunFile, type RunFileScores } from '../measures/runFile.js';
import { readAuxiliaryJudgements, type AuxiliaryInput } from './inputs/auxiliaryJudgements.js';
import { readGroups, type QueryGroups } from './inputs/queryGroups.js';
import {
  averagesTable,
  countsOf,
  groupsJson,
  groupsTable,
  meansOf,
  omittedMetrics,
  perQueryTable,
  tempoNote,
} from './tables/metricTables.js';
import { auxiliaryJudgementOptions } from './options/auxiliaryJudgements.js';

export const defaultMetrics = [
  'map',
  'mrr',
  'ndcg@10',
  'precision@10',
  'recall@10',
  'recall@100',
  'hit@1',
  'hit@5',
];

export const command: Command = {
  name: 'metrics',
  summary:
    "Scores an existing TREC run with trec_eval's metrics, to the same digits, and with TEMPO's.",
  positionals: [],
  options: {
    qrels: {
      value: 'R',
      required: true,
      alternative: 'judgements',
      help: "relevance judgements, TREC form, BEIR's tsv or its folder; or --judgements",
    },
    run: { value: 'RUN.trec', required: true, help: 'the TREC run; - reads standard input' },
    metrics: { value: 'M,...', multiple: true, help: `default ${defaultMetrics.join(', ')}` },
    'per-query': { help: 'print the values of every query too' },
    complete: {
      group: 'evaluation',
      help: 'average over all judged queries, zero for those without results (trec_eval -c)',
    },
    depth: {
      value: 'N',
      group: 'evaluation',
      help: 'use the first N documents of each query (trec_eval -M)',
    },
    'relevant-from': {
      value: 'G',
      group: 'evaluation',
      help: 'lowest relevant grade, default 1 (trec_eval -l)',
    },
    split: { value: 'S', group: 'evaluation', help: 'qrels of a BEIR folder, default test' },
    ...auxiliaryJudgementOptions,
    queries: {
      value: 'Q.jsonl',
      group: 'evaluation',
      help: 'average over these queries ({id} a line, or a BEIR folder), zero without results',
    },
    'group-by': {
      value: 'FIELD',
      group: 'evaluation',
      help: 'with --queries: averages by a field of the query, and their mean (macro)',
    },
  },
  details:
    'Metrics: hit@k recall@k precision@k mrr mrr@k map map@k ndcg ndcg@k rprec bpref ' +
    'temporal_recall@k with --qrels; tp@k tr@k tc@k ndcg_fc@k with --judgements; current@k ' +
    'outdated@k clean@k with --outdated, future@k with --future, all@k with --facts.\n' +
    'Documents are ordered by score, then by id descending, as in trec_eval; the rank in the ' +
    'file is ignored.\n' +
    'Averages are over the judged queries in the run; --complete counts the others as zero.\n' +
    'A run that is sorted by query is streamed, so it may have any length.',
  example: 'asof metrics --qrels qrels.tsv --run bm25.trec --metrics ndcg@10,map',
  failure: '1 failure or no judged query in the run',
};

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, flags } = invocation;
  const { runFile, metrics, groups, auxiliary, qrels, options } = await readInput(invocation);
  const scores = await scoreRunFile(runFile, qrels, metrics, options);
  warn(scores, metrics, runFile, invocation);
  const names = metrics
    .map(({ name }) => name)
    .filter((name) => !scores.inapplicable.includes(name));
  const byGroup = groups?.groupOf && averageByGroup(scores.queries, metrics, groups.groupOf);
  if (terminal.json) {
    const reported = {
      complete: options.complete,
      depth: options.depth ?? null,
      relevant_from: options.relevantFrom,
      ...auxiliary.reported,
      ...(groups?.by ? { group_by: groups.by } : {}),
    };
    await terminal.printJson(metricsJson(scores, reported, byGroup, flags.has('per-query')));
  } else {
    if (flags.has('per-query'))
      await terminal.print(`${perQueryTable(scores.queries, names, terminal)}\n`);
    const row = { label: scores.tag, averages: scores.averages };
    await terminal.print(averagesTable([row], names, terminal));
    if (byGroup) await terminal.print(`\n${groupsTable(groups.by!, byGroup, names, terminal)}`);
    const { tempo } = auxiliary.reported;
    const notes = [
      ...(groups ? overNamedQueries(scores) : overJudgedQueries(scores, options.complete)),
      ...(tempo ? [`${tempoNote(tempo)}.`] : []),
    ];
    await terminal.print(`\n${terminal.style(notes.join('\n'), 'dim')}\n`);
  }
  return scores.queries.length === 0 ? 1 : 0;
}

interface MetricsInput {
  runFile: string;
  metrics: readonly Metric[];
  groups: QueryGroups | undefined;
  auxiliary: AuxiliaryInput;
  qrels: Qrels;
  options: NonNullable<Parameters<typeof scoreRunFile>[3]> & {
    complete: boolean;
    relevantFrom: number;
  };
}

async function readInput(invocation: Invocation): Promise<MetricsInput> {
  const { signal } = invocation;
  const depth = countOption(invocation, 'depth');
  const relevantFrom = countOption(invocation, 'relevant-from') ?? 1;
  const complete = invocation.flags.has('complete');
  const runFile = requiredOption(invocation, 'run');
  const named = listOption(invocation, 'metrics');
  if (named) parseMetrics(named); // before files that may be long are read
  const auxiliary = await readAuxiliaryJudgements(invocation);
  const qrels = await qrelsOf(invocation);
  const defaults = [
    ...(option(invocation, 'qrels') === undefined ? [] : defaultMetrics),
    ...auxiliary.defaultMetrics,
  ];
  const metrics = parseMetrics(named ?? defaults, { tempo: auxiliary.tempo });
  const groups = await readGroups(invocation);
  const options = {
    complete,
    relevantFrom,
    signal,
    ...auxiliary.judgements,
    depth,
    ...(groups ? { queries: groups.queries } : {}),
  };
  return { runFile, metrics, groups, auxiliary, qrels, options };
}

/** Warnings on standard error: memory, omitted metrics, a run without judged queries. */
function warn(
  scores: RunFileScores,
  metrics: readonly Metric[],
  runFile: string,
  invocation: Invocation,
): void {
  const { terminal } = invocation;
  if (scores.whole)
    terminal.say(
      `asof: ${runFile} is not grouped by query: it was read again as a whole. ` +
        'Sorted by query it takes less memory.',
    );
  if (scores.inapplicable.length > 0)
    terminal.say(
      `asof: omitted, as they need ${omittedMetrics(scores.inapplicable, metrics, 'asof eval')}`,
    );
  if (scores.queries.length > 0) return;
  const judged = option(invocation, 'qrels') ?? option(invocation, 'judgements')!;
  terminal.say(
    scores.inRun === 0
      ? `asof: ${runFile}: Expected the lines of a run, received none. Is it the right file?`
      : `asof: none of the run's ${scores.inRun} queries has judgements in ${judged}`,
  );
}

async function qrelsOf(invocation: Invocation): Promise<Qrels> {
  const path = option(invocation, 'qrels');
  if (path === undefined) return new Map<string, Map<string, number>>();
  const qrels = await readQrels(await beirQrels(path, option(invocation, 'split')), {
    signal: invocation.signal,
  });
  if (qrels.size > 0) return qrels;
  throw new AsOfError(
    'ERR_INVALID_INPUT',
    `${path}: Expected judgements, received none. Is it the right file?`,
    { details: { file: path } },
  );
}

/** `asof metrics --json`. */
function metricsJson(
  scores: RunFileScores,
  options: object,
  byGroup: GroupedAverages | undefined,
  perQuery: boolean,
): Record<string, unknown> {
  return {
    run: scores.tag,
    options,
    queries: scores.queries.length,
    missing: scores.missing.length,
    unjudged: scores.unjudged.length,
    metrics: meansOf(scores.averages),
    averaged_over: countsOf(scores.averages),
    ...(byGroup ? groupsJson(byGroup) : {}),
    ...(perQuery ? { per_query: scores.queries } : {}),
  };
}

const queryCount = (queries: readonly unknown[]): string =>
  counted(queries.length, 'query', 'queries');

function overNamedQueries({ queries, missing, unjudged }: RunFileScores): string[] {
  return [
    `Averaged over the ${queryCount(queries)} of --queries, each metric over those with a value.`,
    ...(missing.length > 0 ? [`Without results, scoring zero: ${queryCount(missing)}.`] : []),
    ...(unjudged.length > 0
      ? [`In the run and not in --queries, excluded: ${queryCount(unjudged)}.`]
      : []),
  ];
}

function overJudgedQueries(
  { queries, missing, unjudged }: RunFileScores,
  complete: boolean,
): string[] {
  const judged = counted(queries.length, 'judged query', 'judged queries');
  const absent = complete
    ? `Without results, scoring zero: ${queryCount(missing)}.`
    : `Judged but not in the run, excluded: ${queryCount(missing)} (--complete counts zero for them).`;
  return [
    `Averaged over the ${judged}${complete ? '' : ' in the run'}.`,
    ...(missing.length > 0 ? [absent] : []),
    ...(unjudged.length > 0
      ? [`In the run without judgements, excluded: ${queryCount(unjudged)}.`]
      : []),
  ];
}
