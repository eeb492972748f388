// Recall curves, one panel per collection.
import * as Plot from '@observablehq/plot';
import { figure, legend } from './chart.js';
import { common } from '@asof/pages/timeAxis';
import { emptyState, h, section, table } from '@asof/pages/dom';
import { decimals } from '@asof/pages/format';
import { systemStyles } from './palette.js';
import { later } from './tables.js';
import type { View } from './view.js';

const heading = { id: 'recall', title: 'Recall curves', short: 'Recall' };

/** Values of k with a label on the logarithmic axis. */
const labelled = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

interface Point {
  system: string;
  k: number;
  recall: number;
}

export function curvesSection(view: View): HTMLElement {
  const { sets, cells, k } = view.data.comparison;
  const drawn = sets.filter(({ name }) =>
    cells.some((cell) => cell.set === name && (cell.curves?.recall.length ?? 0) > 1),
  );
  if (drawn.length === 0) {
    const why =
      'This result has no recall curves, which require judged passages and a depth above 1 (';
    return section(heading, emptyState(why, h('code', {}, '-k'), ').'));
  }
  const panels = drawn.map(({ name }) =>
    figure(view, {
      caption: h('b', {}, name),
      label: () => `Recall at 1 to ${k} passages on ${name}; the table below has the values`,
      draw: (width) => drawSet(view, name, width),
    }),
  );
  return section(
    heading,
    h(
      'p',
      { class: 'lead' },
      `Mean share of a question’s relevant passages among the first k, k up to ${k}.`,
    ),
    legend(view),
    h('div', { class: 'panels' }, ...panels),
    later('as a table', () =>
      curvesTable(
        view,
        drawn.map(({ name }) => name),
      ),
    ),
  );
}

function pointsOf(view: View, set: string): Point[] {
  return view.systems.flatMap((system) => {
    const curve =
      view.data.comparison.cells.find((cell) => cell.set === set && cell.system === system)?.curves
        ?.recall ?? [];
    return curve.map(([k, recall]) => ({ system, k, recall }));
  });
}

function drawSet(view: View, set: string, width: number): SVGSVGElement | HTMLElement {
  const points = pointsOf(view, set);
  const styles = systemStyles(view.data.comparison.systems.map(({ name }) => name));
  const ks = [...new Set(points.map(({ k }) => k))].sort((a, b) => a - b);
  const lines = [...new Set(points.map(({ system }) => system))].map((system) => {
    const { colour, dash } = styles.get(system)!;
    const mine = points.filter((point) => point.system === system);
    return Plot.lineY(mine, {
      x: 'k',
      y: 'recall',
      stroke: colour,
      strokeWidth: 2,
      ...(dash ? { strokeDasharray: dash } : {}),
    });
  });
  return Plot.plot({
    ...common(width),
    height: 210,
    marginLeft: 34,
    marginRight: 10,
    marginBottom: 26,
    x: {
      type: 'log',
      ticks: ks.filter((k) => labelled.includes(k)),
      tickFormat: (k: number) => String(k),
      label: null,
    },
    y: { domain: [0, 1], ticks: 5, label: null },
    marks: [
      Plot.gridY({ ticks: 5, stroke: 'var(--rule)', strokeOpacity: 1 }),
      ...lines,
      Plot.dot(points, {
        x: 'k',
        y: 'recall',
        r: 2.2,
        fill: ({ system }: Point) => styles.get(system)!.colour,
      }),
      Plot.tip(
        points,
        Plot.pointer({
          x: 'k',
          y: 'recall',
          title: ({ system, k, recall }: Point) => `${system}\nrecall@${k} ${decimals(recall)}`,
        }),
      ),
    ],
  });
}

function curvesTable(view: View, sets: readonly string[]): HTMLElement {
  const ks = [...new Set(sets.flatMap((set) => pointsOf(view, set).map(({ k }) => k)))].sort(
    (a, b) => a - b,
  );
  const rows = sets.flatMap((set) =>
    view.systems.map((system) => {
      const curve = new Map(
        pointsOf(view, set)
          .filter((point) => point.system === system)
          .map(({ k, recall }) => [k, recall]),
      );
      return [set, system, ...ks.map((k) => (curve.has(k) ? decimals(curve.get(k)!) : '–'))];
    }),
  );
  return table({
    label: 'Recall by k',
    columns: [['set'], ['system'], ...ks.map((k) => [`k = ${k}`, 'number'] as const)],
    rows,
  });
}
