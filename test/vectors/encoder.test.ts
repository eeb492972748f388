// Validation of the results of custom encoders.
import assert from 'node:assert/strict';
import { AsOfError } from '../../lib/errors.js';
import { checkEncoder, encodeTexts, type Encoder } from '../../lib/vectors/encoder.js';
import { failsWith } from '../failsWith.js';

const giving = (encode: Encoder['encode']): Encoder => ({ id: 'mine', dimensions: 2, encode });
const query = { kind: 'query' } as const;

describe('vectors: the encoder interface', () => {
  it('accepts rows of length one and zero rows, and makes no call without texts', async () => {
    const encoder = giving(
      async (texts) =>
        new Float32Array(texts.flatMap((text) => (text === '' ? [0, 0] : [0.6, -0.8]))),
    );
    assert.deepEqual(
      [...(await encodeTexts(encoder, ['a', ''], query))],
      [Math.fround(0.6), Math.fround(-0.8), 0, 0],
    );
    assert.equal(
      (
        await encodeTexts(
          giving(() => assert.fail()),
          [],
          query,
        )
      ).length,
      0,
    );
  });

  it('reports the fault of the vectors', async () => {
    const cases: [Float32Array, RegExp][] = [
      [new Float32Array(3), /2 x 2 = 4.*Float32Array of 3/],
      [[1, 0, 1, 0] as never, /Float32Array.*array of 4/],
      [undefined as never, /received undefined/],
      [new Float32Array([1, 0, 3, 4]), /length 5 for text 1, the string "b"/],
      [new Float32Array([1, 0, NaN, 0]), /length NaN for text 1/],
      [new Float32Array([Infinity, 0, 1, 0]), /length Infinity for text 0/],
    ];
    for (const [vectors, pattern] of cases) {
      await assert.rejects(
        encodeTexts(
          giving(async () => vectors),
          ['a', 'b'],
          query,
        ),
        failsWith('ERR_ENCODER_FAILED', pattern),
      );
    }
  });

  it('wraps foreign errors, passes AsOfErrors, and gives the signal priority', async () => {
    const cause = new Error('no network');
    await assert.rejects(
      encodeTexts(
        giving(() => Promise.reject(cause)),
        ['a'],
        query,
      ),
      (error: unknown) =>
        failsWith('ERR_ENCODER_FAILED', /mine.*no network/)(error) &&
        (error as Error).cause === cause,
    );
    const own = new AsOfError('ERR_CLOSED', 'closed');
    await assert.rejects(
      encodeTexts(
        giving(() => Promise.reject(own)),
        ['a'],
        query,
      ),
      own,
    );
    const controller = new AbortController();
    const failing = giving(() => (controller.abort(), Promise.reject(cause)));
    await assert.rejects(
      encodeTexts(failing, ['a'], { ...query, signal: controller.signal }),
      failsWith('ERR_ABORTED', /signal/),
    );
    await assert.rejects(
      encodeTexts(
        giving(() => assert.fail()),
        ['a'],
        { ...query, signal: AbortSignal.abort() },
      ),
      failsWith('ERR_ABORTED', /signal/),
    );
  });

  it('rejects values that are no encoder', () => {
    for (const wrong of [
      null,
      {},
      { id: '', dimensions: 2, encode() {} },
      { id: 'a', dimensions: 0, encode() {} },
      { id: 'a', dimensions: 1.5, encode() {} },
      { id: 'a', dimensions: 2 },
    ]) {
      assert.throws(
        () => checkEncoder(wrong as never),
        failsWith('ERR_INVALID_ARGUMENT', /encoder/),
      );
    }
    const encoder = giving(async () => new Float32Array(0));
    assert.equal(checkEncoder(encoder), encoder);
  });
});
