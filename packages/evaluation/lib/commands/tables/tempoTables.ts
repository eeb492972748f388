// TEMPO's tables as text. Values that its papers give in percent are printed in percent.
import type { TempoResult, TempoRow } from '../../tempo/result.js';
import { type Terminal, counted, table, wrap } from 'asof/command';

type Means = TempoRow['macro'];

/** `tables`: the metrics by domain, the first also by class, variant and strategy. */
export function renderTempo(
  result: TempoResult,
  tables: readonly string[],
  terminal: Terminal,
): string {
  const { rows } = result;
  const bold = (text: string): string => terminal.style(text, 'bold');
  const section = (title: string, body: string): string =>
    body === '' ? '' : `\n${bold(title)}\n${body}`;
  const documents = rows.filter((row) => row.task === 'documents');
  const base = documents.filter(({ setting }) => setting === 'baseline');
  const first =
    base.length > 0 ? base : documents.filter(({ setting }) => setting === documents[0]?.setting);
  const answers = rows.filter((row) => row.task === 'answers');
  const head =
    `${counted(sum(result, 'queries'), 'query', 'queries')} and ${counted(sum(result, 'steps'), 'step', 'steps')} of ` +
    `${counted(result.domains.length, 'domain', 'domains')}, ${counted(sum(result, 'documents'), 'document', 'documents')}`;
  const variant = first[0]?.setting ?? 'baseline';
  const byCode = result.options['tempo'] === 'code';
  const [metric] = tables as [string];
  return [
    `${bold(head)}\n`,
    section(
      `query -> documents${variant === 'baseline' ? '' : `, ${variant}`}: mean over domains` +
        (byCode ? ", of TEMPO's measures over queries" : ''),
      metricsTable(first, result.metrics, { byCode, bold }),
    ),
    ...tables.map((each) =>
      section(`${each} by domain`, groupedTable(first, each, 'domains', bold)),
    ),
    section(`${metric} by class`, groupedTable(first, metric, 'classes', bold)),
    ...variantSections(documents, first, metric, { section, bold }),
    ...stepSections(rows, metric, { section, bold, byCode }),
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

interface Sections {
  section(title: string, body: string): string;
  bold: Bold;
}

/** Variants over all domains, each by domain, and what stripping costs (tables 5, 14, 16 to 18). */
function variantSections(
  documents: readonly TempoRow[],
  first: readonly TempoRow[],
  metric: string,
  { section, bold }: Sections,
): string[] {
  const others = documents.filter((row) => !first.includes(row));
  if (others.length === 0) return [];
  const settings = [...new Set(others.map(({ setting }) => setting))];
  const lost = others
    .filter(({ setting }) => setting === 'strip' && first[0]!.setting === 'baseline')
    .map((strip) => difference(first.find(({ system }) => system === strip.system)!, strip));
  return [
    section(`${metric} by query variant: mean over domains`, pivot(documents, metric, bold)),
    ...settings.map((setting) =>
      section(
        `${metric} by domain, ${setting}`,
        groupedTable(
          others.filter((row) => row.setting === setting),
          metric,
          'domains',
          bold,
        ),
      ),
    ),
    section(
      `${metric} lost without signals (baseline - strip), by domain`,
      groupedTable(lost, metric, 'domains', bold),
    ),
  ];
}

/**
 * Strategies over all domains and each by domain (figure 6, tables 19 to 21), there by the paper's
 * mean over a query's steps first, or by the code's over all steps.
 */
function stepSections(
  rows: readonly TempoRow[],
  metric: string,
  { section, bold, byCode }: Sections & { byCode: boolean },
): string[] {
  const over = (unit: TempoRow['over']): TempoRow[] =>
    rows.filter((row) => row.task === 'steps' && row.over === unit);
  const [byQuery, byStep] = [over('queries'), over('steps')];
  const settings = [...new Set(byQuery.map(({ setting }) => setting))];
  const title = `query -> step -> documents, ${metric}`;
  return [
    section(`${title}: mean over a query's steps, queries, domains`, pivot(byQuery, metric, bold)),
    section(`${title}: mean over all steps of a domain, domains`, pivot(byStep, metric, bold)),
    ...settings.map((setting) =>
      section(
        `${title} by domain, ${setting}`,
        groupedTable(
          (byCode ? byStep : byQuery).filter((row) => row.setting === setting),
          metric,
          'domains',
          bold,
        ),
      ),
    ),
  ];
}

/** A row of the differences of two rows' means. */
function difference(one: TempoRow, other: TempoRow): TempoRow {
  const minus = (means: Means, subtracted: Means = {}): Means =>
    Object.fromEntries(
      Object.entries(means).flatMap(([name, summary]) => {
        const against = subtracted[name];
        return against ? [[name, { ...summary, mean: summary.mean - against.mean }]] : [];
      }),
    );
  const each = (by: 'domains' | 'classes'): Record<string, Means> =>
    Object.fromEntries(
      Object.entries(one[by]).map(([name, means]) => [name, minus(means, other[by][name])]),
    );
  return {
    ...one,
    domains: each('domains'),
    classes: each('classes'),
    macro: minus(one.macro, other.macro),
    micro: minus(one.micro, other.micro),
    class_macro: minus(one.class_macro, other.class_macro),
  };
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

/** TEMPO's own measures, which its code averages over queries. */
const ofTempo = /^(?:tp|tr|tc|ndcg_fc|temporal_recall)@/;

/** A row per system, a column per metric; query counts below the means if they differ. */
function metricsTable(
  rows: readonly TempoRow[],
  metrics: readonly string[],
  { byCode, bold }: { byCode: boolean; bold: Bold },
): string {
  if (rows.length === 0) return '';
  const counts = metrics.map((name) => new Set(rows.map(({ macro }) => macro[name]?.n ?? 0)));
  const same = counts.every((each) => each.size === 1 && [...each][0] === rows[0]!.n);
  const body = rows.flatMap(({ system, macro, micro }) => [
    [system, ...metrics.map((name) => digits(byCode && ofTempo.test(name) ? micro : macro, name))],
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
function pivot(rows: readonly TempoRow[], metric: string, bold: Bold): string {
  const having = rows.filter(({ macro }) => macro[metric] !== undefined);
  if (having.length === 0) return '';
  const settings = [...new Set(having.map(({ setting }) => setting))];
  const systems = [...new Set(having.map(({ system }) => system))];
  const cell = (system: string, setting: string): string =>
    digits(having.find((row) => row.system === system && row.setting === setting)?.macro, metric);
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
