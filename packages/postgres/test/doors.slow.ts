// A corpus in PostgreSQL behind the server, the tools of agents, LangChain and the AI SDK: answers
// are those of a local corpus, and what is written there is stored.
import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { asofTool } from '../../ai-sdk/lib/index.js';
import { Corpus, joinCorpora } from '../../../lib/index.js';
import { AsOfTimeWeightedRetriever, AsOfVectorStore } from '../../langchain/lib/index.js';
import { PostgresCorpus } from '../lib/index.js';
import type { PostgresOptions } from '../lib/options.js';
import { failsWith } from '../../../test/failsWith.js';
import {
  LetterEmbeddings,
  letterCorpus,
  ministers as documents,
} from '../../langchain/test/documents.js';
import { call as callTool, connected } from '../../server/test/mcp/clients.js';
import {
  ministers,
  question,
  start,
  type Answer,
  type Started,
} from '../../server/test/http/started.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

const askedAt = '2024-01-01';
const fields = { tenant: 'keyword' } as const;

describe('a corpus in PostgreSQL behind', function () {
  this.timeout(120_000);
  let servers: PostgresServers;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
  });
  after(() => servers?.stop());
  const connect = (schema: string, options: Partial<PostgresOptions> = {}) =>
    PostgresCorpus.connect({ shards: servers.urls, schema, ...options });

  it('joinCorpora is refused, since statistics of both would not be those of one', async () => {
    await using remote = await connect('joined');
    assert.throws(
      () => joinCorpora([remote]),
      failsWith('ERR_INVALID_ARGUMENT', /Expected corpora\[0\] to be a corpus in a folder/),
    );
  });

  describe('the server', () => {
    let remote: PostgresCorpus;
    let reader: PostgresCorpus;
    before(async () => {
      remote = await connect('served', { fields });
      await remote.add(ministers);
      reader = await connect('served', { readOnly: true });
    });
    after(async () => {
      await remote?.close();
      await reader?.close();
    });
    const serve = async (
      corpora: Record<string, PostgresCorpus>,
      work: (call: Started['call']) => Promise<void>,
    ): Promise<void> => {
      const own = await start({ write: true, corpora });
      try {
        await work(own.call);
      } finally {
        await own.stop();
      }
    };
    /** Of both servers; the local one has the same passages under the same name. */
    const same = async (call: Started['call'], ...sent: Parameters<Started['call']>) => {
      const local = await start({ write: true });
      try {
        const [found, expected] = [await call(...sent), await local.call(...sent)] as Answer[];
        assert.equal(found!.status, expected!.status);
        const { trace: _, ...others } = found!.json;
        const { trace: __, ...wanted } = expected!.json;
        assert.deepEqual(others, wanted);
        return others;
      } finally {
        await local.stop();
      }
    };

    it('answers, lists and gets as a folder does', () =>
      serve({ pm: remote }, async (call) => {
        const body = { question, asked_at: askedAt, k: 2, where: { tenant: 'a' } };
        const { answer } = await same(call, 'POST', '/v1/corpora/pm/ask', body);
        assert.equal(answer, 'Boris Johnson');
        await same(call, 'POST', '/v1/corpora/pm/timeline', { question, asked_at: askedAt });
        const page = await same(
          call,
          'GET',
          '/v1/corpora/pm/passages?order_by=published_at&descending=true&limit=2',
        );
        await same(
          call,
          'GET',
          `/v1/corpora/pm/passages?order_by=published_at&descending=true&after=${page['next']}`,
        );
        await same(call, 'GET', '/v1/corpora/pm/passages/uk%2Ftruss');
        await same(call, 'GET', '/v1/corpora/pm/passages/none');
        await same(call, 'GET', '/v1/corpora/pm/passages/may?as_recorded=2020');
        await same(call, 'GET', '/v1/corpora/pm/passages/may?versions=true');
        await same(call, 'GET', '/v1/corpora');
      }));

    it('says what it holds, but not where', () =>
      serve({ pm: remote }, async (call) => {
        const { json, status, text } = await call('GET', '/v1/corpora/pm');
        assert.equal(status, 200);
        assert.deepEqual([json['name'], json['passages'], json['fields']], ['pm', 3, fields]);
        assert.doesNotMatch(text, /127\.0\.0\.1|served/);
        const metrics = await call('GET', '/metrics');
        assert.match(metrics.text, /asof_corpus_passages\{corpus="pm"\} 3\n/);
      }));

    it('adds and deletes', () =>
      serve({ pm: remote }, async (call) => {
        const passages = [
          { id: 'sunak', text: 'Rishi Sunak became prime minister.', metadata: { tenant: 'c' } },
          { id: 'broken' },
        ];
        const added = await call('POST', '/v1/corpora/pm/passages', { passages });
        assert.deepEqual([added.json['added'], added.json['rejected']], [1, 1]);
        assert.equal((await remote.get('sunak'))!.text, passages[0]!.text);
        const patch = { valid_to: '2024-07-04', metadata: { note: 'x' } };
        const updated = await call('PATCH', '/v1/corpora/pm/passages/sunak', patch);
        assert.deepEqual(updated.json, { updated: 1, unchanged: 0 });
        assert.deepEqual((await remote.get('sunak'))!.metadata, { tenant: 'c', note: 'x' });
        assert.equal((await call('PATCH', '/v1/corpora/pm/passages/none', patch)).status, 404);
        assert.equal((await call('DELETE', '/v1/corpora/pm/passages/sunak')).json['deleted'], 1);
        assert.equal((await call('DELETE', '/v1/corpora/pm/passages/sunak')).status, 404);
        await call('POST', '/v1/corpora/pm/passages', { passages });
        const where = { tenant: 'c' };
        const deleted = await call('POST', '/v1/corpora/pm/delete', { where });
        assert.deepEqual(deleted.json, { deleted: 1 });
        const ids = ['none'];
        const unknown = await call('POST', '/v1/corpora/pm/delete', { ids });
        assert.deepEqual(unknown.json, { deleted: 0, unknown: 1 });
        assert.equal(await remote.count(), 3);
      }));

    it('keeps its fields, and says so', () =>
      serve({ pm: remote }, async (call) => {
        const altered = await call('PATCH', '/v1/corpora/pm/fields', { drop: ['tenant'] });
        assert.equal(altered.status, 400);
        assert.match(altered.json['error'].message, /in PostgreSQL keeps the fields/);
        const counted = { question, asked_at: '2017', facets: ['tenant'], only: 'current' };
        await same(call, 'POST', '/v1/corpora/pm/search', counted);
      }));

    it('refuses writes through a handle that is read-only', () =>
      serve({ pm: reader }, async (call) => {
        assert.equal((await call('DELETE', '/v1/corpora/pm/passages/may')).status, 403);
        const { json } = await call('GET', '/v1/corpora');
        assert.deepEqual(
          json['corpora'].map(({ writable }: { writable: boolean }) => writable),
          [false],
        );
        assert.equal(await reader.count(), 3);
      }));
  });

  describe('tools of agents', () => {
    const temporary = temporaryFolder();
    let remote: PostgresCorpus;
    let client: Client;
    before(async () => {
      remote = await connect('tools', { fields });
      await remote.add(ministers);
      client = await connected(remote, { write: true });
    });
    after(async () => {
      await client?.close();
      await remote?.close();
    });

    it('answer, add, and read a passage', async () => {
      assert.match(client.getInstructions()!, /^The corpus tools holds 3 dated passages/);
      const { tools } = await client.listTools();
      assert.match(JSON.stringify(tools[0]), /tenant \(keyword\)/);
      const found = await callTool(client, 'search', { question, asked_at: askedAt });
      assert.equal(found.structured['answer'], 'Boris Johnson');
      const passages = [{ id: 'x', text: 'The mill burnt down in 1961.' }];
      const added = await callTool(client, 'add', { passages });
      assert.equal(added.structured['added'], 1);
      const { contents } = await client.readResource({ uri: 'asof://passage/x' });
      assert.match(JSON.stringify(contents), /burnt down/);
      await assert.rejects(client.readResource({ uri: 'asof://passage/none' }), /not found/i);
    });

    it('have none that changes fields, unless another corpus can', async () => {
      const names = async (of: Client): Promise<string[]> =>
        (await of.listTools()).tools.map(({ name }) => name);
      assert.ok(!(await names(client)).includes('alter_fields'));
      const folder = temporary.path('mills');
      await using mills = await Corpus.open(folder);
      const both = await connected({ pm: remote, mills }, { write: true });
      assert.ok((await names(both)).includes('alter_fields'));
      const found = await callTool(both, 'search', { corpus: 'pm', question, asked_at: askedAt });
      assert.equal(found.structured['answer'], 'Boris Johnson');
      const changes = { add: { size: 'number' } };
      const refused = await callTool(both, 'alter_fields', { corpus: 'pm', ...changes });
      assert.match(refused.text, /^Expected corpus to be one in a folder[^]*PostgreSQL/);
      const altered = await callTool(both, 'alter_fields', { corpus: 'mills', ...changes });
      assert.deepEqual(altered.structured, { fields: { size: 'number' } });
      await both.close();
    });

    it('of the AI SDK search it', async () => {
      const result = await asofTool(remote).execute({ question, asked_at: askedAt }, {});
      assert.equal(result['answer'], 'Boris Johnson');
    });
  });

  describe('LangChain', () => {
    const folder = temporaryFolder();

    it('finds by question, vector and diversity, and deletes, as in a folder', async () => {
      const own = { fields: { source: 'keyword' } } as const;
      await using remote = await connect('store', own);
      await using local = await Corpus.open(folder.path('store'), own);
      const [found, expected] = await Promise.all(
        [remote, local].map(async (corpus) => {
          const store = await AsOfVectorStore.fromDocuments(documents, undefined, { corpus });
          const vector = await store.embeddings.embedQuery('prime minister');
          const results = [
            await store.similaritySearch(question, 2),
            (await store.similaritySearchVectorWithScore(vector, 2, { source: 'wire' })).map(
              ([document]) => document,
            ),
            await store.maxMarginalRelevanceSearch(question, { k: 2 }),
          ];
          await store.delete({ filter: { source: 'wire' } });
          return [...results, await store.similaritySearch(question, 3)];
        }),
      );
      assert.deepEqual(found, expected);
      assert.deepEqual(
        found!.map((each) => each.length),
        [2, 2, 2, 1],
      );
    });

    it('remembers by time', async () => {
      await using corpus = await connect('memory', letterCorpus);
      const vectorStore = new AsOfVectorStore(new LetterEmbeddings(), { corpus });
      const retriever = new AsOfTimeWeightedRetriever({ vectorStore, k: 1, decayRate: 0.5 });
      const now = Math.floor(Date.now() / 1000);
      await retriever.addDocuments([
        { pageContent: 'amber', metadata: { last_accessed_at: now - 36_000 }, id: 'old' },
        { pageContent: 'amber', metadata: { last_accessed_at: now }, id: 'new' },
      ]);
      const [first] = await retriever.invoke('amber');
      assert.equal(first!.id, 'new');
      const [stored] = await corpus.getMany(['new']);
      assert.ok((stored!.metadata!['last_accessed_at'] as number) >= now);
    });
  });
});
