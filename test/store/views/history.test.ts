// Histories: a corpus as recorded at a time is a corpus of the writes up to then, in every search,
// listing and look-up, whatever was written, merged or opened again since.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bm25, Corpus, dense, hybrid, timeline, searchVectors } from '../../../lib/index.js';
import type { AskOptions, System } from '../../../lib/index.js';
import { createSystem, systemNames } from '../../../lib/papers/index.js';
import {
  fileSystem,
  useFileSystem,
  type FileSystem,
} from '../../../lib/store/format/fileSystem.js';
import type { Passage } from '../../../lib/records.js';
import type { PassagePatch } from '../../../lib/store/passages/patch.js';
import { assertClose } from '../../assertClose.js';
import { needed } from '../../reranker.js';
import { fails, hashEncoder, temporaryFolder } from '../fixtures.js';
import { assertEach } from '../../assertEach.js';

const encoder = hashEncoder();
const fields = { color: 'keyword' } as const;
const start = Date.UTC(2024, 0, 1);
const askedAt = '2024-06-01';

/** Version `version` of passage `number`: most of it the same, some words of its own. */
const passage = (number: number, version: number): Passage => ({
  id: `p${number}`,
  title: `Station ${number % 5}`,
  text:
    `The mayor of town ${number % 7} is Ada${version} since ${2000 + version}. ` +
    `It has ${'many '.repeat(version)}bridges over river ${number % 3}.`,
  publishedAt: Date.UTC(2000 + version, number % 12, 1),
  metadata: { color: ['red', 'green', 'blue'][(number + version) % 3] },
});

const questions = [
  'Who is the mayor of town 3?',
  'Who was the mayor of town 2 in 2001?',
  'How many bridges are over river 1?',
];

type Write =
  | { kind: 'add'; passages: [number, number][]; batchSize: number }
  | { kind: 'delete'; numbers: number[] }
  | { kind: 'update'; color: string; patch: PassagePatch }
  | { kind: 'alter' }
  | { kind: 'compact' | 'reopen' };
const number = fc.nat(12);
const write: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      passages: fc.array(fc.tuple(number, fc.nat(3)), { minLength: 1, maxLength: 8 }),
      batchSize: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      numbers: fc.array(number, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      color: fc.constantFrom('red', 'green', 'blue'),
      patch: fc.record(
        {
          publishedAt: fc.constantFrom('2003-03', null),
          validTo: fc.constantFrom('2004', null),
          metadata: fc.record({ color: fc.constantFrom('red', 'green', null) }),
        },
        { requiredKeys: ['metadata'] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('compact' as const, 'reopen', 'alter') }),
  },
);

describe('history', () => {
  const folder = temporaryFolder();
  let clock = start;
  let real: FileSystem;
  before(() => {
    real = fileSystem;
    useFileSystem({ ...real, date: () => clock });
  });
  after(() => useFileSystem(real));

  let made = 0;
  const created = (options = {}): Promise<Corpus> =>
    Corpus.open(folder.path(`${(made += 1)}`), { encoder, fields, history: true, ...options });

  async function apply(corpus: Corpus, write: Write): Promise<Corpus> {
    if (write.kind === 'add') {
      const passages = write.passages.map(([i, version]) => passage(i, version));
      await corpus.add(passages, { batchSize: write.batchSize });
    } else if (write.kind === 'delete') await corpus.delete(write.numbers.map((i) => `p${i}`));
    else if (write.kind === 'update')
      await corpus.update({ where: { color: write.color } }, write.patch);
    else if (write.kind === 'alter') {
      const { shade } = corpus.info().fields;
      await corpus.alterFields(shade ? { drop: ['shade'] } : { add: { shade: 'number' } });
    } else if (write.kind === 'compact') await corpus.compact();
    else {
      await corpus.close();
      return Corpus.open(corpus.path, { encoder });
    }
    return corpus;
  }

  /** Everything that can be asked of a corpus, as recorded at a time. */
  async function answers(corpus: Corpus, at: { asRecorded?: number }): Promise<unknown[]> {
    const filter = { where: { color: 'red' } };
    const systems: System[] = [bm25({ corpus }), dense({ corpus }), hybrid({ corpus })];
    const all: unknown[] = [
      (await corpus.list({ ...at, limit: 1000 })).passages,
      await corpus.count({ ...at, ...filter }),
      corpus.getMany(
        Array.from({ length: 13 }, (_, i) => `p${i}`),
        at,
      ),
      await searchVectors(corpus, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0), 5, at),
      await timeline(corpus, { text: 'mayor of town 3', askedAt }, at),
    ];
    for (const system of systems)
      for (const text of questions)
        for (const options of [
          at,
          { ...at, ...filter },
          { ...at, ...filter, statistics: 'filtered' as const },
        ]) {
          const { evidence, answer } = await system.run({ text, askedAt }, { k: 5, ...options });
          all.push({ answer, evidence });
        }
    return all;
  }

  it('is the corpus of the writes up to a time (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { minLength: 2, maxLength: 9 }),
        fc.nat(),
        async (writes, draw) => {
          const until = draw % writes.length;
          let corpus = await created();
          let before = await created();
          let time = 0;
          for (const [at, each] of writes.entries()) {
            clock += (at % 3) * 1000; // writes of one millisecond, too
            corpus = await apply(corpus, each);
            if (at <= until) before = await apply(before, each);
            if (at === until) {
              // The last write may be recorded later than the clock says.
              time = Math.max(clock, lastRecorded(corpus));
              clock = Math.max(clock, time + 1);
            }
          }
          await corpus.verify();
          assertClose(await answers(corpus, { asRecorded: time }), await answers(before, {}));
          await corpus.compact();
          assertClose(await answers(corpus, { asRecorded: time }), await answers(before, {}));
          await corpus.verify();
          await corpus.close();
          await before.close();
        },
      ),
      { numRuns: 4 },
    );
  });

  /** Three versions of p1 a second apart, the last one deleted after another second. */
  async function withVersions(options = {}): Promise<{ corpus: Corpus; times: number[] }> {
    const corpus = await created(options);
    clock += 1000;
    const times = [clock];
    await corpus.add([passage(1, 0), passage(2, 0)]);
    for (const version of [1, 2]) {
      times.push((clock += 1000));
      await corpus.add([passage(1, version)]);
    }
    times.push((clock += 1000));
    await corpus.delete(['p1']);
    return { corpus, times };
  }

  it('lists the versions of a passage, merged or not', async () => {
    const { corpus, times } = await withVersions();
    for (const merged of [false, true]) {
      if (merged) await corpus.compact();
      const versions = corpus.versions('p1');
      assert.deepEqual(
        versions.map(({ recordedAt, endedAt }) => [recordedAt, endedAt]),
        [0, 1, 2].map((at) => [times[at], times[at + 1]]),
      );
      assertEach(versions, (each) => /Ada\d/.exec(each.passage.text)![0], ['Ada0', 'Ada1', 'Ada2']);
      const [live, ...others] = corpus.versions('p2');
      assert.deepEqual([live!.recordedAt, 'endedAt' in live!, others], [times[0], false, []]);
      assert.deepEqual(corpus.versions('p3'), []);
    }
    assert.equal(corpus.info().segments, 1);
    await corpus.close();
  });

  it('reads a passage as recorded at a millisecond, and on a day', async () => {
    const { corpus, times } = await withVersions();
    const textAt = (asRecorded: number | string): string | undefined =>
      corpus.get('p1', { asRecorded })?.text;
    assert.equal(textAt(times[0]! - 1), undefined);
    assert.match(textAt(times[0]!)!, /Ada0/);
    assert.match(textAt(times[1]! - 1)!, /Ada0/);
    assert.match(textAt(times[1]!)!, /Ada1/);
    assert.match(textAt(new Date(times[2]!).toISOString())!, /Ada2/);
    assert.equal(textAt(times[3]!), undefined);
    const today = new Date(times[0]!).toISOString().slice(0, 10);
    assert.equal(textAt(today), undefined, 'a day ends with its last millisecond');
    assert.equal(corpus.get('p1'), undefined);
    await corpus.close();
  });

  it('filters and orders by the time of recording', async () => {
    const { corpus, times } = await withVersions();
    clock += 1000;
    await corpus.add([passage(4, 0)]);
    const { passages } = await corpus.list({ orderBy: { field: 'recordedAt', direction: 'desc' } });
    assertEach(passages, ({ id }) => id, ['p4', 'p2']);
    assert.equal(await corpus.count({ where: { recordedAt: { gt: times[3]! } } }), 1);
    const where = { recordedAt: { gte: times[1]! } };
    assert.equal(await corpus.count({ where, asRecorded: times[2]! }), 1);
    await corpus.close();
  });

  it('drops versions older than keepDays, and says from when on it is whole', async () => {
    const { corpus, times } = await withVersions({ history: { keepDays: 1 } });
    await corpus.compact();
    assert.equal(corpus.versions('p1').length, 3);
    clock = times[2]! + 86_400_000; // the first two versions ended a day ago or more
    assert.deepEqual(await corpus.compact(), { merged: 1, dropped: 1 });
    assertEach(corpus.versions('p1'), ({ recordedAt }) => recordedAt, [times[1], times[2]]);
    assert.match(corpus.get('p1', { asRecorded: times[2]! })!.text, /Ada2/);
    assert.throws(
      () => corpus.get('p1', { asRecorded: times[2]! - 1 }),
      fails('ERR_INVALID_ARGUMENT', /keeps its history/),
    );
    await assert.rejects(
      bm25({ corpus }).run({ text: 'mayor' }, { asRecorded: times[0]! }),
      fails('ERR_INVALID_ARGUMENT', /keeps its history/),
    );
    await corpus.verify();
    clock += 10 * 86_400_000;
    assert.deepEqual(await corpus.compact(), { merged: 1, dropped: 2 });
    assert.deepEqual(corpus.versions('p1'), []);
    assert.equal(corpus.info().deleted, 0);
    await corpus.close();
  });

  it('tells changes from corrections and deletions', async () => {
    const corpus = await created();
    const state = (id: string, validFrom: string, text = `Ada${id}`): Passage => ({
      id,
      text: `The mayor is ${text}.`,
      validFrom,
      series: 'mayors',
    });
    clock += 1000;
    const opened = clock;
    await corpus.add([state('a', '2001')]);
    clock += 1000;
    await corpus.add([state('b', '2005')]); // closes a
    clock += 1000;
    await corpus.add([state('a', '2001', 'Eve')]); // corrects a, which stays closed
    clock += 1000;
    await corpus.delete(['b']); // opens a
    await corpus.delete(['a']);
    const ends = (id: string): (string | undefined)[] =>
      corpus.versions(id).map(({ endedBy }) => endedBy);
    assert.deepEqual(ends('a'), ['change', 'correction', 'change', 'deletion']);
    assert.deepEqual(ends('b'), ['deletion']);
    const validTo = Date.UTC(2005, 0, 1);
    assert.deepEqual(
      corpus.versions('a').map((each) => [each.passage.text, each.passage.validTo]),
      [
        ['The mayor is Adaa.', undefined],
        ['The mayor is Adaa.', validTo],
        ['The mayor is Eve.', validTo],
        ['The mayor is Eve.', undefined],
      ],
    );
    assert.equal(corpus.get('a', { asRecorded: opened })?.validTo, undefined);
    await corpus.compact();
    assert.deepEqual(ends('a'), ['change', 'correction', 'change', 'deletion']);
    await corpus.verify();
    await corpus.close();
  });

  it('keeps the history of a corpus whose passages are all deleted', async () => {
    const { corpus, times } = await withVersions();
    await corpus.delete({ where: {} });
    await corpus.compact();
    assert.equal(await corpus.count(), 0);
    assert.equal(await corpus.count({ asRecorded: times[1]! }), 2);
    const { evidence } = await hybrid({ corpus }).run({ text: questions[0]! });
    assert.deepEqual(evidence, []);
    await corpus.verify();
    await corpus.close();
  });

  it('writes at most one version a millisecond, whatever the clock', async () => {
    const corpus = await created();
    for (let version = 0; version < 4; version += 1) {
      await corpus.add([passage(1, version)]);
      clock -= 500;
    }
    const times = corpus.versions('p1').map(({ recordedAt }) => recordedAt);
    assert.deepEqual(
      times,
      times.map((_, at) => times[0]! + at),
    );
    clock += 2000;
    await corpus.close();
  });

  it('refuses a write by a clock that cannot be right, and stores nothing of it', async () => {
    const corpus = await created();
    for (const number of [1, 2]) await corpus.add([passage(number, 0)]);
    const right = clock;
    for (const wrong of [NaN, Infinity, -1, 8.64e15, 8.64e15 + 1]) {
      clock = wrong;
      for (const call of [
        () => corpus.add([passage(1, 1)]),
        () => corpus.delete(['p1']),
        () =>
          Corpus.open(corpus.path, { encoder, history: { keepDays: 1 } }).then(async (kept) => {
            await using _ = kept;
            await kept.compact();
          }),
      ])
        await assert.rejects(call, fails('ERR_STORAGE', /clock.*between 1970 and 9999.*repeat/));
    }
    clock = right + 0.5;
    await corpus.add([passage(1, 1)]);
    assert.equal(corpus.versions('p1').length, 2);
    await corpus.verify();
    await corpus.close();
    clock = right + 1;
  });

  it('shows all writes as of now, also where the clock was ahead before', async () => {
    const corpus = await created();
    const right = clock;
    clock += 400 * 86_400_000;
    await corpus.add([passage(1, 0)]);
    clock = right;
    await corpus.add([passage(2, 0)]);
    assert.equal(await corpus.count({ asRecorded: clock }), 2);
    assert.equal(await corpus.count({ asRecorded: clock - 1 }), 0);
    await corpus.close();
  });

  it('refuses what needs a history without one', async () => {
    const corpus = await Corpus.open(folder.path('none'), { encoder });
    await corpus.add([passage(1, 0)]);
    const refused = fails('ERR_INVALID_ARGUMENT', /--history of asof index/);
    assert.throws(() => corpus.get('p1', { asRecorded: clock }), refused);
    assert.throws(() => corpus.versions('p1'), refused);
    await assert.rejects(corpus.count({ asRecorded: clock }), refused);
    await assert.rejects(dense({ corpus }).run({ text: 'a' }, { asRecorded: clock }), refused);
    await corpus.close();
    await assert.rejects(
      Corpus.open(folder.path('none'), { encoder, history: true }),
      fails('ERR_INVALID_ARGUMENT', /as the corpus was created/),
    );
    const kept = await created();
    await assert.rejects(
      Corpus.open(kept.path, { history: false }),
      fails('ERR_INVALID_ARGUMENT', /as the corpus was created/),
    );
    await assert.rejects(
      created({ history: { keepDays: -1 } }),
      fails('ERR_INVALID_ARGUMENT', /keepDays/),
    );
    await assert.rejects(
      created({ fields: { recordedAt: 'time' } }),
      fails('ERR_INVALID_ARGUMENT', /meaning of their own/),
    );
    await kept.close();
  });

  it('is that corpus for every system', async () => {
    const [corpus, before] = [await created(), await created()];
    const all = Array.from({ length: 20 }, (_, i) => passage(i, i % 3));
    await corpus.add(all);
    await before.add(all);
    await corpus.delete(['p3', 'p8']);
    await before.delete(['p3', 'p8']);
    const asRecorded = lastRecorded(corpus);
    clock = asRecorded + 5000;
    await corpus.add(all.map((_, i) => passage(i, 3)));
    await corpus.delete(['p1', 'p2']);
    await corpus.compact();
    for (const name of systemNames) {
      // The package's time encoder is of its own vectors.
      const settings = name === 're3' ? { settings: { weights: false } } : {};
      const answer = async (of: Corpus, options: AskOptions): Promise<unknown> => {
        const { evidence, answer, dropped } = await createSystem(name, {
          corpus: of,
          ...settings,
          ...needed(name),
        }).run({ text: questions[0]!, askedAt }, { k: 8, ...options });
        return { name, evidence, answer, dropped };
      };
      const past = await answer(corpus, { asRecorded });
      assertClose(past, await answer(before, {}));
      assert.notDeepEqual(past, await answer(corpus, {}));
    }
    await corpus.close();
    await before.close();
  });

  function lastRecorded(corpus: Corpus): number {
    using snapshot = corpus.snapshot();
    return snapshot.manifest.history!.last;
  }
});
