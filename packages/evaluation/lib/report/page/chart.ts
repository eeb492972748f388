// Responsive figure, redrawn on changes of width or selection, with a text alternative.
import { h, type Child } from '@asof/pages/dom';
import { withRoles } from '@asof/pages/timeAxis';
import { systemStyles } from './palette.js';
import type { View } from './view.js';

export type PlotElement = (SVGSVGElement | HTMLElement) & { scale?: unknown };

export interface FigureOptions {
  /** Heading of the figure. */
  caption?: Child;
  /** Text alternative. */
  label: () => string;
  draw: (width: number) => PlotElement | undefined;
}

export function figure(view: View, { caption, label, draw }: FigureOptions): HTMLElement {
  const frame = h('div', { class: 'plot' });
  let width = 0;
  const redraw = (): void => {
    if (width === 0) return;
    const drawn = draw(width);
    frame.replaceChildren(...(drawn ? [withRoles(drawn)] : []));
    if (!drawn) return;
    drawn.setAttribute('role', 'img');
    drawn.setAttribute('aria-label', label());
  };
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry!.contentRect.width);
    if (now === width || now === 0) return;
    width = now;
    redraw();
  }).observe(frame);
  view.onChange(redraw);
  return h('figure', {}, caption ? h('figcaption', {}, caption) : null, frame);
}

/** Legend with a button per system, which hides it in all figures. */
export function legend(view: View): HTMLElement {
  const names = view.data.comparison.systems.map(({ name }) => name);
  const styles = systemStyles(names);
  const buttons = names.map((name) => {
    const { colour, dash } = styles.get(name)!;
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    for (const [key, value] of Object.entries({ width: 22, height: 10, 'aria-hidden': 'true' }))
      line.setAttribute(key, String(value));
    const stroke = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    const drawn = {
      x1: 1,
      x2: 21,
      y1: 5,
      y2: 5,
      stroke: colour,
      'stroke-width': 2.5,
      'stroke-dasharray': dash,
    };
    for (const [key, value] of Object.entries(drawn)) stroke.setAttribute(key, String(value));
    line.append(stroke);
    const button = h(
      'button',
      { type: 'button', 'aria-pressed': 'true', onclick: () => view.toggle(name) },
      line,
      name,
    );
    view.onChange(() => button.setAttribute('aria-pressed', String(!view.hidden.has(name))));
    return button;
  });
  return h(
    'div',
    { class: 'legend', role: 'group', 'aria-label': 'Systems shown in figures' },
    ...buttons,
  );
}

/** An element rebuilt on every change of the selection. */
export function live(view: View, make: () => HTMLElement): HTMLElement {
  const holder = h('div', {}, make());
  view.onChange(() => holder.replaceChildren(make()));
  return holder;
}
