// The generated part of each paper's page in docs/papers: components by status, tables with ours,
// theirs and verdict, what was not run and why. usage: node --import tsx
// bench/quality/paperPages.ts
// [--paper NAME,...] [--keep DIR] [--sample N]. It measures what `asof paper NAME
// --data ../shared/data` measures, by the embedded encoder and rules.
import { join } from 'node:path';
import { parseArgs } from '../options.js';
import { publish, row, say } from '../report.js';
import {
  cellText,
  countsOf,
  reasonsOf,
} from '../../packages/evaluation/lib/commands/tables/paperTables.js';
import { reportTables, type TableReport } from '../../packages/evaluation/lib/papers/papers.js';
import {
  componentCounts,
  paperNames,
  readPaper,
  type Paper,
} from '../../packages/evaluation/lib/papers/tables.js';
import { requireData, shared, workFolder } from './sets/sets.js';

const { values } = parseArgs({
  options: {
    paper: { type: 'string', default: paperNames.join(',') },
    keep: { type: 'string' },
    sample: { type: 'string', default: '300' },
  },
});
requireData();
const terminal = {
  columns: 100,
  json: false,
  print: async () => undefined,
  say: (text: string) => console.error(text),
  printJson: async () => undefined,
  style: (text: string) => text,
  progress: () => ({ update: () => undefined, end: () => undefined }),
  status: undefined,
};
const options = {
  data: join(shared, 'data'),
  keep: workFolder('papers', values.keep),
  signal: new AbortController().signal,
  terminal,
  encoder: undefined,
  reranker: undefined,
  model: undefined,
  weights: undefined,
  sample: Number(values.sample),
  seed: 1,
  groupBy: [],
  askedAt: undefined,
};

for (const name of paperNames.filter((each) => values.paper.split(',').includes(each))) {
  const paper = await readPaper(name);
  const { tables } = await reportTables(paper, paper.tables, options);
  components(paper);
  say(`\`asof paper ${name} --data DIR\` over the data of this project, at most`);
  say(`${values.sample} questions of a set, by the embedded encoder and rules: ours (theirs); \\*`);
  say('is within the tolerance, \\*\\* within three times that.');
  say(`${countsOf(tables)}.`);
  const [shown, others] = [tables.filter(isShown), tables.filter((each) => !isShown(each))];
  shown.forEach(full);
  if (others.length > 0) {
    say('');
    row(['not held against the paper, because', 'cells', 'tables']);
    row(['---', '---:', '---']);
    const reasons = new Map<string, TableReport[]>();
    for (const each of others)
      reasons.set(reasonOf(each), [...(reasons.get(reasonOf(each)) ?? []), each]);
    for (const [reason, some] of reasons) {
      const count = some.reduce((sum, { cells }) => sum + cells.length, 0);
      row([reason, String(count), some.map(({ table }) => table).join(', ')]);
    }
  }
  if (paper.figures.length > 0) say('');
  for (const { name: figure, of, status } of paper.figures) say(`- ${figure}, ${of}: ${status}.`);
  publish('bench/quality/paperPages.ts', join('papers', `${name}.md`));
}

/** Whether a table has cells that may be held against the paper's. */
function isShown({ cells }: TableReport): boolean {
  return cells.some(({ verdict }) => ['match', 'close', 'differ'].includes(verdict));
}

function reasonOf({ cells }: TableReport): string {
  if (cells.some(({ verdict }) => verdict === 'other data')) return 'measured on other data';
  const lines = reasonsOf(cells).map((text) => text.replace(/^not run, all: /, ''));
  return lines.join('; ');
}

function full(table: TableReport): void {
  const { of, tolerance, columns, rows, cells, note } = table;
  say(`\n**Table ${table.table}**: ${of}.\n`);
  row([`tolerance ${tolerance}`, ...columns]);
  row(['---', ...columns.map(() => '---')]);
  for (const name of rows) {
    const own = cells.filter((cell) => cell.row === name && cell.verdict !== 'not run');
    if (own.length === 0) continue;
    const texts = columns.map((column) => own.find((cell) => cell.column === column));
    row([name, ...texts.map((cell) => cellText(cell).replaceAll('*', '\\*'))]);
  }
  say('');
  if (note) say(`Where they differ: ${note}.`);
  for (const why of reasonsOf(cells)) say(`${why[0]!.toUpperCase()}${why.slice(1)}.`);
}

/** Counts by status, and every component. */
function components({ components: all }: Paper): void {
  say(`${componentCounts({ components: all })}.\n`);
  row(['section', 'component', 'where', 'status']);
  row(['---', '---', '---', '---']);
  for (const { section, of, where, status, note } of all)
    row([section, of, where, note === undefined ? status : `${status}: ${note}`]);
  say('');
}
