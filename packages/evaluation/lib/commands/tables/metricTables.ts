// Metrics as JSON and as tables, a row for each system or query, with trec_eval's four digits.
import type { GroupedAverages } from '../../measures/averages.js';
import type { TempoDefinition } from '../../measures/temporal.js';
import { type Terminal, table } from 'asof/command';

/** The options that provide each source of judgements. */
const remedies: Readonly<Record<string, string>> = {
  'temporal judgements': '--judgements',
  'temporal judgements and judgements': '--judgements and --qrels',
  versions: '--outdated',
  'later versions': '--future',
  facts: '--outdated and --facts',
};

interface Row {
  label: string;
  averages: Readonly<Record<string, { mean: number; queries: number }>>;
  /** Further cells after the metrics. */
  more?: readonly string[];
}

/** A row per system; of one system a row per metric, as many columns would not fit. */
export function averagesTable(
  rows: readonly Row[],
  names: readonly string[],
  terminal: Terminal,
  more: readonly string[] = [],
): string {
  const only = rows[0];
  if (rows.length === 1 && only && more.length === 0) {
    const body = names.map((name) => [
      name,
      digits(only.averages[name]?.mean),
      queriesNote(only.averages[name]?.queries),
    ]);
    return table([
      ['metric', only.label, 'queries'].map((cell) => terminal.style(cell, 'bold')),
      ...body,
    ]);
  }
  const head = ['system', ...names, ...more].map((cell) => terminal.style(cell, 'bold'));
  return table([
    head,
    ...rows.map((row) => [
      row.label,
      ...names.map((name) => digits(row.averages[name]?.mean)),
      ...(row.more ?? []),
    ]),
  ]);
}

export function perQueryTable(
  queries: readonly { id: string; values: Readonly<Record<string, number>> }[],
  names: readonly string[],
  terminal: Terminal,
): string {
  const head = ['query', ...names].map((cell) => terminal.style(cell, 'bold'));
  return table([
    head,
    ...queries.map((query) => [query.id, ...names.map((name) => digits(query.values[name]))]),
  ]);
}

/** A row per group, then the mean over groups (macro), which counts each group once. */
export function groupsTable(
  by: string,
  { groups, macro }: GroupedAverages,
  names: readonly string[],
  terminal: Terminal,
): string {
  const head = [by, ...names].map((cell) => terminal.style(cell, 'bold'));
  const row = (label: string, averages: Readonly<Record<string, { mean: number }>>): string[] => [
    label,
    ...names.map((name) => digits(averages[name]?.mean)),
  ];
  return table([
    head,
    ...[...groups].map(([value, averages]) => row(value, averages)),
    row(`mean over ${groups.size} (macro)`, macro),
  ]);
}

function digits(value: number | undefined): string {
  return value === undefined ? '-' : value.toFixed(4);
}

function queriesNote(queries: number | undefined): string {
  return queries === undefined ? '0' : String(queries);
}

/** The definition of TEMPO's metrics. */
export const tempoNote = (tempo: TempoDefinition): string =>
  `TEMPO's metrics as its ${tempo === 'paper' ? 'paper defines' : 'code computes'} them`;

/** Omitted metrics by what they need: `--judgements: tp@10, tr@10; asof eval: em`. */
export function omittedMetrics(
  names: readonly string[],
  metrics: readonly { name: string; source: string }[],
  otherwise: string,
): string {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const source = metrics.find((metric) => metric.name === name)!.source;
    const need = Object.hasOwn(remedies, source) ? remedies[source]! : otherwise;
    groups.set(need, [...(groups.get(need) ?? []), name]);
  }
  return [...groups].map(([need, group]) => `${need}: ${group.join(', ')}`).join('; ');
}

/** Averages by group, for `--json`. */
export function groupsJson({ groups, macro }: GroupedAverages): Record<string, unknown> {
  return {
    macro: meansOf(macro),
    groups: [...groups].map(([value, averages]) => ({
      value,
      metrics: meansOf(averages),
      averaged_over: countsOf(averages),
    })),
  };
}

export function meansOf(
  averages: Readonly<Record<string, { mean: number }>>,
): Record<string, number> {
  return Object.fromEntries(Object.entries(averages).map(([name, { mean }]) => [name, mean]));
}

/** The number of queries of each mean. */
export function countsOf(
  averages: Readonly<Record<string, { queries: number }>>,
): Record<string, number> {
  return Object.fromEntries(Object.entries(averages).map(([name, { queries }]) => [name, queries]));
}
