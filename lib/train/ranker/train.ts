// Ranker training: gradient-boosted trees on a listwise loss over the best row of each passage,
// every relevant passage against all others. Deterministic by seed.
import { mustBe, throwIfAborted } from '../../errors.js';
import type { RunOptions } from '../../records.js';
import { featureNames, type FeatureName } from '../../ranking/ranker/featureNames.js';
import type { RankerModel } from '../../ranking/ranker/model.js';
import { mulberry32 } from '../../text/random.js';
import { binFeatures, type Bins } from './bins.js';
import type { RankingExample } from './examples.js';
import { growTree, treeValue } from './tree.js';

export interface TrainRankerOptions extends RunOptions {
  /** Names the weights in traces and tables. Default 'trained'. */
  id?: string;
  /** Default 120. */
  trees?: number;
  /** Splits from root to leaf. Default 4. */
  depth?: number;
  /** Default 0.1. */
  rate?: number;
  /** Share of the features that each tree may use, drawn by the seed. Default 0.5. */
  columns?: number;
  /** Default 1. */
  seed?: number;
}

/** Monotonicity constraints of features: 1 never lowers the score, -1 never raises it. */
const directions: Partial<Record<FeatureName, -1 | 1>> = {
  retrieval: 1,
  bm25: 1,
  bm25OfPassage: 1,
  similarity: 1,
  similarityOfPassage: 1,
  covers: 1,
  coversWithTitle: 1,
  coversBeyondTitle: 1,
  passageCovers: 1,
  titleCovers: 1,
  names: 1,
  passageNames: 1,
  pairs: 1,
  similarityBelowBest: -1,
  coversBelowBest: -1,
  bm25BelowBest: -1,
  titleShare: 1,
  temporal: 1,
  temporalOfPassage: 1,
  temporalBelowBest: -1,
  fit: 1,
  equal: 1,
  holds: 1,
  interim: -1,
  interimOfTitle: -1,
  gapBefore: -1,
  gapAfter: -1,
  valid: 1,
  ahead: -1,
  newer: -1,
  coversEqually: 1,
  besideTime: 1,
  equallyBelowBest: -1,
  dateOfTitle: -1,
  means: 1,
  meansBelowBest: -1,
  relevanceOfBest: 1,
  relevanceOfPassage: 1,
  aheadAlike: -1,
  fitter: -1,
};

/** L2 regularisation of leaves, and the weight of the score before ranking. */
const [smoothing, base] = [10, 5];

/** Minimum gradient of a passage; most of a hundred candidates are below and skipped. */
const leastGradient = 3e-3;

/**
 * Trains the trees of `hybrid`'s ranker on a listwise loss of each relevant passage against all
 * irrelevant ones. Deterministic by examples, options and seed. Write the model as JSON and pass
 * its path to `hybrid` (`ranker`). For evaluation hold out pages or entities, not questions.
 * @throws AsOfError ERR_INVALID_ARGUMENT for arguments of the wrong kind; ERR_ABORTED.
 */
export function trainRanker(
  examples: readonly RankingExample[],
  options: TrainRankerOptions = {},
): RankerModel {
  mustBe('an array', { examples });
  mustBe('an object', { options });
  const {
    id = 'trained',
    trees = 120,
    depth = 4,
    rate = 0.1,
    columns = 0.5,
    seed = 1,
    signal,
    onProgress,
  } = options;
  const width = featureNames.length;
  const lists = concatenate(examples, width);
  const bins = binFeatures(lists.values, width);
  const baseFeature = featureNames.indexOf('retrieval');
  const scores = Float64Array.from(
    { length: bins.rows },
    (_, row) => base * zeroOf(lists.values[row * width + baseFeature]!),
  );
  const usable = featureNames.map((_, f) => f);
  const random = mulberry32(seed);
  const grown: RankerModel['trees'] = [];
  for (let t = 0; t < trees; t += 1) {
    throwIfAborted(signal);
    const gradients = new Float64Array(bins.rows);
    const curvatures = new Float64Array(bins.rows);
    const active = listwiseGradients(lists, scores, gradients, curvatures);
    const allowed = usable.filter(() => random() < columns);
    const tree = growTree(bins, active, gradients, curvatures, {
      depth,
      rate,
      smoothing,
      leastCurvature: 1,
      directions: featureNames.map((name) => directions[name] ?? 0),
      allowed: allowed.length > 0 ? allowed : usable,
    });
    addTree(tree, bins, scores);
    const { bins: _, ...columnsOfTree } = tree;
    grown.push(rounded(columnsOfTree));
    onProgress?.({ done: t + 1, total: trees });
  }
  return {
    format: 'asof-ranker-1',
    id,
    features: [...featureNames],
    base: { feature: baseFeature, weight: base },
    trees: grown,
  };
}

const zeroOf = (value: number): number => (Number.isNaN(value) ? 0 : value);

function addTree(tree: Parameters<typeof treeValue>[0], bins: Bins, scores: Float64Array): void {
  for (let row = 0; row < bins.rows; row += 1) scores[row]! += treeValue(tree, bins, row);
}

/**
 * Questions end to end: passages of question q are [questions[q], questions[q + 1]), rows of
 * passage p [passages[p], passages[p + 1]).
 */
interface Lists {
  values: Float32Array;
  questions: Int32Array;
  passages: Int32Array;
  labels: Int8Array;
  weights: Float64Array;
}

function concatenate(examples: readonly RankingExample[], width: number): Lists {
  const values = new Float32Array(examples.reduce((sum, each) => sum + each.values.length, 0));
  const [questions, passages, labels] = [[0], [0], [] as number[]];
  let at = 0;
  for (const example of examples) {
    values.set(example.values, at * width);
    for (const { label, rows } of example.passages) {
      at += rows;
      passages.push(at);
      labels.push(label);
    }
    questions.push(labels.length);
  }
  return {
    values,
    questions: Int32Array.from(questions),
    passages: Int32Array.from(passages),
    labels: Int8Array.from(labels),
    weights: Float64Array.from(examples, ({ weight }) => weight),
  };
}

/**
 * Fills gradients and curvatures of the loss at the best row of each passage, and returns these
 * rows.
 */
function listwiseGradients(
  { questions, passages, labels, weights }: Lists,
  scores: Float64Array,
  gradients: Float64Array,
  curvatures: Float64Array,
): Int32Array {
  const active: number[] = [];
  const bestRow: number[] = [];
  for (let q = 0; q + 1 < questions.length; q += 1) {
    const [from, to] = [questions[q]!, questions[q + 1]!];
    const right: number[] = [];
    let top = -Infinity;
    for (let p = from; p < to; p += 1) {
      let best = passages[p]!;
      for (let row = best + 1; row < passages[p + 1]!; row += 1)
        if (scores[row]! > scores[best]!) best = row;
      bestRow[p] = best;
      if (labels[p]! >= 0) top = Math.max(top, scores[best]!);
      if (labels[p] === 1) right.push(p);
    }
    if (right.length === 0) continue;
    let wrong = 0;
    for (let p = from; p < to; p += 1)
      if (labels[p] === 0) wrong += Math.exp(scores[bestRow[p]!]! - top);
    // Each relevant passage has its own softmax against all irrelevant ones.
    const weight = weights[q]! / right.length;
    let pull = 0; // sum over right ones of 1 / total
    let pullSquared = 0;
    for (const p of right) {
      const own = Math.exp(scores[bestRow[p]!]! - top);
      const share = own / (own + wrong);
      gradients[bestRow[p]!] = -weight * (1 - share);
      curvatures[bestRow[p]!] = weight * share * (1 - share);
      if (1 - share > leastGradient) active.push(bestRow[p]!);
      pull += 1 / (own + wrong);
      pullSquared += 1 / (own + wrong) ** 2;
    }
    for (let p = from; p < to; p += 1) {
      if (labels[p] !== 0) continue;
      const own = Math.exp(scores[bestRow[p]!]! - top);
      if (own * pull < leastGradient) continue;
      gradients[bestRow[p]!] = weight * own * pull;
      curvatures[bestRow[p]!] = weight * (own * pull - own * own * pullSquared);
      active.push(bestRow[p]!);
    }
  }
  return Int32Array.from(active);
}

const fivePlaces = (value: number): number => Math.round(value * 1e5) / 1e5;

/** Values rounded as in the file, so that both models are identical. */
function rounded({
  value,
  threshold,
  ...tree
}: RankerModel['trees'][number]): RankerModel['trees'][number] {
  return {
    ...tree,
    threshold: threshold.map((each) => (each === null ? null : Number(each.toPrecision(6)))),
    value: value.map(fivePlaces),
  };
}
