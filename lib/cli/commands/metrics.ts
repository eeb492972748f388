// `asof metrics`: metrics of an existing TREC run, without a corpus.
import { AsOfError } from '../../errors.js';
import { beirQrels } from '../../eval/files/beir.js';
import { readQrels, type Qrels } from '../../eval/files/trec.js';
import { averageByGroup, type GroupedAverages } from '../../eval/measures/averages.js';
import { parseMetrics } from '../../eval/measures/metricNames.js';
import { scoreRunFile, type RunFileScores } from '../../eval/measures/runFile.js';
import { countOption, listOption, option, requiredOption, type Command } from '../command.js';
import {
  leftOut,
  moreJudgementOptions,
  moreJudgements,
  tempoNote,
} from '../inputs/moreJudgements.js';
import { countsOf, groupsJson, meansOf, readGroups } from '../inputs/queryGroups.js';
import { counted } from '../tables/layout.js';
import { averagesTable, groupsTable, perQueryTable } from '../tables/metricTables.js';

const defaultMetrics = [
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
      type: 'string',
      value: 'R',
      required: true,
      help: "relevance judgements, TREC form, BEIR's tsv or its folder; or --judgements",
    },
    run: {
      type: 'string',
      value: 'RUN.trec',
      required: true,
      help: 'the TREC run; - reads standard input',
    },
    metrics: {
      type: 'string',
      value: 'M,...',
      multiple: true,
      help: `default ${defaultMetrics.join(', ')}`,
    },
    'per-query': { type: 'boolean', help: 'print the values of every query too' },
    complete: {
      type: 'boolean',
      group: 'evaluation',
      help: 'average over all judged queries, zero for those without results (trec_eval -c)',
    },
    depth: {
      type: 'string',
      value: 'N',
      group: 'evaluation',
      help: 'use the first N documents of each query (trec_eval -M)',
    },
    'relevant-from': {
      type: 'string',
      value: 'G',
      group: 'evaluation',
      help: 'lowest relevant grade, default 1 (trec_eval -l)',
    },
    split: {
      type: 'string',
      value: 'S',
      group: 'evaluation',
      help: 'qrels of a BEIR folder, default test',
    },
    ...moreJudgementOptions,
    queries: {
      type: 'string',
      value: 'Q.jsonl',
      group: 'evaluation',
      help: 'average over these queries ({id} a line, or a BEIR folder), zero without results',
    },
    'group-by': {
      type: 'string',
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
  async run(invocation) {
    const { terminal, signal } = invocation;
    const depth = countOption(invocation, command, 'depth');
    const relevantFrom = countOption(invocation, command, 'relevant-from') ?? 1;
    const complete = invocation.flags.has('complete');
    if (option(invocation, 'judgements') === undefined)
      requiredOption(invocation, command, 'qrels');
    const runFile = requiredOption(invocation, command, 'run');
    const listed = listOption(invocation, 'metrics');
    if (listed) parseMetrics(listed); // before files that may be long are read
    const more = await moreJudgements(invocation, command);
    const qrels = await qrelsOf(invocation);
    const usual = [
      ...(option(invocation, 'qrels') === undefined ? [] : defaultMetrics),
      ...more.usual,
    ];
    const metrics = parseMetrics(listed ?? usual, { tempo: more.tempo });
    const groups = await readGroups(invocation, command);
    const options = {
      complete,
      relevantFrom,
      signal,
      ...more.judgements,
      ...(depth === undefined ? {} : { depth }),
    };
    const scores = await scoreRunFile(runFile, qrels, metrics, {
      ...options,
      ...(groups ? { queries: groups.queries } : {}),
    });
    if (scores.whole) terminal.say(notGrouped(runFile));
    if (scores.inapplicable.length > 0)
      terminal.say(
        `asof: left out, as they need ${leftOut(scores.inapplicable, metrics, 'asof eval')}`,
      );
    if (scores.queries.length === 0) {
      const judged = option(invocation, 'qrels') ?? option(invocation, 'judgements')!;
      terminal.say(
        scores.inRun === 0
          ? `asof: ${runFile}: Expected the lines of a run, received none. Is it the right file?`
          : `asof: none of the run's ${scores.inRun} queries has judgements in ${judged}`,
      );
    }
    const names = metrics
      .map(({ name }) => name)
      .filter((name) => !scores.inapplicable.includes(name));
    const byGroup = groups?.groupOf && averageByGroup(scores.queries, metrics, groups.groupOf);
    const shown = {
      complete,
      depth: depth ?? null,
      relevant_from: relevantFrom,
      ...more.shown,
      ...(groups?.by ? { group_by: groups.by } : {}),
    };
    if (terminal.json)
      await terminal.printJson(
        metricsJson(scores, shown, byGroup, invocation.flags.has('per-query')),
      );
    else {
      if (invocation.flags.has('per-query'))
        await terminal.print(`${perQueryTable(scores.queries, names, terminal)}\n`);
      await terminal.print(
        averagesTable([{ label: scores.tag, averages: scores.averages }], names, terminal),
      );
      if (byGroup) await terminal.print(`\n${groupsTable(groups.by!, byGroup, names, terminal)}`);
      const tempo = more.shown.tempo ? `\n${tempoNote(more.shown.tempo)}.` : '';
      const over = groups
        ? overQueries(scores)
        : overWhich(scores.queries.length, scores.missing.length, scores.unjudged.length, complete);
      await terminal.print(`\n${terminal.style(over + tempo, 'dim')}\n`);
    }
    return scores.queries.length === 0 ? 1 : 0;
  },
};

const notGrouped = (path: string): string =>
  `asof: ${path} is not grouped by query: it was read again and held whole. Sorted by query it takes less memory.`;

async function qrelsOf(invocation: Parameters<Command['run']>[0]): Promise<Qrels> {
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

function overQueries({ queries, missing, unjudged }: RunFileScores): string {
  const notes = [
    `Averaged over the ${counted(queries.length, 'query', 'queries')} of --queries, each metric over those it has a value for.`,
  ];
  if (missing.length > 0)
    notes.push(`Without results, scoring zero: ${counted(missing.length, 'query', 'queries')}.`);
  if (unjudged.length > 0)
    notes.push(
      `In the run and not among them, left out: ${counted(unjudged.length, 'query', 'queries')}.`,
    );
  return notes.join('\n');
}

function overWhich(queries: number, missing: number, unjudged: number, complete: boolean): string {
  const notes = [
    `Averaged over the ${counted(queries, 'judged query', 'judged queries')}${complete ? '' : ' that the run has'}.`,
  ];
  if (missing > 0 && complete)
    notes.push(`Without results, scoring zero: ${counted(missing, 'query', 'queries')}.`);
  if (missing > 0 && !complete) {
    notes.push(
      `Judged but not in the run, left out: ${counted(missing, 'query', 'queries')} (--complete counts zero for them).`,
    );
  }
  if (unjudged > 0)
    notes.push(
      `In the run without judgements, left out: ${counted(unjudged, 'query', 'queries')}.`,
    );
  return notes.join('\n');
}
