// A paper's tables as text, in the paper's layout: ours (theirs) in each cell.
import { table, wrap, type Terminal } from 'asof/command';
import type { PaperCell, PaperReport, TableReport } from '../../papers/papers.js';
import { componentCounts, type Paper } from '../../papers/tables.js';

export const marks = {
  match: '*',
  close: '**',
  differ: '',
  'other data': '',
  'not run': '',
} as const;

/** A number of at most four significant decimals. */
export const figure = (value: number): string => String(Number(value.toFixed(4)));

export function renderPaper(of: Paper, { data, tables }: PaperReport, terminal: Terminal): string {
  const { paper, arxiv, figures } = of;
  const lines = [
    terminal.style(`${paper}${arxiv === undefined ? '' : ` (arXiv ${arxiv})`}`, 'bold'),
    componentCounts(of),
    'ours (theirs); * is within the tolerance, ** within three times that',
    ...data.map(
      ({ name, of: what, label, missing, files }) =>
        `data ${name}: ${what}: ${
          missing.length > 0
            ? `not there: ${missing.join('; ')}`
            : `${label}${files.some(({ known }) => !known) ? '; files of another version' : ''}`
        }`,
    ),
  ];
  const own = { width: terminal.columns };
  return [
    ...lines.map((line) => wrap(line, own)),
    ...tables.map((each) => `\n${renderTable(each, terminal)}`),
    ...(figures.length > 0 ? ['\n'] : []),
    ...figures.map(({ name, of, status }) => wrap(`${name}, ${of}: ${status}`, own)),
    `\n${countsOf(tables)}\n`,
  ].join('');
}

function renderTable(
  { table: number, of, tolerance, note, needs, columns, rows, cells }: TableReport,
  terminal: Terminal,
): string {
  const own = { width: terminal.columns };
  const kinds = [...new Set(needs.map(({ kind }) => kind))].map((kind) => {
    const some = needs.filter((need) => need.kind === kind);
    const states = [...new Set(some.map(needState))];
    const named = states.map((state) => {
      const names = some.filter((need) => needState(need) === state).map(({ name }) => name);
      return `${names.join(', ')} (${state})`;
    });
    return `needs ${kind} ${named.join('; ')}`;
  });
  const ran = cells.filter(({ verdict }) => verdict !== 'not run');
  const kept = rows.filter((row) => ran.some((cell) => cell.row === row));
  const body = kept.map((row) => [
    row,
    ...columns.map((column) =>
      cellText(cells.find((cell) => cell.row === row && cell.column === column)),
    ),
  ]);
  return [
    wrap(`${terminal.style(`Table ${number}`, 'bold')}: ${of} (tolerance ${tolerance})`, own),
    ...kinds.map((text) => wrap(text, { ...own, indent: 2 })),
    ...(body.length > 0 ? [table([['', ...columns], ...body], { indent: 2 })] : []),
    ...(ran.some(({ verdict }) => verdict === 'other data')
      ? [wrap('Ours are of other data: they show that the table runs.', { ...own, indent: 2 })]
      : []),
    ...(note === undefined || ran.length === 0 ? [] : [wrap(`${note}.`, { ...own, indent: 2 })]),
    ...reasonsOf(cells).map((text) => wrap(text, { ...own, indent: 2 })),
  ].join('');
}

const needState = ({ is, by }: TableReport['needs'][number]): string =>
  is === 'stand-in' ? `${by} in its place` : is;

/** "0.45 (0.63)", and what is not run as "- (0.63)". */
export function cellText(cell: PaperCell | undefined): string {
  if (cell === undefined) return '';
  const { ours, paper, verdict } = cell;
  return `${ours === undefined ? '-' : figure(ours)} (${figure(paper)})${marks[verdict]}`;
}

/** Why cells are not run: a line a reason, with its rows, or its columns where these are whole. */
export function reasonsOf(cells: readonly PaperCell[]): string[] {
  const reasons = new Map<string, PaperCell[]>();
  for (const cell of cells)
    if (cell.why !== undefined) reasons.set(cell.why, [...(reasons.get(cell.why) ?? []), cell]);
  const distinct = (some: readonly PaperCell[], of: 'row' | 'column'): string[] => [
    ...new Set(some.map((cell) => cell[of])),
  ];
  return [...reasons].map(([why, some]) => {
    const [rows, columns] = [distinct(some, 'row'), distinct(some, 'column')];
    const whole = cells.filter(({ column }) => columns.includes(column)).length === some.length;
    const places = whole && columns.length < rows.length ? columns : rows;
    return `not run, ${some.length === cells.length ? 'all' : places.join('; ')}: ${why}`;
  });
}

/** How many cells have which verdict. */
export function countsOf(tables: readonly TableReport[]): string {
  const cells = tables.flatMap((each) => each.cells);
  const counts = Object.keys(marks).flatMap((verdict) => {
    const count = cells.filter((cell) => cell.verdict === verdict).length;
    return count === 0 ? [] : [`${count.toLocaleString('en-US')} ${verdict}`];
  });
  return `${cells.length.toLocaleString('en-US')} cells: ${counts.join(', ')}`;
}
