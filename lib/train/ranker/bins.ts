// Feature binning by quantiles for histogram-based tree growing. Bin 0 is NaN.

export interface Bins {
  /** Rising edges of each feature; value v has bin 1 + the number of edges below v. */
  edges: Float64Array[];
  /** Bin of feature f of row r at f * rows + r. */
  codes: Uint8Array;
  rows: number;
}

/** Edges at quantiles of up to `sample` values a feature, at most `most` of them (below 254). */
export function binFeatures(
  values: Float32Array,
  features: number,
  { most = 40, sample = 40_000 }: { most?: number; sample?: number } = {},
): Bins {
  const rows = values.length / features;
  const step = Math.max(1, Math.floor(rows / sample));
  const edges = Array.from({ length: features }, (_, f) => {
    const seen: number[] = [];
    for (let r = 0; r < rows; r += step) {
      const value = values[r * features + f]!;
      if (!Number.isNaN(value)) seen.push(value);
    }
    return edgesOf(
      seen.sort((a, b) => a - b),
      most,
    );
  });
  const codes = new Uint8Array(rows * features);
  for (let f = 0; f < features; f += 1) {
    const own = edges[f]!;
    for (let r = 0; r < rows; r += 1) codes[f * rows + r] = binOf(own, values[r * features + f]!);
  }
  return { edges, codes, rows };
}

/**
 * Midpoints between neighbours, at even steps through the distinct values or, if these are many,
 * through all values.
 */
function edgesOf(sorted: readonly number[], most: number): Float64Array {
  const distinct = [...new Set(sorted)];
  const between = (list: readonly number[], at: number): number =>
    Math.fround((list[at]! + list[at + 1]!) / 2);
  if (distinct.length <= most + 1)
    return Float64Array.from({ length: Math.max(0, distinct.length - 1) }, (_, at) =>
      between(distinct, at),
    );
  const chosen = new Set<number>();
  for (let i = 1; i <= most; i += 1) {
    const at = Math.floor((i * sorted.length) / (most + 1));
    const below = sorted[at]!;
    const next = sorted.slice(at).find((each) => each > below);
    if (next !== undefined) chosen.add(Math.fround((below + next) / 2));
  }
  return Float64Array.from([...chosen].sort((a, b) => a - b));
}

function binOf(edges: Float64Array, value: number): number {
  if (Number.isNaN(value)) return 0;
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edges[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return 1 + low;
}
