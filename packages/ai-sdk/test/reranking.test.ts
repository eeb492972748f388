// asofReranking by the real SDK: rerank() of ai@6 here, and of ai@7 by node --import tsx
// test/frameworks/run.ts.
import assert from 'node:assert/strict';
import { rerank, type RerankingModel } from 'ai';
import type { RerankingModelV3 } from '@ai-sdk/provider';
import { asofReranking } from '../lib/index.js';
import { AsOfError, dense } from '../../../lib/index.js';

const may = 'Theresa May became prime minister of the UK on 13 July 2016.';
const johnson = 'Boris Johnson became prime minister of the UK on 24 July 2019.';
const sunak = 'Rishi Sunak became prime minister of the UK on 25 October 2022.';
const query = 'Who was UK prime minister as of 6 May 2021?';

/** Rejects with an AsOfError of a code whose message matches. */
const rejects = (work: Promise<unknown>, code: string, message: RegExp) =>
  assert.rejects(work, (error) => {
    assert.ok(AsOfError.is(error), String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

describe('asofReranking', () => {
  it('is a model of the SDK by its own types', () => {
    const bySpecification: RerankingModelV3 = asofReranking();
    const bySdk: RerankingModel = asofReranking();
    assert.equal(typeof bySdk, 'object');
    assert.equal(bySpecification.specificationVersion, 'v3');
  });

  it('ranks texts by the time of the question, scores descending', async () => {
    const documents = [sunak, may, johnson];
    const { ranking, rerankedDocuments, providerMetadata, response } = await rerank({
      model: asofReranking(),
      documents,
      query,
    });
    assert.equal(rerankedDocuments[0], johnson);
    assert.deepEqual(ranking.map(({ originalIndex }) => originalIndex).sort(), [0, 1, 2]);
    const scores = ranking.map(({ score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
    assert.ok(scores.every((score) => score >= 0 && score <= 1));
    const read = (providerMetadata as any).asof;
    assert.deepEqual(
      [read.constraint.relation, read.constraint.main_content],
      ['as of', 'Who was UK prime minister?'],
    );
    assert.equal(response.modelId, 'reranking');
  });

  it('returns the best topN', async () => {
    const { ranking } = await rerank({
      model: asofReranking(),
      documents: [sunak, may, johnson],
      query,
      topN: 1,
    });
    assert.deepEqual(
      ranking.map(({ originalIndex }) => originalIndex),
      [2],
    );
  });

  it('reads times and titles of objects, and omits later publications', async () => {
    const documents = [
      { text: 'The fee is 20 euros.', published_at: '2024-01-01', url: 'a', title: null },
      { text: 'The fee is 15 euros.', publishedAt: '2022-01-01', id: 7, title: 'Fees' },
      { text: 'The fee is 10 euros.', publishedAt: '2020-01-01' },
    ];
    const model = asofReranking({ askedAt: '2022-06-01' });
    const asked = { model, documents, query: 'What is the fee?' };
    const first = await rerank(asked);
    assert.equal(first.rerankedDocuments[0]?.text, 'The fee is 15 euros.');
    assert.ok(!first.ranking.some(({ originalIndex }) => originalIndex === 0));
    const later = await rerank({ ...asked, providerOptions: { asof: { askedAt: '2025-01-01' } } });
    assert.equal(later.rerankedDocuments[0]?.text, 'The fee is 20 euros.');
  });

  it('ranks by validity', async () => {
    const office = (text: string, valid_from: string, valid_to: string) => ({
      text,
      valid_from,
      valid_to,
    });
    const { rerankedDocuments } = await rerank({
      model: asofReranking(),
      documents: [
        office('The head of the office is Ann Lee.', '2019-01-01', '2020-12-31'),
        office('The head of the office is Bo Orr.', '2021-01-01', '2022-12-31'),
        office('The head of the office is Cy Poe.', '2023-01-01', '2024-12-31'),
      ],
      query: 'Who was the head of the office in May 2021?',
    });
    assert.match(rerankedDocuments[0]!.text, /Bo Orr/);
  });

  it('ranks by another system, encoder and time zone', async () => {
    const model = asofReranking({
      system: (corpus) => dense({ corpus }),
      encoder: {
        id: 'letters-1',
        dimensions: 2,
        encode: async (texts) =>
          Float32Array.from(texts.flatMap((text) => (text.includes('b') ? [1, 0] : [0, 1]))),
      },
      timeZone: 'Asia/Tokyo',
      askedAt: '2022-06-01',
    });
    const { ranking, providerMetadata } = await rerank({
      model,
      documents: ['x', 'b'],
      query: 'b',
    });
    assert.deepEqual(
      ranking.map(({ originalIndex, score }) => [originalIndex, score]),
      [
        [1, 1],
        [0, 0],
      ],
    );
    // The end of that day in Tokyo.
    assert.equal((providerMetadata as any).asof.asked_at, '2022-06-01T14:59:59.999Z');
  });

  it('skips blank documents, and ranks none of none', async () => {
    const model = asofReranking();
    const documents = ['  ', johnson, ''];
    const { ranking } = await rerank({ model, documents, query });
    assert.deepEqual(
      ranking.map(({ originalIndex }) => originalIndex),
      [1],
    );
    assert.deepEqual((await rerank({ model, documents: [' '], query })).ranking, []);
    assert.deepEqual((await rerank({ model, documents: [], query })).ranking, []);
  });

  it('rejects at once when the signal fires, by an error that the SDK does not retry', async () => {
    const controller = new AbortController();
    const asked = { model: asofReranking(), documents: [may, johnson], query };
    const running = rerank({ ...asked, abortSignal: controller.signal });
    setImmediate(() => controller.abort(new Error('gone')));
    await assert.rejects(running, { name: 'AbortError', code: 'ERR_ABORTED' });
    await assert.rejects(rerank({ ...asked, abortSignal: AbortSignal.abort() }), {
      name: 'AbortError',
    });
  });

  it('says what is wrong with options and documents', async () => {
    const invalid = 'ERR_INVALID_ARGUMENT';
    assert.throws(() => asofReranking({ model: 'x' } as never), { code: invalid });
    assert.throws(() => asofReranking({ askedAt: 'soon' }), { code: invalid });
    assert.throws(() => asofReranking({ system: 'hybrid' as never }), /a function of a corpus/);
    const model = asofReranking();
    const asked = { model, query, maxRetries: 0 };
    await rejects(
      rerank({ ...asked, documents: [{ content: 'x' }] }),
      invalid,
      /documents\[0\].*text/,
    );
    await rejects(
      rerank({ ...asked, documents: [{ text: 'x', publishedAt: 'soon' }] }),
      invalid,
      /publishedAt/,
    );
    const documents = [may];
    await rejects(rerank({ ...asked, documents, topN: 0 }), invalid, /topN/);
    await rejects(
      rerank({ ...asked, documents, providerOptions: { asof: { asked_at: '2021' } } }),
      invalid,
      /providerOptions\.asof/,
    );
  });
});
