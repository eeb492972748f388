// A comparison as text: a table for each set, with significance.
import type { Comparison, RunSummary, Significance } from '../../comparison/result.js';
import { duration, type Terminal, counted, table, wrap } from 'asof/command';
import { degradationTables } from './robustness.js';

/** Significance level of a corrected p. */
const level = 0.05;

export function renderComparison(result: Comparison, terminal: Terminal): string {
  const tables = result.sets.map((set) => {
    const total = set.queries === set.queries_in_set ? '' : ` of ${set.queries_in_set}`;
    const head = `${set.name}: ${counted(set.queries, 'question', 'questions')}${total} over ${counted(set.passages, 'passage', 'passages')}`;
    const cells = result.cells.filter((cell) => cell.set === set.name);
    const tested = result.significance.filter((each) => each.set === set.name);
    return `${terminal.style(head, 'bold')}\n${setTable(cells, tested, result, terminal)}${bestTwo(cells, tested, result, terminal)}`;
  });
  const below = notes(result).map((note) =>
    terminal.style(wrap(note, { width: terminal.columns }), 'dim'),
  );
  return `${tables.join('\n')}${degradationTables(result, terminal)}${datesTable(result, terminal)}\n${below.join('')}`;
}

function setTable(
  cells: readonly RunSummary[],
  tested: readonly Significance[],
  result: Comparison,
  terminal: Terminal,
): string {
  const { metrics, baseline, lower_is_better: lower } = result;
  const best = new Map(
    metrics.map((name) => [
      name,
      bestOf(
        cells.flatMap((cell) => cell.metrics[name]?.mean ?? []),
        lower.includes(name),
      ),
    ]),
  );
  const head = ['', ...metrics, 'p50', 'p99'].map((cell) => terminal.style(cell, 'bold'));
  const rows = cells.map((cell) => [
    cell.system === baseline ? `${cell.system} (baseline)` : cell.system,
    ...metrics.map((name) => {
      const summary = cell.metrics[name];
      if (!summary) return '-  ';
      const test = tested.find(
        ({ metric, system, pair }) =>
          metric === name && system === cell.system && pair === 'baseline',
      );
      const isBest = summary.mean === best.get(name);
      const text = `${summary.mean.toFixed(4)}${isBest ? '*' : ' '}${markOf(test, lower.includes(name))}`;
      return isBest ? terminal.style(text, 'bold') : text;
    }),
    duration(cell.latency_ms.p50),
    duration(cell.latency_ms.p99),
  ]);
  return table([head, ...rows]);
}

/** The best mean; undefined if all are equal. */
function bestOf(means: readonly number[], lower: boolean): number | undefined {
  const [least, most] = [Math.min(...means), Math.max(...means)];
  return most > least ? (lower ? least : most) : undefined;
}

function markOf(test: Significance | undefined, lower: boolean): string {
  if (!test || test.corrected >= level) return ' ';
  return test.difference > 0 === !lower ? '+' : '-';
}

/** The best two systems by the first metric, with the test of their difference. */
function bestTwo(
  cells: readonly RunSummary[],
  tested: readonly Significance[],
  result: Comparison,
  terminal: Terminal,
): string {
  const { metrics, lower_is_better: lower } = result;
  const metric = metrics[0]!;
  const [best, next] = cells
    .flatMap(({ system, metrics: { [metric]: summary } }) =>
      summary ? [{ system, mean: summary.mean }] : [],
    )
    .sort((a, b) => (lower.includes(metric) ? a.mean - b.mean : b.mean - a.mean));
  const pair = tested.find(
    (each) =>
      each.metric === metric &&
      [best, next].every((one) => one && [each.system, each.against].includes(one.system)),
  );
  if (!best || !next || !pair) return '';
  const size = Math.abs(pair.difference).toFixed(4);
  const verdict = pair.corrected < level ? 'significant' : 'not significant';
  return terminal.style(
    `best two by ${metric}: ${best.system} over ${next.system} by ${size}, p ${pair.corrected.toFixed(4)}, ${verdict}\n`,
    'dim',
  );
}

function testText({ test, correction }: Significance, rounds: number): string {
  const corrected =
    correction === 'none'
      ? 'not corrected'
      : `corrected by ${correction} over the pairs of a metric in a set`;
  return `${test}, ${rounds} rounds, p < ${level}, ${corrected}`;
}

/** Date reasoning: how often a passage that satisfies the relation outranks one that does not. */
function datesTable({ date_reasoning: rows }: Comparison, terminal: Terminal): string {
  if (!rows || rows.length === 0) return '';
  const relations = [...new Set(rows.map(({ relation }) => relation))];
  const systems = [...new Set(rows.map(({ system }) => system))];
  const cell = (system: string, relation: string): string =>
    rows.find((each) => each.system === system && each.relation === relation)!.ordered.toFixed(2);
  const title = terminal.style(
    'dates alone: share of pairs in the order of the relation (0.5 is chance)',
    'bold',
  );
  const body = systems.map((system) => [
    system,
    ...relations.map((relation) => cell(system, relation)),
  ]);
  return `\n${title}\n${table([['', ...relations].map((each) => terminal.style(each, 'bold')), ...body])}`;
}

function notes(result: Comparison): string[] {
  const { significance, machine, baseline } = result;
  const test = significance[0];
  const load =
    machine.load > machine.cores ? `, load ${machine.load} (busy: latencies are high)` : '';
  const jobs =
    result.jobs === undefined
      ? ''
      : `, runs by ${result.jobs} concurrent processes: latencies are of concurrent questions`;
  const { processor_seconds: processor } = result;
  const used = processor === undefined ? '' : `, ${duration(processor * 1000)} of processor time`;
  const unknown = result.metrics.filter(
    (name) => !result.cells.some(({ metrics }) => metrics[name]),
  );
  const same = result.perturb
    ? result.sets.filter(({ perturbed }) => !perturbed).map(({ name }) => name)
    : [];
  const more = Object.entries(result.metric_options ?? {}).map(
    ([name, value]) => `${name} ${value}`,
  );
  return [
    `* best of the set; + or - significantly better or worse than ${baseline} (${test ? testText(test, result.rounds) : 'nothing to test'})`,
    [
      `seed ${result.seed}`,
      `${result.k} passages for each question`,
      `relevant from grade ${result.relevant_from}`,
      `encoder ${result.encoder}`,
      ...(result.reranker ? [`reranker ${result.reranker}`] : []),
      ...(result.model ? [`model ${result.model}`] : []),
      ...more,
    ].join(', '),
    ...(unknown.length > 0
      ? [`no set has the judgements, answers or dates that ${unknown.join(', ')} need`]
      : []),
    ...(same.length > 0
      ? [`not perturbed, as no question has a validity: ${same.join(', ')}`]
      : []),
    `asof ${result.asof}, Node ${result.node}, ${machine.processor}, ${counted(machine.cores, 'core', 'cores')}, ${machine.level}${load}; ` +
      `${duration(result.seconds * 1000)} in all${used}${jobs}`,
  ];
}
