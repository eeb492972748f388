// The time-weighted retriever against the formula of the original, evaluated over all documents.
import assert from 'node:assert/strict';
import { Document } from '@langchain/core/documents';
import { BaseRetriever } from '@langchain/core/retrievers';
import { Corpus, type Fields } from '../../../lib/index.js';
import {
  AsOfTimeWeightedRetriever,
  AsOfVectorStore,
  type AsOfTimeWeightedRetrieverFields,
} from '../lib/index.js';
import { seededRandom } from '../../../lib/text/random.js';
import { cosine, LetterEmbeddings, letterCorpus } from './documents.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';

const now = Date.UTC(2026, 4, 4) / 1000;
const realNow = Date.now;

describe('AsOfTimeWeightedRetriever', () => {
  const folder = temporaryFolder();
  const opened: Corpus[] = [];
  const embeddings = new LetterEmbeddings();
  const make = async (
    options: Partial<AsOfTimeWeightedRetrieverFields> = {},
    fields: Fields = {},
  ): Promise<AsOfTimeWeightedRetriever> => {
    const path = folder.path(`${opened.length}`);
    const corpus = await Corpus.open(path, { ...letterCorpus, fields });
    opened.push(corpus);
    const vectorStore = new AsOfVectorStore(embeddings, { corpus });
    return new AsOfTimeWeightedRetriever({ vectorStore, ...options });
  };
  before(() => {
    Date.now = () => now * 1000;
  });
  after(async () => {
    Date.now = realNow;
    await Promise.all(opened.map((each) => each.close()));
  });

  const words = 'amber birch cedar delta ember flint grove heron inlet jetty'.split(' ');
  /** Documents of three words each that were last accessed within some weeks. */
  function memories(count: number, keys: readonly string[] = []): Document[] {
    const { next } = seededRandom(7, 'memories');
    return Array.from({ length: count }, (_, at) => {
      const text = Array.from({ length: 3 }, () => words[Math.floor(next() * words.length)]);
      const metadata = Object.fromEntries(keys.map((key) => [key, next()]));
      const last_accessed_at = now - Math.floor(next() * 40 * 24) * 3600;
      return new Document({
        id: `${at}`,
        pageContent: text.join(' '),
        metadata: { ...metadata, last_accessed_at },
      });
    });
  }

  async function byFormula(
    documents: readonly Document[],
    query: string,
    { decayRate = 0.01, keys = [] as readonly string[] },
  ): Promise<{ id: string; score: number }[]> {
    const asked = await embeddings.embedQuery(query);
    const scored = await Promise.all(
      documents.map(async ({ id, pageContent, metadata }) => {
        const hours = (now - (metadata['last_accessed_at'] as number)) / 3600;
        const others = keys.reduce((sum, key) => sum + (metadata[key] as number), 0);
        const similarity = cosine(asked, await embeddings.embedQuery(pageContent));
        return { id: id!, score: similarity + (1 - decayRate) ** hours + others };
      }),
    );
    return scored.sort((a, b) => b.score - a.score);
  }

  for (const { decayRate, keys } of [
    { decayRate: 0.01, keys: [] },
    { decayRate: 0.5, keys: [] },
    { decayRate: 1e-12, keys: [] },
    { decayRate: 0, keys: [] },
    { decayRate: 0.001, keys: ['importance', 'trust'] },
  ]) {
    it(`ranks all documents by the formula, at ${decayRate} with ${keys.length} others`, async () => {
      const documents = memories(300, keys);
      const fields = Object.fromEntries(keys.map((key) => [key, 'number' as const]));
      const settings = { k: 8, decayRate, otherScoreKeys: [...keys], recordAccess: false };
      const retriever = await make(settings, fields);
      await retriever.addDocuments(documents);
      for (const query of ['heron jetty', 'an amber grove', 'zzz']) {
        const expected = await byFormula(documents, query, { decayRate, keys });
        const scores = new Map(expected.map(({ id, score }) => [id, score]));
        const found = (await retriever.invoke(query)).map(({ id }) => scores.get(id!)!);
        // By scores: rows of equal ones may come in another order.
        expected.slice(0, 8).forEach(({ score }, at) => {
          assert.ok(Math.abs(found[at]! - score) < 1e-5, `${query} ${at}: ${found[at]}, ${score}`);
        });
        assert.equal(found.length, 8);
      }
    });
  }

  it('sets the times of documents, and records each access in the corpus', async () => {
    const retriever = await make({ k: 1 });
    assert.ok(retriever instanceof BaseRetriever);
    const [id] = await retriever.addDocuments([
      { pageContent: 'amber', metadata: { n: 1, last_accessed_at: now - 36_000 } },
      new Document({ id: 'b', pageContent: 'flint' }),
    ]);
    const { corpus } = retriever.vectorStore;
    const times = async (of: string): Promise<unknown> => (await corpus.get(of))?.metadata;
    assert.deepEqual(await times(id!), { n: 1, last_accessed_at: now - 36_000, created_at: now });
    assert.deepEqual(await times('b'), { last_accessed_at: now, created_at: now });
    const [found] = await retriever.invoke('amber');
    assert.deepEqual(found!.metadata, { n: 1, last_accessed_at: now, created_at: now });
    assert.deepEqual(await times(id!), found!.metadata);
    assert.equal((await corpus.get(id!))!.publishedAt, now * 1000);
  });

  it('has what was accessed lately before what was not', async () => {
    const retriever = await make({ k: 1, decayRate: 0.9 });
    const last_accessed_at = now - 36_000;
    await retriever.addDocuments([
      { id: 'a', pageContent: 'amber birch', metadata: { last_accessed_at } },
      { id: 'b', pageContent: 'amber birch', metadata: { last_accessed_at: now - 7200 } },
    ]);
    assert.equal((await retriever.invoke('amber'))[0]!.id, 'b');
    Date.now = () => (now + 36_000) * 1000;
    await retriever.addDocuments([{ id: 'a', pageContent: 'amber birch', metadata: {} }]);
    assert.equal((await retriever.invoke('amber'))[0]!.id, 'a');
    Date.now = () => now * 1000;
  });

  it('takes what the original does, and refuses what it cannot honour', async () => {
    const { vectorStore } = await make();
    const typical = { vectorStore, memoryStream: [], searchKwargs: 2, defaultSalience: 0.5 };
    assert.deepEqual(await new AsOfTimeWeightedRetriever(typical).invoke('amber'), []);
    for (const wrong of [
      { vectorStore: {} },
      { decayRate: 1 },
      { decayRate: -0.1 },
      { k: 0 },
      { memoryStream: [new Document({ pageContent: 'a' })] },
    ])
      assert.throws(() => new AsOfTimeWeightedRetriever({ vectorStore, ...wrong } as never), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    const undeclared = { vectorStore, otherScoreKeys: ['importance'] };
    await assert.rejects(new AsOfTimeWeightedRetriever(undeclared).invoke('amber'), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /importance/,
    });
  });
});
