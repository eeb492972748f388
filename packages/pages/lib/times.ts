// Intervals and instants as figures draw them, with ends that may be open.
import { parseInstant } from './asof.js';

export interface Span {
  from: number;
  to: number;
}

/** An interval with ends that may be open. */
export interface Stretch {
  from: number | null;
  to: number | null;
}

/** The range of Date. */
export const furthest = 8.64e15;

export const startOf = (from: number | null): number => from ?? -Infinity;
export const endOf = (to: number | null): number => to ?? Infinity;

/** Undefined for an invalid date. */
export function instantOf(
  text: string,
  edge: 'start' | 'end' = 'start',
  timeZone?: string,
): number | undefined {
  try {
    return parseInstant(text, edge, 'date', timeZone);
  } catch {
    return undefined;
  }
}

/** The visible part of an interval; undefined if it is outside. */
export function within({ from, to }: Stretch, span: Span): Span | undefined {
  const [start, end] = [Math.max(startOf(from), span.from), Math.min(endOf(to), span.to)];
  return start <= end ? { from: start, to: end } : undefined;
}

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000];

/**
 * Starts of years in even steps, at most `most`; undefined for a span of few years, whose axis has
 * months or days.
 */
export function yearTicks({ from, to }: Span, most: number): Date[] | undefined {
  const [first, last] = [new Date(from).getUTCFullYear() + 1, new Date(to).getUTCFullYear()];
  if (last - first < 2) return undefined;
  const step = steps.find((each) => (last - first) / each < most) ?? steps.at(-1)!;
  const start = Math.ceil(first / step) * step;
  const length = Math.max(0, Math.floor((last - start) / step) + 1);
  return Array.from({ length }, (_, at) => new Date(new Date(0).setUTCFullYear(start + at * step)));
}
