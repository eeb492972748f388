// Filters of passages that are elsewhere: what passes, and its ranking, is that of a local corpus,
// for every type of field, condition and statistics.
import assert from 'node:assert/strict';
import { bm25, hybrid, type Passage, type StoredCorpus, type Where } from '../../lib/index.js';
import type { AskOptions } from '../../lib/systems/askOptions.js';
import { assertClose } from '../assertClose.js';

export const fields = {
  tenant: 'keyword',
  tags: 'keyword[]',
  rank: 'number',
  draft: 'boolean',
  seen: 'time',
} as const;
const towns = ['Varn', 'Lund', 'Oss', 'Brix', 'Tey'];

export const passages = Array.from({ length: 240 }, (_, i): Passage => {
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

/** Defines the tests of corpora of the fields and passages. */
export function itFilters(corpora: () => Record<'remote' | 'local', StoredCorpus>): void {
  const question = { text: 'Who was the mayor of Lund in 1921?', askedAt: '2020-01-01' };
  const resultsOf = async (corpus: StoredCorpus, ask: AskOptions) =>
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
      assert.equal(await corpora().remote.count({ where }), await corpora().local.count({ where }));
      for (const statistics of ['corpus', 'filtered'] as const)
        assertClose(
          await resultsOf(corpora().remote, { where, statistics }),
          await resultsOf(corpora().local, { where, statistics }),
          statistics,
          1e-6,
        );
    });

  it('let misspelt words be corrected by what passes, as in a local corpus', async () => {
    const corrected = async (corpus: StoredCorpus, where: Where): Promise<unknown> => {
      const system = hybrid({ corpus, spelling: true });
      const { trace } = await system.run({ text: 'Who built a brigde in 1921?' }, { where });
      return trace[0]!.notes?.['corrected'];
    };
    for (const corpus of Object.values(corpora())) {
      assert.deepEqual(await corrected(corpus, { tenant: 'a' }), ['brigde: bridge']);
      assert.equal(await corrected(corpus, { tenant: 'none' }), undefined);
    }
  });
}
