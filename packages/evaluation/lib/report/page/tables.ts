// Results table of a collection, sortable by column: systems by measures, best in bold, significant
// differences from the baseline marked, intervals and latency.
import type { Comparison, RunSummary, Significance } from '../../comparison/result.js';
import { h, scrolling, section, spoken, table, tableRow, type Child } from '@asof/pages/dom';
import { chance, count, counted, decimals, milliseconds, signed } from '@asof/pages/format';
import type { View } from './view.js';

/** Significance level of corrected p-values. */
const level = 0.05;

interface Column {
  name: Child;
  value: (cell: RunSummary) => number | undefined;
  /** Whether the first press sorts ascending. */
  lowerFirst: boolean;
  show: (cell: RunSummary) => Child;
}

export function tablesSection(view: View): HTMLElement {
  const { comparison } = view.data;
  const root = section({ id: 'tables', title: 'Systems by measure', short: 'Tables' });
  const bare = (): unknown => root.classList.toggle('bare', !toggle.checked);
  const toggle = h('input', { type: 'checkbox', id: 'intervals', checked: true, onchange: bare });
  root.append(
    h(
      'p',
      { class: 'lead' },
      'Best in bold. ',
      mark('better'),
      ' significantly better and ',
      mark('worse'),
      ` worse than ${comparison.baseline}, the baseline. Press a heading to sort.`,
    ),
    h(
      'p',
      { class: 'field' },
      toggle,
      h('label', { for: 'intervals' }, 'intervals (95 % of the mean over resampled questions)'),
    ),
    ...comparison.sets.map((set) => setTable(view, set)),
    h('p', { class: 'note' }, testedHow(view)),
  );
  return root;
}

function setTable(view: View, set: Comparison['sets'][number]): HTMLElement {
  const { comparison } = view.data;
  const cells = comparison.cells.filter((cell) => cell.set === set.name);
  const tested = comparison.significance.filter((each) => each.set === set.name);
  const measured = comparison.metrics.filter((metric) =>
    cells.some((cell) => cell.metrics[metric]),
  );
  const columns = [
    ...measured.map((metric) => metricColumn(view, metric, cells, tested)),
    ...latencyColumns(cells),
  ];
  const alignments = [['system'], ...columns.map(({ name }) => [name, 'number'] as const)] as const;
  const body = h('tbody');
  let [sorted, downwards] = [-1, false];
  const heads = columns.map((column, at) => {
    const sort = (): void => {
      [sorted, downwards] = [at, sorted === at ? !downwards : !column.lowerFirst];
      for (const head of heads) head.removeAttribute('aria-sort');
      heads[at]!.setAttribute('aria-sort', downwards ? 'descending' : 'ascending');
      fill();
    };
    const name = h('button', { type: 'button', onclick: sort }, column.name);
    return h(
      'th',
      { scope: 'col', class: at < measured.length ? 'number marked' : 'number' },
      name,
    );
  });
  const fill = (): void => {
    const value = (cell: RunSummary): number =>
      columns[sorted]?.value(cell) ?? (downwards ? -Infinity : Infinity);
    const rows =
      sorted < 0
        ? cells
        : [...cells].sort((a, b) => (value(a) - value(b) || 0) * (downwards ? -1 : 1));
    body.replaceChildren(
      ...rows.map((cell) => {
        const name = [
          cell.system,
          cell.system === comparison.baseline && h('small', { class: 'baseline' }, ' baseline'),
        ];
        return tableRow(alignments, [name, ...columns.map((column) => column.show(cell))]);
      }),
    );
  };
  fill();
  const asked = set.queries === set.queries_in_set ? '' : ` of ${count(set.queries_in_set)}`;
  const over = `${counted(set.queries, 'question', 'questions')}${asked} over ${counted(set.passages, 'passage', 'passages')}`;
  const measures = h(
    'table',
    { class: 'measures' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'system'), ...heads)),
    body,
  );
  const heading = h('h3', {}, set.name, ' ', h('small', {}, over));
  return h(
    'div',
    { class: 'set' },
    heading,
    scrolling(`Measures on ${set.name}`, measures),
    allTests(set.name, tested),
  );
}

/** A name with break opportunities after underscores. */
const breakable = (name: string): Child =>
  name.split(/(?<=_)/).flatMap((part, at) => (at > 0 ? [h('wbr'), part] : [part]));

function metricColumn(
  view: View,
  metric: string,
  cells: readonly RunSummary[],
  tested: readonly Significance[],
): Column {
  const lower = view.lowerIsBetter(metric);
  const means = cells.flatMap((cell) => cell.metrics[metric]?.mean ?? []);
  const best =
    Math.max(...means) > Math.min(...means)
      ? lower
        ? Math.min(...means)
        : Math.max(...means)
      : undefined;
  return {
    name: [breakable(metric), lower && h('small', {}, ' lower is better')],
    lowerFirst: lower,
    value: (cell) => cell.metrics[metric]?.mean,
    show: (cell) => {
      const found = cell.metrics[metric];
      if (!found) return h('span', { class: 'absent' }, '–', spoken('not measured'));
      const mean = h(found.mean === best ? 'strong' : 'span', {}, decimals(found.mean));
      const test = tested.find(
        (each) => each.metric === metric && each.system === cell.system && each.pair === 'baseline',
      );
      return [
        mean,
        significanceMark(test, lower),
        h('small', { class: 'interval' }, `${decimals(found.low, 2)}–${decimals(found.high, 2)}`),
      ];
    },
  };
}

function latencyColumns(cells: readonly RunSummary[]): Column[] {
  return (['p50', 'p99'] as const).map((name) => {
    const least = Math.min(...cells.map(({ latency_ms: latency }) => latency[name]));
    return {
      name,
      lowerFirst: true,
      value: (cell) => cell.latency_ms[name],
      show: ({ latency_ms: { [name]: value } }) =>
        h(value === least && cells.length > 1 ? 'strong' : 'span', {}, milliseconds(value)),
    };
  });
}

/** The mark of a significant difference, else an empty one that keeps digits aligned. */
function significanceMark(test: Significance | undefined, lower: boolean): HTMLElement {
  if (!test || !(test.corrected < level)) return h('span', { class: 'mark' });
  const better = test.difference > 0 === !lower;
  const said = `significantly ${better ? 'better' : 'worse'} than ${test.against}: ${signed(test.difference)}, p ${chance(test.corrected)}`;
  const sign = mark(better ? 'better' : 'worse');
  sign.title = said;
  sign.append(spoken(`, ${said}`));
  return sign;
}

function mark(kind: 'better' | 'worse'): HTMLElement {
  return h(
    'span',
    { class: `mark ${kind}` },
    h('span', { 'aria-hidden': 'true' }, kind === 'better' ? '▲' : '▼'),
  );
}

/**
 * Table of all tested pairs with the size of their difference.
 */
function allTests(set: string, tested: readonly Significance[]): HTMLElement | null {
  if (tested.length === 0) return null;
  const make = (): HTMLElement =>
    table({
      label: `Tests on ${set}`,
      columns: [
        ['measure'],
        ['system'],
        ['against'],
        ['difference', 'number'],
        ['95 %', 'number'],
        ['p', 'number'],
        ['corrected', 'number'],
        ['questions', 'number'],
      ],
      rows: tested.map((each) => [
        each.metric,
        each.system,
        [each.against, each.pair === 'best two' && h('small', {}, ' best two')],
        signed(each.difference),
        `${signed(each.low)} to ${signed(each.high)}`,
        each.p.toFixed(4),
        each.corrected.toFixed(4),
        count(each.n),
      ]),
      rowClass: (at) => (tested[at]!.corrected < level ? undefined : 'chance'),
    });
  return later(`all ${counted(tested.length, 'test', 'tests')}`, make);
}

/** Details whose content is built when first opened. */
export function later(summary: string, make: () => HTMLElement): HTMLElement {
  const details = h(
    'details',
    {
      ontoggle: () => {
        if (details.open && details.childElementCount === 1) details.append(make());
      },
    },
    h('summary', {}, summary),
  );
  return details;
}

function testedHow({ data: { comparison } }: View): string {
  const test = comparison.significance[0];
  if (!test) return 'No pair of systems was tested.';
  const corrected =
    test.correction === 'none'
      ? 'p not corrected'
      : `p corrected by ${test.correction} over all pairs of a measure in a set`;
  return (
    `Significance: paired ${test.test} test by question, ${count(comparison.rounds)} rounds, ${corrected}; marked where it is below ${level}. ` +
    'The best two of a set are selected by their scores, for which p is not corrected. ' +
    (comparison.jobs === undefined
      ? 'Latency is of one question at a time.'
      : `Latency is of questions in ${comparison.jobs} concurrent processes.`)
  );
}
