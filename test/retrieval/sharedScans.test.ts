// Scans that wait for one of the same rows run as one, with the results that each has alone, and
// questions share them where rows are read as they are or nothing but vectors is compared.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { binding } from '../../lib/binding.js';
import { Corpus, dense, hybrid, type System } from '../../lib/index.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import { scanHits } from '../../lib/retrieval/scanHits.js';
import { scanReport } from '../../lib/retrieval/scanReport.js';
import { SharedScans, type Scan, type ScanColumns } from '../../lib/retrieval/sharedScans.js';
import { temporaryFolder } from '../store/fixtures.js';

const passages = 40;
const rowsOfAngles = (): Scan['segments'][number] => {
  const none = new Float64Array(passages).fill(NaN);
  const rows = new binding.MemoryRows({
    ...{ passages, multiSentence: 0, dimensions: 2, wide: false },
    vectors: Float32Array.from({ length: 2 * passages }, (_, at) =>
      at % 2 === 0 ? Math.cos(at) : Math.sin(at - 1),
    ),
    rowPassage: Uint32Array.from({ length: passages }, (_, at) => at),
    ...{ published: none, validStart: none, validEnd: none },
    contentOffset: new Uint32Array(passages + 1),
    ...{ contentStart: new Float64Array(), contentEnd: new Float64Array() },
  });
  return { rows };
};
const scanOf = (segment: Scan['segments'][number], angle: number, k: number): Scan => ({
  segments: [segment],
  queries: [0, 1].map((more) => ({
    k: k + more,
    vector: Float32Array.of(Math.cos(angle + more), Math.sin(angle + more)),
  })),
  options: { k: k + 1, scope: 'all' },
});
const shown = (columns: ScanColumns, k: number): unknown =>
  [0, 1].map((q) => [scanHits(columns, q, k + q, String), scanReport(columns, q)]);

describe('shared scans', () => {
  const { searchFlat } = binding;
  let counts: number[] = [];
  beforeEach(() => {
    counts = [];
    binding.searchFlat = async (request, ...rest) => {
      counts.push(request.count);
      const result = await searchFlat(request, ...rest);
      // As of many rows: others come meanwhile.
      await setTimeout(20);
      return result;
    };
  });
  afterEach(() => void (binding.searchFlat = searchFlat));

  it('run as one where they wait for one of the same rows', async () => {
    const [segment, other] = [rowsOfAngles(), rowsOfAngles()];
    const scans = [3, 1, 9, 5].map((k) => scanOf(segment, k, k));
    scans.push(scanOf(other, 1, 2));
    const alone = await Promise.all(
      scans.map(({ segments, queries, options }) => scanFlat(segments, queries, options)),
    );
    counts = [];
    const shared = new SharedScans();
    const found = await Promise.all(scans.map((each) => shared.scan(each)));
    assert.deepEqual(counts, [2, 2, 6]);
    for (const [at, each] of found.entries())
      assert.deepEqual(
        shown(each, scans[at]!.options.k - 1),
        shown(alone[at]!, scans[at]!.options.k - 1),
      );
  });

  it('fail and end by themselves', async () => {
    const segment = rowsOfAngles();
    const shared = new SharedScans();
    const wrong = scanOf(segment, 0, 3);
    wrong.queries = [{ vector: Float32Array.of(1, 2, 3) }];
    const controller = new AbortController();
    const aborted = scanOf(segment, 2, 3);
    aborted.options = { ...aborted.options, signal: controller.signal };
    const scans = [scanOf(segment, 1, 1), wrong, aborted, scanOf(segment, 4, 3)];
    const settled = Promise.allSettled(scans.map((each) => shared.scan(each)));
    controller.abort();
    const [first, second, third, last] = await settled;
    assert.deepEqual([first!.status, last!.status], ['fulfilled', 'fulfilled']);
    const codeOf = (each: PromiseSettledResult<unknown> | undefined): unknown =>
      (each as { reason?: { code: string } }).reason?.code;
    assert.deepEqual([codeOf(second), codeOf(third)], ['ERR_INVALID_ARGUMENT', 'ERR_ABORTED']);
  });

  it('end where nobody waits for them any more', async () => {
    const segment = rowsOfAngles();
    const { Cancellation } = binding;
    let cancelled = 0;
    binding.Cancellation = class extends Cancellation {
      override cancel(): void {
        cancelled += 1;
        super.cancel();
      }
    };
    try {
      const shared = new SharedScans();
      const controllers = [new AbortController(), new AbortController()];
      const first = shared.scan(scanOf(segment, 1, 1));
      const others = controllers.map(({ signal }, at) => {
        const scan = scanOf(segment, at, 3);
        return shared.scan({ ...scan, options: { ...scan.options, signal } });
      });
      const settled = Promise.allSettled(others);
      await first;
      await setTimeout(5);
      assert.deepEqual(counts, [2, 4]);
      controllers[0]!.abort();
      assert.equal(cancelled, 0);
      controllers[1]!.abort();
      assert.equal(cancelled, 1);
      for (const each of await settled) assert.equal(each.status, 'rejected');
    } finally {
      binding.Cancellation = Cancellation;
    }
  });

  const folder = temporaryFolder();
  const questions = Array.from({ length: 8 }, (_, at) => ({ text: `Who kept lighthouse ${at}?` }));
  /** Scans of questions one by one, and at once. */
  async function scansOf(corpus: Corpus, system: System): Promise<[alone: number, shared: number]> {
    const alone = [];
    counts = [];
    for (const each of questions) alone.push((await system.run(each)).evidence);
    const scans = counts.length;
    counts = [];
    const results = await Promise.all(questions.map((each) => system.run(each)));
    assert.deepEqual(
      results.map(({ evidence }) => evidence.map(({ id }) => id)),
      alone.map((evidence) => evidence.map(({ id }) => id)),
    );
    return [scans, counts.length];
  }
  const texts = Array.from({ length: 300 }, (_, at) => ({
    id: `p${at}`,
    text: `Lighthouse ${at % 50} of ${1800 + at} was kept by keeper ${at}.`,
  }));

  it('serve questions over f32 rows, and dense ones over others', async () => {
    for (const [storage, system] of [
      ['f32', hybrid],
      ['int4', dense],
    ] as const) {
      const corpus = await Corpus.open(folder.path(storage), { storage });
      await corpus.add(texts);
      const [alone, shared] = await scansOf(corpus, system({ corpus }));
      assert.ok(shared < alone, `${shared} of ${alone}`);
      await corpus.close();
    }
  });

  it('are not those of quantized rows with BM25', async () => {
    const corpus = await Corpus.open(folder.path('separate'), { storage: 'int4' });
    await corpus.add(texts);
    const [alone, shared] = await scansOf(corpus, hybrid({ corpus }));
    assert.equal(shared, alone);
    await corpus.close();
  });
});
