// Regression tree over binned features, grown level by level on gradients and curvatures, with
// monotonicity constraints.
import type { RankerTree } from '../../ranking/ranker/model.js';
import type { Bins } from './bins.js';

export interface TreeOptions {
  depth: number;
  /** Added to the curvature of every node: the larger, the smaller the leaves. */
  smoothing: number;
  /** Minimum curvature of a leaf. */
  leastCurvature: number;
  /** Learning rate. */
  rate: number;
  /** 1: a higher value never lowers the score, -1: never raises it, 0: free. One per feature. */
  directions: readonly (-1 | 0 | 1)[];
  /** Features that the tree may use. */
  allowed: readonly number[];
}

interface Split {
  gain: number;
  feature: number;
  /** The last bin that goes left. */
  bin: number;
  leftValue: number;
  rightValue: number;
}

interface Node {
  rows: Int32Array;
  depth: number;
  low: number;
  high: number;
  value: number;
  number: number;
}

/** Grows a tree for the rows given; `gradients` and `curvatures` are by row number. */
export function growTree(
  bins: Bins,
  rows: Int32Array,
  gradients: Float64Array,
  curvatures: Float64Array,
  options: TreeOptions,
): RankerTree & { bins: number[] } {
  const tree: RankerTree & { bins: number[] } = {
    feature: [],
    threshold: [],
    left: [],
    right: [],
    value: [],
    bins: [],
  };
  const open = (node: Omit<Node, 'number'>): Node => {
    const number = tree.feature.push(-1) - 1;
    tree.threshold.push(0);
    tree.left.push(0);
    tree.right.push(0);
    tree.value.push(node.value);
    tree.bins.push(0);
    return { ...node, number };
  };
  const [gradient, curvature] = sums(rows, gradients, curvatures);
  const queue = [
    open({
      rows,
      depth: 0,
      low: -Infinity,
      high: Infinity,
      value: leaf(gradient, curvature, options),
    }),
  ];
  for (let node = queue.shift(); node; node = queue.shift()) {
    if (node.depth >= options.depth) continue;
    const split = bestSplit(bins, node, gradients, curvatures, options);
    if (!split) continue;
    const { feature, bin, leftValue, rightValue } = split;
    const [left, right] = partition(bins, node.rows, feature, bin);
    const middle = (leftValue + rightValue) / 2;
    const direction = options.directions[feature]!;
    const bounds = (side: -1 | 1): { low: number; high: number } => ({
      low: side === direction ? middle : node.low,
      high: side === -direction ? middle : node.high,
    });
    const free = { low: node.low, high: node.high };
    const children = [
      open({
        rows: left,
        depth: node.depth + 1,
        value: leftValue,
        ...(direction === 0 ? free : bounds(-1)),
      }),
      open({
        rows: right,
        depth: node.depth + 1,
        value: rightValue,
        ...(direction === 0 ? free : bounds(1)),
      }),
    ] as const;
    tree.feature[node.number] = feature;
    tree.threshold[node.number] = bin === 0 ? null : bins.edges[feature]![bin - 1]!;
    tree.bins[node.number] = bin;
    tree.left[node.number] = children[0].number;
    tree.right[node.number] = children[1].number;
    queue.push(...children);
  }
  tree.value = tree.value.map((value) => value * options.rate);
  return tree;
}

/** The tree's value for a row of its training bins. */
export function treeValue(
  tree: RankerTree & { bins: number[] },
  { codes, rows }: Bins,
  row: number,
): number {
  let node = 0;
  while (tree.feature[node]! >= 0)
    node =
      codes[tree.feature[node]! * rows + row]! > tree.bins[node]!
        ? tree.right[node]!
        : tree.left[node]!;
  return tree.value[node]!;
}

const leaf = (gradient: number, curvature: number, { smoothing }: TreeOptions): number =>
  -gradient / (curvature + smoothing);

function sums(
  rows: Int32Array,
  gradients: Float64Array,
  curvatures: Float64Array,
): [number, number] {
  let gradient = 0;
  let curvature = 0;
  for (const row of rows) {
    gradient += gradients[row]!;
    curvature += curvatures[row]!;
  }
  return [gradient, curvature];
}

const mostBins = 256;

function bestSplit(
  bins: Bins,
  { rows, low, high }: Node,
  gradients: Float64Array,
  curvatures: Float64Array,
  options: TreeOptions,
): Split | undefined {
  const [gradient, curvature] = sums(rows, gradients, curvatures);
  const clamp = (value: number): number => Math.max(low, Math.min(high, value));
  const gainOf = (value: number, g: number, h: number): number =>
    -(2 * g * value + (h + options.smoothing) * value * value);
  const whole = gainOf(clamp(leaf(gradient, curvature, options)), gradient, curvature);
  let best: Split | undefined;
  const g = new Float64Array(mostBins);
  const h = new Float64Array(mostBins);
  // Gathered once for all features.
  const [ownG, ownH] = [gathered(gradients, rows), gathered(curvatures, rows)];
  for (const feature of options.allowed) {
    const count = bins.edges[feature]!.length + 2;
    g.fill(0, 0, count);
    h.fill(0, 0, count);
    const from = feature * bins.rows;
    for (let i = 0; i < rows.length; i += 1) {
      const bin = bins.codes[from + rows[i]!]!;
      g[bin]! += ownG[i]!;
      h[bin]! += ownH[i]!;
    }
    let [leftG, leftH] = [0, 0];
    for (let bin = 0; bin + 1 < count; bin += 1) {
      leftG += g[bin]!;
      leftH += h[bin]!;
      if (leftH < options.leastCurvature) continue;
      if (curvature - leftH < options.leastCurvature) break;
      const leftValue = clamp(leaf(leftG, leftH, options));
      const rightValue = clamp(leaf(gradient - leftG, curvature - leftH, options));
      // NaN is outside of a feature's order.
      if (bin > 0 && options.directions[feature]! * (rightValue - leftValue) < 0) continue;
      const gain =
        gainOf(leftValue, leftG, leftH) +
        gainOf(rightValue, gradient - leftG, curvature - leftH) -
        whole;
      if (gain > (best?.gain ?? 1e-9)) best = { gain, feature, bin, leftValue, rightValue };
    }
  }
  return best;
}

function gathered(values: Float64Array, rows: Int32Array): Float64Array {
  const own = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) own[i] = values[rows[i]!]!;
  return own;
}

function partition(
  { codes, rows: all }: Bins,
  rows: Int32Array,
  feature: number,
  bin: number,
): [Int32Array, Int32Array] {
  const goesLeft = (row: number): boolean => codes[feature * all + row]! <= bin;
  return [rows.filter(goesLeft), rows.filter((row) => !goesLeft(row))];
}
