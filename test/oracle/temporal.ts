// Temporal scores in float64 from the equations: MRAG's spline by looking at instants, TempRALM's
// recency and its standardisation, and the decay functions of Elasticsearch's and Milvus's
// documentation. Imports nothing.

export interface Line {
  start: number;
  end: number;
  atStart: number;
  atEnd: number;
  outside: number;
  unitMs: number;
}

/** The line's value at an instant of the window. */
function lineAt(instant: number, line: Line): number {
  if (!Number.isFinite(line.start)) return line.atEnd;
  if (!Number.isFinite(line.end)) return line.atStart;
  const steps = line.end - line.start - line.unitMs;
  if (steps <= 0) return Math.max(line.atStart, line.atEnd);
  const place = Math.min(1, Math.max(0, (instant - line.start) / steps));
  return line.atStart * (1 - place) + line.atEnd * place;
}

/**
 * The best value over a row's intervals: tries the first instant shared with the window and the
 * start of the last shared unit.
 */
export function spline(intervals: readonly (readonly [number, number])[], line: Line): number {
  const values: number[] = [];
  for (const [start, end] of intervals) {
    const first = Math.max(start, line.start);
    const stop = Math.min(end, line.end);
    const meets = start === end ? start >= line.start && start < line.end : first < stop;
    if (Number.isNaN(start) || Number.isNaN(end) || start > end) continue;
    if (!meets) values.push(line.outside);
    else
      values.push(Math.max(lineAt(first, line), lineAt(Math.max(first, stop - line.unitMs), line)));
  }
  return values.length > 0 ? Math.max(...values) : line.outside;
}

export function recency(published: number, at: number, floorDays: number): number {
  if (Number.isNaN(published)) return NaN;
  return 1 / Math.max(floorDays, (at - published) / 86_400_000);
}

/**
 * The documented formulas of `exp`, `gauss` and `linear` at a distance from the origin: `decay` is
 * the value at `scale` beyond the offset.
 */
export const decayFunctions = {
  exponential: (distance: number, scale: number, offset: number, decay: number): number =>
    Math.exp((Math.log(decay) / scale) * Math.max(0, distance - offset)),
  gaussian: (distance: number, scale: number, offset: number, decay: number): number => {
    const variance = -(scale ** 2) / (2 * Math.log(decay));
    return Math.exp(-(Math.max(0, distance - offset) ** 2) / (2 * variance));
  },
  linear: (distance: number, scale: number, offset: number, decay: number): number => {
    const s = scale / (1 - decay);
    return Math.max((s - Math.max(0, distance - offset)) / s, 0);
  },
} as const;
export type DecayKind = keyof typeof decayFunctions;
export const decayKinds = Object.keys(decayFunctions) as DecayKind[];

/** The least distance of an instant from a row's times; undefined without any. */
export function nearestDistance(
  intervals: readonly (readonly [number, number])[],
  at: number,
): number | undefined {
  const distances = intervals.map(([start, end]) =>
    start <= at && at <= end ? 0 : Math.min(Math.abs(start - at), Math.abs(end - at)),
  );
  return distances.length === 0 ? undefined : Math.min(...distances);
}

export interface Moments {
  count: number;
  mean: number;
  squares: number;
}

export function moments(values: ArrayLike<number>): Moments {
  const present = Array.from(values).filter((value) => !Number.isNaN(value));
  if (present.length === 0) return { count: 0, mean: 0, squares: 0 };
  const mean = present.reduce((sum, value) => sum + value, 0) / present.length;
  return {
    count: present.length,
    mean,
    squares: present.reduce((sum, value) => sum + (value - mean) ** 2, 0),
  };
}

export function standardize(value: number, from: Moments, to: Moments): number {
  const deviation = (moments: Moments) =>
    moments.count > 0 ? Math.sqrt(moments.squares / moments.count) : 0;
  if (Number.isNaN(value) || deviation(from) === 0) return to.mean;
  return ((value - from.mean) / deviation(from)) * deviation(to) + to.mean;
}
