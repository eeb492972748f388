// TEMPO's tables as text. Values that its papers give in percent are printed in percent.
import type { TempoResult, TempoRow } from '../../eval/tempo/result.js';
import type { Terminal } from '../terminal.js';
import { counted, table, wrap } from './layout.js';

type Means = TempoRow['macro'];

export function renderTempo(result: TempoResult, metric: string, terminal: Terminal): string {
  const { rows } = result;
  const bold = (text: string): string => terminal.style(text, 'bold');
  const section = (title: string, body: string): string =>
    body === '' ? '' : `\n${bold(title)}\n${body}`;
  const documents = rows.filter((row) => row.task === 'documents');
  const base = documents.filter(({ setting }) => setting === 'baseline');
  const first =
    base.length > 0 ? base : documents.filter(({ setting }) => setting === documents[0]?.setting);
  const steps = (over: TempoRow['over']): TempoRow[] =>
    rows.filter((row) => row.task === 'steps' && row.over === over);
  const answers = rows.filter((row) => row.task === 'answers');
  const head =
    `${counted(sum(result, 'queries'), 'query', 'queries')} and ${counted(sum(result, 'steps'), 'step', 'steps')} of ` +
    `${counted(result.domains.length, 'domain', 'domains')}, ${counted(sum(result, 'documents'), 'document', 'documents')}`;
  const variant = first[0]?.setting ?? 'baseline';
  return [
    `${bold(head)}\n`,
    section(
      `query -> documents${variant === 'baseline' ? '' : `, ${variant}`}: mean over domains`,
      metricsTable(first, result.metrics, bold),
    ),
    section(`${metric} by domain`, groupedTable(first, metric, 'domains', bold)),
    section(`${metric} by class`, groupedTable(first, metric, 'classes', bold)),
    section(
      `${metric} by query variant: mean over domains`,
      pivot(documents.length > first.length ? documents : [], metric, bold),
    ),
    section(
      `query -> step -> documents, ${metric}: mean over a query's steps, queries, domains`,
      pivot(steps('queries'), metric, bold),
    ),
    section(
      `query -> step -> documents, ${metric}: mean over all steps`,
      pivot(steps('steps'), metric, bold, 'micro'),
    ),
    section(
      'answers: mean over domains, coverage in percent',
      answersTable(answers, result.answer_measures, bold),
    ),
    section('answer_coverage by domain', groupedTable(answers, 'answer_coverage', 'domains', bold)),
    `\n${notes(result)
      .map((note) => terminal.style(wrap(note, { width: terminal.columns }), 'dim'))
      .join('')}`,
  ].join('');
}

const sum = ({ domains }: TempoResult, of: 'queries' | 'steps' | 'documents'): number =>
  domains.reduce((total, each) => total + each[of], 0);

const digits = (means: Means | undefined, metric: string): string => {
  const summary = means?.[metric];
  return summary === undefined
    ? '-'
    : metric === 'answer_coverage'
      ? summary.mean.toFixed(1)
      : summary.mean.toFixed(4);
};

type Bold = (text: string) => string;

/** A row per system, a column per metric; query counts below the means if they differ. */
function metricsTable(rows: readonly TempoRow[], metrics: readonly string[], bold: Bold): string {
  if (rows.length === 0) return '';
  const counts = metrics.map((name) => new Set(rows.map(({ macro }) => macro[name]?.n ?? 0)));
  const same = counts.every((each) => each.size === 1 && [...each][0] === rows[0]!.n);
  const body = rows.flatMap(({ system, macro }) => [
    [system, ...metrics.map((name) => digits(macro, name))],
    ...(same ? [] : [['  queries', ...metrics.map((name) => String(macro[name]?.n ?? 0))]]),
  ]);
  return table([['', ...metrics].map(bold), ...body]);
}

/** A row per domain or class, a column per system, the means over them below. */
function groupedTable(
  rows: readonly TempoRow[],
  metric: string,
  by: 'domains' | 'classes',
  bold: Bold,
): string {
  const having = rows.filter((row) => row.macro[metric] !== undefined);
  if (having.length === 0) return '';
  const names = [...new Set(having.flatMap((row) => Object.keys(row[by])))];
  const counts = names.map((name) =>
    Math.max(...having.map((row) => row[by][name]?.[metric]?.n ?? 0)),
  );
  const body = names.map((name, at) => [
    name,
    String(counts[at]),
    ...having.map((row) => digits(row[by][name], metric)),
  ]);
  const macro = [
    by === 'domains' ? 'mean over domains (macro)' : 'mean over classes',
    '',
    ...having.map((row) => digits(by === 'domains' ? row.macro : row.class_macro, metric)),
  ];
  const micro = [
    'mean over queries (micro)',
    String(Math.max(...having.map((row) => row.micro[metric]?.n ?? 0))),
    ...having.map((row) => digits(row.micro, metric)),
  ];
  return table([
    ['', 'n', ...having.map(titleOf)].map(bold),
    ...body,
    macro,
    ...(by === 'domains' ? [micro] : []),
  ]);
}

const titleOf = ({ task, system, setting }: TempoRow): string =>
  task === 'answers' ? (system === '' ? setting : system) : system;

/** A row per system, a column per setting. */
function pivot(
  rows: readonly TempoRow[],
  metric: string,
  bold: Bold,
  mean: 'macro' | 'micro' = 'macro',
): string {
  const having = rows.filter((row) => row[mean][metric] !== undefined);
  if (having.length === 0) return '';
  const settings = [...new Set(having.map(({ setting }) => setting))];
  const systems = [...new Set(having.map(({ system }) => system))];
  const cell = (system: string, setting: string): string =>
    digits(having.find((row) => row.system === system && row.setting === setting)?.[mean], metric);
  return table([
    ['', ...settings].map(bold),
    ...systems.map((system) => [system, ...settings.map((setting) => cell(system, setting))]),
  ]);
}

function answersTable(rows: readonly TempoRow[], measures: readonly string[], bold: Bold): string {
  if (rows.length === 0) return '';
  const body = rows.map(({ system, setting, macro }) => [
    system === '' ? setting : `retrieved by ${system}`,
    ...measures.map((name) => digits(macro, name)),
  ]);
  return table([['context', ...measures].map(bold), ...body]);
}

function notes({ rows, options, systems }: TempoResult): string[] {
  const written = (value: unknown): string =>
    Array.isArray(value) ? value.join(' and ') : String(value);
  const empty = rows
    .filter((row) => row.empty)
    .map(({ system, setting, empty: count }) => `${setting} (${system}): ${count}`);
  const unjudged = rows
    .filter((row) => row.unjudged)
    .map(({ system, setting, unjudged: count }) => `${setting} (${system}): ${count}`);
  return [
    Object.entries(options)
      .map(([name, value]) => `${name.replaceAll('_', ' ')} ${written(value)}`)
      .join(', '),
    ...systems.map(({ name, options: own }) => `${name}: ${JSON.stringify(own)}`),
    ...(empty.length > 0
      ? [`queries that are empty in a variant, which retrieve nothing: ${empty.join(', ')}`]
      : []),
    ...(unjudged.length > 0
      ? [`queries left when --budget was exhausted: ${unjudged.join(', ')}`]
      : []),
  ];
}
