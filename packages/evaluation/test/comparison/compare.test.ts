// Comparisons over a small corpus of our own: what a result says, that it repeats, resumes by cell
// and stops, and what is refused.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import {
  runFolder,
  compare,
  parseMetrics,
  readComparison,
  type CompareOptions,
  type Comparison,
  type TestCollection,
} from '../../lib/index.js';
import { writeTown } from './town.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { assertEach } from '../../../../test/assertEach.js';

const options: CompareOptions = {
  systems: ['bm25', 'dense', 'hybrid'],
  metrics: parseMetrics('hit@1,mrr@5'),
  rounds: 200,
  shown: 4,
};
/** What does not depend on the clock. */
const lasting = ({
  made_at: _,
  seconds: _s,
  processor_seconds: _p,
  machine: _m,
  cells,
  questions,
  ...rest
}: Comparison) => ({
  ...rest,
  cells: cells.map(({ latency_ms: _l, ...cell }) => cell),
  questions: questions!.map(({ systems, ...question }) => ({
    ...question,
    systems: systems.map(({ milliseconds: _t, ...each }) => each),
  })),
});

describe('compare', () => {
  const folder = temporaryFolder();
  let set: TestCollection;
  before(async () => {
    set = await writeTown(folder.path('town.asof'));
  });

  it('says all that its figures depend on, and the figures', async () => {
    const result = await compare([set], { ...options, baseline: 'dense', command: 'ours' });
    assert.deepEqual(
      [
        result.format,
        result.baseline,
        result.seed,
        result.k,
        result.metrics,
        result.command,
        result.encoder,
      ],
      ['asof comparison 1', 'dense', 1, 5, ['hit@1', 'mrr@5'], 'ours', 'asof-static-256-v1'],
    );
    assertEach(result.systems, ({ name }) => name, options.systems);
    const { groups, ...rest } = result.sets[0]!;
    assert.deepEqual(rest, {
      name: 'town',
      queries: 18,
      queries_in_set: 18,
      passages: 12,
      sha256: 'one',
    });
    assert.deepEqual(groups, {
      relation: { in: 12, before: 6 },
      condition: { none: 12, last: 6 },
      class: { people: 12, counts: 6, order: 6 },
    });
    assert.equal(result.cells.length, 3);
    for (const cell of result.cells) {
      const { mean, n, low, high } = cell.metrics['hit@1']!;
      assert.ok(low <= mean && mean <= high && n === 18);
      assert.ok(cell.latency_ms.p50 > 0 && cell.latency_ms.p99 >= cell.latency_ms.p50);
      const people = cell.groups!.find(({ by, value }) => by === 'class' && value === 'people')!;
      assert.deepEqual([people.n, people.metrics['mrr@5']!.n], [12, 12]);
      const recall = cell.curves!.recall;
      assertEach(recall, ([k]) => k, [1, 2, 3, 5]);
      assert.equal(recall[0]![1], mean); // one relevant passage each: recall@1 is hit@1
    }
    const pairs = result.significance
      .filter(({ metric }) => metric === 'hit@1')
      .map(({ system, against }) => `${system} ${against}`);
    assert.deepEqual(pairs.slice(0, 2), ['bm25 dense', 'hybrid dense']);
    assert.equal(result.questions!.length, 4);
    const question = result.questions![0]!;
    assert.equal(question.asked_at, '2021-01-01');
    assert.match(question.constraint!.start!, /^20\d\d-01-01$/);
    assertEach(question.systems, ({ system }) => system, options.systems);
    const [top] = question.systems[2]!.top;
    assert.ok(
      top!.rank === 1 &&
        top!.dates!.length > 0 &&
        typeof top!.relevant === 'boolean' &&
        /^20\d\d-0\d-01$/.test(top!.published_at!),
    );
  });

  it('repeats for a seed and is read back as it was written', async () => {
    const [first, second] = [await compare([set], options), await compare([set], options)];
    assert.deepEqual(lasting(first), lasting(second));
    const file = folder.path('result.json');
    writeFileSync(file, JSON.stringify(first));
    assert.deepEqual(await readComparison(file), first);
  });

  it('goes on after it was stopped, with the cells that were finished', async () => {
    const kept = folder.path('cells');
    const store = runFolder(kept);
    const controller = new AbortController();
    const stopping = compare([set], {
      ...options,
      store,
      signal: controller.signal,
      onProgress: ({ system }) => void (system === 'dense' && controller.abort()),
    });
    await assert.rejects(stopping, { code: 'ERR_ABORTED' });
    assert.equal(readdirSync(kept).length, 1);
    const reads: boolean[] = [];
    const watched = {
      ...store,
      read: async (key: string) =>
        store.read(key).then((found) => (reads.push(found !== undefined), found)),
    };
    const done: number[] = [];
    const result = await compare([set], {
      ...options,
      store: watched,
      onProgress: (progress) => done.push(progress.done),
    });
    assert.deepEqual([reads, readdirSync(kept).length, done.at(-1)], [[true, false, false], 3, 54]);
    assert.deepEqual(lasting(result), lasting(await compare([set], options)));
    assert.ok(done.every((each, at) => at === 0 || each >= done[at - 1]!));
    await compare([{ ...set, sha256: 'another' }], { ...options, systems: ['bm25'], store });
    assert.equal(readdirSync(kept).length, 4);
  });

  it('refuses what cannot be compared and says what would do', async () => {
    const cases: [readonly TestCollection[], Partial<CompareOptions>, RegExp][] = [
      [[], {}, /Expected sets to be at least one test collection/],
      [
        [set],
        { systems: ['bm26'] },
        /Expected systems to be some of mrag, .*, received the string "bm26"/,
      ],
      [[set], { systems: [] }, /Expected systems to be some of/],
      [[set], { systems: ['bm25', 'bm25'] }, /each system once/],
      [[set], { metrics: [] }, /Expected metrics to be at least one metric/],
      [
        [set],
        { baseline: 'mrag' },
        /one of the compared systems, bm25, dense, hybrid, received the string "mrag"\. Add it to the systems/,
      ],
      [[set], { rounds: 5 }, /rounds to be a whole number from 100/],
      [[set], { rounds: 1_000_001 }, /rounds to be a whole number from 100 to 1,000,000/],
      [[set], { correction: 'sidak' as never }, /correction to be one of holm/],
      [[set], { test: 'sign' as never }, /test to be randomisation or bootstrap/],
      [[set, set], {}, /each set once/],
      [
        [{ ...set, qrels: new Map() }],
        {},
        /judgements of the questions of town.*Check that its qrels have the ids of its queries/,
      ],
      [[{ ...set, queries: [] }], {}, /questions in town/],
    ];
    for (const [sets, more, message] of cases) {
      await assert.rejects(
        compare(sets, { ...options, ...more }),
        (fault: Error & { code?: string }) => {
          assert.match(fault.message, message);
          return fault.code === 'ERR_INVALID_ARGUMENT';
        },
      );
    }
    const file = folder.path('other.json');
    writeFileSync(file, '{"format":"asof comparison 0"}');
    await assert.rejects(
      readComparison(file),
      /Expected "format" to be "asof comparison 1", received "asof comparison 0"/,
    );
    await assert.rejects(readComparison(folder.path('none.json')), { code: 'ERR_NOT_FOUND' });
  });
});
