// The ranker's model: a base and a few dozen small trees over the features, added up. A score can be taken apart: walking down a
// tree, what the expected score changes by at a split is that feature's share, and all shares sum to the score.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AsOfError, describe } from '../../errors.js';
import { featureNames } from './features.js';

/** A tree as columns, node 0 its root; children have higher numbers. A row goes right where its feature is above the threshold; NaN is above none. */
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

export interface RankerModel {
  format: 'asof-ranker-1';
  /** Names the weights in traces and tables. */
  id: string;
  features: string[];
  /** What the score begins with: `weight` times the feature. */
  base: { feature: number; weight: number };
  trees: RankerTree[];
}

/** All trees in one set of columns, each beginning at its root; children are numbered in the whole. */
interface Forest {
  roots: Int32Array;
  feature: Int32Array;
  threshold: Float64Array;
  left: Int32Array;
  right: Int32Array;
  value: Float64Array;
}

export class Ranker {
  readonly id: string;
  private readonly forest: Forest;

  constructor(private readonly model: RankerModel) {
    this.id = model.id;
    this.forest = forestOf(model.trees);
  }

  /** The score of the row whose features begin at `at`. Any finite number; only differences mean something. */
  score(values: Float32Array, at: number): number {
    const { base } = this.model;
    const { roots, feature, threshold, left, right, value } = this.forest;
    let score = base.weight * numberOf(values[at + base.feature]!);
    for (let tree = 0; tree < roots.length; tree += 1) {
      let node = roots[tree]!;
      for (let f = feature[node]!; f >= 0; f = feature[node]!) node = values[at + f]! > threshold[node]! ? right[node]! : left[node]!;
      score += value[node]!;
    }
    return score;
  }

  /** Each feature's share of the score, `bias` what every row gets. Their sum is the score, but for rounding. */
  shares(values: Float32Array, at: number): Record<string, number> {
    const { base, features } = this.model;
    const { roots, feature, threshold, left, right, value } = this.forest;
    const sums = new Float64Array(features.length);
    sums[base.feature] = base.weight * numberOf(values[at + base.feature]!);
    let bias = 0;
    for (let tree = 0; tree < roots.length; tree += 1) {
      const root = roots[tree]!;
      bias += value[root]!;
      for (let node = root, f = feature[root]!; f >= 0; f = feature[node]!) {
        const next = values[at + f]! > threshold[node]! ? right[node]! : left[node]!;
        sums[f]! += value[next]! - value[node]!;
        node = next;
      }
    }
    const told = [...features.keys()].filter((f) => sums[f] !== 0).sort((a, b) => Math.abs(sums[b]!) - Math.abs(sums[a]!));
    const shares: Record<string, number> = { bias };
    for (const f of told) shares[features[f]!] = sums[f]!;
    return shares;
  }
}

const numberOf = (value: number): number => (Number.isNaN(value) ? 0 : value);

function forestOf(trees: readonly RankerTree[]): Forest {
  const roots = new Int32Array(trees.length);
  for (let tree = 1; tree < trees.length; tree += 1) roots[tree] = roots[tree - 1]! + trees[tree - 1]!.value.length;
  const column = <T>(of: (tree: RankerTree, root: number) => readonly T[]): T[] => trees.flatMap((tree, number) => of(tree, roots[number]!));
  return {
    roots,
    feature: Int32Array.from(column(({ feature }) => feature)),
    threshold: Float64Array.from(column(({ threshold }) => threshold), (each) => each ?? -Infinity),
    left: Int32Array.from(column(({ left }, root) => left.map((node) => node + root))),
    right: Int32Array.from(column(({ right }, root) => right.map((node) => node + root))),
    value: Float64Array.from(column(({ value }) => value)),
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
 * @throws AsOfError ERR_NOT_FOUND; ERR_INVALID_INPUT where the file is no ranker, or one of other features than this version has.
 */
export function readRanker(path: string): Ranker {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected the weights of a ranker at ${path}, found no file that can be read. Train them again, or reinstall asof.`,
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
  const inRange = (index: unknown, below: number): boolean => Number.isInteger(index) && (index as number) >= 0 && (index as number) < below;
  if (typeof model.id !== 'string' || !inRange(model.base?.feature, count) || !Number.isFinite(model.base.weight)) {
    throw refused(path, 'an id and a base', JSON.stringify(model.base ?? null));
  }
  if (!Array.isArray(model.trees)) throw refused(path, 'a list of trees', typeof model.trees);
  model.trees.forEach((tree, number) => {
    const { feature, threshold, left, right, value: values } = tree ?? ({} as Partial<RankerTree>);
    const columns = [feature, threshold, left, right, values];
    const sound = columns.every((column) => Array.isArray(column) && column.length === values?.length) &&
      values !== undefined && values.length > 0 && values.every(Number.isFinite) &&
      values.every((_, node) => feature![node] === -1 ||
        (inRange(feature![node], count) && (threshold![node] === null || Number.isFinite(threshold![node])) &&
        inRange(left![node], values.length) && inRange(right![node], values.length) && left![node]! > node && right![node]! > node));
    if (!sound) throw refused(path, 'trees whose splits name features, thresholds and later nodes', `a tree ${number} that does not`);
  });
  return model;
}

function refused(path: string, expected: string, received: string, cause?: unknown): AsOfError {
  const message = `Expected ${path} to be a ranker's weights with ${expected}, received ${received}. Train them again with this version.`;
  return new AsOfError('ERR_INVALID_INPUT', message, cause === undefined ? {} : { cause });
}
