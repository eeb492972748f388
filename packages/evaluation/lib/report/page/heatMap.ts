// Heat map of the selected measure by temporal relation, condition and class, as a table.
import { emptyState, h, section, select, spoken, table } from '@asof/pages/dom';
import { count, decimals } from '@asof/pages/format';
import { heatCell } from './heatCell.js';
import { few, groupNames, groupRows } from './groups.js';
import { live } from './chart.js';
import type { View } from './view.js';

const everySet = '';

export function heatMapSection(view: View): HTMLElement {
  const names = groupNames(view.data.comparison);
  const heading = { id: 'groups', title: 'By relation and class', short: 'Groups' };
  if (names.length === 0) {
    return section(
      heading,
      emptyState('No set of this result has questions of more than one group.'),
    );
  }
  let [by, set] = [names[0]!, everySet];
  const holder = live(view, () => heatTable(view, by, set === everySet ? undefined : set));
  const redraw = (): void =>
    holder.replaceChildren(heatTable(view, by, set === everySet ? undefined : set));
  const sets = [
    { value: everySet, label: 'all, each question counting once' },
    ...view.data.comparison.sets.map(({ name }) => ({ value: name })),
  ];
  return section(
    heading,
    h(
      'p',
      { class: 'lead' },
      'Mean of the measure over the questions of each kind, best system of a row in bold.',
    ),
    h(
      'div',
      { class: 'controls' },
      select(
        'Questions by',
        names.map((value) => ({ value })),
        by,
        (value) => {
          by = value;
          redraw();
        },
      ),
      select('of the set', sets, set, (value) => {
        set = value;
        redraw();
      }),
    ),
    holder,
  );
}

function heatTable(view: View, by: string, set: string | undefined): HTMLElement {
  const { metric, systems } = view;
  const lower = view.lowerIsBetter(metric);
  const rows = groupRows(view.data.comparison, {
    by,
    metric,
    systems,
    ...(set === undefined ? {} : { set }),
  });
  if (rows.length === 0) return emptyState(`No questions by ${by} with ${metric} in this set.`);
  const body = rows.map(({ value, n, means }) => {
    const known = means.filter((mean) => mean !== undefined);
    const best =
      Math.max(...known) > Math.min(...known)
        ? lower
          ? Math.min(...known)
          : Math.max(...known)
        : undefined;
    return [
      value,
      [count(n), n < few && spoken(', few')],
      ...means.map((mean) =>
        mean === undefined
          ? heatCell(mean, { text: '–', strength: 0 })
          : heatCell(mean, {
              best: mean === best,
              text: decimals(mean, 2),
              strength: lower ? 1 - mean : mean,
            }),
      ),
    ];
  });
  const note =
    rows.some(({ n }) => n < few) &&
    h('p', { class: 'note' }, `Rows of fewer than ${few} questions are pale.`);
  const map = table({
    label: `${metric} by ${by}`,
    class: 'heat',
    caption: [metric, lower && ' (lower is better; darker is better)'],
    columns: [[by], ...['questions', ...systems].map((name) => [name, 'number'] as const)],
    rows: body,
    rowClass: (at) => (rows[at]!.n < few ? 'few' : undefined),
  });
  return h('div', {}, map, note);
}
