// Filters in every system: what does not pass is not there, and the rest ranks as it would alone.
import assert from 'node:assert/strict';
import { createSystem, systemNames } from '../../lib/papers/registry.js';
import { searchVectors } from '../../lib/retrieval/vectorSearch.js';
import { Corpus } from '../../lib/store/corpus.js';
import { bm25 } from '../../lib/systems/baselines.js';
import type { System } from '../../lib/systems/system.js';
import { fails, temporaryFolder } from '../store/fixtures.js';
import { needed } from '../reranker.js';

const fields = { tenant: 'keyword', rank: 'number' } as const;
const towns = ['Varn', 'Lund', 'Oss', 'Brix', 'Tey'];

/** Mayors of towns in passages of tenants who must not see each other's. */
const passages = Array.from({ length: 200 }, (_, i) => ({
  id: `p${String(i).padStart(3, '0')}`,
  title: `Mayors of ${towns[i % 5]!}`,
  text:
    `In ${1900 + (i % 50)} the mayor of ${towns[i % 5]!} was Anna Number${i}. ` +
    `She built a bridge that year.`,
  publishedAt: `${1950 + (i % 60)}-03-01`,
  metadata: { tenant: i % 4 === 0 ? 'a' : 'b', rank: i },
}));
const question = { text: 'Who was the mayor of Lund in 1921?', askedAt: '2020-01-01' };

describe('a filter of a question', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('all'), { fields });
    await corpus.add(passages.slice(0, 90));
    await corpus.add(passages.slice(90));
  });
  after(() => corpus.close());

  for (const name of systemNames) {
    it(`hides from ${name} what does not pass`, async () => {
      const system: System = createSystem(name, { corpus, ...needed(name) });
      const where = { tenant: 'a' };
      const { evidence, dropped = [] } = await system.run(question, { k: 100, where });
      assert.ok(evidence.length > 0);
      const rows = passages.filter(({ metadata }) => metadata.tenant === 'a');
      const ids = new Set(rows.map(({ id }) => id));
      for (const { id } of [...evidence, ...dropped]) assert.ok(ids.has(id), id);
      const same = await system.run(question, { k: 100, candidateIds: [...ids] });
      const shown = (of: typeof evidence) => of.map(({ id, score }) => [id, score]);
      assert.deepEqual(shown(evidence), shown(same.evidence));
      assert.deepEqual((await system.run(question, { where: { rank: { lt: 0 } } })).evidence, []);
    });
  }

  it('counts for BM25, if it is asked to, as a corpus of what passes', async () => {
    const where = { tenant: 'a' };
    await using alone = await Corpus.open(folder.path('alone'), { fields });
    await alone.add(passages.filter(({ metadata }) => metadata.tenant === 'a'));
    const scores = async (of: Corpus, options: object) =>
      (await bm25({ corpus: of }).run(question, { k: 100, ...options })).evidence.map(
        ({ id, score }) => [id, score],
      );
    const expected = await scores(alone, {});
    assert.deepEqual(await scores(corpus, { where, statistics: 'filtered' }), expected);
    assert.notDeepEqual(await scores(corpus, { where }), expected);
    assert.deepEqual(
      await scores(corpus, { statistics: 'filtered' }),
      await scores(corpus, {}),
      'nothing is filtered',
    );
    await assert.rejects(
      bm25({ corpus }).run(question, { statistics: 'some' as never }),
      fails('ERR_INVALID_ARGUMENT', /statistics/),
    );
  });

  it('filters searches by vectors, exactly', async () => {
    const [vector] = [await corpus.encoder.encode([question.text], { kind: 'query' })];
    const where = { rank: { gte: 20, lt: 150 }, not: { tenant: 'a' } };
    const all = (await searchVectors(corpus, vector, 200))[0]!;
    const passing = all.filter(({ id }) => {
      const { tenant, rank } = passages[Number(id.slice(1))]!.metadata;
      return rank >= 20 && rank < 150 && tenant !== 'a';
    });
    for (const k of [1, 7, 200])
      assert.deepEqual(
        [...(await searchVectors(corpus, vector, k, { where }))[0]!],
        passing.slice(0, k),
      );
  });

  it('is read at the call', async () => {
    const allowed = ['a'];
    const where = { tenant: { in: allowed } };
    const system = bm25({ corpus });
    assert.ok((await system.run(question, { where })).evidence.length > 0);
    allowed.splice(0);
    assert.deepEqual((await system.run(question, { where })).evidence, []);
    const candidateIds = ['p001', 'p006'];
    const seen = async () => (await system.run(question, { candidateIds })).evidence.length;
    assert.equal(await seen(), 2);
    candidateIds.splice(1);
    assert.equal(await seen(), 1);
  });

  it('of an unknown field is refused, and a question that is aborted ends', async () => {
    const system = bm25({ corpus });
    await assert.rejects(
      system.run(question, { where: { owner: 'a' } }),
      fails('ERR_INVALID_ARGUMENT', /tenant, rank/),
    );
    await assert.rejects(
      system.run(question, { where: { tenant: 'a' }, signal: AbortSignal.abort() }),
      fails('ERR_ABORTED'),
    );
  });
});
