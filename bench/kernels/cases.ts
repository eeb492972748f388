// The kernel families over made-up arguments, each with the same work as one would write it in
// TypeScript, doubles inside. That results are right is for test/kernels to say.
import { addon } from '../../test/addon.js';
import { binding } from '../../lib/binding.js';
import { floats } from '../contest.js';

export interface KernelCase {
  /** What one call works through, in `unit`s. */
  amount: number;
  unit: string;
  /** One call. Its time includes copying the arguments and the promise, as for any caller. */
  run: () => Promise<unknown>;
  /** Into a new array, or where it can, into `out`. */
  plain: (out?: Float32Array) => unknown;
}

const day = 86_400_000;
const million = 1_000_000;
const ticks = () => Int32Array.from(floats(million, 7), (value) => Math.floor(value * 20_000));
const scale = { unitMs: day, originMs: 0 };

function innerProduct(nq: number, n: number, d: number): KernelCase {
  const [queries, rows] = [floats(nq * d, 1), floats(n * d, 2)];
  return {
    amount: 2 * nq * n * d,
    unit: 'FLOP',
    run: () => binding.innerProduct(queries, rows, d),
    plain: (out = new Float32Array(nq * n)) => {
      for (let i = 0; i < nq; i += 1)
        for (let j = 0; j < n; j += 1) {
          let sum = 0;
          for (let c = 0; c < d; c += 1) sum += queries[i * d + c]! * rows[j * d + c]!;
          out[i * n + j] = sum;
        }
      return out;
    },
  };
}

/** Scales a row of d to length 1. */
function scaleRow(out: Float32Array, from: number, d: number): void {
  let squares = 0;
  for (let c = from; c < from + d; c += 1) squares += out[c]! * out[c]!;
  const factor = 1 / Math.sqrt(squares);
  for (let c = from; c < from + d; c += 1) out[c]! *= factor;
}

function normalize(n: number, d: number): KernelCase {
  const rows = floats(n * d, 3);
  return {
    amount: n,
    unit: 'rows',
    run: () => addon.normalize(rows, d),
    plain: () => {
      const out = rows.slice();
      for (let row = 0; row < n; row += 1) scaleRow(out, row * d, d);
      return out;
    },
  };
}

/** Re3's fusion of time into vectors, with its normalisation. */
export function film(n: number, d: number): KernelCase {
  const [x, gamma, beta] = [1, 2, 3].map((seed) => floats(n * d, seed)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const timed = new Uint8Array(n).fill(1);
  const alpha = 0.3;
  return {
    amount: n,
    unit: 'rows',
    run: () => addon.film({ x, gamma, beta, alpha, timed, dimensions: d }),
    plain: (out = new Float32Array(n * d)) => {
      for (let row = 0; row < n; row += 1) {
        for (let c = row * d; c < (row + 1) * d; c += 1)
          out[c] = (1 + alpha * gamma[c]!) * x[c]! + beta[c]!;
        scaleRow(out, row * d, d);
      }
      return out;
    },
  };
}

/** MRAG's spline of a million intervals. */
export function spline(perRow: number): KernelCase {
  const starts = ticks();
  const ends = starts.map((start, at) => start + 1 + (at % 400));
  const rows = million / perRow;
  const offsets = Uint32Array.from({ length: rows + 1 }, (_, row) => row * perRow);
  const [start, end] = [-9000 * day, 9000 * day];
  const line = { start, end, atStart: 0.6, atEnd: 1, outside: 0.5, unitMs: day };
  return {
    amount: million,
    unit: 'intervals',
    run: () => addon.spline({ starts, ends, offsets, line, scale }),
    plain: (out = new Float32Array(rows)) => {
      for (let row = 0; row < rows; row += 1) {
        let best = 0.5;
        for (let at = offsets[row]!; at < offsets[row + 1]!; at += 1) {
          const [from, to] = [starts[at]! * day, ends[at]! * day];
          if (from >= end || to <= start) continue;
          const last = Math.max(from, start, Math.min(to, end) - day);
          best = Math.max(best, 0.6 + 0.4 * Math.min(1, (last - start) / (end - start - day)));
        }
        out[row] = best;
      }
      return out;
    },
  };
}

function standardize(): KernelCase {
  const values = floats(million, 8);
  const to = { count: 4, mean: 0.3, squares: 0.5 };
  return {
    amount: million,
    unit: 'values',
    run: async () => addon.standardize(values, await addon.moments(values), to),
    plain: (out = new Float32Array(million)) => {
      const mean = values.reduce((sum, each) => sum + each, 0) / million;
      const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
      const factor = Math.sqrt(to.squares / to.count) / Math.sqrt(squares / million);
      for (let at = 0; at < million; at += 1) out[at] = (values[at]! - mean) * factor + to.mean;
      return out;
    },
  };
}

/** All components and features; the loop has the year alone, by Date. */
function calendar(): KernelCase {
  const instants = Float64Array.from(ticks().subarray(0, 100_000), (tick) => tick * day + 5);
  const granularity = new Uint8Array(instants.length);
  return {
    amount: instants.length,
    unit: 'instants',
    run: () => addon.calendar(instants, granularity),
    plain: () => Int32Array.from(instants, (instant) => new Date(instant).getUTCFullYear()),
  };
}

/** The best k of a million scores; the loop inserts in order, as a first version would. */
function topK(k: number): KernelCase {
  const scores = floats(million, 5);
  return {
    amount: million,
    unit: 'scores',
    run: () => addon.topK(scores, k),
    plain: () => {
      const best: number[] = [];
      for (let at = 0; at < million; at += 1) {
        const score = scores[at]!;
        if (best.length === k && score <= scores[best[k - 1]!]!) continue;
        let [low, high] = [0, best.length];
        while (low < high) {
          const middle = (low + high) >> 1;
          if (scores[best[middle]!]! >= score) low = middle + 1;
          else high = middle;
        }
        best.splice(low, 0, at);
        if (best.length > k) best.pop();
      }
      return best;
    },
  };
}

/** By family and shape. Rows of vectors fit the second-level cache. */
export const kernelCases: Record<string, () => KernelCase> = {
  'inner_product 1 x 1000 x 384': () => innerProduct(1, 1000, 384),
  'inner_product 64 x 1000 x 384': () => innerProduct(64, 1000, 384),
  'inner_product 64 x 400 x 1024': () => innerProduct(64, 400, 1024),
  'inner_product 64 x 1000 x 100': () => innerProduct(64, 1000, 100),
  'normalize 500 x 384': () => normalize(500, 384),
  'film 500 x 384': () => film(500, 384),
  'spline of rows of 1': () => spline(1),
  'spline of rows of 4': () => spline(4),
  'standardize, moments and map': standardize,
  'calendar': calendar,
  'top_k 10': () => topK(10),
  'top_k 1000': () => topK(1000),
};
