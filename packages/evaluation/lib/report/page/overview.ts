// Overview: mean of the selected measure with its interval, one panel per collection.
import * as Plot from '@observablehq/plot';
import { figure, legend } from './chart.js';
import { common } from '@asof/pages/timeAxis';
import { h, section } from '@asof/pages/dom';
import { decimals } from '@asof/pages/format';
import { systemStyles } from './palette.js';
import type { View } from './view.js';

export function overviewSection(view: View): HTMLElement {
  const lead = h('p', { class: 'lead' });
  const said = (): void =>
    lead.replaceChildren(
      h('b', {}, view.metric),
      ` of every system on every set${view.lowerIsBetter(view.metric) ? ' (lower is better)' : ''}, `,
      'with the interval of its mean. Choose another measure above.',
    );
  view.onChange(said);
  said();
  const panels = view.data.comparison.sets.map(({ name, queries }) =>
    figure(view, {
      caption: [h('b', {}, name), h('small', {}, ` ${queries} questions`)],
      label: () =>
        `${view.metric} on ${name}: ${rowsOf(view, name)
          .map(({ system, mean }) => `${system} ${decimals(mean)}`)
          .join(', ')}`,
      draw: (width) => drawSet(view, name, width),
    }),
  );
  return section(
    { id: 'overview', title: 'Overview', short: 'Overview' },
    lead,
    legend(view),
    h('div', { class: 'panels' }, ...panels),
  );
}

interface Row {
  system: string;
  mean: number;
  low: number;
  high: number;
}

function rowsOf(view: View, set: string): Row[] {
  return view.systems.flatMap((system) => {
    const found = view.data.comparison.cells.find(
      (cell) => cell.set === set && cell.system === system,
    )?.metrics[view.metric];
    return found ? [{ system, mean: found.mean, low: found.low, high: found.high }] : [];
  });
}

/** From 0 to 1, extended to values outside. */
export function unitDomain(values: readonly number[]): [number, number] {
  return [Math.min(0, ...values), Math.max(1, ...values)];
}

/** Room for the longest name, in pixels. */
const nameMargin = (names: readonly string[]): number =>
  Math.min(140, 14 + 6.6 * Math.max(0, ...names.map((name) => name.length)));

function drawSet(view: View, set: string, width: number): SVGSVGElement | HTMLElement | undefined {
  const rows = rowsOf(view, set);
  if (rows.length === 0) return h('p', { class: 'empty' }, 'not measured');
  const styles = systemStyles(view.data.comparison.systems.map(({ name }) => name));
  const colour = ({ system }: { system: string }): string => styles.get(system)!.colour;
  const best = (view.lowerIsBetter(view.metric) ? Math.min : Math.max)(
    ...rows.map(({ mean }) => mean),
  );
  const said = ({ system, mean, low, high }: Row): string =>
    `${system} ${decimals(mean)} (${decimals(low)}–${decimals(high)})`;
  const means = (of: readonly Row[], fontWeight: number): Plot.Markish =>
    Plot.text(of, {
      y: 'system',
      frameAnchor: 'right',
      dx: 50,
      textAnchor: 'end',
      text: ({ mean }: Row) => decimals(mean),
      fill: 'var(--ink)',
      fontWeight,
    });
  return Plot.plot({
    ...common(width),
    height: 38 + 19 * rows.length,
    marginLeft: nameMargin(rows.map(({ system }) => system)),
    marginRight: 54,
    x: {
      domain: unitDomain(rows.flatMap(({ low, high }) => [low, high])),
      ticks: 5,
      label: null,
      tickFormat: (value: number) => String(value),
    },
    y: { domain: rows.map(({ system }) => system), label: null, tickSize: 0 },
    marks: [
      Plot.gridX({ ticks: 5, stroke: 'var(--rule)', strokeOpacity: 1 }),
      Plot.ruleY(rows, {
        y: 'system',
        x1: 'low',
        x2: 'high',
        stroke: colour,
        strokeWidth: 3,
        strokeOpacity: 0.4,
        strokeLinecap: 'round',
      }),
      Plot.dot(rows, { y: 'system', x: 'mean', fill: colour, r: 4, title: said }),
      means(
        rows.filter(({ mean }) => mean !== best),
        400,
      ),
      means(
        rows.filter(({ mean }) => mean === best),
        700,
      ),
    ],
  });
}
