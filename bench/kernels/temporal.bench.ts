// Temporal scores of a million rows: MRAG's spline, TempRALM's recency and its standardisation, and
// calendar components.
import { addon } from '../../test/addon.js';
import { components } from '../../test/oracle/components.js';
import * as oracle from '../../test/oracle/temporal.js';
import { floats, type KernelCase } from '../kernelCase.js';

const day = 86_400_000;
const n = 1_000_000;
const ticks = () => Int32Array.from(floats(n, 7), (value) => Math.floor(value * 20_000));
const scale = { unitMs: day, originMs: 0 };

function spline(perRow: number): KernelCase {
  const starts = ticks();
  const ends = starts.map((start, at) => start + 1 + (at % 400));
  const offsets = Uint32Array.from({ length: n / perRow + 1 }, (_, row) => row * perRow);
  const line = {
    start: -9000 * day,
    end: 9000 * day,
    atStart: 0.6,
    atEnd: 1,
    outside: 0.5,
    unitMs: day,
  };
  const rows = offsets.length - 1;
  return {
    name: `spline ${rows} rows of ${perRow}`,
    amount: n,
    unit: ' intervals',
    run: () => addon.spline({ starts, ends, offsets, line, scale }),
    plain: (out = new Float32Array(rows)) => {
      const span = line.end - line.start - line.unitMs;
      for (let row = 0; row < rows; row += 1) {
        let best = 0.5;
        for (let at = offsets[row]!; at < offsets[row + 1]!; at += 1) {
          const [start, end] = [starts[at]! * day, ends[at]! * day];
          if (start >= line.end || end <= line.start) continue;
          const last = Math.max(start, line.start, Math.min(end, line.end) - day);
          best = Math.max(best, 0.6 + 0.4 * Math.min(1, (last - line.start) / span));
        }
        out[row] = best;
      }
      return out;
    },
    exact: () =>
      Float64Array.from({ length: rows }, (_, row) =>
        oracle.spline(
          Array.from(
            { length: perRow },
            (__, at) => [starts[row * perRow + at]! * day, ends[row * perRow + at]! * day] as const,
          ),
          line,
        ),
      ),
  };
}

function recency(): KernelCase {
  const published = ticks();
  const at = 20_001 * day;
  return {
    name: `recency ${n}`,
    amount: n,
    unit: ' rows',
    run: () => addon.recency(published, at, 1, scale),
    plain: (out = new Float32Array(n)) => {
      for (let row = 0; row < n; row += 1)
        out[row] = 1 / Math.max(1, (at - published[row]! * day) / day);
      return out;
    },
    exact: () => Float64Array.from(published, (tick) => oracle.recency(tick * day, at, 1)),
  };
}

function standardize(): KernelCase {
  const values = floats(n, 8);
  const to = { count: 4, mean: 0.3, squares: 0.5 };
  const from = oracle.moments(values);
  return {
    name: `standardize ${n}, moments and map`,
    amount: n,
    unit: ' values',
    run: async () => addon.standardize(values, await addon.moments(values), to),
    plain: () => {
      let sum = 0;
      for (let at = 0; at < n; at += 1) sum += values[at]!;
      const mean = sum / n;
      let squares = 0;
      for (let at = 0; at < n; at += 1) squares += (values[at]! - mean) ** 2;
      const factor = Math.sqrt(to.squares / to.count) / Math.sqrt(squares / n);
      const out = new Float32Array(n);
      for (let at = 0; at < n; at += 1) out[at] = (values[at]! - mean) * factor + to.mean;
      return out;
    },
    exact: () => Float64Array.from(values, (value) => oracle.standardize(value, from, to)),
    scale: () => 1,
  };
}

function calendar(): KernelCase {
  const instants = Float64Array.from(ticks().subarray(0, 100_000), (tick) => tick * day + 5);
  const granularity = new Uint8Array(instants.length);
  const plain = () => Int32Array.from(instants, (instant) => new Date(instant).getUTCFullYear());
  return {
    name: `calendar ${instants.length}, all components and features (TypeScript: the year alone, by Date)`,
    amount: instants.length,
    unit: ' instants',
    run: async () => (await addon.calendar(instants, granularity)).year,
    plain,
    exact: () => Int32Array.from(instants, (instant) => components(instant)!.year),
  };
}

export const kernelCases = {
  splineOne: () => spline(1),
  splineThree: () => spline(4),
  recency,
  standardize,
  calendar,
};
