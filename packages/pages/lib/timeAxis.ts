// The axis of time of every figure, as Observable Plot draws it.
import type * as Plot from '@observablehq/plot';
import { yearText } from './format.js';
import { yearTicks, type Span } from './times.js';

/** Options of all figures. Colours are CSS variables, which follow light and dark mode. */
export const common = (width: number): Plot.PlotOptions => ({
  width,
  marginTop: 8,
  marginBottom: 30,
  color: { type: 'identity' },
  style: {
    fontFamily: 'inherit',
    fontSize: '12px',
    background: 'none',
    color: 'var(--ink-soft)',
    overflow: 'visible',
  },
});

/** UTC, with some `most` ticks: years in even steps, of a short span months, days or hours. */
export function timeAxis(span: Span, most: number): Plot.ScaleOptions {
  const years = yearTicks(span, most);
  return {
    type: 'utc',
    domain: [span.from, span.to],
    label: null,
    ticks: most,
    ...(years ? { ticks: years, tickFormat: (at: Date) => yearText(at.getUTCFullYear()) } : {}),
  };
}

/** Plot labels its groups of marks; a label without a role fails accessibility checks. */
export function withRoles<Drawn extends Element>(drawn: Drawn): Drawn {
  for (const group of drawn.querySelectorAll('g[aria-label]')) group.setAttribute('role', 'group');
  return drawn;
}
