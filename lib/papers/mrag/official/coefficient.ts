// The temporal coefficient of MRAG's published code: one straight line over years, 0.6 to 1, 0.5
// outside and for text without a usable year. Which year of a text counts is chosen before the line
// is read, unlike the paper's "highest temporal score".
import type { OfficialConstraint } from './question.js';

const low = 0.6;
const spanYears = 50;
const outside = 0.5;

/** @param years of the text, as `officialYears` gives them */
export function officialCoefficient(
  { type, order, years: constraintYears }: OfficialConstraint,
  years: readonly number[] | undefined,
): number {
  const [a, b] = [constraintYears[0]!, constraintYears.at(-1)!];
  const [start, end] =
    type === 'before' ? [a - spanYears, a] : type === 'after' ? [a, a + spanYears] : [a, b];
  const allowed = (years ?? []).filter((year) =>
    type === 'before' ? year <= a : type === 'after' ? year >= a : year >= a && year <= b,
  );
  if (allowed.length === 0) return outside;
  const year = order === 'first' ? Math.min(...allowed) : Math.max(...allowed);
  if (year < start || year > end) return outside;
  const share = (year - start) / (end - start);
  return order === 'first' ? 1 - (1 - low) * share : low + (1 - low) * share;
}
