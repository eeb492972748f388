// asof metrics: trec_eval's measures on a run that exists already. Needs no corpus.
import { countOption, listOption, option, requiredOption, type Command } from '../command.js';
import { counted } from '../layout.js';
import { averagesTable, perQueryTable } from '../metricTables.js';

const defaultMetrics = ['map', 'mrr', 'ndcg@10', 'precision@10', 'recall@10', 'recall@100', 'hit@1', 'hit@5'];

export const command: Command = {
  name: 'metrics',
  summary: "trec_eval's measures on an existing run, to the same digits.",
  positionals: [],
  options: {
    qrels: { type: 'string', value: 'R', help: "needed: judgements, TREC (query 0 document grade) or BEIR's tsv" },
    run: { type: 'string', value: 'RUN.trec', help: 'needed: the run (query Q0 document rank score tag); - is standard input' },
    metrics: { type: 'string', value: 'M,...', multiple: true, help: `default ${defaultMetrics.join(', ')}` },
    complete: { type: 'boolean', help: 'average over all judged queries, one without results scoring zero (trec_eval -c)' },
    depth: { type: 'string', value: 'N', help: 'look at the first N documents of a query only (trec_eval -M)' },
    'relevant-from': { type: 'string', value: 'G', help: 'the grade from which a document is relevant, default 1 (trec_eval -l)' },
    'per-query': { type: 'boolean', help: 'print the values of every query too' },
  },
  details:
    'Metrics: hit@k recall@k precision@k mrr mrr@k map map@k ndcg ndcg@k rprec bpref.\n' +
    'Documents are ordered by score, then by id descending, as in trec_eval; the rank in the file is not read.\n' +
    'Averages are over the judged queries that the run has; --complete counts the others as zero.',
  async run(invocation) {
    const { parseMetrics, readQrels, readRun, scoreRun } = await import('../../index.js');
    const { terminal, signal } = invocation;
    const metrics = parseMetrics(listOption(invocation, 'metrics') ?? defaultMetrics);
    const depth = countOption(invocation, command, 'depth');
    const relevantFrom = countOption(invocation, command, 'relevant-from') ?? 1;
    const complete = invocation.flags.has('complete');
    const qrels = await readQrels(requiredOption(invocation, command, 'qrels'), { signal });
    const { run, tag } = await readRun(requiredOption(invocation, command, 'run'), { signal });
    const scores = scoreRun(run, qrels, metrics, { complete, relevantFrom, ...(depth === undefined ? {} : { depth }) });
    if (scores.inapplicable.length > 0) terminal.say(`asof: left out, as they need asof eval: ${scores.inapplicable.join(', ')}`);
    if (scores.queries.length === 0) terminal.say(`asof: none of the run's ${run.size} queries has judgements in ${option(invocation, 'qrels')}`);
    if (terminal.json) {
      await terminal.printJson({
        run: tag,
        options: { complete, depth: depth ?? null, relevant_from: relevantFrom },
        queries: scores.queries.length,
        missing: scores.missing.length,
        unjudged: scores.unjudged.length,
        metrics: Object.fromEntries(Object.entries(scores.averages).map(([name, { mean }]) => [name, mean])),
        ...(invocation.flags.has('per-query') ? { per_query: scores.queries } : {}),
      });
    } else {
      const names = metrics.map(({ name }) => name).filter((name) => !scores.inapplicable.includes(name));
      if (invocation.flags.has('per-query')) await terminal.print(`${perQueryTable(scores.queries, names, terminal)}\n`);
      await terminal.print(averagesTable([{ label: tag, averages: scores.averages }], names, terminal));
      await terminal.print(`\n${terminal.style(overWhich(scores.queries.length, scores.missing.length, scores.unjudged.length, complete), 'dim')}\n`);
    }
    return scores.queries.length === 0 ? 1 : 0;
  },
};

function overWhich(queries: number, missing: number, unjudged: number, complete: boolean): string {
  const notes = [`Averaged over the ${counted(queries, 'judged query', 'judged queries')}${complete ? '' : ' that the run has'}.`];
  if (missing > 0 && complete) notes.push(`Without results, scoring zero: ${counted(missing, 'query', 'queries')}.`);
  if (missing > 0 && !complete) {
    notes.push(`Judged but not in the run, left out: ${counted(missing, 'query', 'queries')} (--complete counts zero for them).`);
  }
  if (unjudged > 0) notes.push(`In the run without judgements, left out: ${counted(unjudged, 'query', 'queries')}.`);
  return notes.join('\n');
}
