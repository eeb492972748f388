// Marks of one figure over time: grid, window, mask of the future, and for each row its validity,
// publication and dates.
import { within, type Stretch } from '@asof/pages/times';
import type { DatedStretch } from '../rows.js';
import { px, s } from '../svg.js';
import { margin, ticksOf, type Scale } from '../scale.js';

export interface FigureRow {
  id: string;
  /** Number of the row in front of its label. */
  rank?: number | undefined;
  label: string;
  /** Second line of the label. */
  note?: string | undefined;
  /** What the marks show, in words. */
  words: string;
  faded?: boolean;
  /** The row that decides, drawn stronger. */
  first?: boolean;
  bar?: Stretch | undefined;
  dot?: number | undefined;
  ticks?: readonly DatedStretch[];
}

export interface Layout {
  rowHeight: number;
  /** From the upper edge of a row to its marks. */
  middle: number;
  barHeight: number;
}

export interface Drawing {
  rows: readonly FigureRow[];
  scale: Scale;
  layout: Layout;
  /** Epoch milliseconds. */
  askedAt: number;
  window?: Stretch | undefined;
  /** Whether later publications are hidden. */
  isMasked: boolean;
  /** Prefix of the ids of gradients and patterns. */
  name: string;
}

/** Height of the axis above the rows. */
export const axisHeight = 26;
/** Height of the words below the rows. */
export const footHeight = 22;

const dotRadius = 5;

/** Everything but the role and the text alternative. */
export function drawMarks(drawing: Drawing): SVGSVGElement {
  const { rows, scale, layout, name } = drawing;
  const height = axisHeight + rows.length * layout.rowHeight + footHeight;
  const future = s('g', { class: 'future-mask' });
  const svg = s(
    'svg',
    { width: scale.width, height, viewBox: `0 0 ${scale.width} ${height}`, class: 'marks' },
    definitions(name),
    ...bands(drawing),
    windowBand(drawing),
    grid(drawing, height),
    future,
    ...rows.map((row, nth) => rowMarks(drawing, row, nth)),
    s('line', { class: 'asked', y1: axisHeight - 4, y2: height - footHeight }),
  );
  moveAsked(svg, drawing, drawing.askedAt);
  return svg;
}

const bottomOf = ({ rows, layout }: Drawing): number => axisHeight + rows.length * layout.rowHeight;

/** Puts the line of the time of asking there, and the mask right of it. */
export function moveAsked(svg: SVGSVGElement, drawing: Drawing, askedAt: number): void {
  const { scale, name } = drawing;
  const x = Math.min(Math.max(scale.x(askedAt), 0), scale.width);
  const line = svg.querySelector('line.asked')!;
  line.toggleAttribute('hidden', askedAt < scale.from || askedAt > scale.to);
  line.setAttribute('x1', String(px(x)));
  line.setAttribute('x2', String(px(x)));
  const [y, bottom] = [axisHeight, bottomOf(drawing)];
  const width = scale.width - x;
  const area = { class: 'future', x: px(x), y, width: px(width), height: bottom - y };
  if (!drawing.isMasked || askedAt > scale.to) {
    svg.querySelector('.future-mask')!.replaceChildren();
    return;
  }
  const words = width > 185 ? 'later publications are hidden' : width > 60 ? 'hidden' : undefined;
  svg
    .querySelector('.future-mask')!
    .replaceChildren(
      s('rect', { ...area, fill: `url(#${name}-hatch)` }),
      ...(words === undefined
        ? []
        : [s('text', { class: 'foot', x: px(x + 6), y: bottom + 15 }, words)]),
    );
}

function definitions(name: string): SVGElement {
  const hatch = s(
    'pattern',
    {
      id: `${name}-hatch`,
      width: 7,
      height: 7,
      patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)',
    },
    s('rect', { class: 'hatch-ground', width: 7, height: 7 }),
    s('line', { class: 'hatch', y2: 7 }),
  );
  const gradients = (['left', 'right', 'both'] as const).map((side) =>
    s(
      'linearGradient',
      { id: `${name}-${side}` },
      s('stop', { offset: 0, class: side === 'right' ? 'full' : 'none' }),
      s('stop', { offset: 0.3, class: 'full' }),
      s('stop', { offset: 0.7, class: 'full' }),
      s('stop', { offset: 1, class: side === 'left' ? 'full' : 'none' }),
    ),
  );
  return s('defs', {}, hatch, ...gradients);
}

/** Grounds of the rows, which show what is focused. */
const bands = ({ rows, layout, scale }: Drawing): SVGElement[] =>
  rows.flatMap((_, nth) => {
    const y = axisHeight + nth * layout.rowHeight;
    const height = layout.rowHeight;
    return [
      s('rect', { class: 'row-ground', y, width: scale.width, height }),
      s('line', { class: 'rule', x2: scale.width, y1: y + 0.5, y2: y + 0.5 }),
    ];
  });

function windowBand(drawing: Drawing): SVGElement | undefined {
  const { window, scale } = drawing;
  const shown = window && within(window, scale);
  if (!shown) return undefined;
  const [from, to] = [scale.x(shown.from), scale.x(shown.to)];
  const width = Math.max(3, to - from);
  const isInstant = to - from < 3;
  return s('rect', {
    class: isInstant ? 'window narrow' : 'window',
    x: px(isInstant ? (from + to - width) / 2 : from),
    y: axisHeight,
    width: px(width),
    height: bottomOf(drawing) - axisHeight,
  });
}

function grid(drawing: Drawing, height: number): SVGElement {
  const { scale } = drawing;
  const most = Math.max(2, Math.floor(scale.width / 84));
  return s(
    'g',
    { class: 'grid' },
    ...ticksOf(scale, most).flatMap(({ at, label }) => {
      const x = px(scale.x(at));
      if (x < margin || x > scale.width - margin) return [];
      const anchor = x < 24 ? 'start' : x > scale.width - 28 ? 'end' : 'middle';
      return [
        s('line', { x1: x, x2: x, y1: axisHeight - 4, y2: height - footHeight }),
        s('text', { x, y: axisHeight - 9, 'text-anchor': anchor }, label),
      ];
    }),
  );
}

function rowMarks(drawing: Drawing, row: FigureRow, nth: number): SVGElement {
  const { layout, scale, askedAt } = drawing;
  const y = axisHeight + nth * layout.rowHeight + layout.middle;
  const beyond = beyondWords(row, scale);
  const kinds = ['row', row.faded ? 'faded' : '', row.first ? 'first' : ''].filter(Boolean);
  return s(
    'g',
    { class: kinds.join(' '), 'data-id': row.id },
    row.bar && validityBar(drawing, row.bar, y),
    ...(row.ticks ?? []).flatMap((each, at) => dateMarks(scale, each, y, at === 0)),
    row.dot !== undefined && row.dot >= scale.from && row.dot <= scale.to
      ? s('circle', {
          class: row.dot > askedAt ? 'publication hollow' : 'publication',
          cx: px(scale.x(row.dot)),
          cy: y,
          r: dotRadius,
        })
      : undefined,
    beyond === undefined ? undefined : s('text', { class: 'beyond', x: margin, y: y + 4 }, beyond),
    s('title', {}, row.words),
  );
}

/** What a row has where nothing of it lies in the span. */
function beyondWords({ bar, dot, ticks = [] }: FigureRow, scale: Scale): string | undefined {
  const stretches = [...(bar ? [bar] : []), ...ticks];
  const isShown =
    (dot !== undefined && dot >= scale.from && dot <= scale.to) ||
    stretches.some((each) => within(each, scale));
  if (isShown) return undefined;
  const [some] = stretches;
  const at = dot ?? some?.from ?? some?.to;
  if (at === undefined || at === null) return 'no date';
  const year = new Date(at).getUTCFullYear();
  return at < scale.from ? `← ${year}` : `${year} →`;
}

/** Where a stretch begins and ends; what reaches beyond the axis goes to the edge of the figure. */
function edgesOf(scale: Scale, stretch: Stretch): { from: number; to: number } | undefined {
  if (!within(stretch, scale)) return undefined;
  const [start, end] = [stretch.from ?? -Infinity, stretch.to ?? Infinity];
  return {
    from: start < scale.from ? 0 : scale.x(start),
    to: end > scale.to ? scale.width : scale.x(end),
  };
}

function validityBar({ scale, layout, name }: Drawing, bar: Stretch, y: number) {
  const edges = edgesOf(scale, bar);
  if (!edges) return undefined;
  const { from, to } = edges;
  const isOpen = { left: bar.from === null, right: bar.to === null };
  const side = isOpen.left ? (isOpen.right ? 'both' : 'left') : isOpen.right ? 'right' : undefined;
  return s('rect', {
    class: side === undefined ? 'validity' : 'validity open',
    x: px(from),
    y: y - layout.barHeight / 2,
    width: px(Math.max(2, to - from)),
    height: layout.barHeight,
    rx: side === undefined ? 3 : 0,
    fill: side === undefined ? undefined : `url(#${name}-${side})`,
  });
}

/** A day is a tick, a longer time a line between two ticks. */
function dateMarks(scale: Scale, date: DatedStretch, y: number, decides: boolean): SVGElement[] {
  const edges = edgesOf(scale, date);
  if (!edges) return [];
  const { from, to } = edges;
  const kind = decides ? 'date' : 'date other';
  const tick = (x: number): SVGElement =>
    s('line', { class: kind, x1: px(x), x2: px(x), y1: y - 9, y2: y + 9 });
  if (to - from < 4) return [tick((from + to) / 2)];
  return [
    s('line', { class: `${kind} span`, x1: px(from), x2: px(to), y1: y, y2: y }),
    ...[from, to].filter((x) => x > 0 && x < scale.width).map(tick),
  ];
}
