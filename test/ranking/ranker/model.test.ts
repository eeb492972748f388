// The ranker's arithmetic against an oracle that walks trees its own way, what explains a score,
// and files that are no weights.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { featureNames } from '../../../lib/ranking/ranker/featureNames.js';
import {
  checkRanker,
  embeddedRanker,
  Ranker,
  readRanker,
  type RankerModel,
  type RankerTree,
} from '../../../lib/ranking/ranker/model.js';

const width = featureNames.length;

/**
 * A random tree of at most `depth` splits a path: nested first, so that the oracle need not read
 * the columns.
 */
interface Nested {
  value: number;
  split?: { feature: number; threshold: number | null; left: Nested; right: Nested };
}
const nested = (depth: number): fc.Arbitrary<Nested> => {
  const value = fc.integer({ min: -1000, max: 1000 }).map((n) => n / 100);
  if (depth === 0) return fc.record({ value });
  const threshold = fc.option(fc.integer({ min: -4, max: 4 }));
  const split = fc.option(
    fc.record({
      feature: fc.nat(width - 1),
      threshold,
      left: nested(depth - 1),
      right: nested(depth - 1),
    }),
    {
      nil: undefined,
    },
  );
  return fc
    .record({ value, split })
    .map(({ value: own, split: found }) => (found ? { value: own, split: found } : { value: own }));
};

function columns(root: Nested): RankerTree {
  const tree: RankerTree = { feature: [], threshold: [], left: [], right: [], value: [] };
  const place = (node: Nested): number => {
    const at = tree.feature.push(node.split?.feature ?? -1) - 1;
    tree.threshold.push(node.split?.threshold ?? (node.split ? null : 0));
    tree.value.push(node.value);
    tree.left.push(0);
    tree.right.push(0);
    if (node.split) {
      tree.left[at] = place(node.split.left);
      tree.right[at] = place(node.split.right);
    }
    return at;
  };
  place(root);
  return tree;
}

function oracle({ value, split }: Nested, row: readonly number[]): number {
  if (!split) return value;
  const own = row[split.feature]!;
  const right = Number.isNaN(own) ? false : split.threshold === null ? true : own > split.threshold;
  return oracle(right ? split.right : split.left, row);
}

const rows = fc.array(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant(NaN)), {
  minLength: width,
  maxLength: width,
});
const modelOf = (trees: readonly Nested[], weight: number): RankerModel => ({
  format: 'asof-ranker-1',
  id: 'test',
  features: [...featureNames],
  base: { feature: 0, weight },
  trees: trees.map(columns),
});

describe('the ranker', () => {
  it('adds up its base and the leaf that each tree leads to', () => {
    fc.assert(
      fc.property(
        fc.array(nested(3), { maxLength: 5 }),
        fc.integer({ min: 0, max: 9 }),
        rows,
        (trees, weight, row) => {
          const expected =
            weight * (Number.isNaN(row[0]!) ? 0 : row[0]!) +
            trees.reduce((sum, tree) => sum + oracle(tree, row), 0);
          assert.ok(
            Math.abs(
              new Ranker(modelOf(trees, weight)).score(Float32Array.from(row), 0) - expected,
            ) < 1e-9,
          );
        },
      ),
    );
  });

  it('scores rows together as it scores each', () => {
    fc.assert(
      fc.property(
        fc.array(nested(4), { maxLength: 5 }),
        fc.array(rows, { maxLength: 11 }),
        (trees, all) => {
          const ranker = new Ranker(modelOf(trees, 5));
          const values = Float32Array.from(all.flat());
          assert.deepEqual(
            [...ranker.scores(values)],
            all.map((_, row) => ranker.score(values, row * width)),
          );
          const expected = all.map((row) =>
            trees.reduce(
              (sum, tree) => sum + oracle(tree, row),
              5 * (Number.isNaN(row[0]!) ? 0 : row[0]!),
            ),
          );
          ranker
            .scores(values)
            .forEach((score, row) => assert.ok(Math.abs(score - expected[row]!) < 1e-9));
        },
      ),
    );
  });

  it('explains a score by shares that sum to it, the largest first after the bias', () => {
    fc.assert(
      fc.property(fc.array(nested(4), { maxLength: 5 }), rows, rows, (trees, before, row) => {
        const ranker = new Ranker(modelOf(trees, 5));
        const values = Float32Array.from([...before, ...row]);
        const { bias, ...shares } = ranker.shares(values, width);
        const sizes = Object.values(shares).map(Math.abs);
        assert.ok(
          Math.abs(
            bias! +
              Object.values(shares).reduce((sum, share) => sum + share, 0) -
              ranker.score(values, width),
          ) < 1e-6,
        );
        assert.deepEqual(
          sizes,
          [...sizes].sort((a, b) => b - a),
        );
      }),
    );
  });

  it('comes with weights that pass their own check, in a file of a few dozen kilobytes', () => {
    assert.equal(embeddedRanker().id, 'hybrid-2');
    assert.equal(embeddedRanker(), embeddedRanker());
  });
});

describe('a file of weights', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'asof-ranker-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is refused where it is missing, is no JSON or has another format', () => {
    assert.throws(() => readRanker(join(folder, 'none.json')), {
      code: 'ERR_NOT_FOUND',
      message: /Expected the weights of a ranker at .*Train them again/,
    });
    const path = join(folder, 'weights.json');
    for (const [text, message] of [
      ['{', /with JSON, received other text/],
      ['null', /format asof-ranker-1, received null/],
      ['{"format":"asof-ranker-9"}', /asof-ranker-1, received the string "asof-ranker-9"/],
    ] as const) {
      writeFileSync(path, text);
      assert.throws(() => readRanker(path), { code: 'ERR_INVALID_INPUT', message });
    }
  });

  it('is refused where it has other features, or trees that lead nowhere', () => {
    const sound = modelOf(
      [
        {
          value: 0,
          split: { feature: 2, threshold: 0.5, left: { value: -1 }, right: { value: 1 } },
        },
      ],
      5,
    );
    assert.equal(checkRanker(structuredClone(sound)).id, 'test');
    const spoil: ((model: RankerModel) => void)[] = [
      (model) => void model.features.reverse(),
      (model) => void (model.base.weight = NaN),
      (model) => void (model.base.feature = width),
      (model) => void (model.trees[0]!.feature[0] = width),
      (model) => void (model.trees[0]!.left[0] = 0), // a circle
      (model) => void (model.trees[0]!.right[0] = 3),
      (model) => void (model.trees[0]!.right[0] = model.trees[0]!.left[0]!), // two ways to one node
      (model) => void (model.trees[0]!.value[1] = Infinity),
      (model) => void model.trees[0]!.threshold.pop(),
      (model) => void (model.trees[0] = null as never),
      (model) => void (model.trees = {} as never),
    ];
    for (const change of spoil) {
      const model = structuredClone(sound);
      change(model);
      const message =
        /Expected weights.json to be a ranker's weights with .*, received .*\. Train them again/;
      assert.throws(
        () => checkRanker(model, 'weights.json'),
        { code: 'ERR_INVALID_INPUT', message },
        String(change),
      );
    }
  });
});
