// The scan with terms where a part of the rows is searched, inexactly, and in vain; fuzz/words.ts
// compares it with the scan that is given BM25's scores.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { scanHits } from '../../lib/retrieval/scanHits.js';
import { scanFlat, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import { searchLexical } from '../../lib/retrieval/lexicalSearch.js';
import { Corpus } from '../../lib/store/corpus.js';
import type { Snapshot } from '../../lib/store/views/snapshot.js';
import type { TemporalForm } from '../../lib/time/temporalForms.js';
import { temporaryFolder } from '../store/fixtures.js';

const words = ['harbour', 'bridge', 'castle', 'tower', 'garden', 'market', 'river', 'station'];

describe('the fused search', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  let snapshot: Snapshot;
  before(async () => {
    corpus = await Corpus.open(folder.path('corpus'));
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
  });

  const segments = () =>
    snapshot.segments.map(({ segment, liveDocs }) =>
      liveDocs ? { rows: segment, liveDocs } : { rows: segment },
    );
  const idOf = (s: number, p: number): string => snapshot.id(s, p);

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
