// The best 10 and the best 1,000 of a million scores, and the best row of each of many groups.
// Exact, so the error is 0.
import { addon } from '../../test/addon.js';
import { floats, type KernelCase } from '../kernelCase.js';

function selection(n: number, k: number): KernelCase {
  const scores = floats(n, 5);
  const sorted = () =>
    Array.from(scores.keys())
      .sort((a, b) => scores[b]! - scores[a]! || a - b)
      .slice(0, k);
  return {
    name: `top_k ${k} of ${n}`,
    amount: n,
    unit: ' scores',
    run: async () => (await addon.topK(scores, k)).indices,
    plain: () => {
      const best: number[] = []; // ascending insertion, as in a first version
      for (let at = 0; at < n; at += 1) {
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
    exact: sorted,
  };
}

function pooling(n: number, size: number): KernelCase {
  const scores = floats(n, 6);
  const offsets = Uint32Array.from({ length: n / size + 1 }, (_, group) => group * size);
  const best = () => {
    const rows = new Uint32Array(offsets.length - 1);
    for (let group = 0; group < rows.length; group += 1) {
      let row = offsets[group]!;
      for (let at = row + 1; at < offsets[group + 1]!; at += 1)
        if (scores[at]! > scores[row]!) row = at;
      rows[group] = row;
    }
    return rows;
  };
  return {
    name: `pool ${n} by ${size}`,
    amount: n,
    unit: ' scores',
    run: async () => (await addon.poolContiguous(scores, offsets)).rows,
    plain: best,
    exact: best,
  };
}

export const kernelCases = {
  few: () => selection(1_000_000, 10),
  many: () => selection(1_000_000, 1000),
  sentences: () => pooling(1_000_000, 5),
  documents: () => pooling(1_000_000, 100),
};
