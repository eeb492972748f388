// scanFlat as its callers see it: independence of the vectors' memory layout, and rejection of
// invalid components. test/index/flat.*.test.ts covers results.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';

const [n, d] = [40, 3];
const vectors = Float32Array.from({ length: n * d }, (_, i) => Math.sin(i * 7.3));
const rows = new binding.MemoryRows({
  passages: n,
  multiSentence: 0,
  dimensions: d,
  vectors,
  rowPassage: Uint32Array.from({ length: n }, (_, row) => row),
});

describe('a flat scan', () => {
  it(
    'finds the same wherever its vectors lie: side by side, apart, over each other, ' +
      'backward, in memory that threads share',
    async () => {
      const starts = fc.oneof(
        fc
          .tuple(fc.nat(9), fc.integer({ min: 1, max: 9 }))
          .map(([from, count]) => Array.from({ length: count }, (_, q) => from + q * d)),
        fc.array(fc.nat(36), { minLength: 1, maxLength: 9 }),
      );
      await fc.assert(
        fc.asyncProperty(starts, fc.boolean(), async (places, shared) => {
          const [length, bytes] = [39, 4 * 39];
          const all = new Float32Array(
            shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes),
          );
          for (let i = 0; i < length; i += 1) all[i] = Math.cos(i * 3.1);
          const queries = places.map((start) => ({ vector: all.subarray(start, start + d) }));
          const apart = queries.map(({ vector }) => ({ vector: Float32Array.from(vector) }));
          assert.deepEqual(
            await scanFlat([{ rows }], queries, { k: 4 }),
            await scanFlat([{ rows }], apart, { k: 4 }),
          );
        }),
      );
    },
  );

  it('rejects vectors of another length and non-finite components anywhere', async () => {
    const all = new Float32Array(3 * d).fill(1);
    const lengths = [all.subarray(0, d), all.subarray(d, 2 * d - 1)].map((vector) => ({ vector }));
    await assert.rejects(scanFlat([{ rows }], lengths, { k: 1 }), { code: 'ERR_INVALID_ARGUMENT' });
    for (let length = 1; length < 12; length += 1) {
      for (let at = 0; at < length; at += 1) {
        for (const wrong of [NaN, Infinity, -Infinity]) {
          const vector = new Float32Array(length).fill(1);
          vector[at] = wrong;
          await assert.rejects(
            scanFlat([{ rows }], [{ vector }], { k: 1 }),
            new RegExp(`finite numbers.*Component ${at} is not`, 's'),
          );
        }
      }
    }
  });
});
