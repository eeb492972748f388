// Figures of papers compared with measured ones, each verdict as a word and a mark. Cells that were
// not run are counted by reason.
import type { PaperFigure } from '../../comparison/result.js';
import { emptyState, h, section, table } from '@asof/pages/dom';
import { count, counted, decimals } from '@asof/pages/format';
import type { View } from './view.js';

const marks: Readonly<Record<PaperFigure['verdict'], string>> = {
  match: '●',
  close: '◐',
  differ: '○',
  'not run': '–',
};

export function papersSection(view: View): HTMLElement {
  const { papers: cells = [] } = view.data.comparison;
  const notRun = view.data.papersNotRun;
  const heading = { id: 'papers', title: 'Tables of papers', short: 'Papers' };
  if (cells.length === 0 && notRun.length === 0) {
    const adds = h('code', {}, 'bench/quality/papers.ts RESULT.json --write');
    return section(
      heading,
      emptyState(
        'This result was not compared with the tables of the papers; ',
        adds,
        ' adds the comparison.',
      ),
    );
  }
  const left = notRun.reduce((sum, each) => sum + each.cells, 0);
  const counts: [PaperFigure['verdict'], number][] = (['match', 'close', 'differ'] as const).map(
    (verdict) => [verdict, cells.filter((cell) => cell.verdict === verdict).length],
  );
  const verdicts = [...counts, ['not run', left] as const].map(([verdict, of]) =>
    h('span', {}, verdictMark(verdict), h('b', {}, count(of))),
  );
  const tables = [...new Set(cells.map(tableOf))].map((name) =>
    paperTable(
      name,
      cells.filter((cell) => tableOf(cell) === name),
    ),
  );
  return section(
    heading,
    h('p', { class: 'lead verdicts' }, ...verdicts),
    h(
      'p',
      { class: 'note' },
      'A cell within the tolerance of its table is a match, within three times it is close.',
    ),
    ...tables,
    left > 0 && notRunTable(view),
  );
}

const tableOf = ({ paper, table }: Pick<PaperFigure, 'paper' | 'table'>): string =>
  `${paper}, table ${table}`;

const verdictMark = (verdict: PaperFigure['verdict']): HTMLElement =>
  h(
    'span',
    { class: `verdict ${verdict.replace(' ', '-')}` },
    h('span', { 'aria-hidden': 'true' }, `${marks[verdict]} `),
    verdict,
  );

/** The number of decimals of the published value or its tolerance. */
const digitsOf = ({ value, tolerance }: PaperFigure): number =>
  Math.max(...[value, tolerance].map((each) => String(each).split('.')[1]?.length ?? 0));

function paperTable(name: string, cells: readonly PaperFigure[]): HTMLElement {
  const rows = cells.map((cell) => [
    cell.row,
    cell.column,
    String(cell.value),
    cell.ours === undefined ? '–' : decimals(cell.ours, digitsOf(cell)),
    String(cell.tolerance),
    verdictMark(cell.verdict),
  ]);
  const figures = table({
    label: name,
    rows,
    columns: [
      ['row'],
      ['column'],
      ['paper', 'number'],
      ['ours', 'number'],
      ['tolerance', 'number'],
      ['verdict'],
    ],
  });
  const reasons = [...new Set(cells.flatMap(({ why }) => why ?? []))];
  const commands = [...new Set(cells.map(({ command }) => command))];
  return h(
    'div',
    { class: 'set' },
    h('h3', {}, name),
    figures,
    ...reasons.map((why) => h('p', { class: 'note' }, why)),
    ...commands.map((command) => h('pre', {}, command)),
  );
}

function notRunTable({ data: { papersNotRun } }: View): HTMLElement {
  const rows = papersNotRun.map((each) => [tableOf(each), count(each.cells), each.why ?? '']);
  const left = papersNotRun.reduce((sum, each) => sum + each.cells, 0);
  return h(
    'details',
    {},
    h('summary', {}, `${counted(left, 'cell', 'cells')} not run, and why`),
    table({
      label: 'Cells not run',
      columns: [['table'], ['cells', 'number'], ['why', 'prose']],
      rows,
    }),
  );
}
