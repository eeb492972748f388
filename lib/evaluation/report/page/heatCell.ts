// A shaded cell of a table: the number stays readable on every shade, in light and dark.
import { h } from './dom.js';

export interface HeatCellOptions {
  text: string;
  /** 0 to 1. */
  strength: number;
  best?: boolean;
}

export function heatCell(value: number | undefined, { text, strength, best = false }: HeatCellOptions): HTMLElement {
  if (value === undefined) return h('td', { class: 'number absent' }, text);
  const shade = Math.min(1, Math.max(0, strength));
  const cell = h('td', { class: `number shade${shade > 0.8 ? ' deep' : ''}` }, best ? h('strong', {}, text) : text);
  cell.style.setProperty('--shade', `${Math.round(shade * 100)}%`);
  return cell;
}
