// Formats of numbers and dates, with minus signs and aligned digits.

/** Days, both inclusive; null for an open end. */
export interface ShownDate {
  start: string | null;
  end: string | null;
  granularity: string;
}

const minus = (text: string): string => text.replace(/^-/, '−');

export const decimals = (value: number, digits = 3): string => minus(value.toFixed(digits));

export const signed = (value: number): string =>
  value > 0 ? `+${decimals(value)}` : decimals(value);

/** A score of any magnitude, with about four digits. */
export function score(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size < 0.001 || size >= 10_000)) return minus(value.toExponential(2));
  return decimals(value, size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

export const chance = (p: number): string => (p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`);

export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(value >= 10_000 ? 1 : 2)} s`;
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ms`;
}

export const count = (value: number): string => value.toLocaleString('en');

export const counted = (value: number, one: string, many: string): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export function duration(seconds: number): string {
  return seconds < 90
    ? `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
    : `${(seconds / 60).toFixed(1)} min`;
}

/** A date at its granularity: 2011, 2011-05, 2011-05-06 or a range of those. */
export function dateText({ start, end, granularity }: ShownDate): string {
  const [first, last] = [start, end].map((each) =>
    each === null ? undefined : coarse(each, granularity),
  );
  if (first === undefined) return last === undefined ? 'at any time' : `until ${last}`;
  if (last === undefined) return `since ${first}`;
  return first === last ? first : `${first} – ${last}`;
}

function coarse(iso: string, granularity: string): string {
  const parts = /^([+-]?\d+)(-\d\d)?/.exec(iso);
  if (!parts) return iso;
  if (/^(?:year|decade|century|millennium)/.test(granularity)) return parts[1]!;
  return /^(?:month|quarter|season)/.test(granularity) ? `${parts[1]}${parts[2] ?? ''}` : iso;
}

/** A year, BC for years before 1. */
export const yearText = (year: number): string => (year > 0 ? String(year) : `${1 - year} BC`);

export const dayText = (instant: number): string =>
  new Date(instant).toISOString().replace(/T.*/, '');

export const anyValue = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
