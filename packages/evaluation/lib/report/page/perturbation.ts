// Robustness under temporal perturbation, as in MRAG's figure 2: one panel per collection and kind
// of change.
import * as Plot from '@observablehq/plot';
import type { PerturbationPoint } from '../../comparison/result.js';
import { figure, legend } from './chart.js';
import { common } from '@asof/pages/timeAxis';
import { emptyState, h, section, table } from '@asof/pages/dom';
import { count, counted, decimals, signed } from '@asof/pages/format';
import { few } from './groups.js';
import { unitDomain } from './overview.js';
import { systemStyles } from './palette.js';
import { later } from './tables.js';
import type { View } from './view.js';

type Along = PerturbationPoint & { along: number };

const axes: Readonly<Record<PerturbationPoint['kind'], string>> = {
  constraint: 'share of questions perturbed',
  distance: 'years from the dates that passages show',
};
const names: Readonly<Record<PerturbationPoint['kind'], string>> = {
  constraint: 'by share perturbed',
  distance: 'by distance',
};

export function perturbationSection(view: View): HTMLElement {
  const points = view.data.comparison.perturbation ?? [];
  const heading = { id: 'perturbation', title: 'Under perturbation', short: 'Perturbation' };
  if (points.length === 0) {
    const [option, command] = ['--perturb', 'asof compare'].map((each) => h('code', {}, each));
    const which = ' for sets whose questions have a validity period.';
    return section(
      heading,
      emptyState('This result has no perturbation runs; add ', option, ' to ', command, which),
    );
  }
  const kinds = [
    ...new Map(
      points.map(({ set, kind }) => [JSON.stringify([set, kind]), [set, kind] as const]),
    ).values(),
  ];
  const panels = kinds.map(([set, kind]) =>
    figure(view, {
      caption: [h('b', {}, set), h('small', {}, ` ${names[kind]}`)],
      label: () => `${view.metric} on ${set} ${names[kind]}; the table below has the values`,
      draw: (width) => drawPanel(view, set, kind, width),
    }),
  );
  return section(
    heading,
    h(
      'p',
      { class: 'lead' },
      'The same questions with other time constraints that preserve their answers: a loss shows ' +
        `dependence on the wording of dates. Hollow: fewer than ${few} questions.`,
    ),
    legend(view),
    h('div', { class: 'panels' }, ...panels),
    later('as a table', () => pointsTable(view, points)),
  );
}

/** Points by share or distance; a curve starts at the original questions. */
function pointsOf(view: View, set: string, kind: PerturbationPoint['kind']): Along[] {
  const all = view.data.comparison.perturbation ?? [];
  const mine = all.filter(
    (each) =>
      each.set === set &&
      each.kind === kind &&
      each.metric === view.metric &&
      !view.hidden.has(each.system),
  );
  return mine
    .map((each) => ({ ...each, along: each.share ?? each.step ?? 0 }))
    .sort((a, b) => a.along - b.along);
}

function drawPanel(
  view: View,
  set: string,
  kind: PerturbationPoint['kind'],
  width: number,
): SVGSVGElement | HTMLElement {
  const points = pointsOf(view, set, kind);
  if (points.length === 0) return emptyState(`${view.metric} was not measured here`);
  const styles = systemStyles(view.data.comparison.systems.map(({ name }) => name));
  const colour = ({ system }: Along): string => styles.get(system)?.colour ?? 'var(--ink-soft)';
  const byShare = points.some(({ share }) => share !== undefined);
  const alongs = [...new Set(points.map(({ along }) => along))];
  const lines = [...new Set(points.map(({ system }) => system))].map((system) => {
    const dash = styles.get(system)?.dash;
    const mine = points.filter((point) => point.system === system);
    return Plot.lineY(mine, {
      x: 'along',
      y: 'mean',
      stroke: colour,
      strokeWidth: 2,
      ...(dash ? { strokeDasharray: dash } : {}),
    });
  });
  return Plot.plot({
    ...common(width),
    height: 220,
    marginLeft: 34,
    marginRight: 12,
    marginBottom: 38,
    x: {
      type: byShare ? 'linear' : 'point',
      domain: byShare ? [0, 1] : alongs,
      labelAnchor: 'center',
      labelArrow: false,
      label: axes[kind],
      ...(byShare ? { tickFormat: '.0%', ticks: 3 } : {}),
    },
    y: { domain: unitDomain(points.map(({ mean }) => mean)), ticks: 5, label: null },
    marks: [
      Plot.gridY({ ticks: 5, stroke: 'var(--rule)', strokeOpacity: 1 }),
      ...lines,
      Plot.dot(points, {
        x: 'along',
        y: 'mean',
        r: 3,
        stroke: colour,
        strokeWidth: 1.5,
        fill: (each: Along) => (each.n < few ? 'var(--surface)' : colour(each)),
      }),
      Plot.tip(
        points,
        Plot.pointer({
          x: 'along',
          y: 'mean',
          title: ({ system, along, mean, n }: Along) =>
            `${system}\n${view.metric} ${decimals(mean)} at ${along}\n${counted(n, 'question', 'questions')}`,
        }),
      ),
    ],
  });
}

function pointsTable(view: View, points: readonly PerturbationPoint[]): HTMLElement {
  const rows = points
    .filter(({ metric }) => metric === view.metric)
    .map((each) => [
      each.set,
      each.system,
      each.metric,
      each.kind,
      String(each.share ?? each.step ?? ''),
      decimals(each.mean),
      signed(each.mean - each.original),
      count(each.n),
      count(each.forms),
    ]);
  return table({
    label: 'Perturbation',
    rows,
    columns: [
      ['set'],
      ['system'],
      ['measure'],
      ['kind'],
      ['at', 'number'],
      ['mean', 'number'],
      ['change', 'number'],
      ['questions', 'number'],
      ['forms', 'number'],
    ],
  });
}
