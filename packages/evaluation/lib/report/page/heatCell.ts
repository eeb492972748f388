// Shaded table cell whose number is readable on every shade, in light and dark mode.
import { h } from '@asof/pages/dom';

/**
 * Shade from which the other text colour has the higher contrast; both have at least 4.5 to 1.
 */
const turning = 0.93;

export interface HeatCellOptions {
  text: string;
  /** 0 to 1. */
  strength: number;
  best?: boolean;
}

export function heatCell(
  value: number | undefined,
  { text, strength, best = false }: HeatCellOptions,
): HTMLElement {
  if (value === undefined) return h('td', { class: 'number absent' }, text);
  const shade = Math.min(1, Math.max(0, strength));
  const cell = h(
    'td',
    { class: `number shade${shade > turning ? ' deep' : ''}` },
    best ? h('strong', {}, text) : text,
  );
  cell.style.setProperty('--shade', `${Math.round(shade * 100)}%`);
  return cell;
}
