// Decays inside the scan against float64: every kind, clock, mask, pooling, storage and
// combination, single queries and a batch, over enough rows that panels prune; half-lives from a
// millisecond to 100,000 years.
import assert from 'node:assert/strict';
import { scanHits } from '../../lib/retrieval/scanHits.js';
import { scanFlat, type ScanSegment } from '../../lib/retrieval/flatScan.js';
import type { Mask, TemporalForm } from '../../lib/time/temporalForms.js';
import { atEveryExtension } from '../kernels/levels.js';
import { scanOracle, type OracleQuery, type OracleSegment } from '../oracle/scan.js';
import { decayKinds, type DecayKind } from '../oracle/temporal.js';
import { day, Draw, drawSegment, scanQuery, scanSegment } from './flat.corpus.js';

const dimensions = 24;
const k = 20;
const now = 10_957 * day;
const storages = ['f32', 'int8', 'int4', 'bf16'] as const;
const masks: Mask[] = [
  {},
  { publishedUntil: now + 2 * day },
  { window: { start: now - 9 * day, end: now + 9 * day, clock: 'content', relation: 'overlaps' } },
];
const halfLives = [5 * day, 1, 100_000 * 365.2425 * day];

/** A form for each kind, clock and combination, with floors and offsets in turn. */
const forms: TemporalForm[] = decayKinds.flatMap((kind, s) =>
  (['published', 'validity', 'content'] as const).flatMap((clock, c) =>
    ([0, 0.4, -0.4] as const).map((weight, w): TemporalForm => {
      const floor = [0, 0.3, 0.99][(s + c + w) % 3]!;
      const form = {
        kind,
        clock,
        at: now + [0, 3, 40][c]! * day,
        halfLifeMs: halfLives[(s + w) % 3]!,
        offsetMs: [0, 2 * day, 100 * day][(c + 2 * w) % 3]!,
        floor,
        outside: Math.max(floor, [0.5, 0, 1][c]!),
      } as const;
      return weight === 0 ? { combine: 'product', ...form } : { combine: 'sum', ...form, weight };
    }),
  ),
);

/** 5 days beyond the offset 0.5, and nothing of the form that differs otherwise. */
const plainDecay = (kind: DecayKind): TemporalForm => ({
  combine: 'product',
  kind,
  clock: 'published',
  at: now,
  halfLifeMs: 5 * day,
  offsetMs: 0,
  floor: 0,
  outside: 0.5,
});

describe('decays in the scan', () => {
  const draw = new Draw({
    seed: 20_261_127,
    segments: 2,
    passages: 700,
    dimensions,
    whole: false,
    unit: day,
    wide: false,
    hide: true,
  });
  let segments: OracleSegment[];
  let vectors: number[][];
  const opened = new Map<string, ScanSegment[]>();

  before(() => {
    segments = Array.from({ length: 2 }, (_, s) => drawSegment(draw, s));
    vectors = forms.map(() => draw.vector());
    for (const storage of storages)
      opened.set(
        storage,
        segments.map((each) => scanSegment(each, dimensions, false, storage)),
      );
  });
  after(() => {
    for (const each of opened.values()) for (const { rows } of each) rows.close();
  });

  const queryOf = (form: TemporalForm, vector: number[], mask: Mask): OracleQuery => ({
    vector,
    semanticWeight: 1,
    lexicalWeight: 0,
    mask,
    form,
  });

  atEveryExtension(() => {
    for (const pool of [false, true]) {
      for (const [m, mask] of masks.entries()) {
        it(`are exact ${pool ? 'pooled' : 'by row'} under mask ${m}`, async () => {
          const queries = forms.map((form, f) => queryOf(form, vectors[f]!, mask));
          // A batch of one form too, whose decay the kernels share.
          const shared = vectors
            .slice(0, 9)
            .map((each) => queryOf(plainDecay('exponential'), each, mask));
          const all = [...queries, ...shared];
          const options = { k, pool };
          let first: unknown;
          for (const storage of storages) {
            const rows = opened.get(storage)!;
            const batches = [
              await scanFlat(rows, shared.map(scanQuery), options),
              await scanFlat(rows, queries.map(scanQuery), options),
            ];
            for (const query of all.slice(0, 12))
              batches.push(await scanFlat(rows, [scanQuery(query)], options));
            const found = batches.map(({ offsets, segment, row, score, temporal, mention }) => ({
              offsets,
              segment,
              row,
              score,
              temporal,
              mention,
            }));
            first ??= found;
            assert.deepEqual(found, first, storage);
          }
          const result = await scanFlat(opened.get('int8')!, all.map(scanQuery), options);
          all.forEach((query, q) => compare(query, scanHits(result, q, k, idOf), pool));
        });
      }
    }
  });

  const idOf = (segment: number, passage: number): string => segments[segment]!.ids[passage]!;

  function compare(query: OracleQuery, found: ReturnType<typeof scanHits>, pool: boolean): void {
    const { ranking } = scanOracle(segments, query, { scope: 'all', pool });
    const every = scanOracle(segments, query, { scope: 'all', pool: false }).ranking;
    assert.equal(found.length, Math.min(k, ranking.length));
    found.forEach((hit, i) => {
      const own = every.find(({ segment, row }) => segment === hit.segment && row === hit.row)!;
      assert.ok(Math.abs(own.score - hit.score) <= 2e-5, JSON.stringify([query.form, hit, own]));
      assert.ok(Math.abs(ranking[i]!.score - hit.score) <= 2e-5, `place ${i}`);
      assert.ok(Math.abs(own.temporal! - hit.temporal!) <= 1e-9);
    });
  }

  it('finds only rows with words for a query of words alone', async () => {
    const lexical = segments.map(({ rows }) => rows.map((_, row) => (row % 5 === 0 ? 1 + row : 0)));
    const query = {
      lexical: lexical.map((each) => Float32Array.from(each)),
      form: plainDecay('exponential'),
      onlyMatching: true,
    };
    const result = await scanFlat(opened.get('int8')!, [query], { k: 5_000 });
    const wanted = scanOracle(
      segments,
      { semanticWeight: 1, lexicalWeight: 1, lexical, form: query.form },
      { scope: 'all', pool: false },
    ).ranking.filter(({ segment, row }) => lexical[segment]![row]! > 0);
    assert.equal(result.row.length, wanted.length);
    assert.ok(result.lexical.every((each) => each > 0));
    wanted.forEach(({ score }, i) =>
      assert.ok(Math.abs(score - result.score[i]!) < 1e-9 * score + 1e-12),
    );
  });

  it('refuses values out of range', async () => {
    const wrong = [
      [{ kind: 'cubic' }, /kind to be one of spline, recency, exponential/],
      [{ combine: 'max' }, /combine to be one of product, sum/],
      [{ halfLifeMs: 0 }, /halfLifeMs to be a finite number above 0/],
      [{ offsetMs: -1 }, /offsetMs to be a finite number from 0/],
      [{ floor: 1 }, /floor to be a number from 0 to less than 1/],
      [{ outside: 1.5 }, /outside to be a number from the floor to 1/],
      [{ at: Infinity }, /at to be a finite number/],
      [{ clock: 'validity or content' }, /clock to be one of/],
    ] as const;
    for (const [change, message] of wrong)
      await assert.rejects(
        scanFlat([], [{ form: { ...plainDecay('exponential'), ...change } as TemporalForm }], {
          k: 1,
        }),
        { code: 'ERR_INVALID_ARGUMENT', message },
      );
  });
});
