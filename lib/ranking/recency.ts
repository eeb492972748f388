// TempRALM's temporal score (equations 2 to 5) as a form the scan evaluates.
import type { RecencyForm, TemporalForm } from '../time/temporalForms.js';
import type { Instant } from '../time/interval.js';

export interface RecencyOptions {
  /**
   * Multiplies the standardised term; 1 is the paper. (The paper's alpha cancels in its own
   * standardisation.)
   */
  weight?: number;
  /**
   * The least difference in days, so that a passage of the same day has a finite score. Default 1.
   */
  floorDays?: number;
  clock?: RecencyForm['clock'];
}

export function recencyForm(
  at: Instant,
  { weight = 1, floorDays = 1, clock = 'published' }: RecencyOptions = {},
): TemporalForm {
  return { combine: 'sum', kind: 'recency', clock, at, floorDays, weight };
}
