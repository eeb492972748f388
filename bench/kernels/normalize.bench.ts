// Rows scaled to length 1.
import { addon } from '../../test/addon.js';
import { normalized } from '../../test/oracle/vectors.js';
import { floats, type KernelCase } from '../kernelCase.js';

function shape(n: number, d: number): KernelCase {
  const rows = floats(n * d, 3);
  return {
    name: `normalize ${n} x ${d}`,
    amount: n,
    unit: ' rows',
    run: async () => (await addon.normalize(rows, d)).rows,
    plain: () => {
      const out = rows.slice();
      for (let row = 0; row < n; row += 1) {
        let squares = 0;
        for (let c = row * d; c < (row + 1) * d; c += 1) squares += out[c]! * out[c]!;
        const factor = 1 / Math.sqrt(squares);
        for (let c = row * d; c < (row + 1) * d; c += 1) out[c]! *= factor;
      }
      return out;
    },
    exact: () =>
      Float64Array.from({ length: n }, (_, row) => row).reduce<number[]>(
        (all, row) => all.concat(normalized(rows.subarray(row * d, (row + 1) * d))),
        [],
      ),
  };
}

export const kernelCases = { normalize: () => shape(500, 384) };
