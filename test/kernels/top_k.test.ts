// Selection at every level against a full sort, with ties, NaN, infinities and the sizes where
// vectors end.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import * as oracle from '../oracle/top_k.js';
import { atEveryLevel, awkwardSizes, normals, shifted } from './levels.js';

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
