// Searches on a CUDA device: results equal to the CPU's bit for bit over an index and a corpus;
// lifetime of device copies; cancellation and concurrency. Skipped without a device; `npm run
// test:native` uses the emulated one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { binding } from '../../lib/binding.js';
import { scanHits } from '../../lib/retrieval/scanHits.js';
import { scanReport } from '../../lib/retrieval/scanReport.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import { Corpus, searchVectors, VectorIndex, type VectorTimes } from '../../lib/index.js';
import { createSystem, systemNames } from '../../lib/papers/index.js';
import { devices, type Device } from '../../lib/models/index.js';
import { spawned } from '../cli/spawn.js';
import { Draw, drawSegment, scanSegment } from '../index/flat.corpus.js';
import { normals } from '../kernels/levels.js';
import { flipBit } from '../segmentFiles.js';
import { fails, hashEncoder, passagesFrom, temporaryFolder } from '../store/fixtures.js';
import { needed } from '../reranker.js';

const day = 86_400_000;
const [dimensions, n] = [40, 1200];
const vectors = normals(n * dimensions, 3);
const instants = Float64Array.from(
  { length: n },
  (_, row) => (row % 11 === 0 ? NaN : (row * 7919) % 4000) * day,
);
const indexOn = (device: Device, storage: 'int8' | 'bf16' | 'f32' = 'int8'): VectorIndex => {
  const times = {
    publishedAt: instants,
    contentFrom: instants,
    contentTo: instants.map((each, row) => each + (row % 90) * day),
  };
  return new VectorIndex({ dimensions, vectors, ...times, device, storage });
};
const queryVectors = normals(70 * dimensions, 9);

/** Bytes of the device that are free; -1 where there is none. */
const free = async (): Promise<number> => (await devices())[1]!.freeMemory ?? -1;

async function freedAgain(before: number): Promise<void> {
  for (let tries = 0; (await free()) < before; tries += 1) {
    assert.ok(tries < 200, `${before - (await free())} bytes of the device are still taken`);
    await wait(10);
  }
}

describe('on a device', function () {
  before(async function () {
    const [, cuda] = await devices();
    if (cuda!.available) return;
    // A library that is named has to be there.
    assert.equal(process.env['ASOF_CUDA_LIBRARY'], undefined, cuda!.reason);
    console.log(`    skipped: ${cuda!.reason}`);
    this.skip();
  });

  describe('that is emulated', () => {
    before(async function () {
      const [, { build } = { build: '' }] = await devices();
      if (build !== 'emulated on the host') this.skip();
    });
    const reasons: [Record<string, string>, RegExp][] = [
      [
        { ASOF_EMULATED_DRIVER: '0' },
        /^Expected an NVIDIA driver for CUDA 13\.0 or later, found none\. Use a machine .* omit device\.$/,
      ],
      [
        { ASOF_EMULATED_DRIVER: '12040' },
        /^Expected an NVIDIA driver for CUDA 13\.0 or later, found one for CUDA 12\.4\. /,
      ],
      [
        { ASOF_EMULATED_DEVICES: '0' },
        /^Expected a CUDA device, found none that the driver for CUDA 13\.0 shows this process\. /,
      ],
    ];
    for (const [env, words] of reasons) {
      it(`reports why it is unavailable, with ${JSON.stringify(env)}`, async () => {
        const [, cuda] = JSON.parse((await spawned(['devices', '--json'], { env })).stdout) as [
          unknown,
          { available: boolean; reason: string },
        ];
        assert.equal(cuda.available, false);
        assert.match(cuda.reason, words);
      });
    }

    const script = fileURLToPath(new URL('deviceMemory.ts', import.meta.url));
    const withMemory = (bytes: number): Record<string, unknown> => {
      const env = { ...process.env, ASOF_CUDA_MEMORY: String(bytes) };
      return JSON.parse(
        execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8', env }),
      ) as Record<string, unknown>;
    };
    it('pages rows beyond its memory, and reports if even that is too little', () => {
      // All of the rows, their panels alone, none of either.
      const taken = [1 << 28, 4_000_000, 1_800_000].map((bytes) => {
        const { same, device, taken } = withMemory(bytes);
        assert.deepEqual([same, device], [true, 'cuda'], `with ${bytes} bytes`);
        return Number(taken);
      });
      // with what searches keep
      assert.ok(taken[1]! < taken[0]! / 2 && taken[2]! < taken[1]!, String(taken));
      const none = withMemory(10_000);
      assert.equal(none['code'], 'ERR_DEVICE_UNAVAILABLE');
      assert.match(
        String(none['message']),
        /^Expected room for \d+ bytes of .* on the device; .* omit device\.$/,
      );
    });
  });

  it('an index has the same results with any times, storage type and batch size', async () => {
    const lines = [{ window: { start: 500 * day, end: 900 * day }, atStart: 0.4, atEnd: 1 }];
    const every: VectorTimes[] = [
      {},
      { asOf: 2000 * day },
      { interval: { start: 100 * day, end: 160 * day }, relation: 'within' },
      { form: { combine: 'product', kind: 'spline', clock: 'content', lines, outside: 0.5 } },
      { decay: { shape: 'exponential', halfLife: '1y', clock: 'content', origin: 2000 * day } },
      { decay: { shape: 'linear', halfLife: '1y', combine: 'sum', weight: 0.3 }, asOf: 3000 * day },
      {
        form: {
          combine: 'sum',
          kind: 'recency',
          clock: 'published',
          at: 4000 * day,
          floorDays: 1,
          weight: 1,
        },
        asOf: 3000 * day,
      },
    ];
    for (const storage of ['int8', 'bf16', 'f32'] as const) {
      using here = indexOn('cpu', storage);
      using there = indexOn('cuda', storage);
      for (const times of every) {
        for (const count of [1, 9, 70]) {
          const queries = queryVectors.subarray(0, count * dimensions);
          const { scans: wantedScans, ...expected } = await here.searchBatch(queries, 7, times);
          const { scans, ...found } = await there.searchBatch(queries, 7, times);
          assert.deepEqual(found, expected);
          assert.ok(wantedScans.every(({ device }) => device === 'cpu'));
          // a masked recency is measured by a scan of its own
          if (times.form?.combine === 'sum') continue;
          for (const scan of scans)
            assert.deepEqual(
              { ...scan, rescored: 0 },
              { storage, rescored: 0, exact: true, device: 'cuda' },
            );
        }
      }
    }
  });

  it('reports approximations, and queries that ran on the CPU', async () => {
    using there = indexOn('cuda');
    const { scans } = await there.searchBatch(queryVectors.subarray(0, dimensions), 5, {
      exactness: 'raw',
    });
    assert.deepEqual(scans, [{ storage: 'int8', rescored: 0, exact: false, device: 'cuda' }]);
    const draw = new Draw({
      seed: 1,
      segments: 1,
      passages: 50,
      dimensions: 2,
      whole: true,
      unit: day,
      wide: false,
      hide: false,
    });
    const rows = scanSegment(drawSegment(draw, 0), 2, false, 'int8');
    const found = await scanFlat(
      [rows],
      [{ semanticWeight: 0 }, { vector: Float32Array.of(1, 0) }],
      { k: 3, device: 'cuda' },
    );
    assert.deepEqual([scanReport(found, 0).device, scanReport(found, 1).device], ['cpu', 'cuda']);
  });

  it('runs no search on the JS thread', async () => {
    const addon = binding as { searchFlatSync: typeof binding.searchFlatSync };
    const search = addon.searchFlatSync;
    addon.searchFlatSync = () => assert.fail('no search on the device');
    using there = new VectorIndex({ dimensions: 1, vectors: Float32Array.of(1), device: 'cuda' });
    await there.searchBatch(Float32Array.of(1), 1).finally(() => (addon.searchFlatSync = search));
  });

  it('copies rows once, and frees them when they close', async () => {
    const before = await free();
    const there = indexOn('cuda');
    const search = () => there.searchBatch(queryVectors.subarray(0, 9 * dimensions), 5);
    // Less than a copy of the rows in a byte a component. Rows of closed indexes are freed late,
    // and what searches keep for the next one with them: it may be taken again in between.
    let during = 0;
    for (let tries = 0; ; tries += 1) {
      await search();
      during = await free();
      await Promise.all(Array.from({ length: 5 }, search));
      if (during - (await free()) < n * dimensions) break;
      assert.ok(tries < 5, `${during - (await free())} bytes more are taken`);
    }
    const kept = 64 << 20; // for the next search
    assert.ok(before - during < 2 * n * dimensions * 5 + kept);
    there.close();
    await freedAgain(before);
  });

  it('outlives its index during a search, and stops at the signal', async () => {
    const before = await free();
    using here = indexOn('cpu');
    const there = indexOn('cuda');
    await there.searchBatch(queryVectors.subarray(0, dimensions), 1);
    const running = there.searchBatch(queryVectors, 6);
    there.close();
    const { scans: _, ...found } = await running;
    const { scans: __, ...expected } = await here.searchBatch(queryVectors, 6);
    assert.deepEqual(found, expected);
    await freedAgain(before);
    using again = indexOn('cuda');
    await assert.rejects(
      again.searchBatch(queryVectors, 5, { signal: AbortSignal.abort() }),
      fails('ERR_ABORTED'),
    );
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    // They take turns, and the last cannot have ended yet, however fast a device is. What had ended
    // by then is no fault.
    const many = Promise.allSettled(
      Array.from({ length: 300 }, () =>
        again.searchBatch(queryVectors, 50, { signal: controller.signal }),
      ),
    );
    controller.abort();
    const stopped = (await many).filter((each) => each.status === 'rejected');
    assert.ok(stopped.length > 0);
    for (const { reason } of stopped)
      assert.throws(() => {
        throw reason;
      }, fails('ERR_ABORTED'));
    assert.equal((await again.searchBatch(queryVectors.subarray(0, dimensions), 5)).row.length, 5);
  });

  describe('a corpus', () => {
    const folder = temporaryFolder();
    const encoder = hashEncoder(16);
    let path: string;
    before(async () => {
      path = folder.path('corpus');
      await using corpus = await Corpus.open(path, { encoder });
      await corpus.add(passagesFrom(0, 150), { batchSize: 50 });
      await corpus.add(passagesFrom(20, 30, 1));
    });
    const question = {
      text: 'When was the bridge visited 41 times as of May 2021?',
      askedAt: '2022-01-01',
    };

    it('has the results of the CPU in every system', async () => {
      await using here = await Corpus.open(path, { encoder });
      await using there = await Corpus.open(path, { encoder, device: 'cuda' });
      assert.deepEqual([here.device, there.device], ['cpu', 'cuda']);
      const [statistics, shape] = [
        { meanYear: 2000, deviationYear: 30 },
        { kind: 'film' as const, dimensions: 16, waves: 2, width: 3 },
      ];
      const parameters = normals(binding.timeParameterCount({ ...shape, ...statistics }), 2);
      const weights = {
        encoder: encoder.id,
        ...shape,
        statistics,
        parameters,
        settings: {},
        training: {},
      };
      for (const name of systemNames) {
        const options = name === 're3' ? { weights } : needed(name);
        const run = (corpus: Corpus) => createSystem(name, { corpus, ...options }).run(question);
        const [expected, found] = [await run(here), await run(there)];
        assert.deepEqual(found.evidence, expected.evidence, name);
        if (found.scan) assert.equal(found.scan.device, 'cuda', name);
      }
    });

    it('is verified before its vectors are copied', async () => {
      const spoilt = folder.path('spoilt');
      cpSync(path, spoilt, { recursive: true });
      const segments = join(spoilt, 'segments');
      const segment = readdirSync(segments).find((name) => name.endsWith('.seg'));
      flipBit(join(segments, segment!), 'vectors.f32', 0);
      await using there = await Corpus.open(spoilt, { encoder, device: 'cuda' });
      const vector = await encoder.encode(['The bridge opened'], { kind: 'query' });
      const search = searchVectors(there, vector, 1);
      await assert.rejects(search, fails('ERR_CORPUS_CORRUPT', /vectors\.f32/));
    });

    it('frees its copies on compaction and on close', async () => {
      const before = await free();
      const there = await Corpus.open(path, { encoder, device: 'cuda' });
      const vector = await encoder.encode(['The bridge opened'], { kind: 'query' });
      const search = async () => (await searchVectors(there, vector, 10))[0]!;
      const found = await search();
      assert.equal(found.scan.device, 'cuda');
      const segments = there.info().segments;
      assert.ok(segments > 1);
      await there.delete(['p3']);
      await there.compact();
      assert.deepEqual(
        [...(await search())].map(({ id }) => id),
        [...found].map(({ id }) => id).filter((id) => id !== 'p3'),
      );
      await there.close();
      await freedAgain(before);
    });
  });

  it('breaks ties by id like the CPU', async () => {
    const draw = new Draw({
      seed: 5,
      segments: 2,
      passages: 90,
      dimensions: 2,
      whole: true,
      unit: day,
      wide: false,
      hide: false,
    });
    const segments = [drawSegment(draw, 0), drawSegment(draw, 1)];
    const rows = segments.map((each) => scanSegment(each, 2, false, 'int8'));
    const queries = [{ vector: Float32Array.of(1, 0) }];
    const ids = async (device: Device) =>
      scanHits(
        await scanFlat(rows, queries, { k: 20, device }),
        0,
        20,
        (segment, passage) => segments[segment]!.ids[passage]!,
      );
    assert.deepEqual(await ids('cuda'), await ids('cpu'));
  });
});
