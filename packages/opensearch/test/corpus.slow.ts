// A corpus in OpenSearch against a local one of the same passages, on one node: systems, random
// plans, filters, series, pages, and members in every state.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AsOfError } from '../../../lib/errors.js';
import { bm25, Corpus, hybrid, type Passage } from '../../../lib/index.js';
import { createSystem, systemNames, tempralm } from '../../../lib/papers/index.js';
import { OpenSearchCorpus, type OpenSearchOptions } from '../lib/index.js';
import type { PreparedPassage } from '../../../lib/store/passages/passages.js';
import { withCorpus } from '../../../test/corpus.js';
import { failsWith } from '../../../test/failsWith.js';
import { drawOf } from '../../../test/index/flat.corpus.js';
import { fields, itFilters, passages as filtered } from '../../../test/retrieval/remoteFilters.js';
import { documents, itHasTheResults, passages } from '../../../test/retrieval/remotePassages.js';
import { assertSamePlans, passagesOf } from '../../../test/retrieval/remotePlans.js';
import { passageAt } from '../../../test/retrieval/remoteCorpus.js';
import { hashEncoder, temporaryFolder } from '../../../test/store/fixtures.js';
import { encoder as seriesEncoder, itKeepsSeries } from '../../../test/store/remoteSeries.js';
import { OpenSearchNodes, skipWithoutOpenSearch } from './servers.js';
import { itHasStates } from './states.js';

describe('a corpus in OpenSearch', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let cluster: OpenSearchNodes;
  before(async function () {
    skipWithoutOpenSearch(this);
    cluster = await OpenSearchNodes.start();
  });
  after(() => cluster?.stop());

  const connect = (index: string, options: Partial<OpenSearchOptions> = {}) =>
    OpenSearchCorpus.connect({ nodes: cluster.urls, index, replicas: 0, ...options });

  let local: Corpus;
  withCorpus([...passages, ...documents], (corpus) => (local = corpus));
  for (const exact of [true, false])
    describe(exact ? 'that scores all passages' : 'that scores candidates', () => {
      let corpus: OpenSearchCorpus;
      before(async () => {
        corpus = await connect(`exact-${exact}`, { shards: 3, exact });
        await corpus.add([...passages, ...documents]);
      });
      after(() => corpus?.close());

      const stated = exact ? systemNames.filter((name) => name !== 're3') : ['hybrid', 're3'];
      itHasTheResults(() => ({ corpus, local }), stated);

      it('says whether it is exact', async () => {
        const question = { text: 'Who was mayor of Lund in 1995?' };
        const { exact: said, scan } = await hybrid({ corpus }).run(question);
        const expected = exact ? undefined : false;
        assert.deepEqual([said, scan?.exact], [expected, exact]);
        assert.equal((await bm25({ corpus }).run(question)).exact, expected);
      });

      it('refuses exact search by what no script states', async () => {
        const system = createSystem('re3', { corpus });
        const asked = system.run({ text: 'Who was mayor of Lund in 1995?' });
        if (exact) await assert.rejects(asked, failsWith('ERR_INVALID_ARGUMENT'));
        else assert.equal((await asked).exact, false);
      });
    });

  describe('asked for plans', () => {
    const draw = drawOf(fc.readConfigureGlobal().seed ?? 0, 0);
    const all = passagesOf(draw, 1200);
    let planned: Corpus;
    withCorpus(all, (corpus) => (planned = corpus));

    it('finds the same rows with the same scores, if it scores all', async () => {
      await using corpus = await connect('plans', { shards: 2, exact: true });
      await corpus.add(all);
      await assertSamePlans(draw, planned, [corpus], {
        isStated: (form) => form.combine === 'none' || form.kind !== 'recency',
        trials: 60,
      });
    });
  });

  describe('with filters', () => {
    let remote: OpenSearchCorpus;
    let filter: Corpus;
    before(async () => {
      filter = await Corpus.open(folder.path('filters'), { fields });
      remote = await connect('filters', { shards: 2, fields, exact: true });
      for (const each of [filter, remote]) await each.add(filtered);
    });
    after(async () => {
      await filter?.close();
      await remote?.close();
    });

    itFilters(() => ({ remote, local: filter }));

    it('ranks among some passages those that pass, by what is standardised over them', async () => {
      const candidateIds = filtered.filter((_, at) => at % 3 > 0).map(({ id }) => id);
      const ask = { k: 60, where: { tenant: 'a' }, candidateIds, read: false } as const;
      const question = { text: 'Who was the mayor of Lund in 1921?', askedAt: '2020-01-01' };
      const idsOf = async (corpus: Corpus | OpenSearchCorpus): Promise<string[]> => {
        const system = tempralm({ corpus, overRetrieve: 'corpus' });
        const { evidence } = await system.run(question, ask);
        return evidence.map(({ id }) => id);
      };
      const ids = await idsOf(filter);
      assert.ok(ids.length > 10, `${ids.length}`);
      assert.deepEqual(await idsOf(remote), ids);
      const all = tempralm({ corpus: remote, overRetrieve: 'corpus' }).run(question);
      await assert.rejects(all, failsWith('ERR_INVALID_ARGUMENT'));
    });

    it('lists pages in every order as a local corpus does', async () => {
      for (const field of ['id', 'publishedAt', 'validFrom', 'validTo', 'rank', 'seen'])
        for (const direction of ['asc', 'desc'] as const) {
          if (field === 'id' && direction === 'desc') continue;
          const pages = async (corpus: Corpus | OpenSearchCorpus): Promise<string[]> => {
            const ids: string[] = [];
            for (let after: string | undefined; ; ) {
              const orderBy = { field, direction };
              const where = { draft: false };
              const page = await corpus.list({ orderBy, where, limit: 37, after });
              ids.push(...page.passages.map(({ id }) => id));
              after = page.next;
              if (after === undefined) return ids;
            }
          };
          assert.deepEqual(await pages(remote), await pages(filter), `${field} ${direction}`);
        }
    });

    it('deletes and updates what passes, and counts it', async () => {
      await using corpus = await connect('deleted', { fields });
      await corpus.add(filtered);
      const where = { rank: { gte: 10, lt: 20 } };
      const count = await filter.count({ where });
      assert.deepEqual(await corpus.update({ where }, { metadata: { tenant: 'moved' } }), {
        updated: count,
        unchanged: 0,
      });
      assert.equal(await corpus.count({ where: { tenant: 'moved' } }), count);
      assert.equal(await corpus.delete({ where: { tenant: 'moved' } }), count);
      assert.equal(await corpus.count(), filtered.length - count);
      await corpus.verify();
      await corpus.compact();
      const info = await corpus.info();
      assert.deepEqual(
        [info.index, info.passages, info.nodes, info.replicas],
        ['deleted', filtered.length - count, 1, 0],
      );
    });
  });

  describe('of series', () =>
    itKeepsSeries('', {
      connect: (name) => connect(`series-${name}`, { encoder: seriesEncoder }),
    }));

  const odd: Passage[] = [
    {
      id: 'several',
      title: 'Mayors of Lund 1990',
      text: 'Ann Lee was mayor from 1981 to 1992. Bob Hay followed in June 1992. He left in 1999.',
      publishedAt: '2001-02-03T04:05:06.789Z',
      validFrom: '1981',
    },
    { id: 'until', text: 'A rule. Another rule, of last year.', validTo: '1999-12-31' },
    { id: 'both', text: 'No time', validFrom: '-000100-01-01', validTo: '2020-05-06', title: '' },
    { id: 'Größe\u{1f30d} \u0000"\\', text: '\u0000 \u2028 "quoted" \\ tab\t. Ünï 𝒳 in 2010.' },
    { id: `long ${'x'.repeat(900)}`, text: `A word of ${'z'.repeat(40_000)} units.` },
    { id: 'sha256:x', text: 'An id like that of a long one.' },
    { id: 'wordless', text: '...', title: '!!' },
  ];

  it('keeps what a local corpus stores, to the bit', async () => {
    await using corpus = await connect('odd');
    await using own = await Corpus.open(folder.path('odd'));
    assert.deepEqual(await corpus.add(odd), { added: odd.length, replaced: 0, unchanged: 0 });
    assert.deepEqual(await corpus.add(odd), { added: 0, replaced: 0, unchanged: odd.length });
    await own.add(odd);
    const ids = odd.map(({ id }) => id);
    assert.deepEqual(await corpus.getMany([...ids, 'none']), [...own.getMany(ids), undefined]);
    using remote = corpus.snapshot();
    using snapshot = own.snapshot();
    const found: PreparedPassage[] = [];
    for await (const each of remote.remote!.all()) found.push(each);
    assert.deepEqual(
      new Map(found.map((each) => [each.stored.id, each])),
      new Map(snapshot.findEach(ids).map((place, at) => [ids[at], passageAt(snapshot, place!)])),
    );
    const { spans, rows, sentences } = await corpus.info();
    const { spans: ownSpans, rows: ownRows, sentences: ownSentences } = own.info();
    assert.deepEqual([spans, rows, sentences], [ownSpans, ownRows, ownSentences]);
    await corpus.verify();
  });

  it('finds what a document says otherwise than its record', async () => {
    await using corpus = await connect('damaged');
    await corpus.add(odd.slice(0, 2));
    await fetch(`${cluster.urls[0]}/damaged/_update/until?refresh=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ doc: { valid_to: '2020-01-01' } }),
    });
    await assert.rejects(corpus.verify(), failsWith('ERR_CORPUS_CORRUPT'));
  });

  it('replaces a passage that two processes write at once by one of theirs', async () => {
    const encoder = hashEncoder();
    await using first = await connect('writers', { encoder });
    await using second = await connect('writers', { encoder });
    const write = (corpus: OpenSearchCorpus, by: string) =>
      corpus.add(Array.from({ length: 300 }, (_, at) => ({ id: `p${at}`, text: `By ${by}.` })));
    const counts = await Promise.all([write(first, 'one'), write(second, 'two')]);
    const sum = (name: 'added' | 'replaced' | 'unchanged'): number =>
      counts.reduce((total, each) => total + each[name], 0);
    assert.deepEqual([sum('added'), sum('replaced') + sum('unchanged')], [300, 300]);
    assert.equal(await first.count(), 300);
    await first.verify();
  });

  it('refuses an index of others, another encoder and fields, and unknown options', async () => {
    await fetch(`${cluster.urls[0]}/foreign`, { method: 'PUT' });
    await assert.rejects(connect('foreign'), failsWith('ERR_CORPUS_FOREIGN'));
    await assert.rejects(connect('none', { create: false }), failsWith('ERR_NOT_FOUND'));
    await using made = await connect('made', { encoder: hashEncoder() });
    assert.equal(await made.count(), 0);
    const other = connect('made', { encoder: hashEncoder(9) });
    await assert.rejects(other, failsWith('ERR_ENCODER_MISMATCH'));
    for (const wrong of [
      { encoder: hashEncoder(), fields: { town: 'keyword' } },
      { index: 'Made' },
      { nodes: ['ftp://127.0.0.1'] },
      { nodes: [] },
      { candidates: 9 },
      { exact: 1 },
      { shards: 0 },
      { unknown: 1 },
    ] as object[])
      await assert.rejects(connect('made', wrong), failsWith('ERR_INVALID_ARGUMENT'));
  });

  it('says where no cluster answers, without credentials', async () => {
    const nodes = ['http://user:secret@127.0.0.1:1', 'http://user:secret@127.0.0.1:2'];
    await assert.rejects(OpenSearchCorpus.connect({ nodes }), (error) => {
      assert.ok(AsOfError.is(error) && error.code === 'ERR_STORAGE', String(error));
      assert.match(error.message, /index asof on 127\.0\.0\.1:1, 127\.0\.0\.1:2, /);
      assert.doesNotMatch(JSON.stringify(error) + error.stack + String(error.cause), /secret|user/);
      return true;
    });
  });

  it('ends a request by its signal and its time', async () => {
    await using made = await connect('slow');
    await made.add(odd.slice(0, 1));
    assert.equal(await made.count(), 1);
    await using corpus = await connect('slow', { requestTimeoutMs: 400 });
    assert.equal(await corpus.count(), 1);
    const [node] = cluster.nodes;
    node!.freeze();
    try {
      const started = performance.now();
      const signal = AbortSignal.timeout(100);
      await assert.rejects(corpus.count({ signal }), failsWith('ERR_ABORTED'));
      assert.ok(performance.now() - started < 350);
      await assert.rejects(corpus.count(), (error) => {
        assert.ok(AsOfError.is(error) && error.code === 'ERR_STORAGE', String(error));
        assert.match(error.message, /no answer in time/);
        return true;
      });
    } finally {
      node!.thaw();
    }
    assert.equal(await corpus.count(), 1);
  });

  itHasStates(() => cluster);
});
