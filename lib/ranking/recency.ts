// TempRALM's temporal score (equations 2 to 5) as a form of the scan.
import type { RecencyForm, TemporalForm } from '../time/temporalForms.js';
import type { Instant } from '../time/interval.js';

export interface RecencyOptions {
  /**
   * Weight of the standardised term; 1 in the paper, whose alpha cancels in its own
   * standardisation.
   */
  weight?: number;
  /** Smallest difference in days, for a finite score of passages of the same day. Default 1. */
  floorDays?: number;
  clock?: RecencyForm['clock'];
}

export function recencyForm(
  at: Instant,
  { weight = 1, floorDays = 1, clock = 'published' }: RecencyOptions = {},
): TemporalForm {
  return { combine: 'sum', kind: 'recency', clock, at, floorDays, weight };
}
