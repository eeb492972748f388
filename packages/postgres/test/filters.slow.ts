// Filters of passages in PostgreSQL: what passes, and its ranking, is that of a local corpus, for
// every type of field, condition and statistics.
import assert from 'node:assert/strict';
import { bm25, Corpus, hybrid, type Passage, type Where } from '../../../lib/index.js';
import { PostgresCorpus } from '../lib/index.js';
import type { AskOptions } from '../../../lib/systems/askOptions.js';
import { assertClose } from '../../../test/assertClose.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

const fields = {
  tenant: 'keyword',
  tags: 'keyword[]',
  rank: 'number',
  draft: 'boolean',
  seen: 'time',
} as const;
const towns = ['Varn', 'Lund', 'Oss', 'Brix', 'Tey'];

const passages = Array.from({ length: 240 }, (_, i): Passage => {
  const year = 1900 + (i % 50);
  return {
    id: `p${String(i).padStart(3, '0')}`,
    text: `In ${year} the mayor of ${towns[i % 5]!} was Anna Number${i}. She built a bridge.`,
    ...(i % 3 > 0 ? { publishedAt: `${1950 + (i % 60)}-03-01` } : {}),
    ...(i % 4 === 1 ? { validFrom: `${year}`, validTo: `${year + 9}` } : {}),
    ...(i % 4 === 2 ? { validTo: `${year}` } : {}),
    metadata: {
      ...(i % 7 > 0 ? { tenant: i % 4 === 0 ? 'a' : "b's" } : {}),
      tags: [`t${i % 3}`, ...(i % 2 === 0 ? ['even'] : [])],
      rank: i % 11 === 0 ? -0.5 : i,
      draft: i % 5 === 0,
      ...(i % 6 > 0 ? { seen: `${1990 + (i % 20)}-07-08` } : {}),
    },
  };
});

const filters: Where[] = [
  {},
  { tenant: 'a' },
  { tenant: { in: ['a', "b's", 'none'] } },
  { not: { tenant: 'a' } },
  { tenant: { exists: false } },
  { tags: { contains: ['t1', 'even'] } },
  { tags: { in: ['t0', 'even'] } },
  { rank: { gte: 10, lt: 20 } },
  { rank: { in: [3, 4, -0.5] } },
  { rank: { gt: -0.5 }, draft: true },
  { draft: { in: [false] } },
  { seen: { gte: '1995', lte: '2001-07-08' } },
  { seen: '1999-07-08' },
  { publishedAt: { lt: '1980' } },
  { publishedAt: { exists: false } },
  { validFrom: { exists: true } },
  { validFrom: { lte: '1920' } },
  { validTo: { gte: '1930', lt: '1945-01-01' } },
  { validTo: '1921' },
  { or: [{ rank: { lt: 5 } }, { and: [{ tags: 't2' }, { not: { draft: true } }] }] },
  { not: { or: [{ seen: { exists: true } }, { tenant: 'a' }] } },
  { rank: { lt: -1 } },
];

describe('filters in PostgreSQL', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let local: Corpus;
  let remote: PostgresCorpus;
  let servers: PostgresServers;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start({ servers: 2 });
    local = await Corpus.open(folder.path('local'), { fields });
    await local.add(passages);
    remote = await PostgresCorpus.connect({ shards: servers.urls, fields });
    await remote.add(passages);
  });
  after(async () => {
    await local?.close();
    await remote?.close();
    await servers?.stop();
  });

  const question = { text: 'Who was the mayor of Lund in 1921?', askedAt: '2020-01-01' };
  const resultsOf = async (corpus: Corpus | PostgresCorpus, ask: AskOptions) =>
    Promise.all(
      [hybrid({ corpus }), bm25({ corpus })].map(async (system) => {
        const facets = ['tenant', 'tags', 'draft'];
        const options = { k: 5, offset: 1, facets, highlights: true, ...ask };
        const { evidence, answer, facets: counts } = await system.run(question, options);
        return { evidence, answer, counts };
      }),
    );

  for (const where of filters)
    it(`show what a local corpus shows: ${JSON.stringify(where)}`, async () => {
      assert.equal(await remote.count({ where }), await local.count({ where }));
      for (const statistics of ['corpus', 'filtered'] as const)
        assertClose(
          await resultsOf(remote, { where, statistics }),
          await resultsOf(local, { where, statistics }),
          statistics,
          1e-6,
        );
    });

  it('let misspelt words be corrected by what passes, as in a local corpus', async () => {
    const corrected = async (corpus: Corpus | PostgresCorpus, where: Where): Promise<unknown> => {
      const system = hybrid({ corpus, spelling: true });
      const { trace } = await system.run({ text: 'Who built a brigde in 1921?' }, { where });
      return trace[0]!.notes?.['corrected'];
    };
    for (const corpus of [local, remote]) {
      assert.deepEqual(await corrected(corpus, { tenant: 'a' }), ['brigde: bridge']);
      assert.equal(await corrected(corpus, { tenant: 'none' }), undefined);
    }
  });
});
