// Series of passages that are elsewhere: the records of a local corpus after any writes and
// deletions, and after concurrent writers.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AsOfError } from '../../lib/errors.js';
import { conflicts, Corpus, type Passage, type StoredCorpus } from '../../lib/index.js';
import { hashEncoder, temporaryFolder } from './fixtures.js';

export const encoder = hashEncoder();
const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const year = fc.integer({ min: 2000, max: 2009 }).map(String);
const passage = fc
  .record(
    {
      id: fc.constantFrom(...ids),
      text: fc.constantFrom('A mill.', 'A bridge. It was built.'),
      publishedAt: year,
      validFrom: year,
      validTo: fc.constantFrom('2009', '2012'),
      series: fc.constantFrom('s', 't', 'a'),
      supersedes: fc.constantFrom(...ids),
    },
    { requiredKeys: ['id', 'text'] },
  )
  .map((each) => each as Passage);
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ add: fc.array(passage, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.uniqueArray(fc.constantFrom(...ids)) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      update: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 3 }),
      patch: fc.record(
        {
          publishedAt: fc.option(year),
          validFrom: fc.option(year),
          validTo: fc.constantFrom('2009', '2012', null),
          series: fc.constantFrom('s', 't'),
          metadata: fc.record({ note: fc.option(fc.nat(2)) }),
        },
        { requiredKeys: ['validTo'] },
      ),
    }),
  },
);

interface SeriesCase {
  /** Opens the corpus of a name, with the encoder. */
  connect(name: string): Promise<StoredCorpus>;
  /** Whether a call is several writes, of which each passage may be in another. Default false. */
  isParted?: boolean;
  /** Whether a write may fail so that a local corpus is not asked for it. Default: none. */
  isExcused?: (result: unknown) => boolean;
}

/** Defines the tests of a storage. */
export function itKeepsSeries(
  title: string,
  { connect, isParted = false, isExcused = () => false }: SeriesCase,
): void {
  const folder = temporaryFolder();
  let number = 0;
  const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => {
      assert.ok(AsOfError.is(error), String(error));
      return error;
    });

  it(`are those of a local corpus after any writes${title}`, async () => {
    const seen = { closed: 0, refused: 0, done: 0 };
    const remote = await connect('random');
    const property = fc.asyncProperty(
      fc.array(operation, { minLength: 2, maxLength: 10 }),
      async (operations) => {
        await remote.delete(ids);
        const local = await Corpus.open(folder.path(`${(number += 1)}`), { encoder });
        for (const each of operations) {
          if ('remove' in each)
            assert.equal(await remote.delete(each.remove), await local.delete(each.remove));
          // Several shards have several transactions.
          const batches = !('add' in each)
            ? []
            : !isParted
              ? [each.add]
              : each.add.map((one) => [one]);
          const known = 'update' in each ? each.update.filter((id) => local.has(id)) : [];
          const choices = !isParted && known.length > 0 ? [known] : known.map((id) => [id]);
          const writes = [
            ...batches.map((batch) => (of: StoredCorpus) => of.add(batch)),
            ...choices.map((choice) => (of: StoredCorpus) => {
              const { patch } = each as { patch: Parameters<StoredCorpus['update']>[1] };
              return of.update(choice, patch);
            }),
          ];
          for (const write of writes) {
            const result = await codeOf(write(remote));
            if (isExcused(result)) continue;
            const expected = await codeOf(write(local));
            if (AsOfError.is(expected)) {
              assert.ok(AsOfError.is(result) && result.code === expected.code, String(result));
              seen.refused += 1;
            } else assert.deepEqual(result, expected, JSON.stringify(each));
            seen.done += 1;
          }
          const records = ids.map((id) => local.get(id));
          assert.deepEqual(await remote.getMany(ids), records);
          seen.closed += records.filter((record) => record?.supersededBy).length;
        }
        for (const series of ['s', 't', ...ids])
          assert.equal(
            await remote.count({ where: { series } }),
            await local.count({ where: { series } }),
          );
        await local.close();
      },
    );
    await fc.assert(property, { numRuns: 15 });
    for (const [name, count] of Object.entries(seen)) assert.ok(count > 5, `${count} ${name}`);
    await remote.close();
  });

  it('are compared with new passages as those of a local corpus', async () => {
    const stored: Passage[] = [
      { id: 'fee', text: 'A permit costs 80 euros.', publishedAt: '2020' },
      { id: 'lead', text: 'Ann leads.', validFrom: '2019', series: 'one' },
    ];
    const added: Passage[] = [
      { id: 'fee-2', text: 'A permit costs 90 euros.', publishedAt: '2024' },
      { id: 'lead-2', text: 'Bob is the head.', validFrom: '2021', series: 'one' },
    ];
    const remote = await connect('conflicts');
    const local = await Corpus.open(folder.path('conflicts'), { encoder });
    for (const each of [remote, local]) await each.add(stored);
    const found = await conflicts(local, added);
    assert.deepEqual(
      found.map(({ earlier }) => earlier[0]!.id),
      ['fee', 'lead'],
    );
    assert.deepEqual(await conflicts(remote, added), found);
    await remote.close();
    await local.close();
  });

  it('are whole after writers of one series at the same time', async () => {
    const first = await connect('writers');
    const second = await connect('writers');
    const state = (at: number): Passage => ({
      id: `state ${at}`,
      text: `State ${at}.`,
      series: 'one',
      validFrom: `${1900 + at}`,
    });
    const writer = async (corpus: StoredCorpus, from: number): Promise<void> => {
      for (let at = from; at < 40; at += 4) {
        await corpus.add([state(at), state(at + 1)]);
        if (at % 3 === 0) await corpus.delete([`state ${at}`]);
      }
    };
    await Promise.all([writer(first, 0), writer(second, 2)]);
    const all = Array.from({ length: 42 }, (_, at) => `state ${at}`);
    const found = (await first.getMany(all)).filter((record) => record !== undefined);
    assert.ok(found.length > 20 && found.length < 40, `${found.length}`);
    found.forEach((record, at) => {
      const next = found[at + 1];
      assert.deepEqual(
        record.supersededBy,
        next && { id: next.id, from: next.validFrom },
        record.id,
      );
      assert.equal(record.validTo, next?.validFrom);
    });
    await Promise.all([first.close(), second.close()]);
  });
}
