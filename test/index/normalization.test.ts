// Normalized recencies over segments that know the moments of their vectors: the same as where
// every similarity is computed, within the rounding that native/index/segment/vector_moments.hpp
// states, the same bits for every storage, and every similarity where a row is hidden.
import assert from 'node:assert/strict';
import type { FlatResult, Segment } from '../../binding.js';
import { scanFlat, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import { Corpus } from '../../lib/store/corpus.js';
import { hashEncoder, passagesFrom, temporaryFolder } from '../store/fixtures.js';
import { atEveryLevel } from '../kernels/levels.js';

const encoder = hashEncoder(16);
const day = 86_400_000;
const at = Date.UTC(2024, 0);
const form = (weight: number) =>
  ({ combine: 'sum', kind: 'recency', clock: 'published', at, floorDays: 1, weight }) as const;

describe('recencies over measured vectors', () => {
  const folder = temporaryFolder();
  const merged = {} as Record<'f32' | 'bf16' | 'int8', Segment>;
  let fresh: Segment[];
  const corpora: Corpus[] = [];
  before(async function build() {
    this.timeout(120_000);
    for (const storage of ['f32', 'bf16', 'int8'] as const) {
      const corpus = await Corpus.open(folder.path(storage), { encoder, storage });
      await corpus.add(passagesFrom(0, 14_000), { batchSize: 7_000 });
      if (storage === 'f32') fresh = corpus.snapshot().segments.map(({ segment }) => segment);
      await corpus.compact();
      merged[storage] = corpus.snapshot().segments[0]!.segment;
      corpora.push(corpus);
    }
  });
  after(async () => void (await Promise.all(corpora.map((corpus) => corpus.close()))));

  async function queries(changes: Partial<ScanQuery> = {}): Promise<ScanQuery[]> {
    const texts = [
      'Bridge opened visited',
      'Nobody knows why',
      'times on 5 May 2021',
      'Bridge 4',
      'It was visited 77 times',
    ];
    const vectors = await encoder.encode(texts, { kind: 'query' });
    return texts.map((_, q) => ({
      vector: vectors.slice(q * 16, (q + 1) * 16),
      form: form([1, 0.2, -1, 3, 0][q]!),
      ...changes,
    }));
  }

  it('are measured when segments are merged, group by group', () => {
    const [passages, multiSentence, rows] = Array.from(
      merged.int8.read('counts') as BigUint64Array,
      Number,
    ) as [number, number, number];
    const vectors = merged.int8.read('vectors.f32') as Float32Array;
    const moments = merged.int8.read('vectors.moments') as Float64Array;
    let from = 0;
    for (const [begin, end] of [
      [0, multiSentence],
      [multiSentence, passages],
      [passages, rows],
    ] as const) {
      assert.equal(moments[from], end - begin);
      const mean = Float64Array.from({ length: 16 }, (_, c) => {
        let sum = 0;
        for (let row = begin; row < end; row += 1) sum += vectors[row * 16 + c]!;
        return sum / (end - begin);
      });
      mean.forEach((value, c) => assert.ok(Math.abs(moments[from + 1 + c]! - value) < 1e-12));
      let place = from + 17;
      for (let i = 0; i < 16; i += 1) {
        for (let j = 0; j <= i; j += 1, place += 1) {
          let [sum, size] = [0, 0];
          for (let row = begin; row < end; row += 1) {
            const product =
              (vectors[row * 16 + i]! - mean[i]!) * (vectors[row * 16 + j]! - mean[j]!);
            sum += product;
            size += Math.abs(product);
          }
          assert.ok(Math.abs(moments[place]! - sum) <= 9e-6 * size, `${i} ${j}`);
        }
      }
      from = place;
    }
    assert.equal(from, moments.length);
  });

  atEveryLevel(() => {
    for (const scope of ['passages', 'sentences', 'all'] as const) {
      it(`give the scores that similarities would, and the same bits for every storage (${scope})`, async () => {
        const given = await queries();
        const options = { k: 20, scope };
        const plain = await scanFlat(
          fresh.map((rows) => ({ rows })),
          given,
          options,
        );
        const storages = ['f32', 'bf16', 'int8'] as const;
        const [f32, bf16, int8] = await Promise.all(
          storages.map((storage) => scanFlat([{ rows: merged[storage] }], given, options)),
        );
        const same = ({ rescored: _, storage: __, ...result }: FlatResult) => result;
        assert.deepEqual(same(bf16!), same(f32!));
        assert.deepEqual(same(int8!), same(f32!));
        assert.deepEqual([...int8!.storage], [2, 2, 2, 2, 2]);
        given.forEach((_, q) => {
          for (const column of [
            'relevanceMean',
            'relevanceDeviation',
            'recencyMean',
            'recencyDeviation',
          ] as const) {
            assert.ok(
              Math.abs(plain[column][q]! - f32![column][q]!) <=
                1e-6 * Math.abs(plain[column][q]!) + 1e-12,
              `${column} of ${q}`,
            );
          }
          const [own, other] = [plain, f32!].map(({ score, offsets }) => [
            ...score.subarray(offsets[q], offsets[q]! + 20),
          ]);
          own!.forEach((score, i) =>
            assert.ok(Math.abs(score - other![i]!) <= 1e-6, `place ${i} of ${q}`),
          );
        });
      });
    }
  });

  it('compute every similarity if a row is hidden, as a scan without moments does', async () => {
    const hidden = { mask: { publishedUntil: Date.UTC(2018, 0) + 3 * day } };
    const given = await queries(hidden);
    const found = await scanFlat([{ rows: merged.int8 }], given, { k: 20 });
    assert.deepEqual([...found.storage], [0, 0, 0, 0, 0]);
    assert.ok(found.rowsMasked[0]! > 0);
    const [mixed, alone] = [[...given, ...(await queries())], await queries()];
    const together = await scanFlat([{ rows: merged.int8 }], mixed, { k: 20 });
    const apart = await scanFlat([{ rows: merged.int8 }], alone, { k: 20 });
    assert.deepEqual([...together.row], [...found.row, ...apart.row]);
    assert.deepEqual([...together.score], [...found.score, ...apart.score]);
  });

  it(
    'take the moments of recencies from counts of rows by instant, which agree with a pass ' +
      'over all times',
    async () => {
      const [passages] = Array.from(merged.int8.read('counts') as BigUint64Array, Number) as [
        number,
      ];
      const everyOne = new Uint8Array(Math.ceil(passages / 8)).fill(255);
      for (const scope of ['passages', 'sentences', 'all'] as const) {
        for (const floorDays of [1, 400, 100_000]) {
          const given = (await queries()).map((query) => ({
            ...query,
            form: { ...form(1), floorDays },
          }));
          const counted = await scanFlat([{ rows: merged.int8 }], given, { k: 20, scope });
          const passed = await scanFlat([{ rows: merged.int8, liveDocs: everyOne }], given, {
            k: 20,
            scope,
          });
          const later = given.map((query) => ({ ...query, mask: { publishedUntil: at * 2 } }));
          const unhidden = await scanFlat([{ rows: merged.int8 }], later, { k: 20, scope });
          assert.deepEqual(
            [unhidden.row, unhidden.score, unhidden.recencyMean],
            [counted.row, counted.score, counted.recencyMean],
          );
          assert.deepEqual(counted.rowsMasked, passed.rowsMasked);
          assert.deepEqual([...counted.row], [...passed.row]);
          for (const column of ['recencyMean', 'recencyDeviation', 'score', 'temporal'] as const) {
            counted[column].forEach((value, i) => {
              assert.ok(
                Math.abs(value - passed[column][i]!) <= 1e-11 * (1 + Math.abs(value)),
                `${column} ${i}: ${value} ${passed[column][i]}`,
              );
            });
          }
        }
      }
    },
  );
});
