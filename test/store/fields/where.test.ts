// Filters: what they let pass, in every state of a corpus, and what is refused.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Corpus } from '../../../lib/store/corpus.js';
import type { Where } from '../../../lib/store/fields/where.js';
import { VectorIndex } from '../../../lib/retrieval/vectorIndex.js';
import { fails, hashEncoder, temporaryFolder } from '../fixtures.js';
import { fields, filterCase, metadata, passageOf, type Metadata } from './fixtures.js';

const encoder = hashEncoder();

describe('a filter', () => {
  const folder = temporaryFolder();
  let corpora = 0;
  const open = (): Promise<Corpus> =>
    Corpus.open(folder.path(`c${(corpora += 1)}`), { encoder, fields });
  const idsOf = async (corpus: Corpus, where: Where): Promise<string[]> =>
    (await corpus.list({ where, limit: 1000 })).passages.map(({ id }) => id);

  it('lets pass what it says, over segments, deletions, merges and copies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(metadata, { minLength: 1, maxLength: 60 }),
        fc.array(filterCase, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(59), { maxLength: 10 }),
        async (all, cases, gone) => {
          await using corpus = await open();
          const passages = all.map((each, i) => passageOf(i, each));
          const middle = Math.floor(passages.length / 2);
          await corpus.add(passages.slice(0, middle));
          await corpus.add(passages.slice(middle));
          const left = new Map<string, Metadata>(all.map((each, i) => [passages[i]!.id, each]));
          for (const i of gone) if (passages[i]) left.delete(passages[i].id);
          await corpus.delete(gone.flatMap((i) => passages[i]?.id ?? []));
          const check = async (of: Corpus): Promise<void> => {
            for (const { where, passes } of cases) {
              const expected = [...left].filter(([, each]) => passes(each)).map(([id]) => id);
              assert.deepEqual(await idsOf(of, where), expected.sort(), JSON.stringify(where));
              assert.equal(await of.count({ where }), expected.length);
            }
          };
          await check(corpus);
          await corpus.compact();
          await corpus.verify();
          await check(corpus);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of rows in memory is the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(metadata, { minLength: 1, maxLength: 300 }),
        fc.array(filterCase, { minLength: 1, maxLength: 8 }),
        async (all, cases) => {
          const column = (name: keyof Metadata) => ({
            type: fields[name],
            values: all.map((each) => each[name]),
          });
          using index = new VectorIndex({
            dimensions: 1,
            vectors: new Float32Array(all.length).fill(1),
            fields: {
              tenant: column('tenant'),
              tags: column('tags'),
              price: column('price'),
              isDraft: column('isDraft'),
              seen: column('seen'),
            },
          });
          for (const { where, passes } of cases) {
            const { row } = await index.searchBatch(Float32Array.of(1), all.length, { where });
            const expected = all.flatMap((each, i) => (passes(each) ? [i] : []));
            assert.deepEqual([...row], expected, JSON.stringify(where));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('names the times of passages; open ends are none', async () => {
    await using corpus = await open();
    await corpus.add([
      {
        id: 'a',
        text: 'A.',
        publishedAt: '2020-05-06',
        validFrom: '2020-01-01',
        validTo: '2020-12-31',
      },
      {
        id: 'b',
        text: 'B. It has two sentences.',
        publishedAt: '2021-05-06T12:00Z',
        validFrom: '2021',
      },
      { id: 'c', text: 'C.', validTo: '2019' },
      { id: 'd', text: 'D. Two sentences here.' },
    ]);
    for (const [where, ids] of [
      [{ publishedAt: '2020-05-06' }, 'a'],
      [{ publishedAt: { gt: '2020-05-06' } }, 'b'],
      [{ publishedAt: { lte: '2021-05-06' } }, 'ab'],
      [{ publishedAt: { lt: new Date('2021-05-06T12:00Z') } }, 'a'],
      [{ publishedAt: { exists: false } }, 'cd'],
      [{ validFrom: { exists: true } }, 'ab'],
      [{ validTo: { exists: true } }, 'ac'],
      [{ validTo: { gte: '2020' } }, 'a'],
      [{ or: [{ validTo: { gte: '2020' } }, { validTo: { exists: false } }] }, 'abd'],
      [{}, 'abcd'],
      [{ or: [] }, ''],
    ] as [Where, string][])
      assert.equal((await idsOf(corpus, where)).join(''), ids, JSON.stringify(where));
  });

  it('deletes all that pass, in one commit', async () => {
    await using corpus = await open();
    await corpus.add(
      Array.from({ length: 20 }, (_, i) => passageOf(i, { tenant: i % 2 ? 'a' : 'b' })),
    );
    const { generation } = corpus.snapshot();
    assert.equal(await corpus.delete({ where: { tenant: 'a' } }), 10);
    using after = corpus.snapshot();
    assert.equal(after.generation, generation + 1);
    assert.equal(await corpus.delete({ where: { tenant: 'a' } }), 0);
    assert.equal(await corpus.count(), 10);
    await assert.rejects(
      corpus.delete(null as never),
      fails('ERR_INVALID_ARGUMENT', /ids to be an iterable/),
    );
    for (const where of [undefined, null, 'all'])
      await assert.rejects(
        corpus.delete({ where: where as never }),
        fails('ERR_INVALID_ARGUMENT', /where to be an object/),
      );
    assert.equal(await corpus.count(), 10);
    assert.equal(await corpus.delete({ where: {} }), 10);
    assert.equal(await corpus.count(), 0);
  });

  for (const [where, words] of [
    [[], /where to be an object/],
    [null, /where to be an object/],
    ['tenant', /where to be an object/],
    [{ tennant: 'a' }, /a field of the corpus: tenant, tags, .* received the string "tennant"/],
    [{ tenant: { gt: 'a' } }, /where\.tenant to be some of equals, in, exists/],
    [{ tenant: {} }, /where\.tenant to be some of/],
    [{ tenant: 5 }, /where\.tenant\.equals to be a string/],
    [{ tenant: null }, /where\.tenant\.equals to be a string/],
    [{ tenant: 'a\ud800' }, /where\.tenant\.equals to be text without lone surrogates/],
    [{ tenant: { in: 'a' } }, /where\.tenant\.in to be an array/],
    [{ tags: { equals: 'a' } }, /where\.tags to be some of contains, in, exists/],
    [{ price: '5' }, /where\.price\.equals to be a number/],
    [{ price: { gt: NaN } }, /where\.price\.gt to be a number/],
    [{ price: { gte: [1] } }, /where\.price\.gte to be one value/],
    [{ isDraft: 'true' }, /where\.isDraft\.equals to be a boolean/],
    [{ seen: 'soon' }, /where\.seen\.equals to be an ISO 8601/],
    [{ seen: { exists: 'yes' } }, /where\.seen\.exists to be a boolean/],
    [{ and: {} }, /where\.and to be an array/],
    [{ or: [5] }, /where to be an object/],
    [{ tenant: undefined }, /where\.tenant to be a condition/],
    [{ not: undefined }, /where\.not to be a condition/],
    [{ price: { gte: 1, lt: undefined } }, /where\.price\.lt to be a number/],
    [{ tenant: { equals: undefined } }, /where\.tenant\.equals to be a string/],
    [{ tenant: { in: Array<string>(70_000).fill('a') } }, /at most 65536 values/],
    [
      { or: Array(20_000).fill({ tenant: 'a' }) },
      /at most 16384 conditions, received number 20001/,
    ],
    [{ and: Array(9000).fill({ not: { tenant: 'a' } }) }, /at most 16384 conditions/],
  ] as [Where, RegExp][]) {
    it(`is refused where it is ${JSON.stringify(where).slice(0, 60)}`, async () => {
      await using corpus = await open();
      await assert.rejects(corpus.count({ where }), fails('ERR_INVALID_ARGUMENT', words));
    });
  }

  it('is refused where it is too deep', async () => {
    await using corpus = await open();
    let where: Where = {};
    for (let i = 0; i < 1000; i += 1) where = { not: where };
    await assert.rejects(corpus.count({ where }), fails('ERR_INVALID_ARGUMENT', /levels deep/));
  });
});

describe('fields', () => {
  const folder = temporaryFolder();

  it('are those of the corpus, whoever opens it', async () => {
    const path = folder.path('again');
    await (await Corpus.open(path, { encoder, fields })).close();
    await (await Corpus.open(path, { encoder, fields })).close();
    await (await Corpus.open(path, { encoder })).close();
    for (const others of [{}, { ...fields, price: 'time' as const }])
      await assert.rejects(
        Corpus.open(path, { encoder, fields: others }),
        fails('ERR_INVALID_ARGUMENT', /fields to be those of the corpus/),
      );
  });

  for (const [wrong, words] of [
    [{ and: 'keyword' }, /the name of a field/],
    [{ id: 'keyword' }, /the name of a field/],
    [{ 'a b': 'keyword' }, /the name of a field/],
    [{ a: 'string' }, /fields\.a to be one of keyword/],
    [Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`f${i}`, 'number'])), /at most 64/],
  ] as [never, RegExp][]) {
    it(`are refused where they are ${JSON.stringify(wrong).slice(0, 40)}`, async () => {
      await assert.rejects(
        Corpus.open(folder.path('wrong'), { encoder, fields: wrong }),
        fails('ERR_INVALID_ARGUMENT', words),
      );
    });
  }

  for (const [entry, words] of [
    [{ tenant: 5 }, /Passage 1 \(id "q"\): Expected metadata\.tenant to be a keyword/],
    [{ tenant: 'x'.repeat(1001) }, /at most 1000 bytes/],
    [{ tags: 'a' }, /metadata\.tags to be an array of strings/],
    [{ tags: [5] }, /metadata\.tags to be a keyword\[\]/],
    [{ price: '12' }, /metadata\.price to be a finite number/],
    [{ isDraft: 1 }, /metadata\.isDraft to be a boolean/],
    [{ seen: 'soon' }, /Passage 1 \(id "q"\): Expected seen to be an ISO 8601/],
  ] as [Record<string, unknown>, RegExp][]) {
    it(`refuse the metadata ${JSON.stringify(entry).slice(0, 40)}`, async () => {
      await using corpus = await Corpus.open(folder.path('values'), { encoder, fields });
      await assert.rejects(
        corpus.add([
          { id: 'p', text: 'A bridge.' },
          { id: 'q', text: 'A bridge.', metadata: entry },
        ]),
        fails('ERR_INVALID_ARGUMENT', words),
      );
    });
  }
});
