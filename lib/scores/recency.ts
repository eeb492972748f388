// TempRALM's temporal score (equations 2 to 5) as a form the scan evaluates.
import type { RecencyForm, TemporalForm } from '../time/forms.js';
import type { Instant } from '../time/interval.js';

export interface RecencyOptions {
  /** Multiplies the standardised term; 1 is the paper. (The paper's alpha cancels in its own standardisation.) */
  weight?: number;
  /** The least difference in days, so that a passage of the same day has a finite score. Default 1. */
  floorDays?: number;
  clock?: RecencyForm['clock'];
}

export function recencyForm(at: Instant, { weight = 1, floorDays = 1, clock = 'published' }: RecencyOptions = {}): TemporalForm {
  return { combine: 'sum', kind: 'recency', clock, at, floorDays, weight };
}

export interface FreshnessOptions {
  /** Years over which freshness falls to `low`. Default 10. */
  spanYears?: number;
  /** What older passages, and those without the clock, are multiplied by. Default 0.6. */
  low?: number;
  clock?: RecencyForm['clock'];
}

/**
 * Ours, for questions that name no time: "now" is when they are asked, and of passages that are equally relevant the later
 * one counts more. A product, so that a fresh passage never outweighs relevance as an unbounded 1/days can.
 */
export function freshnessForm(at: Instant, { spanYears = 10, low = 0.6, clock = 'published' }: FreshnessOptions = {}): TemporalForm {
  const span = spanYears * 365.2425 * 86_400_000;
  return { combine: 'product', kind: 'spline', clock, window: { start: at - span, end: at + 1 }, atStart: low, atEnd: 1, outside: low };
}
