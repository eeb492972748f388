// Decays by their options: the values that the documentation of Elasticsearch's and Milvus's decay
// functions states, durations, defaults, and errors.
import assert from 'node:assert/strict';
import { type Decay, decayFormAt, parseDuration } from '../../lib/time/decay.js';
import { VectorIndex, type VectorTimes } from '../../lib/index.js';
import { decayFunctions, decayKinds } from '../oracle/temporal.js';

const day = 86_400_000;
const now = Date.UTC(2024, 0, 1);

/** The decays of rows that many milliseconds from the origin, as a search of the rows reports. */
async function valuesAt(distances: readonly number[], decay: Decay): Promise<number[]> {
  using index = new VectorIndex({
    dimensions: 1,
    vectors: new Float32Array(distances.length).fill(1),
    publishedAt: Float64Array.from(distances, (distance) => now - distance),
  });
  const { row, temporal } = await index.searchBatch(Float32Array.of(1), distances.length, {
    decay: { origin: new Date(now), ...decay },
  });
  const values = distances.map(() => NaN);
  row.forEach((each, i) => (values[each] = temporal[i]!));
  return values;
}

const assertNear = (actual: number[], expected: number[], what: string): void => {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) =>
    assert.ok(
      Math.abs(value - expected[i]!) <= 1e-12,
      `${what}, ${i}: ${value} for ${expected[i]}`,
    ),
  );
};

describe('decay', () => {
  for (const shape of decayKinds) {
    it(`${shape}: has Elasticsearch's values for origin 40, offset 5, scale 5`, async () => {
      // Elasticsearch: The Definitive Guide, "The Closer, The Better": 1 from 35 to 45, 0.5 at 30
      // and 50. A unit is a day here.
      const decay: Decay = { shape, halfLife: '5d', offset: '5d' };
      const values = [40, 35, 45, 30, 50].map((value) => (40 - value) * day);
      assertNear(await valuesAt(values, decay), [1, 1, 1, 0.5, 0.5], shape);
    });
  }

  it('has the values of another decay at a half-life converted by the guide', async () => {
    // docs/guide/decay.md
    const [scale, offset] = [day, 3_600_000];
    for (const decay of [0.1, 0.33, 0.9]) {
      const half = Math.log(0.5) / Math.log(decay);
      const halfLives = {
        exponential: scale * half,
        gaussian: scale * Math.sqrt(half),
        linear: scale / (2 * (1 - decay)),
      };
      for (const shape of decayKinds) {
        const distances = [0, 0.5, 1, 1.04, 1.7, 4].map((each) => Math.round(each * day));
        const values = await valuesAt(distances, {
          shape,
          halfLife: `${halfLives[shape]}ms`,
          offset: '1h',
        });
        const wanted = distances.map((each) => decayFunctions[shape](each, scale, offset, decay));
        assertNear(values, wanted, `${shape} ${decay}`);
      }
    }
  });

  it("has Milvus's linear end at scale / (1 - decay) beyond the offset", async () => {
    const decay: Decay = { shape: 'linear', halfLife: '24h', offset: '12h' };
    const hours = [0, 12, 24, 36, 48, 60, 61, 10_000];
    assertNear(
      await valuesAt(
        hours.map((each) => each * 3_600_000),
        decay,
      ),
      [1, 1, 0.75, 0.5, 0.25, 0, 0, 0],
      'linear',
    );
  });

  it('counts from an origin of its own, else from asOf, else from now', async () => {
    using index = new VectorIndex({
      dimensions: 1,
      vectors: Float32Array.of(1),
      publishedAt: Float64Array.of(now),
    });
    const decay = { shape: 'exponential', halfLife: '1d' } as const;
    const value = async (times: VectorTimes): Promise<number> =>
      (await index.searchBatch(Float32Array.of(1), 1, times)).temporal[0]!;
    assert.equal(await value({ asOf: new Date(now + 3 * day), decay }), 0.125);
    assert.equal(await value({ decay }), 0); // years ago, by now
    const origin = new Date(now - day);
    assert.equal(await value({ asOf: new Date(now), decay: { ...decay, origin } }), 0.5);
  });

  it('refuses what is no decay, saying what to write', () => {
    const good = { shape: 'linear', halfLife: '30d' };
    const wrong: [unknown, RegExp][] = [
      ['30d', /Expected decay to be an object such as/],
      [{ ...good, shape: 'exp' }, /decay.shape to be one of exponential, /],
      [{ shape: 'linear' }, /decay.halfLife to be a number with a unit/],
      [{ ...good, halfLife: 30 }, /a number with a unit .*received number 30\. Write '30d'/],
      [{ ...good, halfLife: '30 days' }, /decay.halfLife/],
      [{ ...good, halfLife: '-1d' }, /decay.halfLife/],
      [{ ...good, halfLife: '0d' }, /decay.halfLife to be a duration above 0/],
      [{ ...good, offset: 'd' }, /decay.offset/],
      [{ ...good, floor: 1 }, /decay.floor to be a number from 0 to less than 1/],
      [{ ...good, undated: 2 }, /decay.undated to be a number from 0 to 1/],
      [{ ...good, clock: 'validity or content' }, /decay.clock to be one of/],
      [{ ...good, combine: 'max' }, /decay.combine to be one of product, sum/],
      [{ ...good, weight: 2 }, /decay.weight to be a number above 0, with combine: 'sum'/],
      [{ ...good, combine: 'sum', weight: 0 }, /decay.weight/],
      [{ ...good, origin: 'yesterday' }, /decay.origin/],
      [{ ...good, halflife: '1d' }, /halflife/],
    ];
    for (const [given, message] of wrong)
      assert.throws(() => decayFormAt(given as Decay), { code: 'ERR_INVALID_ARGUMENT', message });
  });

  it('refuses a form beside a decay', async () => {
    using index = new VectorIndex({ dimensions: 1, vectors: Float32Array.of(1) });
    const decay = { shape: 'linear', halfLife: '30d' } as const;
    const form = decayFormAt(decay)(now);
    await assert.rejects(index.searchBatch(Float32Array.of(1), 1, { decay, form }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /Expected form to be none beside decay/,
    });
  });

  it('reads durations of every unit', () => {
    const durations = ['5ms', '5s', '5min', '5h', '5d', '5w', '1.5y', '0d'];
    assert.deepEqual(
      durations.map((each) => parseDuration(each, 'x')),
      [5, 5e3, 3e5, 1.8e7, 4.32e8, 3.024e9, 1.5 * 365.2425 * day, 0],
    );
    assert.throws(() => parseDuration('300000y', 'x'), /up to 285,000y/);
    assert.throws(() => parseDuration('1e3d', 'x'), { code: 'ERR_INVALID_ARGUMENT' });
  });
});
