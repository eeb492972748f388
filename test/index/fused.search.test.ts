// The scan with terms equals the scan with BM25 scored apart and divided by its best: same rows,
// same scores, under masks, bitmaps, scopes and over several segments; and it refuses what it
// cannot score.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { scanHits } from '../../lib/retrieval/scanHits.js';
import { scanFlat, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import { scoreLexical, searchLexical } from '../../lib/retrieval/lexicalSearch.js';
import { Corpus } from '../../lib/store/corpus.js';
import type { Snapshot } from '../../lib/store/views/snapshot.js';
import type { TemporalForm } from '../../lib/time/temporalForms.js';

const words = ['harbour', 'bridge', 'castle', 'tower', 'garden', 'market', 'river', 'station'];

describe('the fused search', () => {
  let folder: string;
  let corpus: Corpus;
  let snapshot: Snapshot;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asof-fused-'));
    corpus = await Corpus.open(join(folder, 'corpus'));
    const passage = (i: number) => ({
      id: `p${String(i).padStart(4, '0')}`,
      text:
        `The ${words[i % 8]} by the ${words[(i * 5 + 1) % 8]} opened in ${1900 + (i % 100)}. ` +
        `${i % 3 === 0 ? `A ${words[(i * 3) % 8]} followed.` : ''}`,
      publishedAt: `${1900 + (i % 100)}-06-01`,
    });
    await corpus.add(Array.from({ length: 300 }, (_, i) => passage(i)));
    await corpus.add(Array.from({ length: 200 }, (_, i) => passage(300 + i)));
    await corpus.delete(['p0007', 'p0400']);
    snapshot = corpus.snapshot();
  });
  after(async () => {
    snapshot.release();
    await corpus.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const segments = () =>
    snapshot.segments.map(({ segment, liveDocs }) =>
      liveDocs ? { rows: segment, liveDocs } : { rows: segment },
    );
  const idOf = (s: number, p: number): string => snapshot.id(s, p);

  for (const scope of ['passages', 'sentences', 'all'] as const) {
    for (const pool of [false, true]) {
      it(`gives what its two parts give: ${scope}${pool ? ', pooled' : ''}`, async () => {
        const vector = await corpus.encoder.encode(['when did the castle open'], { kind: 'query' });
        const mask = { publishedUntil: Date.parse('1960-01-01') };
        const options = { k: 25, scope, pool, k1: 1.2, b: 0.7 };
        const batch: string[][] = [['castl', 'open'], [], ['castl', 'castl', 'river'], ['nowher']];
        const base: ScanQuery = { vector, semanticWeight: 0.4, mask };
        const fused = await scanFlat(
          segments(),
          batch.map((terms) => ({ ...base, terms, lexicalWeight: 0.6 })),
          options,
        );
        for (const [q, terms] of batch.entries()) {
          const best = (await searchLexical(segments(), [{ terms, mask }], { ...options, k: 0 }))
            .maxScore[0]!;
          const apart: ScanQuery =
            best > 0
              ? {
                  ...base,
                  lexical: await scoreLexical(segments(), terms, options),
                  lexicalWeight: 0.6 / best,
                }
              : base;
          const expected = scanHits(await scanFlat(segments(), [apart], options), 0, 25, idOf);
          assert.equal(expected.length, 25);
          assert.deepEqual(scanHits(fused, q, 25, idOf), expected, terms.join(' '));
        }
      });
    }
  }

  /** BM25's statistics of the whole corpus. */
  function collectionOf(terms: readonly string[], scope: 'sentences' | 'all') {
    const counts = snapshot.segments.map(({ segment }) => ({
      numbers: binding.rowCounts(segment),
      frequencies: binding.documentFrequencies(segment, terms),
    }));
    const first = scope === 'all' ? 0 : 1;
    const sum = (from: number, to: number): number =>
      counts.reduce(
        (all, { numbers }) => all + [...numbers.slice(from, to)].reduce((a, b) => a + b),
        0,
      );
    const frequency = (term: number): number =>
      counts.reduce(
        (all, { frequencies }) =>
          all + (scope === 'all' ? frequencies[2 * term]! : 0) + frequencies[2 * term + 1]!,
        0,
      );
    return {
      rows: sum(first, 3),
      tokens: sum(3 + first, 6),
      frequencies: new Map(terms.map((term, at) => [term, frequency(at)])),
    };
  }

  const partForms: Record<string, TemporalForm> = {
    'no form': { combine: 'none' },
    'a decay': {
      combine: 'sum',
      kind: 'exponential',
      clock: 'published',
      at: Date.UTC(1950, 0),
      halfLifeMs: 1e11,
      offsetMs: 0,
      floor: 0,
      outside: 0.5,
      weight: 0.3,
    },
    'a recency': {
      combine: 'sum',
      kind: 'recency',
      clock: 'published',
      at: Date.UTC(1990, 0),
      floorDays: 1,
      weight: 0.2,
    },
  };
  for (const scope of ['sentences', 'all'] as const)
    for (const [name, form] of Object.entries(partForms))
      it(`scores a part of the rows as all are, by the statistics of all: ${scope}, ${name}`, async () => {
        const terms = ['castl', 'open', 'castl'];
        const mask = { publishedUntil: Date.UTC(1980, 0) };
        const vector = await corpus.encoder.encode(['when did the castle open'], { kind: 'query' });
        const options = { k: 2000, scope };
        const query = { vector, terms, mask, form, semanticWeight: 0.4, lexicalWeight: 0.6 };
        const whole = await scanFlat(segments(), [query], options);
        const bm25 = await searchLexical(segments(), [{ terms, mask }], options);
        const collection = collectionOf(terms, scope);
        const part = [segments()[1]!];
        const ofPart = { ...options, collection };
        const isRecency = 'kind' in form && form.kind === 'recency';
        const moments = {
          relevanceMean: whole.relevanceMean[0]!,
          relevanceDeviation: whole.relevanceDeviation[0]!,
          recencyMean: whole.recencyMean[0]!,
          recencyDeviation: whole.recencyDeviation[0]!,
        };
        const scanned = await scanFlat(
          part,
          [{ ...query, ...(isRecency && { moments }), maxLexical: bm25.maxScore[0]! }],
          ofPart,
        );
        const found = await searchLexical(part, [{ terms, mask }], ofPart);
        const ofSecond = (hits: ReturnType<typeof scanHits>) =>
          hits.filter(({ segment }) => segment === 1).map((hit) => ({ ...hit, segment: 0 }));
        const idOfPart = (_: number, passage: number): string => idOf(1, passage);
        assert.ok(ofSecond(scanHits(bm25, 0, 2000, idOf)).length > 20);
        assert.deepEqual(
          scanHits(scanned, 0, 2000, idOfPart),
          ofSecond(scanHits(whole, 0, 2000, idOf)),
        );
        assert.deepEqual(
          scanHits(found, 0, 2000, idOfPart),
          ofSecond(scanHits(bm25, 0, 2000, idOf)),
        );
      });

  it(
    'gives a query of a batch what it gives alone, where others share its terms, its mask, ' +
      'both or neither',
    async () => {
      const options = { k: 25, scope: 'all', pool: true } as const;
      const form: TemporalForm = {
        combine: 'product',
        kind: 'spline',
        clock: 'content',
        lines: [
          { window: { start: Date.UTC(1930, 0), end: Date.UTC(1950, 0) }, atStart: 1, atEnd: 1 },
        ],
        outside: 0.5,
      };
      const masks = [{}, { publishedUntil: Date.UTC(1925, 0) }];
      const queries = [['castl', 'open'], ['nowher'], ['castl', 'open'], ['river']].flatMap(
        (terms) =>
          masks.flatMap((mask): ScanQuery[] => [
            { terms, mask },
            { terms, mask, form },
          ]),
      );
      const together = await scanFlat(segments(), queries, options);
      for (const [q, query] of queries.entries()) {
        assert.deepEqual(
          scanHits(together, q, 25, idOf),
          scanHits(await scanFlat(segments(), [query], options), 0, 25, idOf),
          `query ${q}`,
        );
      }
    },
  );

  it('gives the same results with and without early termination', async () => {
    const vector = await corpus.encoder.encode(['when did the castle by the river open'], {
      kind: 'query',
    });
    const window = { start: Date.UTC(1930, 0), end: Date.UTC(1950, 0) };
    const forms: TemporalForm[] = [
      { combine: 'none' },
      {
        combine: 'product',
        kind: 'spline',
        clock: 'content',
        lines: [{ window, atStart: 1, atEnd: 0.6 }],
        outside: 0.3,
      },
      {
        combine: 'product',
        kind: 'spline',
        clock: 'published',
        lines: [{ window, atStart: 2, atEnd: 0 }],
        outside: 0,
      },
    ];
    for (const scope of ['passages', 'all'] as const) {
      for (const k of [1, 5, 40, 400]) {
        for (const [semanticWeight, lexicalWeight] of [
          [0.4, 0.6],
          [1, 0],
          [0.01, 1],
        ] as const) {
          const queries = forms.flatMap((form) =>
            [{}, { publishedUntil: Date.UTC(1960, 0) }].map((mask) => ({ mask, form })),
          );
          for (const each of queries) {
            // Opened anew, a segment has measured nothing: the first scan of it reads every row.
            const fresh = segments().map(({ rows, ...shown }) => ({
              rows: binding.Segment.open(rows.path),
              ...shown,
            }));
            const query: ScanQuery = {
              ...each,
              vector,
              semanticWeight,
              terms: ['castl', 'river', 'open'],
              lexicalWeight,
            };
            const options = { k, scope, pool: scope === 'all' };
            // how many rows it takes depends on who is first
            const { rescored: _, ...read } = await scanFlat(fresh, [query], options);
            const { rescored: __, ...again } = await scanFlat(fresh, [query], options);
            assert.deepEqual(again, read);
            for (const { rows } of fresh) rows.close();
          }
        }
      }
    }
  });

  it('gives the first results of a scan for all rows, for one form or two in a batch', async () => {
    const vector = await corpus.encoder.encode(['when did the castle by the river open'], {
      kind: 'query',
    });
    const line = (start: number, end: number): TemporalForm => ({
      combine: 'product',
      kind: 'spline',
      clock: 'content',
      outside: 0.3,
      lines: [
        { window: { start: Date.UTC(start, 0), end: Date.UTC(end, 0) }, atStart: 1, atEnd: 0.9 },
      ],
    });
    for (const scope of ['passages', 'all'] as const) {
      for (const [semanticWeight, lexicalWeight] of [
        [0.4, 0.6],
        [0.1, 1],
        [2, 0.1],
        [1, 0],
      ] as const) {
        for (const exact of [['castl', 'river', 'open'], ['tower']]) {
          const queries = [line(1930, 1950), line(1935, 1936), { combine: 'none' } as const].map(
            (form): ScanQuery => ({ form, vector, semanticWeight, terms: exact, lexicalWeight }),
          );
          const all = await scanFlat(segments(), queries, {
            k: 2000,
            scope,
            pool: scope === 'all',
          });
          for (const k of [1, 7, 60]) {
            const few = await scanFlat(segments(), queries, { k, scope, pool: scope === 'all' });
            for (const q of queries.keys())
              assert.deepEqual(
                scanHits(few, q, k, idOf),
                scanHits(all, q, k, idOf),
                `${scope}, ${k} of query ${q}`,
              );
          }
        }
      }
    }
  });

  it('finds as many inexactly as exactly', async () => {
    const vector = await corpus.encoder.encode(['when did the castle by the river open'], {
      kind: 'query',
    });
    const window = { start: Date.UTC(1930, 0), end: Date.UTC(1950, 0) };
    const timed: TemporalForm = {
      combine: 'product',
      kind: 'spline',
      clock: 'published',
      lines: [{ window, atStart: 1, atEnd: 0.6 }],
      outside: 0.3,
    };
    for (const form of [{ combine: 'none' } as const, timed]) {
      for (const [semanticWeight, lexicalWeight] of [
        [0.4, 0.6],
        [0.35, 0.05],
        [1, 0.01],
      ] as const) {
        const query: ScanQuery = {
          vector,
          semanticWeight,
          lexicalWeight,
          terms: ['castl', 'river', 'open'],
          form,
        };
        for (const k of [1, 3, 10, 37]) {
          for (const exactness of ['rescored', 'raw'] as const) {
            const found = await scanFlat(segments(), [query], { k, scope: 'passages', exactness });
            assert.equal(
              scanHits(found, 0, k, idOf).length,
              k,
              `${exactness}, ${k}, ${lexicalWeight}`,
            );
          }
        }
      }
    }
  });

  it('rejects terms over rows in memory, invalid parameters and invalid terms', async () => {
    const rows = new binding.MemoryRows({
      passages: 1,
      multiSentence: 0,
      dimensions: 1,
      vectors: Float32Array.of(1),
      rowPassage: Uint32Array.of(0),
    });
    await assert.rejects(
      scanFlat([{ rows }], [{ terms: ['castl'] }], { k: 1 }),
      /segments with postings/,
    );
    await assert.rejects(
      scanFlat(segments(), [{ terms: ['castl'] }], { k: 1, k1: NaN }),
      /Expected k1/,
    );
    await assert.rejects(
      scanFlat(segments(), [{ terms: ['castl'] }], { k: 1, b: 2 }),
      /Expected b/,
    );
    await assert.rejects(
      scanFlat(segments(), [{ terms: [7 as never] }], { k: 1 }),
      /Expected terms to be a string, received a number/,
    );
  });

  it('stops for its signal', async () => {
    await assert.rejects(
      scanFlat(segments(), [{ terms: ['castl'] }], { k: 1, signal: AbortSignal.abort() }),
      { code: 'ERR_ABORTED' },
    );
  });
});
