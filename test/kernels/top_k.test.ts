// Selection and pooling at every level against a full sort, with ties, NaN, infinities and the
// sizes where vectors end.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import * as oracle from '../oracle/top_k.js';
import { atEveryLevel, awkwardSizes, normals, random, shifted } from './levels.js';

/** Few distinct values, so that ties are common, and the ones that comparisons treat specially. */
const awkwardScore = fc.constantFrom(0, -0, 1, 2, 0.5, -1, NaN, Infinity, -Infinity, 2 ** -149);
const awkwardScores = fc
  .array(awkwardScore, { maxLength: 80 })
  .map((values) => Float32Array.from(values));

describe('top_k', () => {
  atEveryLevel(() => {
    for (const n of [...awkwardSizes, 5000]) {
      it(`selects from ${n}`, async () => {
        const scores = shifted(
          normals(n, n).map((value) => Math.round(value * 40)),
          1,
        );
        for (const k of [0, 1, 2, 10, n - 1, n, n + 5]) {
          const { indices, scores: best } = await addon.topK(scores, k);
          const expected = oracle.topK(scores, k);
          assert.deepEqual([...indices], expected);
          assert.deepEqual(
            [...best],
            expected.map((index) => scores[index]),
          );
        }
      });
    }

    it('equals a full sort with the same tie rule, whatever the scores', () =>
      fc.assert(
        fc.asyncProperty(awkwardScores, fc.integer({ min: 0, max: 90 }), async (scores, k) => {
          assert.deepEqual([...(await addon.topK(scores, k)).indices], oracle.topK(scores, k));
        }),
      ));

    it('selects nothing from nothing, and nothing from NaN', async () => {
      assert.equal((await addon.topK(new Float32Array(0), 5)).indices.length, 0);
      assert.equal((await addon.topK(new Float32Array(40).fill(NaN), 5)).indices.length, 0);
    });
  });
});

describe('pool', () => {
  const noRow = 0xffffffff;

  atEveryLevel(() => {
    it('finds the best row of groups of any size', async () => {
      const sizes = [...awkwardSizes, 0, 0, 100, 1];
      const offsets = Uint32Array.from([
        0,
        ...sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0)),
      ]);
      const scores = shifted(
        normals(offsets.at(-1)!, 3).map((value) => Math.round(value * 4)),
        3,
      );
      const groups = Uint32Array.from(
        sizes.flatMap((size, group) => Array.from({ length: size }, () => group)),
      );
      const expected = oracle.pool(scores, groups, sizes.length);
      for (const { best, rows } of [
        await addon.poolContiguous(scores, offsets),
        await addon.poolIndexed(scores, groups, sizes.length),
      ]) {
        assert.deepEqual(
          [...rows],
          expected.map((row) => row ?? noRow),
        );
        assert.deepEqual(
          [...best],
          expected.map((row) => (row === undefined ? -Infinity : scores[row])),
        );
      }
    });

    it('agrees with the oracle for rows of any order and any scores', () =>
      fc.assert(
        fc.asyncProperty(
          awkwardScores,
          fc.integer({ min: 1, max: 9 }),
          fc.nat(),
          async (scores, count, seed) => {
            const next = random(seed);
            const groups = Uint32Array.from(scores, () => Math.floor(next() * count));
            const { rows } = await addon.poolIndexed(scores, groups, count);
            assert.deepEqual(
              [...rows],
              oracle.pool(scores, groups, count).map((row) => row ?? noRow),
            );
            const sorted = groups.slice().sort();
            const offsets = Uint32Array.from(
              { length: count + 1 },
              (_, group) => sorted.filter((each) => each < group).length,
            );
            const contiguous = await addon.poolContiguous(scores, offsets);
            assert.deepEqual(
              [...contiguous.rows],
              oracle.pool(scores, sorted, count).map((row) => row ?? noRow),
            );
          },
        ),
      ));
  });

  it('refuses groups and offsets that point outside', () => {
    const scores = new Float32Array(4);
    assert.throws(() => addon.poolIndexed(scores, Uint32Array.of(0, 1, 2, 3), 3), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.throws(() => addon.poolContiguous(scores, Uint32Array.of(0, 5)), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.throws(() => addon.poolContiguous(scores, Uint32Array.of(2, 1)), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.throws(() => addon.poolContiguous(scores, new Uint32Array(0)), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
