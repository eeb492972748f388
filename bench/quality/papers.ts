// The tables of the papers against a comparison of ours, cell by cell: match, close, differ, or not
// run and why not. It judges by each table's tolerance (close is within three times that) and
// measures only what needs no data: the worked examples that a paper prints of its measures. usage:
// node --import tsx bench/quality/papers.ts [RESULT.json] [--paper NAME] [--all] [--docs]
// RESULT.json is what `asof compare --out` (or bench/quality/compare.ts) wrote; --docs rewrites the
// section of each paper's page that lists its tables and figures.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from '../options.js';
import { publish, row, say } from '../report.js';
import { readComparison, type Comparison } from '../../packages/evaluation/lib/index.js';
import { computedOf, type WorkedExample } from './eval/workedExamples.js';

interface MetricCell {
  set: string;
  system: string;
  metric: string;
}

/** A table of a paper: facts, and which of our cells stands for which of its. */
export interface PaperTable {
  table: string;
  /** What its numbers are. */
  of: string;
  columns: string[];
  /** One number a column; null where the paper has none. */
  rows: Record<string, (number | null)[]>;
  /** The paper's numbers are ours times this. Default 1. */
  scale?: number;
  /** In the paper's numbers. */
  tolerance: number;
  command: string;
  /** Row -> its system and options, a file of `settings/` for --settings. */
  settings?: Record<string, string>;
  /** Why cells are not run, of all rows or of one. */
  why?: string;
  why_rows?: Record<string, string>;
  /** Row -> our cells, one a column. */
  ours?: Record<string, MetricCell[]>;
  /** Row -> a worked example of one column. */
  computed?: Record<string, WorkedExample>;
  /** How ours differ from the paper's even where they match. */
  note?: string;
}

/** A cell of a paper's table with the measured one. */
interface PaperFigure {
  paper: string;
  table: string;
  row: string;
  column: string;
  /** The published value; `ours` is absent for a cell that was not run. */
  value: number;
  ours?: number;
  tolerance: number;
  verdict: 'match' | 'close' | 'differ' | 'not run';
  why?: string;
  command: string;
}

/** A figure, or a table without numbers to compare. */
interface PaperFigures {
  name: string;
  /** What it shows. */
  of: string;
  /** Whether it is reproduced, by what, or why not. */
  status: string;
}

interface Paper {
  paper: string;
  figures?: PaperFigures[];
  tables: PaperTable[];
}

/** Pages of docs/papers whose lists of tables are generated, by paper. */
const pages: Readonly<Record<string, string>> = {
  MRAG: 'mrag.md',
  'MRAG re-implementation': 'reimplementation.md',
  Re3: 're3.md',
  TempRALM: 'tempralm.md',
};

const papersFolder = join(dirname(fileURLToPath(import.meta.url)), 'papers');

/** All tables on file, by paper. */
export function paperTables(): Paper[] {
  return readdirSync(papersFolder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(papersFolder, name), 'utf8')) as Paper);
}

type Measured = Pick<Comparison, 'sets' | 'cells'>;

/** Every cell of every table, judged against a comparison where one is given. */
export async function paperCells(result: Measured | undefined): Promise<PaperFigure[]> {
  const cells = paperTables().flatMap(({ paper, tables }) =>
    tables.flatMap((table) =>
      Object.entries(table.rows).flatMap(([row, values]) =>
        values.flatMap((value, at) =>
          value === null ? [] : [cellOf({ paper, table, row, at, value }, result)],
        ),
      ),
    ),
  );
  return Promise.all(cells);
}

interface Place {
  paper: string;
  table: PaperTable;
  row: string;
  at: number;
  value: number;
}

async function cellOf(
  { paper, table, row, at, value }: Place,
  result: Measured | undefined,
): Promise<PaperFigure> {
  const { tolerance, command, scale = 1, note } = table;
  const cell = {
    paper,
    table: table.table,
    row,
    column: table.columns[at]!,
    value,
    tolerance,
    command,
  };
  const example = table.computed?.[row];
  const stands = table.ours?.[row]?.[at];
  const why = table.why_rows?.[row] ?? table.why ?? '';
  if (!example && !stands) return { ...cell, verdict: 'not run', why };
  const found = example
    ? { mean: await computedOf(example), sample: '' }
    : measuredBy(stands!, result);
  if (found === undefined) {
    return {
      ...cell,
      verdict: 'not run',
      why: `the comparison has no ${stands!.metric} of ${stands!.system} on ${stands!.set}`,
    };
  }
  const ours = found.mean * scale;
  const off = Math.abs(ours - value);
  const slack = 1e-9;
  const verdict =
    off <= tolerance + slack ? 'match' : off <= 3 * tolerance + slack ? 'close' : 'differ';
  const remark = [found.sample, note].filter(Boolean).join('; ');
  return { ...cell, ours, verdict, ...(remark ? { why: remark } : {}) };
}

function measuredBy(
  { set, system, metric }: MetricCell,
  result: Measured | undefined,
): { mean: number; sample: string } | undefined {
  const found = result?.cells.find((cell) => cell.set === set && cell.system === system)?.metrics[
    metric
  ];
  const asked = result?.sets.find(({ name }) => name === set);
  if (!found || !asked) return undefined;
  const { queries, queries_in_set: all } = asked;
  return {
    mean: found.mean,
    sample: queries < all ? `a sample of ${queries} of ${all} questions` : '',
  };
}

/**
 * What is printed: tables with a cell that was run, then how many cells were not, by reason; `all`
 * prints every table.
 */
function print(cells: readonly PaperFigure[], all: boolean): void {
  const tables = grouped(cells, ({ paper, table }) => `${paper}, table ${table}`);
  for (const [name, those] of tables) {
    const run = those.filter(({ verdict }) => verdict !== 'not run');
    if (run.length === 0 && !all) continue;
    console.log(`\n${name} (tolerance ${those[0]!.tolerance})`);
    for (const { row, column, value, ours, verdict } of all ? those : run) {
      const figures = `${String(value).padStart(8)}  ${ours === undefined ? '       -' : String(Number(ours.toFixed(4))).padStart(8)}`;
      console.log(`  ${row.padEnd(34)} ${column.padEnd(20)} ${figures}  ${verdict}`);
    }
    for (const why of new Set(run.flatMap((each) => each.why ?? []))) console.log(`  ${why}`);
    console.log(`  ${those[0]!.command}`);
  }
  const counts = (['match', 'close', 'differ', 'not run'] as const).map(
    (verdict) => `${count(cells, verdict)} ${verdict}`,
  );
  console.log(`\n${cells.length} cells: ${counts.join(', ')}`);
  for (const [why, those] of grouped(
    cells.filter(({ verdict }) => verdict === 'not run'),
    ({ why: reason }) => reason ?? '',
  )) {
    const where = [...new Set(those.map(({ paper, table }) => `${paper} ${table}`))].join(', ');
    console.log(`  not run, ${those.length}: ${why} (${where})`);
  }
}

function grouped<Cell>(cells: readonly Cell[], by: (cell: Cell) => string): Map<string, Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) groups.set(by(cell), [...(groups.get(by(cell)) ?? []), cell]);
  return groups;
}

/** The page of a paper: each table, its rows that were run, their settings; then its figures. */
function pageOf({ paper, figures = [], tables }: Paper, cells: readonly PaperFigure[]): void {
  say('Ours (theirs); \\* is within the tolerance, \\*\\* within three times that.');
  for (const { table, of, tolerance, command, columns, rows, settings = {}, note } of tables) {
    const own = cells.filter((each) => each.paper === paper && each.table === table);
    const run = own.filter(({ verdict }) => verdict !== 'not run');
    say(`\n**Table ${table}**: ${of}. \`${command}\``);
    if (run.length > 0) {
      say('');
      row([`tolerance ${tolerance}`, ...columns]);
      row(['---', ...columns.map(() => '---')]);
      for (const name of Object.keys(rows).filter((each) => run.some(({ row: of }) => of === each)))
        row([
          name,
          ...columns.map((column) =>
            written(run.find((each) => each.row === name && each.column === column)),
          ),
        ]);
      say('');
      if (note) say(`Where they differ: ${note}.`);
    }
    const missing = own.filter(({ verdict }) => verdict === 'not run');
    for (const [why, those] of grouped(missing, (each) => each.why ?? '')) {
      const names = [...new Set(those.map(({ row: name }) => name))].join('; ');
      say(`Not run: ${those.length === own.length ? why : `${names} (${why})`}.`);
    }
    const files = grouped(
      Object.entries(settings).map(([name, file]) => ({ row: name, file })),
      ({ file }) => file,
    );
    if (files.size > 0)
      say(
        `Settings: ${[...files].map(([file, of]) => `\`${file}\` (${of.map(({ row: name }) => name).join('; ')})`).join(', ')}.`,
      );
  }
  if (figures.length > 0) say('');
  for (const { name, of, status } of figures) say(`- ${name}, ${of}: ${status}.`);
}

const marks = { match: '\\*', close: '\\*\\*', differ: '', 'not run': '' } as const;

function written(cell: PaperFigure | undefined): string {
  if (cell?.ours === undefined) return '';
  return `${Number(cell.ours.toFixed(3))} (${cell.value})${marks[cell.verdict]}`;
}

const count = (cells: readonly PaperFigure[], verdict: PaperFigure['verdict']): number =>
  cells.filter((each) => each.verdict === verdict).length;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: {
      paper: { type: 'string' },
      all: { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const file = positionals[0];
  const result = file === undefined ? undefined : await readComparison(file);
  const cells = await paperCells(result);
  print(
    cells.filter(
      ({ paper }) =>
        values.paper === undefined || paper.toLowerCase() === values.paper.toLowerCase(),
    ),
    values.all,
  );
  if (values.docs)
    for (const each of paperTables()) {
      const page = pages[each.paper];
      if (page === undefined) continue;
      pageOf(each, cells);
      publish('bench/quality/papers.ts', join('papers', page));
    }
}
