// The LangChain retriever with LangChain's own classes: invoke, batch and chains, callbacks,
// configuration, signals that fired before and after, time-outs.
import assert from 'node:assert/strict';
import { RunnableLambda } from '@langchain/core/runnables';
import { BaseRetriever } from '@langchain/core/retrievers';
import { langchainRetriever, type EvidenceMetadata } from '../lib/index.js';
import { type Corpus, hybrid, type System } from '../../../lib/index.js';
import { withCorpus } from '../../../test/corpus.js';
import { assertEach } from '../../../test/assertEach.js';

const question = 'Who was UK prime minister as of 6 May 2021?';
const hanging: System = { name: 'hang', options: {}, run: () => new Promise(() => undefined) };

describe('adapters: langchainRetriever', () => {
  let corpus: Corpus;
  withCorpus(
    [
      {
        id: 'may',
        text: 'Theresa May became prime minister of the United Kingdom on 13 July 2016.',
        publishedAt: '2016-07-14',
        metadata: { source: 'wire', asof: 'hers' },
      },
      {
        id: 'johnson',
        title: 'Johnson',
        text:
          'Boris Johnson is from New York. He became prime minister of the United Kingdom ' +
          'on 24 July 2019.',
        publishedAt: '2019-07-25',
        validFrom: '2019-07-24',
        validTo: '2022-09-05',
        metadata: { source: 'wire' },
      },
      {
        id: 'sunak',
        text: 'Rishi Sunak became prime minister of the United Kingdom on 25 October 2022.',
        publishedAt: '2022-10-26',
      },
    ],
    (made) => (corpus = made),
  );

  it("gives documents with the evidence beside the passage's own metadata", async () => {
    const retriever = langchainRetriever(hybrid({ corpus }), { k: 2 });
    assert.ok(retriever instanceof BaseRetriever);
    const documents = await retriever.invoke(question);
    assertEach(documents, ({ id }) => id, ['johnson', 'may']);
    const { asof, ...own } = documents[0]!.metadata as { asof: EvidenceMetadata };
    assert.deepEqual(own, { source: 'wire', title: 'Johnson' });
    assert.equal(asof.rank, 1);
    assert.ok(asof.score > 0 && Object.keys(asof.scores).length > 0);
    assert.match(asof.sentence!, /^He became/);
    assert.deepEqual(asof.dates, [{ start: '2019-07-24', end: '2019-07-24', granularity: 'day' }]);
    assert.deepEqual(
      [asof.publishedAt, asof.validFrom, asof.validTo],
      ['2019-07-25T00:00Z', '2019-07-24T00:00Z', '2022-09-06T00:00Z'],
    );
    assert.deepEqual(JSON.parse(JSON.stringify(documents[0]!.metadata)), documents[0]!.metadata);
    assert.equal(
      (await langchainRetriever(hybrid({ corpus }), { k: 1 }).invoke(question)).length,
      1,
    );
  });

  it('filters all calls, or one', async () => {
    const where = { publishedAt: { lt: '2020' } };
    const retriever = langchainRetriever(hybrid({ corpus }), { k: 3, where });
    const ids = async (config?: { configurable: object }): Promise<string[]> =>
      (await retriever.invoke('UK prime minister', config)).map(({ id }) => id!).sort();
    assert.deepEqual(await ids(), ['johnson', 'may']);
    const one = { publishedAt: '2022-10-26' };
    assert.deepEqual(await ids({ configurable: { where: one } }), ['sunak']);
    await assert.rejects(retriever.invoke('UK', { configurable: { where: { owner: 'a' } } }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  it('asks as recorded at a time, for all calls or for one', async () => {
    const asked: unknown[] = [];
    const system: System = {
      name: 'listening',
      options: {},
      run: (_, options) => (
        asked.push(options?.asRecorded), hybrid({ corpus }).run({ text: 'UK' })
      ),
    };
    await langchainRetriever(system).invoke('UK');
    const retriever = langchainRetriever(system, { asRecorded: '2024-05-03' });
    await retriever.invoke('UK');
    await retriever.invoke('UK', { configurable: { asRecorded: '2024-05-04' } });
    assert.deepEqual(asked, [undefined, '2024-05-03', '2024-05-04']);
  });

  it('asks as of when it is told, for all calls or for one', async () => {
    const now = 'Who is UK prime minister?';
    const retriever = langchainRetriever(hybrid({ corpus }), { k: 3, askedAt: '2017-01-01' });
    assertEach(await retriever.invoke(now), ({ id }) => id, ['may']);
    assert.equal(
      (await retriever.invoke(now, { configurable: { askedAt: '2020-01-01' } }))[0]!.id,
      'johnson',
    );
    const batch = await retriever.batch(
      [now, now],
      [{ configurable: { askedAt: '2023-01-01' } }, {}],
    );
    assertEach(batch, (documents) => documents.length, [3, 1]);
    await assert.rejects(retriever.invoke(now, { configurable: { askedAt: 'someday' } }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  it('is a part of a chain, and tells callbacks of its runs', async () => {
    const told: string[] = [];
    const callbacks = [
      {
        handleRetrieverStart: () => void told.push('start'),
        handleRetrieverEnd: (documents: unknown[]) => void told.push(`end ${documents.length}`),
        handleRetrieverError: () => void told.push('error'),
      },
    ];
    const chain = langchainRetriever(hybrid({ corpus }), { k: 1, tags: ['time'] }).pipe(
      new RunnableLambda({ func: (documents: { id?: string | undefined }[]) => documents[0]!.id }),
    );
    assert.equal(await chain.invoke(question, { callbacks }), 'johnson');
    await assert.rejects(langchainRetriever(hybrid({ corpus })).invoke('', { callbacks }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    await new Promise((later) => setTimeout(later, 20)); // callbacks may come in the background
    assert.deepEqual(told, ['start', 'end 1', 'start', 'error']);
  });

  it(
    'honours signals that fired before, fire later, and time-outs, over a system that ' +
      'ignores them',
    async () => {
      const retriever = langchainRetriever(hanging);
      await assert.rejects(retriever.invoke(question, { signal: AbortSignal.abort() }), {
        code: 'ERR_ABORTED',
      });
      await assert.rejects(
        langchainRetriever(hybrid({ corpus })).invoke(question, { signal: AbortSignal.abort() }),
        { code: 'ERR_ABORTED' },
      );
      await assert.rejects(retriever.invoke(question, { signal: AbortSignal.timeout(20) }), {
        code: 'ERR_ABORTED',
      });
      await assert.rejects(retriever.invoke(question, { timeout: 20 }), { code: 'ERR_ABORTED' });
      let seen: AbortSignal | undefined;
      const watching: System = {
        ...hanging,
        run: async (_, options) => {
          seen = options?.signal;
          return { question: undefined as never, evidence: [], trace: [] };
        },
      };
      const { signal } = new AbortController();
      assert.deepEqual(await langchainRetriever(watching).invoke(question, { signal }), []);
      assert.equal(seen, signal);
    },
  );

  it('refuses what is no system and options out of range', () => {
    for (const wrong of [undefined, null, 'hybrid', {}]) {
      assert.throws(() => langchainRetriever(wrong as System), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    }
    for (const options of [null, { k: 0 }, { k: 1.5 }, { k: 10_001 }]) {
      assert.throws(() => langchainRetriever(hanging, options as object), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    }
  });
});
