// The ranker's model: a base and a few dozen small trees over the features, added up. A score can
// be taken apart: walking down a tree, what the expected score changes by at a split is that
// feature's share, and all shares sum to the score.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AsOfError, describe } from '../../errors.js';
import { featureNames } from './featureNames.js';

/**
 * A tree as columns, node 0 its root; children have higher numbers. A row goes right where its
 * feature is above the threshold; NaN is above none.
 */
export interface RankerTree {
  /** Index in the model's features; -1 at a leaf. */
  feature: number[];
  /** Null stands for below every number: what is a number goes right, what is NaN left. */
  threshold: (number | null)[];
  left: number[];
  right: number[];
  /** The expected score of the rows that come here; a leaf's is what it adds. */
  value: number[];
}

/** Weights of a ranker, as `trainRanker` makes them and a JSON file keeps them. */
export interface RankerModel {
  format: 'asof-ranker-1';
  /** Names the weights in traces and tables. */
  id: string;
  features: string[];
  /** What the score begins with: `weight` times the feature. */
  base: { feature: number; weight: number };
  trees: RankerTree[];
}

/**
 * All trees in one set of columns, the right child of a node behind its left one. A leaf is its own
 * left child, and nothing is above its threshold: a walk of as many steps as the tree is deep ends
 * at the leaf, whichever that is.
 */
interface Forest {
  roots: Int32Array;
  depths: Int32Array;
  feature: Int32Array;
  threshold: Float64Array;
  left: Int32Array;
  value: Float64Array;
}

/**
 * A ranker's weights, ready to score: adds up its trees, and takes a score apart into the shares of
 * its features.
 */
export class Ranker {
  readonly id: string;
  private readonly forest: Forest;

  constructor(private readonly model: RankerModel) {
    this.id = model.id;
    this.forest = forestOf(model.trees);
  }

  /**
   * The scores of rows, whose features stand row by row. Any finite numbers; only differences mean
   * something.
   */
  scores(values: Float32Array): Float64Array {
    const { base, features } = this.model;
    const width = features.length;
    const scores = Float64Array.from(
      { length: values.length / width },
      (_, row) => base.weight * numberOf(values[row * width + base.feature]!),
    );
    const { roots, depths, feature, threshold, left, value } = this.forest;
    for (let tree = 0; tree < roots.length; tree += 1) {
      const [root, depth] = [roots[tree]!, depths[tree]!];
      let row = 0;
      // Four rows at a time: a step waits for the one before, but not for those of other rows.
      for (let at = 0; row + 4 <= scores.length; row += 4, at += 4 * width) {
        let [a, b, c, d] = [root, root, root, root];
        for (let step = 0; step < depth; step += 1) {
          a = left[a]! + +(values[at + feature[a]!]! > threshold[a]!);
          b = left[b]! + +(values[at + width + feature[b]!]! > threshold[b]!);
          c = left[c]! + +(values[at + 2 * width + feature[c]!]! > threshold[c]!);
          d = left[d]! + +(values[at + 3 * width + feature[d]!]! > threshold[d]!);
        }
        scores[row]! += value[a]!;
        scores[row + 1]! += value[b]!;
        scores[row + 2]! += value[c]!;
        scores[row + 3]! += value[d]!;
      }
      for (; row < scores.length; row += 1) {
        let node = root;
        for (let step = 0; step < depth; step += 1)
          node = left[node]! + +(values[row * width + feature[node]!]! > threshold[node]!);
        scores[row]! += value[node]!;
      }
    }
    return scores;
  }

  /** The score of the row whose features begin at `at`. */
  score(values: Float32Array, at: number): number {
    return this.scores(values.subarray(at, at + this.model.features.length))[0]!;
  }

  /**
   * Each feature's share of the score, `bias` what every row gets. Their sum is the score, but for
   * rounding.
   */
  shares(values: Float32Array, at: number): Record<string, number> {
    const { base, features } = this.model;
    const { roots, depths, feature, threshold, left, value } = this.forest;
    const sums = new Float64Array(features.length);
    sums[base.feature] = base.weight * numberOf(values[at + base.feature]!);
    let bias = 0;
    for (let tree = 0; tree < roots.length; tree += 1) {
      let node = roots[tree]!;
      bias += value[node]!;
      for (let step = 0; step < depths[tree]!; step += 1) {
        const f = feature[node]!;
        const next = left[node]! + +(values[at + f]! > threshold[node]!);
        sums[f]! += value[next]! - value[node]!;
        node = next;
      }
    }
    const told = [...features.keys()]
      .filter((f) => sums[f] !== 0)
      .sort((a, b) => Math.abs(sums[b]!) - Math.abs(sums[a]!));
    const shares: Record<string, number> = { bias };
    for (const f of told) shares[features[f]!] = sums[f]!;
    return shares;
  }
}

const numberOf = (value: number): number => (Number.isNaN(value) ? 0 : value);

function forestOf(trees: readonly RankerTree[]): Forest {
  const columns = ['roots', 'depths', 'feature', 'threshold', 'left', 'value'] as const;
  const forest = Object.fromEntries(columns.map((column) => [column, [] as number[]])) as Record<
    (typeof columns)[number],
    number[]
  >;
  let places = 0;
  for (const tree of trees) {
    forest.roots.push(places);
    let depth = 0;
    const met = [{ node: 0, level: 0 }];
    places += 1;
    for (const { node, level } of met) {
      depth = Math.max(depth, level);
      const split = tree.feature[node]! >= 0;
      forest.feature.push(split ? tree.feature[node]! : 0);
      forest.threshold.push(split ? (tree.threshold[node] ?? -Infinity) : Infinity);
      forest.left.push(split ? places : forest.left.length);
      forest.value.push(tree.value[node]!);
      if (!split) continue;
      met.push(
        { node: tree.left[node]!, level: level + 1 },
        { node: tree.right[node]!, level: level + 1 },
      );
      places += 2;
    }
    forest.depths.push(depth);
  }
  return {
    roots: Int32Array.from(forest.roots),
    depths: Int32Array.from(forest.depths),
    feature: Int32Array.from(forest.feature),
    threshold: Float64Array.from(forest.threshold),
    left: Int32Array.from(forest.left),
    value: Float64Array.from(forest.value),
  };
}

/** Beside lib/ and beside dist/ alike. */
const embedded = fileURLToPath(new URL('../../../models/hybrid-ranker.json', import.meta.url));
let loaded: Ranker | undefined;

/** The ranker that comes with the package, read once. */
export function embeddedRanker(): Ranker {
  return (loaded ??= readRanker(embedded));
}

/**
 * Reads a ranker's weights.
 * @throws AsOfError ERR_NOT_FOUND; ERR_INVALID_INPUT where the file is no ranker, or one of other
 * features than this version has.
 */
export function readRanker(path: string): Ranker {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected the weights of a ranker at ${path}, the file is missing or unreadable. ` +
        'Train them again, or reinstall asof.',
      { cause },
    );
  }
  return new Ranker(checkRanker(parsed(text, path), path));
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refused(path, 'JSON', 'other text', cause);
  }
}

/** The model, if the value is one: every index in range, every number finite, every walk ends. */
export function checkRanker(value: unknown, path = 'the model'): RankerModel {
  const model = value as RankerModel;
  if (typeof value !== 'object' || value === null || model.format !== 'asof-ranker-1') {
    throw refused(path, 'format asof-ranker-1', describe(model?.format ?? value));
  }
  if (!Array.isArray(model.features) || model.features.join() !== featureNames.join()) {
    throw refused(
      path,
      `the ${featureNames.length} features of this version`,
      `${Array.isArray(model.features) ? model.features.length : 'no'} others`,
    );
  }
  const count = model.features.length;
  const inRange = (index: unknown, below: number): boolean =>
    Number.isInteger(index) && (index as number) >= 0 && (index as number) < below;
  if (
    typeof model.id !== 'string' ||
    !inRange(model.base?.feature, count) ||
    !Number.isFinite(model.base.weight)
  ) {
    throw refused(path, 'an id and a base', JSON.stringify(model.base ?? null));
  }
  if (!Array.isArray(model.trees)) throw refused(path, 'a list of trees', typeof model.trees);
  model.trees.forEach((tree, number) => {
    const { feature, threshold, left, right, value: values } = tree ?? ({} as Partial<RankerTree>);
    const columns = [feature, threshold, left, right, values];
    const sound =
      columns.every((column) => Array.isArray(column) && column.length === values?.length) &&
      values !== undefined &&
      values.length > 0 &&
      values.every(Number.isFinite) &&
      values.every(
        (_, node) =>
          feature[node] === -1 ||
          (inRange(feature[node], count) &&
            (threshold[node] === null || Number.isFinite(threshold[node])) &&
            inRange(left[node], values.length) &&
            inRange(right[node], values.length) &&
            left[node]! > node &&
            right[node]! > node),
      ) &&
      isTree(tree);
    if (!sound)
      throw refused(
        path,
        'trees whose splits name features, thresholds and later nodes',
        `a tree ${number} that does not`,
      );
  });
  return model;
}

/** Whether no node has two parents. */
function isTree({ feature, left, right }: RankerTree): boolean {
  const children = feature.flatMap((each, node) => (each >= 0 ? [left[node]!, right[node]!] : []));
  return new Set(children).size === children.length;
}

function refused(path: string, expected: string, received: string, cause?: unknown): AsOfError {
  const message = `Expected ${path} to be a ranker's weights with ${expected}, received ${received}. Train them again with this version.`;
  return new AsOfError('ERR_INVALID_INPUT', message, cause === undefined ? {} : { cause });
}
