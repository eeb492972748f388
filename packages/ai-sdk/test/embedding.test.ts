// asofEmbedding by the real SDK: embed() and embedMany().
import assert from 'node:assert/strict';
import { cosineSimilarity, embed, embedMany, type EmbeddingModel } from 'ai';
import type { EmbeddingModelV3 } from '@ai-sdk/provider';
import { asofEmbedding } from '../lib/index.js';
import { staticEncoder, type EncodeOptions, type Encoder } from '../../../lib/index.js';

/** An encoder that keeps what it was called with. */
function recording(): { encoder: Encoder; calls: [readonly string[], EncodeOptions][] } {
  const calls: [readonly string[], EncodeOptions][] = [];
  const encode: Encoder['encode'] = async (texts, options) => {
    calls.push([texts, options]);
    return Float32Array.from(texts.flatMap(() => [0.6, 0.8]));
  };
  return { encoder: { id: 'fixed-1', dimensions: 2, encode }, calls };
}

describe('asofEmbedding', () => {
  it('is a model of the SDK by its own types', () => {
    const bySpecification: EmbeddingModelV3 = asofEmbedding();
    const bySdk: EmbeddingModel = asofEmbedding();
    assert.equal(typeof bySdk === 'string', false);
    assert.equal(bySpecification.specificationVersion, 'v3');
  });

  it('embeds by the embedded encoder, whose id it has', async () => {
    const model = asofEmbedding();
    const { id, dimensions } = await staticEncoder();
    assert.equal(model.modelId, id);
    const values = ['The mill shut in May.', 'The mill closed in May.', 'A recipe for soup.'];
    const { embeddings } = await embedMany({ model, values });
    assert.deepEqual(
      embeddings.map(({ length }) => length),
      [dimensions, dimensions, dimensions],
    );
    const [shut, closed, soup] = embeddings as [number[], number[], number[]];
    assert.ok(cosineSimilarity(shut, closed) > cosineSimilarity(shut, soup));
    assert.deepEqual((await embed({ model, value: values[0]! })).embedding, shut);
  });

  it('sends batches in order, and the kind of the call', async () => {
    const { encoder, calls } = recording();
    const values = Array.from({ length: 5000 }, (_, i) => `text ${i}`);
    const { embeddings } = await embedMany({ model: asofEmbedding(encoder), values });
    assert.equal(embeddings.length, 5000);
    assert.deepEqual(
      calls.map(([texts, { kind }]) => [texts.length, kind]),
      [
        [2048, 'passage'],
        [2048, 'passage'],
        [904, 'passage'],
      ],
    );
    assert.deepEqual(
      calls.flatMap(([texts]) => texts),
      values,
    );
    const providerOptions = { asof: { kind: 'query' } };
    await embed({ model: asofEmbedding(encoder), value: 'who?', providerOptions });
    assert.equal(calls.at(-1)![1].kind, 'query');
  });

  it('reports another number of dimensions as unsupported', async () => {
    const { encoder } = recording();
    const model = asofEmbedding(encoder);
    const { warnings } = await model.doEmbed({ values: ['a'], dimensions: 64 });
    assert.deepEqual(warnings, [
      {
        type: 'unsupported',
        feature: 'dimensions',
        details: 'The vectors of fixed-1 have 2 numbers.',
      },
    ]);
    assert.deepEqual((await model.doEmbed({ values: ['a'], dimensions: 2 })).warnings, []);
  });

  it('rejects at once when the signal fires', async () => {
    const silent: Encoder = { id: 'silent', dimensions: 2, encode: () => new Promise(() => {}) };
    const controller = new AbortController();
    const running = embed({
      model: asofEmbedding(silent),
      value: 'a',
      abortSignal: controller.signal,
    });
    setImmediate(() => controller.abort());
    await assert.rejects(running, { name: 'AbortError', code: 'ERR_ABORTED' });
  });

  it('says what is wrong with an encoder and with options', async () => {
    assert.throws(() => asofEmbedding({} as never), { code: 'ERR_INVALID_ARGUMENT' });
    const wrong = { model: asofEmbedding(), value: 'a', maxRetries: 0 };
    for (const asof of [{ kind: 'question' }, { purpose: 'query' }])
      await assert.rejects(embed({ ...wrong, providerOptions: { asof } }), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /providerOptions\.asof/,
      });
  });
});
