// The classes for LangChain against @langchain/classic: the time-weighted retriever next to the
// original on the same documents, and the compressor and the store in its retrievers.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextualCompressionRetriever } from '@langchain/classic/retrievers/contextual_compression';
import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble';
import { TimeWeightedVectorStoreRetriever } from '@langchain/classic/retrievers/time_weighted';
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory';
import { Document } from '@langchain/core/documents';
import { Embeddings } from '@langchain/core/embeddings';
import { Corpus, type Fields } from 'asof';
import { AsOfCompressor, AsOfTimeWeightedRetriever, AsOfVectorStore } from '@asof/langchain';

/** Vectors of 26 numbers: how often each letter occurs. */
class LetterEmbeddings extends Embeddings {
  override async embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.embedQuery(text)));
  }

  override async embedQuery(text: string): Promise<number[]> {
    const counts = new Array<number>(26).fill(0);
    for (const letter of text.toLowerCase().matchAll(/[a-z]/g))
      counts[letter[0].charCodeAt(0) - 97]! += 1;
    return counts;
  }
}

const letterCorpus = { encoder: { id: 'letters', dimensions: 26 }, sentences: false };
const ministers = [
  { id: 'may', name: 'Theresa May', day: '13 July 2016', publishedAt: '2016-07-14' },
  { id: 'johnson', name: 'Boris Johnson', day: '24 July 2019', publishedAt: '2019-07-25' },
  { id: 'sunak', name: 'Rishi Sunak', day: '25 October 2022', publishedAt: '2022-10-26' },
].map(({ id, name, day, publishedAt }) => {
  const pageContent = `${name} became prime minister of the United Kingdom on ${day}.`;
  return new Document({ id, pageContent, metadata: { publishedAt } });
});
const now = Date.UTC(2026, 4, 4) / 1000;
const words = 'amber birch cedar delta ember flint grove heron inlet jetty'.split(' ');

/** The score of the original, which is a private method of it. */
type Scored = {
  getCombinedScore(document: Document, similarity: number, now: number): number;
};

describe('asof next to @langchain/classic', () => {
  const realNow = Date.now;
  let folder: string;
  const opened: Corpus[] = [];
  const embeddings = new LetterEmbeddings({});
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-test-'));
    Date.now = () => now * 1000;
  });
  after(async () => {
    Date.now = realNow;
    await Promise.all(opened.map((each) => each.close()));
    rmSync(folder, { recursive: true, force: true });
  });
  async function storeOf(fields: Fields = {}): Promise<AsOfVectorStore> {
    const corpus = await Corpus.open(join(folder, `${opened.length}`), { ...letterCorpus, fields });
    opened.push(corpus);
    return new AsOfVectorStore(embeddings, { corpus });
  }
  /** Documents of two words each; the key is of numbers without a pattern. */
  const memories = (): Document[] =>
    words.flatMap((first, i) =>
      words.map(
        (second, j) =>
          new Document({
            pageContent: `${first} ${second}`,
            metadata: {
              importance: ((i * 7 + j * 3) % 11) / 20,
              last_accessed_at: now - ((i * 37 + j * 61) % 97) * 7200 - i * 60 - j,
            },
          }),
      ),
    );

  for (const otherScoreKeys of [[], ['importance']])
    for (const decayRate of [0.01, 0.2])
      it(`has the documents of the original, at ${decayRate} with ${otherScoreKeys.length} others`, async () => {
        const fields = { k: 10, decayRate, otherScoreKeys };
        const original = new TimeWeightedVectorStoreRetriever({
          ...fields,
          vectorStore: new MemoryVectorStore(embeddings),
          searchKwargs: 100, // all of them
          memoryStream: [],
        });
        const mine = new AsOfTimeWeightedRetriever({
          ...fields,
          vectorStore: await storeOf({ importance: 'number' }),
          searchKwargs: 100,
          memoryStream: [],
          recordAccess: false,
        });
        await mine.addDocuments(memories());
        const scoreOf = async (document: Document, query: string): Promise<number> => {
          const store = new MemoryVectorStore(embeddings);
          await store.addDocuments([document]);
          const [[, similarity]] = (await store.similaritySearchWithScore(query, 1)) as [
            [Document, number],
          ];
          return (original as unknown as Scored).getCombinedScore(document, similarity, now);
        };
        const before = new Map(memories().map((each) => [each.pageContent, each]));
        for (const query of ['heron jetty', 'an amber grove']) {
          const found = await mine.invoke(query);
          const scores = await Promise.all(
            found.map(({ pageContent }) => scoreOf(before.get(pageContent)!, query)),
          );
          // The original is asked once by each, since it changes its documents.
          const fresh = new TimeWeightedVectorStoreRetriever({
            ...fields,
            vectorStore: new MemoryVectorStore(embeddings),
            searchKwargs: 100,
            memoryStream: [],
          });
          await fresh.addDocuments(memories());
          const expected = await fresh.invoke(query);
          assert.equal(expected.length, 11); // one more than its k
          for (const [at, document] of expected.slice(0, 10).entries()) {
            const score = await scoreOf(before.get(document.pageContent)!, query);
            assert.ok(Math.abs(scores[at]! - score) < 1e-5, `${query} ${at}`);
          }
        }
      });

  it('finds what the original does not see behind its first searchKwargs', async () => {
    const options = { k: 1, decayRate: 0.5 };
    const documents = [
      ...Array.from({ length: 20 }, () => ({
        pageContent: 'amber',
        metadata: { last_accessed_at: now - 360_000 },
      })),
      { pageContent: 'amber cedar', metadata: { last_accessed_at: now } },
      ...Array.from({ length: 5 }, () => ({
        pageContent: 'zzz',
        metadata: { last_accessed_at: now - 360_000 },
      })),
    ];
    const original = new TimeWeightedVectorStoreRetriever({
      ...options,
      vectorStore: new MemoryVectorStore(embeddings),
      searchKwargs: 10,
      memoryStream: [],
    });
    await original.addDocuments(documents);
    const mine = new AsOfTimeWeightedRetriever({ ...options, vectorStore: await storeOf() });
    await mine.addDocuments(documents);
    assert.equal((await original.invoke('amber'))[0]!.pageContent, 'amber');
    assert.equal((await mine.invoke('amber'))[0]!.pageContent, 'amber cedar');
  });

  it('ranks what another retriever found', async () => {
    Date.now = realNow;
    const other = new MemoryVectorStore(embeddings);
    await other.addDocuments(ministers);
    const retriever = new ContextualCompressionRetriever({
      baseRetriever: other.asRetriever(3),
      baseCompressor: new AsOfCompressor({ k: 1 }),
    });
    const question = 'Who was UK prime minister as of 6 May 2021?';
    assert.equal((await retriever.invoke(question))[0]!.id, 'johnson');
    const store = await storeOf();
    await store.addDocuments(ministers);
    const both = new EnsembleRetriever({
      retrievers: [store.asRetriever(1), other.asRetriever(1)],
    });
    assert.ok((await both.invoke(question)).some(({ id }) => id === 'johnson'));
  });
});
