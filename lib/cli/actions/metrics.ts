// `asof metrics`: metrics of an existing TREC run, without a corpus.
import { AsOfError } from '../../errors.js';
import { beirQrels } from '../../eval/files/beir.js';
import { readQrels, type Qrels } from '../../eval/files/trec.js';
import { averageByGroup, type GroupedAverages } from '../../eval/measures/averages.js';
import { parseMetrics } from '../../eval/measures/metricNames.js';
import { scoreRunFile, type RunFileScores } from '../../eval/measures/runFile.js';
import { countOption, listOption, option, requiredOption, type Command, type Invocation } from '../command.js';
import { command, defaultMetrics } from '../commands/metrics.js';
import { leftOut, moreJudgements, tempoNote } from '../inputs/auxiliaryJudgements.js';
import { countsOf, groupsJson, meansOf, readGroups } from '../inputs/queryGroups.js';
import { counted } from '../tables/layout.js';
import { averagesTable, groupsTable, perQueryTable } from '../tables/metricTables.js';

export async function run(invocation: Invocation): Promise<number | void> {
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
}

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
