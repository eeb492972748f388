// Inner products of one and of 64 queries with rows that fit the second-level cache; whole searches
// over larger ones are in bench/search, which does not copy its rows.
import '../../test/selectAddon.js';
import { binding } from '../../lib/binding.js';
import { innerProduct } from '../../test/oracle/inner_product.js';
import { floats, type KernelCase } from '../kernelCase.js';

function shape(nq: number, n: number, d: number): KernelCase {
  const queries = floats(nq * d, 1);
  const rows = floats(n * d, 2);
  const pair = (at: number) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return innerProduct(queries.subarray(i * d, (i + 1) * d), rows.subarray(j * d, (j + 1) * d));
  };
  return {
    name: `inner_product ${nq} x ${n} x ${d}`,
    amount: 2 * nq * n * d,
    unit: 'FLOP',
    run: () => binding.innerProduct(queries, rows, d),
    plain: () => {
      const out = new Float32Array(nq * n);
      for (let i = 0; i < nq; i += 1) {
        for (let j = 0; j < n; j += 1) {
          let sum = 0;
          for (let c = 0; c < d; c += 1) sum += queries[i * d + c]! * rows[j * d + c]!;
          out[i * n + j] = sum;
        }
      }
      return out;
    },
    exact: () => Float64Array.from({ length: nq * n }, (_, at) => pair(at).value),
    scale: (at) => pair(at).magnitude,
  };
}

export const kernelCases = {
  one: () => shape(1, 1000, 384),
  batch: () => shape(64, 1000, 384),
  wide: () => shape(64, 400, 1024),
  odd: () => shape(64, 1000, 100),
};
