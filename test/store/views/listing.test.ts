// Pages of passages: every passage once and in order, also while others are written.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Corpus } from '../../../lib/store/corpus.js';
import type { ListOptions } from '../../../lib/store/views/listing.js';
import { fails, hashEncoder, temporaryFolder } from '../fixtures.js';
import { fields, metadata, passageOf } from '../fields/fixtures.js';

const encoder = hashEncoder();

async function pages(corpus: Corpus, options: ListOptions): Promise<string[][]> {
  const all: string[][] = [];
  for (let after: string | undefined; ; ) {
    const page = await corpus.list({ ...options, ...(after === undefined ? {} : { after }) });
    all.push(page.passages.map(({ id }) => id));
    after = page.next;
    if (after === undefined) return all;
  }
}

describe('a list', () => {
  const folder = temporaryFolder();
  let corpora = 0;
  const open = (): Promise<Corpus> =>
    Corpus.open(folder.path(`c${(corpora += 1)}`), { encoder, fields });

  it('has every passage once, in the order, in pages of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(metadata, { minLength: 1, maxLength: 50 }),
        fc.constantFrom('id', 'price', 'seen', 'publishedAt'),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        async (all, field, isDescending, limit) => {
          await using corpus = await open();
          const passages = all.map((each, i) => passageOf(i, each));
          for (const part of [0, 1, 2]) await corpus.add(passages.filter((_, i) => i % 3 === part));
          const valueOf = (i: number): number => {
            const value = {
              id: 0,
              price: all[i]!.price,
              seen: all[i]!.seen && corpus.get(passages[i]!.id) && seenOf(all[i]!.seen),
              publishedAt: passages[i]!.publishedAt as number | undefined,
            }[field as 'id'];
            return value === undefined ? Infinity : Number(value) * (descending ? -1 : 1);
          };
          const descending = isDescending && field !== 'id';
          const expected = passages
            .map(({ id }, i) => ({ id, value: valueOf(i) }))
            .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : a.id < b.id ? -1 : 1))
            .map(({ id }) => id);
          const orderBy = { field, direction: descending ? 'desc' : 'asc' } as const;
          const found = await pages(corpus, { orderBy, limit });
          assert.deepEqual(found.flat(), expected);
          for (const page of found.slice(0, -1)) assert.equal(page.length, limit);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('neither repeats nor skips what stays, while passages come and go', async () => {
    await using corpus = await open();
    const at = (i: number) => passageOf(i, { price: (i * 7) % 30 });
    await corpus.add(Array.from({ length: 60 }, (_, i) => at(2 * i)));
    const found: string[] = [];
    for (let after: string | undefined, turn = 0; ; turn += 1) {
      const page = await corpus.list({
        orderBy: 'price',
        limit: 7,
        ...(after === undefined ? {} : { after }),
      });
      found.push(...page.passages.map(({ id }) => id));
      after = page.next;
      if (after === undefined) break;
      await corpus.add([at(2 * turn + 1)]);
      await corpus.delete([page.passages[0]!.id]);
      if (turn === 4) await corpus.compact();
    }
    assert.equal(new Set(found).size, found.length, 'repeated');
    const even = found.filter((id) => Number(id.slice(1)) % 2 === 0);
    assert.equal(even.length, 60, 'skipped');
  });

  it('gives many passages by id, those that are not there too', async () => {
    await using corpus = await open();
    await corpus.add([passageOf(1, {}), passageOf(2, {})]);
    assert.deepEqual(
      corpus.getMany(['p0002', 'none', 'p0001', 'p0002']).map((each) => each?.id),
      ['p0002', undefined, 'p0001', 'p0002'],
    );
    assert.throws(() => corpus.getMany('p0001' as never), fails('ERR_INVALID_ARGUMENT'));
  });

  it('refuses what is no page', async () => {
    await using corpus = await open();
    await corpus.add(Array.from({ length: 5 }, (_, i) => passageOf(i, { price: i })));
    const { next } = await corpus.list({ orderBy: 'price', limit: 2 });
    for (const [options, words] of [
      [{ limit: 0 }, /limit/],
      [{ mostUnits: 0 }, /mostUnits to be a whole number/],
      [{ mostUnits: 5 }, /Ask for fewer passages at a time: limit/],
      [{ limit: 10_001 }, /limit/],
      [{ orderBy: 'tenant' }, /orderBy/],
      [{ orderBy: 'unknown' }, /orderBy/],
      [{ orderBy: { field: 'price', direction: 'down' } }, /asc or desc/],
      [{ after: 'nonsense' }, /cursor/],
      [{ orderBy: 'seen', after: next }, /cursor of a page in the order seen asc/],
      [{ filter: {} }, /some of where/],
    ] as [ListOptions, RegExp][])
      await assert.rejects(corpus.list(options), fails('ERR_INVALID_ARGUMENT', words));
  });
});

const seenOf = (date: string): number =>
  Date.parse(date.startsWith('-') ? `-00${date.slice(1)}` : date);
