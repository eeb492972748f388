// Reads the fact tables: tab-separated lines in groups, a group opened by a line that begins with
// "@". A line that does not fit is refused with its file and number; nothing is guessed.
import { readFileSync } from 'node:fs';
import { isDate } from './dates.js';

export interface Group {
  /** The cells of the opening line after "@". */
  head: string[];
  rows: string[][];
}

const folder = new URL('../facts/', import.meta.url);

/** The groups of a fact table. `columns` is the fewest cells a row must have. */
export function readGroups(file: string, columns: number): Group[] {
  const groups: Group[] = [];
  for (const { cells, where } of readLines(file)) {
    if (cells[0] === '@') {
      groups.push({ head: cells.slice(1), rows: [] });
      continue;
    }
    const group = groups.at(-1);
    if (group === undefined)
      throw new Error(`${where}: expected a line that begins with "@" before the first row.`);
    if (cells.length < columns)
      throw new Error(`${where}: expected at least ${columns} cells, received ${cells.length}.`);
    if (!isDate(cells[0]!) && !isDate(cells[1]!))
      throw new Error(`${where}: expected a date in the first or second cell.`);
    group.rows.push(cells);
  }
  return groups;
}

/** The rows of a table without groups. */
export function readRows(file: string): string[][] {
  return readLines(file).map((line) => line.cells);
}

function readLines(file: string): { cells: string[]; where: string }[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
  return lines
    .map((line, at) => ({ line, where: `${file}:${at + 1}` }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, where }) => ({ cells: line.split('\t'), where }));
}

/** A cell that must be there. */
export function cell(cells: readonly string[], at: number): string {
  const value = cells[at];
  if (value === undefined || value === '')
    throw new Error(`Expected cell ${at + 1} of "${cells.join(' | ')}" to hold something.`);
  return value;
}

/** A cell that may be empty. */
export function optional(cells: readonly string[], at: number): string | undefined {
  const value = cells[at];
  return value === undefined || value === '' ? undefined : value;
}
