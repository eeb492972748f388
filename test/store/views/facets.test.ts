// Facets against a count in JavaScript: of filters, segments, deletions, candidates and views.
import assert from 'node:assert/strict';
import { bm25, hybrid, joinCorpora, type AskOptions, type Passage } from '../../../lib/index.js';
import { Corpus } from '../../../lib/store/corpus.js';
import { remoteCorpus } from '../../retrieval/remoteCorpus.js';
import { failsWith } from '../../failsWith.js';
import { temporaryFolder } from '../fixtures.js';

const fields = {
  tenant: 'keyword',
  tags: 'keyword[]',
  draft: 'boolean',
  price: 'number',
  each: 'keyword',
} as const;
const tags = ['new', 'Ärger', 'old', '𝒳', 'z'];
const passages = Array.from({ length: 400 }, (_, n) => ({
  id: `p${n}`,
  text: `In ${1900 + (n % 100)} the mill had ${n} sacks.`,
  publishedAt: `${1950 + (n % 60)}-03-01`,
  metadata: {
    ...(n % 7 === 0 ? {} : { tenant: `t${n % 5}` }),
    tags: n % 3 === 0 ? [tags[n % 5]!, tags[n % 4]!, tags[n % 5]!] : [],
    draft: n % 2 === 0,
    price: n,
    each: `value ${n}`,
  },
}));
const question = { text: 'How many sacks did the mill have?' };

/** What is expected, by value. */
function expected(of: readonly Passage[], field: 'tenant' | 'tags' | 'draft' | 'each') {
  const counts = new Map<string, number>();
  for (const { metadata } of of)
    for (const value of new Set([metadata?.[field] ?? []].flat().map(String)))
      counts.set(value, (counts.get(value) ?? 0) + 1);
  return Array.from(counts, ([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)))
    .slice(0, 100);
}

describe('facets', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  const deleted = ['p1', 'p9', 'p150'];
  const live = passages.filter(({ id }) => !deleted.includes(id));
  before(async () => {
    corpus = await Corpus.open(folder.path('facets'), { fields });
    await corpus.add(passages.slice(0, 130));
    await corpus.add(passages.slice(130, 135));
    await corpus.add(passages.slice(135));
    await corpus.delete(deleted);
  });
  after(() => corpus.close());

  const names = ['tenant', 'tags', 'draft', 'each'] as const;
  async function check(options: AskOptions, passing: readonly Passage[], of = corpus) {
    const { facets } = await bm25({ corpus: of }).run(question, { ...options, facets: names });
    assert.deepEqual(Object.keys(facets!), names);
    for (const name of names) assert.deepEqual(facets![name], expected(passing, name), name);
  }

  it('count all live passages, also those that the question does not find', async () => {
    await check({}, live);
    await check({ k: 1 }, live);
    const { facets } = await hybrid({ corpus }).run({ text: 'zebra' }, { facets: ['tenant'] });
    assert.deepEqual(facets, { tenant: expected(live, 'tenant') });
  });

  it('count what passes: the filter, times of publication, candidates', async () => {
    const some = live.filter(({ metadata }) => metadata.price < 200);
    await check({ where: { price: { lt: 200 } } }, some);
    const since = live.filter(({ publishedAt }) => publishedAt >= '1990');
    await check({ since: '1990', minScore: 1e9 }, since);
    const candidateIds = ['p3', 'p9', 'p12', 'p200', 'nobody'];
    const among = live.filter(({ id }) => candidateIds.includes(id));
    await check({ candidateIds }, among);
    await check({ where: { tenant: 'nobody' } }, []);
  });

  it('count no passages that the mask of the system hides', async () => {
    const asked = { ...question, askedAt: '1980' };
    const known = live.filter(({ publishedAt }) => publishedAt < '1981');
    assert.ok(known.length < live.length);
    const options = { facets: ['tenant'], where: { price: { lt: 200 } } };
    const passing = (of: typeof live) => of.filter(({ metadata }) => metadata.price < 200);
    for (const of of [corpus, remoteCorpus(corpus) as unknown as Corpus])
      for (const [system, counted] of [
        [hybrid({ corpus: of }), known],
        [bm25({ corpus: of, mask: true }), known],
        [bm25({ corpus: of }), live],
      ] as const) {
        const { facets } = await system.run(asked, options);
        assert.deepEqual(facets, { tenant: expected(passing(counted), 'tenant') }, system.name);
        const candidateIds = counted.slice(-3).map(({ id }) => id);
        const few = await system.run(asked, { facets: ['each'], candidateIds });
        assert.equal(few.facets!['each']!.length, 3);
      }
  });

  it('are the same of several corpora as one, and of rows that are elsewhere', async () => {
    await using other = await Corpus.open(folder.path('other'), { fields });
    await other.add([{ ...passages[1]!, id: 'x' }]);
    await check({}, [...live, passages[1]!], joinCorpora([corpus, other]) as Corpus);
    await check({}, live, remoteCorpus(corpus) as unknown as Corpus);
  });

  it('are there where they are asked for, of fields with values to count', async () => {
    const { facets } = await bm25({ corpus }).run(question);
    assert.equal(facets, undefined);
    const refuses = (given: unknown, message: RegExp, of = corpus) =>
      assert.rejects(
        bm25({ corpus: of }).run(question, { facets: given as never }),
        failsWith('ERR_INVALID_ARGUMENT', message),
      );
    await refuses(
      ['price'],
      /booleans: tenant, tags, draft, each, series, received the string "price"/,
    );
    await refuses(['publishedAt'], /facets/);
    await refuses([], /facets/);
    await refuses('tenant', /facets to be a list of 1 to 16 strings/);
    await using plain = await Corpus.open(folder.path('plain'));
    await plain.add([{ id: 'a', text: 'A mill.' }]);
    await refuses(
      ['tenant'],
      /booleans: series, received the string "tenant"\. Fields are declared/,
      plain,
    );
  });
});
