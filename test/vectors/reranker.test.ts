// Validation of the results of custom rerankers.
import assert from 'node:assert/strict';
import { AsOfError } from '../../lib/errors.js';
import { checkReranker, rerankTexts, type Reranker } from '../../lib/vectors/reranker.js';
import { failsWith } from '../failsWith.js';

const giving = (score: Reranker['score']): Reranker => ({ id: 'mine', score });

describe('vectors: the reranker interface', () => {
  it('accepts finite scores of any range, and makes no call without texts', async () => {
    const reranker = giving(async (query, texts) =>
      Float32Array.from(texts, (text) => text.length - query.length),
    );
    assert.deepEqual([...(await rerankTexts(reranker, 'who', ['a', 'abcd']))], [-2, 1]);
    assert.equal(
      (
        await rerankTexts(
          giving(() => assert.fail()),
          'who',
          [],
        )
      ).length,
      0,
    );
  });

  it('reports the fault of the scores', async () => {
    const cases: [Float32Array, RegExp][] = [
      [new Float32Array(3), /Float32Array of 2.*received Float32Array of 3/],
      [[1, 0] as never, /Float32Array.*array of 2/],
      [undefined as never, /received undefined/],
      [new Float32Array([1, NaN]), /NaN for text 1, the string "b"/],
      [new Float32Array([-Infinity, 0]), /-Infinity for text 0/],
    ];
    for (const [scores, pattern] of cases) {
      await assert.rejects(
        rerankTexts(
          giving(async () => scores),
          'who',
          ['a', 'b'],
        ),
        failsWith('ERR_RERANKER_FAILED', pattern),
      );
    }
  });

  it('rejects at the signal, whatever the reranker does', async () => {
    const never = giving(() => new Promise<Float32Array>(() => undefined));
    const controller = new AbortController();
    const waiting = rerankTexts(never, 'who', ['a'], { signal: controller.signal });
    controller.abort();
    await assert.rejects(waiting, { code: 'ERR_ABORTED' });
  });

  it('wraps foreign errors, passes AsOfErrors, and gives the signal priority', async () => {
    const cause = new Error('no network');
    await assert.rejects(
      rerankTexts(
        giving(() => Promise.reject(cause)),
        'who',
        ['a'],
      ),
      (error: unknown) =>
        failsWith('ERR_RERANKER_FAILED', /mine.*no network/)(error) &&
        (error as Error).cause === cause,
    );
    const own = new AsOfError('ERR_CLOSED', 'closed');
    await assert.rejects(
      rerankTexts(
        giving(() => Promise.reject(own)),
        'who',
        ['a'],
      ),
      own,
    );
    const controller = new AbortController();
    const failing = giving(() => (controller.abort(), Promise.reject(cause)));
    await assert.rejects(
      rerankTexts(failing, 'who', ['a'], { signal: controller.signal }),
      failsWith('ERR_ABORTED', /signal/),
    );
    await assert.rejects(
      rerankTexts(
        giving(() => assert.fail()),
        'who',
        ['a'],
        { signal: AbortSignal.abort() },
      ),
      failsWith('ERR_ABORTED', /signal/),
    );
  });

  it('rejects invalid rerankers, questions and texts', async () => {
    for (const wrong of [
      null,
      {},
      { id: '', score() {} },
      { id: 'a'.repeat(201), score() {} },
      { id: 'a' },
    ]) {
      assert.throws(
        () => checkReranker(wrong as never),
        failsWith('ERR_INVALID_ARGUMENT', /reranker/),
      );
    }
    const reranker = giving(async () => new Float32Array(1));
    assert.equal(checkReranker(reranker), reranker);
    await assert.rejects(
      rerankTexts(reranker, undefined as never, ['a']),
      failsWith('ERR_INVALID_ARGUMENT', /query/),
    );
    await assert.rejects(
      rerankTexts(reranker, 'who', [1] as never),
      failsWith('ERR_INVALID_ARGUMENT', /texts\[0\]/),
    );
  });
});
