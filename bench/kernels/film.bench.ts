// Re3's fusion of time into vectors, with its normalisation: rows that fit the second-level cache,
// and for bare.bench.ts a hundred thousand, which are read from memory.
import { addon } from '../../test/addon.js';
import { film } from '../../test/oracle/vectors.js';
import { floats, type KernelCase } from '../kernelCase.js';

function shape(n: number, d: number): KernelCase {
  const [x, gamma, beta] = [1, 2, 3].map((seed) => floats(n * d, seed)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const timed = new Uint8Array(n).fill(1);
  const alpha = 0.3;
  return {
    name: `film ${n} x ${d}`,
    amount: n,
    unit: ' rows',
    run: async () => (await addon.film({ x, gamma, beta, alpha, timed, dimensions: d })).rows,
    plain: (out = new Float32Array(n * d)) => {
      for (let row = 0; row < n; row += 1) {
        let squares = 0;
        for (let c = row * d; c < (row + 1) * d; c += 1) {
          const t = (1 + alpha * gamma[c]!) * x[c]! + beta[c]!;
          out[c] = t;
          squares += t * t;
        }
        const factor = 1 / Math.sqrt(squares);
        for (let c = row * d; c < (row + 1) * d; c += 1) out[c]! *= factor;
      }
      return out;
    },
    exact: () => {
      const rowOf = (matrix: Float32Array, row: number) => matrix.subarray(row * d, (row + 1) * d);
      const all = new Float64Array(n * d);
      for (let row = 0; row < n; row += 1)
        all.set(film(rowOf(x, row), rowOf(gamma, row), rowOf(beta, row), alpha).y, row * d);
      return all;
    },
  };
}

export const kernelCases = { film: () => shape(500, 384) };
export const inMemory = () => shape(100_000, 384);
