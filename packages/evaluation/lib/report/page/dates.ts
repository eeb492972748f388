// MRAG's controlled experiment (appendix A, figure 5): a heat map of the summary numbers, then
// scores by date of the passage.
import * as Plot from '@observablehq/plot';
import type { DateScore } from '../../comparison/result.js';
import { figure } from './chart.js';
import { common } from '@asof/pages/timeAxis';
import { emptyState, h, section, select, table } from '@asof/pages/dom';
import { decimals } from '@asof/pages/format';
import { heatCell } from './heatCell.js';
import type { View } from './view.js';

const colourOf = ({ holds }: Pick<DateScore, 'holds'>): string =>
  holds === null ? 'var(--ink-soft)' : holds ? 'var(--better)' : 'var(--worse)';

export function datesSection(view: View): HTMLElement {
  const { date_scores: scores = [], date_reasoning: reasoning = [] } = view.data.comparison;
  const heading = { id: 'dates', title: 'Dates alone', short: 'Dates' };
  if (scores.length === 0 && reasoning.length === 0) {
    const [option, command] = ['--dates', 'asof compare'].map((each) => h('code', {}, each));
    return section(
      heading,
      emptyState('This result has no experiment on dates; add ', option, ' to ', command, '.'),
    );
  }
  const relations = [...new Set([...reasoning, ...scores].map(({ relation }) => relation))];
  const systems = [...new Set([...reasoning, ...scores].map(({ system }) => system))];
  const rows = systems.map((system) => [
    system,
    ...relations.map((relation) => {
      const found = reasoning.find(
        (each) => each.system === system && each.relation === relation,
      )?.ordered;
      return found === undefined
        ? heatCell(found, { text: '–', strength: 0 })
        : heatCell(found, { text: decimals(found, 2), strength: 2 * found - 1 });
    }),
  ]);
  return section(
    heading,
    h(
      'p',
      { class: 'lead' },
      'Questions that differ only in their relation, over passages that differ only in their ' +
        'date: the share of pairs in the order of the relation, 1 for a system that reasons ' +
        'over dates, about 0.5 for one that matches or ignores them.',
    ),
    table({
      label: 'Pairs in the right order',
      class: 'heat',
      columns: [['system'], ...relations.map((relation) => [relation, 'number'] as const)],
      rows,
    }),
    scores.length > 0 && datePanels(view, scores, systems, relations),
  );
}

function datePanels(
  view: View,
  scores: readonly DateScore[],
  systems: readonly string[],
  relations: readonly string[],
): HTMLElement {
  let relation = relations.includes('before') ? 'before' : relations[0]!;
  const grid = h('div', { class: 'panels narrow' });
  const fill = (): void =>
    grid.replaceChildren(
      ...systems.map((system) =>
        figure(view, {
          caption: h('b', {}, system),
          label: () =>
            `Scores of ${system} by the date of the passage for a question with “${relation}”`,
          draw: (width) =>
            drawSystem(
              scores.filter((each) => each.system === system && each.relation === relation),
              width,
            ),
        }),
      ),
    );
  fill();
  const key = h(
    'p',
    { class: 'key' },
    dot('better'),
    'date satisfies the relation ',
    dot('worse'),
    'does not ',
    dot('plain'),
    'the year of the question; ',
    'dashed line: a passage without a date. Circles: a year; squares: the day of the question in ' +
      'a year; triangles: another day.',
  );
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'controls' },
      select(
        'Scores for a question with',
        relations.map((value) => ({ value })),
        relation,
        (value) => {
          relation = value;
          fill();
        },
      ),
    ),
    key,
    grid,
  );
}

const dot = (kind: string): HTMLElement => h('i', { class: `dot ${kind}`, 'aria-hidden': 'true' });

function drawSystem(scores: readonly DateScore[], width: number): SVGSVGElement | HTMLElement {
  const dated = scores.filter(({ year }) => year !== null);
  const undated = scores.filter(({ year }) => year === null);
  const years = dated.map(({ year }) => year!);
  const symbols = { year: 'circle', 'same day': 'square2', 'another day': 'triangle2' } as const;
  const line = (form: string): Plot.Markish =>
    Plot.lineY(
      dated.filter((each) => each.form === form),
      { x: 'year', y: 'score', stroke: 'var(--rule-strong)', strokeWidth: 1 },
    );
  const dots = Object.entries(symbols).map(([form, symbol]) =>
    Plot.dot(
      dated.filter((each) => each.form === form),
      {
        x: 'year',
        y: 'score',
        symbol,
        r: 3,
        fill: colourOf,
        title: (each: DateScore) => `${each.form} ${each.year}: ${decimals(each.score)}`,
      },
    ),
  );
  return Plot.plot({
    ...common(width),
    height: 150,
    marginLeft: 28,
    marginRight: 8,
    marginBottom: 24,
    x: {
      domain: [Math.min(...years) - 0.5, Math.max(...years) + 0.5],
      ticks: 4,
      label: null,
      tickFormat: (year: number) => (Number.isInteger(year) ? String(year) : ''),
    },
    y: { domain: [0, Math.max(1, ...scores.map(({ score }) => score))], ticks: 3, label: null },
    marks: [
      Plot.gridY({ ticks: 3, stroke: 'var(--rule)', strokeOpacity: 1 }),
      Plot.ruleY(undated, { y: 'score', stroke: 'var(--ink-soft)', strokeDasharray: '3 3' }),
      ...Object.keys(symbols).map(line),
      ...dots,
    ],
  });
}
