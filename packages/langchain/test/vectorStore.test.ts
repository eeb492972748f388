// The vector store with LangChain's own classes, by the contract of VectorStore: documents round
// trip, ids, filters, deletion, scores, retrievers and chains.
import assert from 'node:assert/strict';
import { Document } from '@langchain/core/documents';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { RunnableLambda, RunnableMap, RunnablePassthrough } from '@langchain/core/runnables';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { VectorStore, VectorStoreRetriever } from '@langchain/core/vectorstores';
import { bm25, Corpus, type CorpusOptions } from '../../../lib/index.js';
import { AsOfVectorStore, type AsOfFilter } from '../lib/index.js';
import { cosine, LetterEmbeddings, letterCorpus, ministers } from './documents.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { assertEach } from '../../../test/assertEach.js';

const question = 'Who was UK prime minister as of 6 May 2021?';

describe('AsOfVectorStore', () => {
  const folder = temporaryFolder();
  const opened: Corpus[] = [];
  const open = async (options: CorpusOptions = {}): Promise<Corpus> => {
    const corpus = await Corpus.open(folder.path(`${opened.length}`), options);
    opened.push(corpus);
    return corpus;
  };
  const fields = { source: 'keyword', page: 'number' } as const;
  let store: AsOfVectorStore;

  before(async () => {
    store = await AsOfVectorStore.fromDocuments(ministers, undefined, {
      corpus: await open({ fields }),
    });
  });
  after(() => Promise.all(opened.map((each) => each.close())));
  const idsOf = (documents: readonly { id?: string | undefined }[]): (string | undefined)[] =>
    documents.map(({ id }) => id);

  it('answers a question by a system, in which time counts', async () => {
    assert.ok(store instanceof VectorStore);
    assert.equal((await store.similaritySearch(question, 1))[0]!.id, 'johnson');
    assert.equal((await store.similaritySearch('Who is UK prime minister?', 1))[0]!.id, 'sunak');
    const scored = await store.similaritySearchWithScore(question);
    assert.equal(scored[0]![0].id, 'johnson');
    assert.ok(scored[0]![1] > scored[1]![1]);
  });

  it('returns documents as they were added', async () => {
    const found = await store.similaritySearch('prime minister', 3);
    assert.ok(found.every((each) => each instanceof Document));
    for (const each of ministers)
      assert.deepEqual(
        found.find(({ id }) => id === each.id),
        each,
      );
    assert.deepEqual(await store.similaritySearch('minister', 3, { source: 'none' }), []);
  });

  it('reads the times of documents, and gives those of passages', async () => {
    const corpus = await open();
    const clocks = { publishedAt: 'date', validTo: 'until' };
    const named = new AsOfVectorStore(undefined, { corpus, clocks });
    const date = new Date('2020-05-04T12:00Z');
    await named.addDocuments([
      { id: 'a', pageContent: 'A ferry.', metadata: { date, until: '2021', publishedAt: 'then' } },
    ]);
    const a = corpus.get('a')!;
    assert.deepEqual([a.publishedAt, a.validTo], [date.getTime(), Date.UTC(2022, 0)]);
    assert.deepEqual(a.metadata, {
      date: '2020-05-04T12:00:00.000Z',
      until: '2021',
      publishedAt: 'then',
    });
    await assert.rejects(
      named.addDocuments([{ pageContent: 'A ferry.', metadata: { date: 'last week' } }]),
      { code: 'ERR_INVALID_ARGUMENT', message: /publishedAt/ },
    );
    await corpus.add([{ id: 'b', text: 'A barge.', title: 'Boats', validTo: '2021-05-04' }]);
    const [b] = await named.similaritySearch('barge', 1, { validTo: { exists: true } });
    assert.deepEqual(b!.metadata, { title: 'Boats', until: '2021-05-05T00:00Z' });
  });

  it('takes ids of the call, of documents, or new ones, and replaces', async () => {
    const corpus = await open();
    const own = new AsOfVectorStore(undefined, { corpus });
    const document = new Document({ pageContent: 'The mill shut.', id: 'mine' });
    const other = new Document({ pageContent: 'The mill opened.' });
    const [first, second] = await own.addDocuments([document, other]);
    assert.equal(first, 'mine');
    assert.match(second!, /^[0-9a-f-]{36}$/);
    assert.deepEqual(await own.addDocuments([document], { ids: ['given'] }), ['given']);
    await own.addDocuments([new Document({ pageContent: 'The mill burnt.', id: 'mine' })]);
    assert.equal(corpus.get('mine')!.text, 'The mill burnt.');
    assert.equal(await corpus.count(), 3);
    for (const ids of [['a'], ['a', 'b', 'c']])
      await assert.rejects(own.addDocuments([document, other], { ids }), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    assert.deepEqual(await own.addDocuments([]), []);
  });

  it('filters by fields, and by the time of asking', async () => {
    const ask = async (filter: AsOfFilter): Promise<unknown> =>
      idsOf(await store.similaritySearch('prime minister', 4, filter)).sort();
    assert.deepEqual(await ask({ source: 'wire' }), ['may', 'sunak']);
    assert.deepEqual(await ask({ source: 'wire', not: { page: 1 } }), ['sunak']);
    assert.deepEqual(await ask({ askedAt: '2020-01-01' }), ['johnson', 'may']);
    assert.deepEqual(await ask({ askedAt: '2020-01-01', source: 'wire' }), ['may']);
    await assert.rejects(ask({ owner: 'a' }), { code: 'ERR_INVALID_ARGUMENT' });
    await assert.rejects(ask({ source: undefined }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    const past = new AsOfVectorStore(undefined, { corpus: store.corpus, askedAt: '2017-01-01' });
    assert.deepEqual(idsOf(await past.similaritySearch('prime minister')), ['may']);
    const later = await past.similaritySearch('prime minister', 4, { askedAt: '2020-01-01' });
    assert.equal(later.length, 2);
    const corpus = await open({ fields: { askedAt: 'time' } });
    assert.throws(() => new AsOfVectorStore(undefined, { corpus }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  it('searches as recorded at a time', async () => {
    const corpus = await open({ history: true });
    const kept = new AsOfVectorStore(undefined, { corpus });
    await kept.addDocuments([{ id: 'a', pageContent: 'The mill is open.', metadata: {} }]);
    const before = Date.now();
    await new Promise((later) => setTimeout(later, 5));
    await kept.addDocuments([{ id: 'a', pageContent: 'The mill is shut.', metadata: {} }]);
    const texts = async (filter?: AsOfFilter): Promise<string[]> => {
      const vector = await kept.embeddings.embedQuery('mill');
      const found = await Promise.all([
        kept.similaritySearch('mill', 1, filter),
        kept.similaritySearchVectorWithScore(vector, 1, filter).then((all) => all.map(([d]) => d)),
        kept.maxMarginalRelevanceSearch('mill', filter ? { k: 1, filter } : { k: 1 }),
      ]);
      return found.flat().map(({ pageContent }) => pageContent);
    };
    assert.deepEqual(new Set(await texts()), new Set(['The mill is shut.']));
    assert.deepEqual(await texts({ asRecorded: before }), new Array(3).fill('The mill is open.'));
  });

  it('searches by a vector, by cosine', async () => {
    const vector = (await store.embeddings.embedQuery('Theresa May')).map((each) => 3 * each);
    const found = await store.similaritySearchVectorWithScore(vector, 3);
    assert.equal(found[0]![0].id, 'may');
    const texts = found.map(([{ pageContent, metadata }]) =>
      metadata['title'] ? `${metadata['title'] as string} ${pageContent}` : pageContent,
    );
    const vectors = await store.embeddings.embedDocuments(texts);
    assert.ok(Math.abs(found[0]![1] - cosine(vector, vectors[0]!)) < 1e-5);
    const dated = await store.similaritySearchVectorWithScore(vector, 3, { askedAt: '2016-12-31' });
    assertEach(dated, ([{ id }]) => id, ['may']);
    for (const wrong of [[1, 2], vector.map(() => 0)])
      await assert.rejects(store.similaritySearchVectorWithScore(wrong, 3), {
        code: 'ERR_INVALID_ARGUMENT',
      });
  });

  it('has the vectors of embeddings where the corpus does not encode', async () => {
    const embeddings = new LetterEmbeddings();
    const corpus = await open(letterCorpus);
    const letters = await AsOfVectorStore.fromTexts(
      ['The mill shut in May 1949.', 'The quay opened in 1951. It is of oak.'],
      [{ n: 1 }, { n: 2 }],
      embeddings,
      { corpus },
    );
    const vector = await embeddings.embedQuery('quay');
    const [best] = await letters.similaritySearchVectorWithScore(vector, 1);
    assert.deepEqual(best![0].metadata, { n: 2 });
    const text = best![0].pageContent;
    assert.ok(Math.abs(best![1] - cosine(vector, await embeddings.embedQuery(text))) < 1e-6);
    embeddings.texts.length = 0;
    const [mill] = await letters.similaritySearch('When did the mill shut before 1950?', 1);
    assert.deepEqual(mill!.metadata, { n: 1 });
    assert.equal(embeddings.texts.length, 1);
    assert.doesNotMatch(embeddings.texts[0]!, /1950/); // as systems encode a question
    await letters.addVectors([vector], [{ id: 'v', pageContent: 'Some text.', metadata: {} }]);
    const [exact] = await letters.similaritySearchVectorWithScore(vector, 1);
    assert.deepEqual([exact![0].id, Math.round(exact![1] * 1e6)], ['v', 1e6]);
    assert.throws(() => new AsOfVectorStore(embeddings, { corpus: store.corpus }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  it('deletes by ids or by a filter', async () => {
    const corpus = await open({ fields });
    const own = await AsOfVectorStore.fromDocuments(ministers, undefined, { corpus });
    await own.delete({ ids: ['may', 'nobody'] });
    assert.equal(await corpus.count(), 2);
    await own.delete({ filter: { source: 'wire' } });
    assert.deepEqual(idsOf(await own.similaritySearch('prime minister')), ['johnson']);
    for (const wrong of [{}, { ids: ['a'], filter: {} }, { filter: { source: undefined } }])
      await assert.rejects(own.delete(wrong), { code: 'ERR_INVALID_ARGUMENT' });
    assert.equal(await corpus.count(), 1);
  });

  it('selects what differs by maximal marginal relevance', async () => {
    const corpus = await open(letterCorpus);
    const texts = ['aaab', 'aaabb', 'aaac', 'zzza'];
    const own = await AsOfVectorStore.fromTexts(texts, {}, new LetterEmbeddings(), { corpus });
    const select = async (lambda: number): Promise<string[]> =>
      (await own.maxMarginalRelevanceSearch('aaab', { k: 2, lambda })).map((d) => d.pageContent);
    assert.deepEqual(await select(1), ['aaab', 'aaabb']);
    assert.deepEqual(await select(0), ['aaab', 'zzza']);
    const retriever = own.asRetriever({ k: 2, searchType: 'mmr', searchKwargs: { lambda: 0 } });
    assert.equal((await retriever.invoke('aaab'))[1]!.pageContent, 'zzza');
  });

  it("is LangChain's retriever: batch, filter, callbacks", async () => {
    const retriever = store.asRetriever({ k: 1, filter: { askedAt: '2020-01-01' } });
    assert.ok(retriever instanceof VectorStoreRetriever);
    const now = 'Who is UK prime minister?';
    const seen: string[] = [];
    const callbacks = [
      {
        handleRetrieverEnd: (documents: { id?: string }[]) =>
          void seen.push(...documents.map(({ id }) => id!)),
      },
    ];
    const found = await retriever.batch([now, now], { callbacks });
    assert.deepEqual(found.map(idsOf), [['johnson'], ['johnson']]);
    await new Promise((later) => setTimeout(later, 20)); // callbacks may come in the background
    assert.deepEqual(seen, ['johnson', 'johnson']);
    await retriever.addDocuments([ministers[0]!]);
    assert.equal(await store.corpus.count(), 3);
  });

  it('is a part of a chain that streams, and ends with its signal', async () => {
    const model = new FakeListChatModel({ responses: ['Johnson'] });
    const asText = new RunnableLambda({
      func: (documents: { pageContent: string }[]) =>
        documents.map(({ pageContent }) => pageContent).join('\n'),
    });
    let prompted = '';
    const chain = RunnableMap.from<string>({
      context: store.asRetriever(1).pipe(asText),
      question: new RunnablePassthrough(),
    })
      .pipe(ChatPromptTemplate.fromTemplate('{context}\n\n{question}'))
      .pipe(
        new RunnableLambda({
          func: (prompt: { toString(): string }) => ((prompted = prompt.toString()), prompt),
        }),
      )
      .pipe(model as never)
      .pipe(new StringOutputParser());
    let answer = '';
    for await (const part of await chain.stream(question)) answer += part;
    assert.equal(answer, 'Johnson');
    assert.match(prompted, /Boris Johnson became.*\n\nWho was UK prime minister/s);
    await assert.rejects(chain.invoke(question, { signal: AbortSignal.abort() }), /abort/i);
    await assert.rejects(chain.invoke(question, { timeout: 1 }), /abort|time/i);
  });

  it('takes a system of the caller', async () => {
    const { corpus } = store;
    const words = new AsOfVectorStore(undefined, { corpus, system: bm25({ corpus }) });
    assert.deepEqual(idsOf(await words.similaritySearch('Theresa')), ['may']);
    for (const wrong of [undefined, null, {}, { corpus: 'wiki.asof' }, { corpus, where: {} }])
      assert.throws(() => new AsOfVectorStore(undefined, wrong as never), {
        code: 'ERR_INVALID_ARGUMENT',
      });
  });
});
