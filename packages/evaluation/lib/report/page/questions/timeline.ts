// Timeline of a system's results by rank: dates as bars, publication as a tick, the constraint's
// window shaded, and the temporal score as a curve on the same axis.
import * as Plot from '@observablehq/plot';
import type { ReportCandidate, ReportHit, ReportQuestion } from '../../reportData.js';
import { figure } from '../chart.js';
import { emptyState, h } from '@asof/pages/dom';
import { dateText, dayText, decimals } from '@asof/pages/format';
import { common, timeAxis } from '@asof/pages/timeAxis';
import type { View } from '../view.js';
import {
  endOf,
  instantOf,
  startOf,
  within,
  yearTicks,
  type Span,
  type Stretch,
} from '@asof/pages/times';
import { bestInstant, drawnShape, shownSpan, stretchesOf } from './times.js';

interface Row extends ReportCandidate {
  /** The row in the figure. */
  label: string;
  rank: number;
  /** The truncated title. */
  name: string;
  stretches: Stretch[];
  /** Epoch milliseconds. */
  published: number | undefined;
}

interface Bar extends Span {
  label: string;
  relevant: boolean;
  decided: boolean;
  words: string;
}

const longestLabel = 20;

export function timeline(
  view: View,
  question: ReportQuestion,
  top: readonly ReportHit[],
  system: string,
): HTMLElement {
  const rows = top.map(([candidate], at): Row => labelled(question.candidates[candidate]!, at + 1));
  const span = shownSpan(rows, question);
  if (
    !span ||
    rows.every(({ stretches, published }) => stretches.length === 0 && published === undefined)
  ) {
    return emptyState(`No result of ${system} has a date, so there is no timeline.`);
  }
  const shape =
    question.shapes.length > 0 &&
    figure(view, {
      caption: [
        h('b', {}, 'Temporal score'),
        h(
          'small',
          {},
          ' of a date: the library’s default (solid), as MRAG published it (dashed); ',
          'dots: the dates below',
        ),
      ],
      label: () =>
        `The temporal score as a function of time, and ${rows.filter(({ stretches }) => stretches.length > 0).length} dated results on it`,
      draw: (width) => drawShapes(question, rows, span, width),
    });
  const bars = figure(view, {
    caption: [
      h('b', {}, 'Timeline'),
      h(
        'small',
        {},
        ' of the results: ',
        key('bar relevant'),
        'relevant ',
        key('bar'),
        'other dates ',
        key('tick'),
        'published',
        question.windows.length > 0 && [' ', key('band'), 'constraint'],
        asked(question, span).length > 0 && [' ', key('asked'), 'asking time'],
      ),
    ],
    label: () =>
      `Timeline of ${rows.length} results of ${system}: ${rows.slice(0, 5).map(saidOf).join('; ')}`,
    draw: (width) => drawBars(question, rows, span, width),
  });
  return h('div', { class: 'timeline' }, shape, bars);
}

const saidOf = ({ rank, dates = [], relevant }: Row): string =>
  `${rank}${relevant ? ' relevant' : ''} ${dates[0] ? dateText(dates[0]) : 'no date'}`;

const key = (kind: string): HTMLElement => h('i', { class: `sign ${kind}`, 'aria-hidden': 'true' });

function labelled(candidate: ReportCandidate, rank: number): Row {
  const name = [...(candidate.title ?? candidate.id)];
  const short =
    name.length > longestLabel ? `${name.slice(0, longestLabel - 1).join('')}…` : name.join('');
  return {
    ...candidate,
    rank,
    name: short,
    label: String(rank),
    stretches: stretchesOf(candidate.dates),
    published: candidate.published_at === undefined ? undefined : instantOf(candidate.published_at),
  };
}

/** Margin for labels; on a narrow screen rows have their rank only. */
const isNarrow = (width: number): boolean => width < 520;
const left = (width: number): number => (isNarrow(width) ? 34 : 168);

const ticks = (width: number): number => Math.max(3, Math.floor((width - left(width)) / 90));

function bands(question: ReportQuestion, span: Span): { from: number; to: number }[] {
  return question.windows.flatMap(({ from, to }) => within({ from, to }, span) ?? []);
}

function asked({ askedAt }: ReportQuestion, span: Span): number[] {
  return askedAt !== undefined && askedAt >= span.from && askedAt <= span.to ? [askedAt] : [];
}

const band = (question: ReportQuestion, span: Span): Plot.Markish =>
  Plot.rectX(bands(question, span), {
    x1: 'from',
    x2: 'to',
    fill: 'var(--band)',
    ariaLabel: 'constraint',
  });
const askedRule = (question: ReportQuestion, span: Span): Plot.Markish =>
  Plot.ruleX(asked(question, span), { stroke: 'var(--ink-soft)', strokeDasharray: '2 3' });

const levels = [0.4, 0.6, 0.8, 1];

function drawShapes(
  question: ReportQuestion,
  rows: readonly Row[],
  span: Span,
  width: number,
): SVGSVGElement | HTMLElement {
  const [ours, published] = [
    question.shapes.find(({ name }) => name === 'states'),
    question.shapes.find(({ name }) => name === 'line'),
  ];
  const shape = ours ?? published!;
  const dots = rows.flatMap((row) => {
    const best = bestInstant(shape, row.dates, span);
    const title =
      best && `${row.rank}. ${row.title ?? row.id}\n${decimals(best.value)} at ${dayText(best.at)}`;
    return best ? [{ ...best, relevant: row.relevant === true, title }] : [];
  });
  return Plot.plot({
    ...common(width),
    height: 132,
    marginLeft: left(width),
    marginRight: 12,
    marginBottom: 8,
    marginTop: 12,
    x: { ...timeAxis(span, ticks(width)), axis: null },
    y: { domain: [0.35, 1.02], ticks: levels, label: null },
    marks: [
      band(question, span),
      Plot.gridY(levels, { stroke: 'var(--rule)', strokeOpacity: 1 }),
      askedRule(question, span),
      published &&
        Plot.lineY(drawnShape(published, span), {
          x: 'at',
          y: 'value',
          stroke: 'var(--ink-soft)',
          strokeWidth: 1.2,
          strokeDasharray: '4 3',
        }),
      ours &&
        Plot.lineY(drawnShape(ours, span), {
          x: 'at',
          y: 'value',
          stroke: 'var(--accent)',
          strokeWidth: 2,
        }),
      Plot.dot(
        dots.filter(({ relevant }) => !relevant),
        {
          x: 'at',
          y: 'value',
          r: 4,
          fill: 'var(--surface)',
          stroke: 'var(--ink-soft)',
          strokeWidth: 1.5,
          title: 'title',
        },
      ),
      Plot.dot(
        dots.filter(({ relevant }) => relevant),
        { x: 'at', y: 'value', r: 4.5, fill: 'var(--relevant)', title: 'title' },
      ),
    ].filter((mark) => mark !== undefined),
  });
}

function barsOf(row: Row, span: Span): Bar[] {
  return row.stretches
    .flatMap((stretch, at) => {
      const visible = within(stretch, span);
      const date = row.dates?.[at];
      if (!visible) return [];
      return [
        {
          ...visible,
          label: row.label,
          relevant: row.relevant === true,
          decided: at === 0,
          words: date ? dateText(date) : '',
        },
      ];
    })
    .reverse();
}

/**
 * Notes in place of bars, for rows without a date in the visible span.
 */
function remarks(
  rows: readonly Row[],
  span: Span,
): { label: string; text: string; end: boolean }[] {
  return rows.flatMap((row) => {
    const isPublishedHere =
      row.published !== undefined && row.published >= span.from && row.published <= span.to;
    const isShown = isPublishedHere || row.stretches.some((stretch) => within(stretch, span));
    if (isShown) return [];
    const [[stretch], date] = [row.stretches, row.dates?.[0]];
    if (!stretch || !date) return [{ label: row.label, text: 'no date', end: false }];
    const isBefore = endOf(stretch.to) <= span.from || startOf(stretch.from) < span.from;
    return [
      {
        label: row.label,
        text: isBefore ? `← ${dateText(date)}` : `${dateText(date)} →`,
        end: !isBefore,
      },
    ];
  });
}

function drawBars(
  question: ReportQuestion,
  rows: readonly Row[],
  span: Span,
  width: number,
): SVGSVGElement | HTMLElement {
  const bars = rows.flatMap((row) => barsOf(row, span));
  const published = rows.filter(
    (row) => row.published !== undefined && row.published >= span.from && row.published <= span.to,
  );
  const beyond = remarks(rows, span);
  const colour = ({ relevant, decided }: Bar): string =>
    relevant ? 'var(--relevant)' : decided ? 'var(--other)' : 'var(--other-faint)';
  const said = (end: boolean): Plot.Markish =>
    Plot.text(
      beyond.filter((each) => each.end === end),
      {
        y: 'label',
        text: 'text',
        frameAnchor: end ? 'right' : 'left',
        dx: end ? -4 : 4,
        fill: 'var(--ink-soft)',
        fontStyle: 'italic',
      },
    );
  return Plot.plot({
    ...common(width),
    height: 36 + 21 * rows.length,
    marginLeft: left(width),
    marginRight: 12,
    marginTop: 4,
    marginBottom: 28,
    x: timeAxis(span, ticks(width)),
    y: { type: 'band', domain: rows.map(({ label }) => label), axis: null, padding: 0.2 },
    marks: [
      band(question, span),
      askedRule(question, span),
      Plot.gridX({
        stroke: 'var(--rule)',
        strokeOpacity: 1,
        ticks: yearTicks(span, ticks(width)) ?? ticks(width),
      }),
      Plot.link(bars, {
        x1: 'from',
        x2: 'to',
        y: 'label',
        stroke: colour,
        strokeWidth: 7,
        strokeLinecap: 'round',
        title: 'words',
        strokeOpacity: ({ decided }: Bar) => (decided ? 1 : 0.45),
      }),
      Plot.tickX(published, {
        x: 'published',
        y: 'label',
        stroke: 'var(--ink)',
        strokeWidth: 1.5,
        title: ({ published_at: text }: Row) => `published ${text}`,
      }),
      said(false),
      said(true),
      Plot.text(rows, {
        y: 'label',
        frameAnchor: 'left',
        dx: 16 - left(width),
        textAnchor: 'end',
        fill: 'var(--ink-soft)',
        text: ({ rank }: Row) => String(rank),
      }),
      Plot.text(rows, {
        y: 'label',
        frameAnchor: 'left',
        dx: 22 - left(width),
        fill: ({ relevant }: Row) => (relevant ? 'var(--relevant)' : 'var(--ink-soft)'),
        text: ({ relevant, name }: Row) => `${relevant ? '✓ ' : ''}${isNarrow(width) ? '' : name}`,
      }),
    ],
  });
}
