// Marks of one figure over time, drawn by Observable Plot: the time in question, and for each row
// its validity, publication and dates.
import * as Plot from '@observablehq/plot';
import { common, timeAxis, withRoles } from '@asof/pages/timeAxis';
import { within, type Span, type Stretch } from '@asof/pages/times';
import type { DatedStretch } from '../rows.js';

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
  span: Span;
  width: number;
  layout: Layout;
  /** Epoch milliseconds. */
  askedAt: number;
  window?: Stretch | undefined;
}

/** Pixels of instants. */
export interface Scale extends Span {
  width: number;
  x(instant: number): number;
}

/** Pixels beside the axis, and from the upper edge to the rows. */
const [margin, axisHeight] = [12, 26];
/** Shorter than this a stretch is drawn as one tick. */
const shortest = 4;

const stop = (offset: number, opacity: 0 | 1): string =>
  `<stop offset="${offset}" stop-color="var(--bar)" stop-opacity="${opacity}"/>`;
const fade = (side: string, left: 0 | 1, right: 0 | 1): string =>
  `<linearGradient id="fade-${side}">${stop(0, left)}${stop(0.3, 1)}${stop(0.7, 1)}` +
  `${stop(1, right)}</linearGradient>`;

/** What fills the bars whose ends are open, once a page. */
export function fades(): Node {
  const template = document.createElement('template');
  template.innerHTML =
    '<svg class="fades" width="0" height="0" aria-hidden="true"><defs>' +
    `${fade('left', 0, 1)}${fade('right', 1, 0)}${fade('both', 0, 0)}</defs></svg>`;
  return template.content;
}

/** A mark, in its row. */
interface Placed {
  row: FigureRow;
  y: number;
}

/** Everything but the role and the text alternative. */
export function drawMarks(drawing: Drawing): { svg: SVGSVGElement; scale: Scale } {
  const { rows, span, width, layout, askedAt, window } = drawing;
  const at = (nth: number): number => axisHeight + nth * layout.rowHeight + layout.middle;
  const bottom = axisHeight + rows.length * layout.rowHeight;
  const perPixel = (span.to - span.from) / Math.max(1, width - 2 * margin);
  /** Of the whole figure: what reaches beyond the axis goes on to its edge. */
  const edges = { from: span.from - margin * perPixel, to: span.to + margin * perPixel };
  const each = <Mark>(marks: (row: FigureRow) => readonly Mark[]): (Mark & Placed)[] =>
    rows.flatMap((row, nth) => marks(row).map((mark) => ({ ...mark, row, y: at(nth) })));
  const bars = each(({ bar }) => {
    const shown = bar && within(bar, span) && within(bar, edges);
    return shown ? [{ ...shown, open: openEnds(bar) }] : [];
  });
  const dates = each(({ ticks = [] }) =>
    ticks.flatMap((date, nth) => {
      const shown = within(date, span) && within(date, edges);
      return shown ? [{ ...shown, decides: nth === 0 }] : [];
    }),
  );
  const isLong = ({ from, to }: Span): boolean => (to - from) / perPixel >= shortest;
  const ticks = dates.flatMap((date) => {
    if (!isLong(date)) return [{ ...date, at: (date.from + date.to) / 2 }];
    const ends = [date.from, date.to].filter((end) => end > edges.from && end < edges.to);
    return ends.map((end) => ({ ...date, at: end }));
  });
  const dots = each(({ dot }) => (dot !== undefined && inside(dot, span) ? [{ at: dot }] : []));
  const beyond = each((row) => [{ text: beyondWords(row, span) }]).filter(({ text }) => text);
  const shownWindow = window && within(window, span);
  const band = shownWindow && {
    from: Math.min(shownWindow.from, (shownWindow.from + shownWindow.to - 3 * perPixel) / 2),
    to: Math.max(shownWindow.to, (shownWindow.from + shownWindow.to + 3 * perPixel) / 2),
  };
  type Bar = (typeof bars)[number];
  type Dot = (typeof dots)[number];
  const strokeWidth = ({ decides }: { decides: boolean }): number => (decides ? 2.5 : 1.2);
  const opacity = ({ row }: { row: FigureRow }): number => (row.faded ? 0.45 : 1);
  const title = ({ row }: { row: FigureRow }): string => row.words;
  const axis = timeAxis(span, Math.max(2, Math.floor(width / 84)));
  const svg = Plot.plot({
    ...common(width),
    className: 'marks',
    height: bottom,
    marginTop: axisHeight,
    marginBottom: 0,
    marginLeft: margin,
    marginRight: margin,
    x: { ...axis, axis: 'top', tickSize: 0 },
    y: { type: 'identity', axis: null },
    marks: [
      Plot.rect(band ? [band] : [], {
        x1: 'from',
        x2: 'to',
        y1: axisHeight,
        y2: bottom,
        fill: shownWindow && isLong(shownWindow) ? 'var(--band)' : 'var(--window-edge)',
        className: 'window',
      }),
      Plot.ruleY(
        rows.map((_, nth) => axisHeight + nth * layout.rowHeight + 0.5),
        { stroke: 'var(--rule)', insetLeft: -margin, insetRight: -margin },
      ),
      Plot.gridX({
        ticks: axis.ticks,
        stroke: 'var(--rule)',
        strokeOpacity: 1,
        className: 'grid',
      }),
      Plot.rect(bars, {
        x1: 'from',
        x2: 'to',
        y1: ({ y }: Placed) => y - layout.barHeight / 2,
        y2: ({ y }: Placed) => y + layout.barHeight / 2,
        fill: ({ open, row }: Bar) =>
          open ? `url(#fade-${open})` : row.first ? 'var(--bar-strong)' : 'var(--bar)',
        stroke: ({ open }: Bar) => (open ? 'none' : 'var(--bar-strong)'),
        opacity,
        title,
        className: 'validity',
        render: named(bars, ({ open }) => (open ? 'open' : '')),
      }),
      Plot.ruleY(dates.filter(isLong), {
        x1: 'from',
        x2: 'to',
        y: 'y',
        stroke: 'var(--date)',
        strokeWidth,
        opacity,
        title,
        className: 'stretch',
        render: named(dates.filter(isLong)),
      }),
      Plot.ruleX(ticks, {
        x: 'at',
        y1: ({ y }: Placed) => y - 9,
        y2: ({ y }: Placed) => y + 9,
        stroke: 'var(--date)',
        strokeWidth,
        opacity,
        title,
        className: 'date',
        render: named(ticks),
      }),
      Plot.dot(dots, {
        x: 'at',
        y: 'y',
        r: 5,
        fill: (dot: Dot) => (dot.at > askedAt ? 'var(--surface)' : 'var(--dot)'),
        stroke: (dot: Dot) => (dot.at > askedAt ? 'var(--dot)' : 'var(--surface)'),
        strokeWidth: 1.7,
        opacity,
        title,
        className: 'publication',
        render: named(dots, (dot) => (dot.at > askedAt ? 'hollow' : '')),
      }),
      Plot.text(beyond, {
        y: 'y',
        text: 'text',
        frameAnchor: 'left',
        fill: 'var(--ink-soft)',
        fontStyle: 'italic',
        className: 'beyond',
      }),
    ],
  }) as SVGSVGElement & Plot.Plot;
  const { apply } = svg.scale('x')!;
  return {
    svg: withRoles(svg),
    scale: { ...span, width, x: (instant) => apply(instant) as number },
  };
}

const inside = (at: number, { from, to }: Span): boolean => at >= from && at <= to;

/** Says of each mark which row it is of, and of what kind it is. */
function named<Mark extends Placed>(
  marks: readonly Mark[],
  kind: (mark: Mark) => string = () => '',
): Plot.RenderFunction {
  return (...drawing) => {
    const [index, scales, values, dimensions, context, next] = drawing;
    const group = next!(index, scales, values, dimensions, context)!;
    for (const [nth, element] of [...group.children].entries()) {
      const mark = marks[index[nth]!]!;
      element.setAttribute('data-id', mark.row.id);
      element.setAttribute('class', kind(mark));
    }
    return group;
  };
}

const openEnds = ({ from, to }: Stretch): 'left' | 'right' | 'both' | undefined =>
  from === null ? (to === null ? 'both' : 'left') : to === null ? 'right' : undefined;

/** What a row has where nothing of it lies in the span. */
function beyondWords({ bar, dot, ticks = [] }: FigureRow, span: Span): string | undefined {
  const stretches = [...(bar ? [bar] : []), ...ticks];
  const isShown =
    (dot !== undefined && inside(dot, span)) || stretches.some((each) => within(each, span));
  if (isShown) return undefined;
  const [some] = stretches;
  const at = dot ?? some?.from ?? some?.to;
  if (at === undefined || at === null) return 'no date';
  const year = new Date(at).getUTCFullYear();
  return at < span.from ? `← ${year}` : `${year} →`;
}
