// Requests of the cascade whose numbers point outside of their columns, or whose columns differ in
// length: refused by name, before anything is read.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import type { CascadeRequest } from '../../binding.js';
import { goodCalls } from './calls.js';

describe('requests of the cascade', () => {
  let good: CascadeRequest;
  before(async () => {
    good = (await goodCalls())['cascade']!.args()[0] as CascadeRequest;
  });

  const refused: [string, Partial<CascadeRequest>, RegExp][] = [
    ['a place below 1', { place: 0 }, /place.*from 1/],
    ['a negative candidate', { candidate: Int32Array.of(0, -1) }, /candidate.*below 2.*-1/],
    ['a candidate of none', { candidate: Int32Array.of(0, 2) }, /candidate.*below 2.*2/],
    ['a third interpretation', { interpretation: Uint8Array.of(0, 2) }, /interpretation.*below 2/],
    ['one order of ranks', { ranked: [Int32Array.of(0, 1)] }, /ranked.*two.*received one of 1/],
    ['a ranked member of none', { ranked: [Int32Array.of(2), Int32Array.of()] }, /ranked.*below 2/],
    ['a negative ranked member', { ranked: [Int32Array.of(-1), Int32Array.of()] }, /ranked.*-1/],
    ['a restating member of none', { restatements: Uint32Array.of(2) }, /restatements.*below 2/],
    [
      'ends of restatements beyond their number',
      { restatementEnds: Uint32Array.of(1, 2) },
      /restatementEnds.*up to 1.*received 2/,
    ],
    [
      'ends of restatements that descend',
      { restatementEnds: Uint32Array.of(1, 0) },
      /restatementEnds.*ascending.*received 0/,
    ],
    ['a missing flag of a series', { restatementsSameSeries: Uint8Array.of() }, /SameSeries.*of 1/],
    [
      'features of another width',
      { features: new Float32Array(84) },
      /features.*received one of 84/,
    ],
    ['inputs without weights', { clockInputs: Float64Array.of(1, 1) }, /clockWeights.*of 2/],
    ['weights without inputs', { seriesWeights: Float64Array.of(1, 1) }, /seriesWeights.*of 1/],
    ['a judgment of no candidate', { judged: Float64Array.of(1, 1, 1) }, /judged.*of 2/],
    ['a credibility of no member', { credibility: Float64Array.of(1) }, /credibility.*of 2/],
    ['a member without rank', { rank: Int32Array.of(0) }, /rank.*of 2/],
    ['a member without time', { ends: Float64Array.of(0) }, /ends.*of 2/],
    ['coverage of fewer candidates', { coverage: Float64Array.of(1) }, /coverage.*of 2/],
    [
      'fewer candidates',
      { similarity: Float64Array.of(1), coverage: Float64Array.of(1) },
      /candidate.*below 1/,
    ],
  ];
  for (const [what, spoiled, message] of refused)
    it(`with ${what} are refused`, () =>
      assert.throws(() => binding.cascade({ ...good, ...spoiled }), {
        code: 'ERR_INVALID_ARGUMENT',
        message,
      }));

  it('take any place and rank, and no members or candidates', () => {
    const far = { place: 2 ** 32 - 1, rank: Int32Array.of(-(2 ** 31), 2 ** 31 - 1) };
    assert.ok(binding.cascade({ ...good, ...far }).scores.every(Number.isFinite));
    const none = {
      features: new Float32Array(),
      candidate: new Int32Array(),
      interpretation: new Uint8Array(),
      rank: new Int32Array(),
      ranked: [new Int32Array(), new Int32Array()],
      restatementEnds: new Uint32Array(),
      restatements: new Uint32Array(),
      restatementsSameSeries: new Uint8Array(),
      starts: new Float64Array(),
      ends: new Float64Array(),
      similarity: new Float64Array(),
      coverage: new Float64Array(),
      credibility: undefined,
      judged: undefined,
    };
    for (const place of [1, 2]) {
      const { scores, best, nothing } = binding.cascade({ ...good, ...none, place });
      assert.deepEqual([scores.length, best, nothing], [0, -1, 0]);
    }
  });

  it('read no array that a getter of the request detaches', () => {
    const features = good.features.slice();
    const request = Object.defineProperty({ ...good, features }, 'judged', {
      get() {
        structuredClone(features.buffer, { transfer: [features.buffer] });
      },
    });
    assert.throws(() => binding.cascade(request), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /features.*detached/,
    });
  });
});
