// Metrics as tables, a row for each system or query, with trec_eval's four digits.
import type { GroupedAverages } from '../../eval/measures/averages.js';
import type { Terminal } from '../terminal.js';
import { table } from './layout.js';

interface Row {
  label: string;
  averages: Readonly<Record<string, { mean: number; queries: number }>>;
  /** Further cells after the metrics. */
  more?: readonly string[];
}

/**
 * A row per system; with one row and many metrics, a row per metric instead, which stays readable.
 */
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
