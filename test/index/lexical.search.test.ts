// Block-max search against brute force: scores against the float64 oracle, and the selection
// (skipping, masks, scopes, pooling, ties, several segments) against a plain sort of every row's
// score.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import {
  scoreLexical,
  searchLexical,
  type LexicalSegment,
} from '../../lib/retrieval/lexicalSearch.js';
import { bm25Scores } from '../oracle/bm25.js';
import {
  bitmap,
  day,
  rowsOf,
  TestFolder,
  writeRows,
  type TestPassage,
  type TestRow,
} from './lexical.corpus.js';

type Scope = 'passages' | 'sentences' | 'all';
const inScope = (scope: Scope, part: number): boolean =>
  scope === 'all' || part === 1 || (scope === 'passages' ? part === 0 : part === 2);
const vocabulary = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'hh', 'é', '日', 'z\u{1F600}', '1998'];

const term = fc
  .integer({ min: 0, max: 99 })
  .map((x) => vocabulary[Math.floor(((x * x) / 10_000) * vocabulary.length)]!);
const sentence = fc.array(term, { minLength: 0, maxLength: 8 });
const days = fc.integer({ min: 0, max: 20 });
const passage: fc.Arbitrary<TestPassage> = fc.record(
  {
    sentences: fc.oneof(fc.tuple(sentence), fc.array(sentence, { minLength: 2, maxLength: 4 })),
    published: days,
    content: fc
      .tuple(days, fc.integer({ min: 1, max: 5 }))
      .map(([start, length]) => [start, start + length] as [number, number]),
    hidden: fc.boolean(),
  },
  { requiredKeys: ['sentences'] },
);
const mask = fc.record(
  {
    publishedUntil: days.map((each) => each * day),
    window: fc.record({
      start: days.map((each) => each * day),
      end: fc.integer({ min: 21, max: 30 }).map((each) => each * day),
      clock: fc.constant('content' as const),
      relation: fc.constantFrom('overlaps' as const, 'within' as const),
    }),
  },
  { requiredKeys: [] },
);
type Mask = {
  publishedUntil?: number;
  window?: { start: number; end: number; clock: 'content'; relation: 'overlaps' | 'within' };
};

function shown(row: TestRow, given: Mask, bitmaps: boolean): boolean {
  const { source } = row;
  if (bitmaps && source.hidden) return false;
  if (
    given.publishedUntil !== undefined &&
    source.published !== undefined &&
    source.published * day > given.publishedUntil
  )
    return false;
  if (!given.window) return true;
  if (!source.content) return false;
  const [start, end] = source.content.map((each) => each * day) as [number, number];
  if (given.window.relation === 'within')
    return start >= given.window.start && end <= given.window.end;
  return start < given.window.end && end > given.window.start;
}

interface Hit {
  segment: number;
  passage: number;
  row: number;
  score: number;
}
const order = (a: Hit, b: Hit): number =>
  b.score - a.score || a.segment - b.segment || a.passage - b.passage || a.row - b.row;

/** What a search must return, from every visible matching row with its score. */
function selected(all: Hit[], k: number, pool: boolean): Hit[] {
  let hits = [...all].sort(order);
  if (pool) {
    const seen = new Set<string>();
    hits = hits.filter(
      (hit) =>
        !seen.has(`${hit.segment}/${hit.passage}`) && seen.add(`${hit.segment}/${hit.passage}`),
    );
  }
  if (k === 0) return [];
  if (hits.length <= k) return hits;
  const last = hits[k - 1]!.score;
  const above = hits.filter((hit) => hit.score > last).length;
  const equals = new Map<number, number>();
  return hits.filter((hit) => {
    if (hit.score !== last) return hit.score > last;
    const before = equals.get(hit.segment) ?? 0;
    equals.set(hit.segment, before + 1);
    return before < k - above;
  });
}

function hitsOf(result: Awaited<ReturnType<typeof searchLexical>>, query: number): Hit[] {
  const hits: Hit[] = [];
  for (let i = result.offsets[query]!; i < result.offsets[query + 1]!; i++) {
    hits.push({
      segment: result.segment[i]!,
      passage: result.passage[i]!,
      row: result.row[i]!,
      score: result.score[i]!,
    });
  }
  return hits;
}

/** The same segment with the numbers of its visible passages in the bitmap's place. */
function byNumber({ liveDocs, ...each }: LexicalSegment): LexicalSegment {
  if (!liveDocs) return each;
  const numbers = Array.from({ length: 8 * liveDocs.length }, (_, p) => p).filter(
    (p) => liveDocs[p >> 3]! & (1 << (p % 8)),
  );
  return { ...each, liveDocs: Uint32Array.from(numbers) };
}

describe('lexical search', () => {
  const folder = new TestFolder();
  after(() => folder.remove());

  async function open(groups: TestPassage[][], bitmaps: boolean) {
    const rows: TestRow[] = [];
    const segments = [];
    for (const [number, passages] of groups.entries()) {
      const made = rowsOf(passages, number);
      rows.push(...made.rows);
      const segment = await writeRows(folder.next(), made.rows, made.parts);
      segments.push({ rows: segment, ...(bitmaps ? { liveDocs: bitmap(made.ordered) } : {}) });
    }
    return { rows, segments };
  }

  it(
    'equals brute force over random corpora, scopes, masks, bitmaps, parameters, segments ' +
      'and pooling',
    async () => {
      const query = fc.record({
        terms: fc.array(fc.oneof(term, fc.constant('unknown')), { maxLength: 6 }),
        mask,
      });
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            groups: fc.array(fc.array(passage, { maxLength: 40 }), { minLength: 1, maxLength: 3 }),
            bitmaps: fc.boolean(),
            queries: fc.array(query, { minLength: 1, maxLength: 3 }),
            scope: fc.constantFrom<Scope>('passages', 'sentences', 'all'),
            pool: fc.boolean(),
            k: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(1000)),
            parameters: fc.constantFrom(
              { k1: 0.9, b: 0.4 },
              { k1: 0, b: 0.5 },
              { k1: 1.2, b: 0 },
              { k1: 2, b: 1 },
              { k1: 1e9, b: 1 },
            ),
          }),
          async ({ groups, bitmaps, queries, scope, pool, k, parameters }) => {
            const { rows, segments } = await open(groups, bitmaps);
            const options = { scope, ...parameters };
            const found = await searchLexical(segments, queries, { ...options, pool, k });
            const everything = await searchLexical(segments, queries, {
              ...options,
              k: 10_000,
              exhaustive: true,
            });
            const scoped = rows.filter((row) => inScope(scope, row.part));
            assert.deepEqual(
              await searchLexical(segments.map(byNumber), queries, { ...options, pool, k }),
              found,
            );
            queries.forEach((each, q) => {
              const scores = bm25Scores(
                scoped.map((row) => row.tokens),
                each.terms,
                parameters,
              );
              const expected = new Map<string, number>();
              scoped.forEach((row, i) => {
                const matches = each.terms.some((one) => row.tokens.includes(one));
                if (matches && shown(row, each.mask, bitmaps))
                  expected.set(`${row.segment}/${row.row}`, scores[i]!);
              });
              const all = hitsOf(everything, q);
              assert.equal(all.length, expected.size);
              for (const hit of all)
                assert.ok(Math.abs(hit.score - expected.get(`${hit.segment}/${hit.row}`)!) < 1e-8);
              assert.deepEqual(hitsOf(found, q), selected(all, k, pool));
              assert.equal(found.maxScore[q], Math.max(0, ...all.map((hit) => hit.score)));
            });
            for (const segment of segments) segment.rows.close();
          },
        ),
        { numRuns: 120 },
      );
    },
  );

  it('skips blocks without losing a row, over many blocks and windows', async () => {
    let state = 7;
    const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
    const words = Array.from({ length: 300 }, (_, i) => `w${i}`);
    const draw = () => words[Math.floor(300 * random() ** 3)]!;
    const passages: TestPassage[] = Array.from({ length: 9000 }, () => ({
      sentences: Array.from({ length: random() < 0.5 ? 1 : 2 }, () =>
        Array.from({ length: 3 + Math.floor(20 * random()) }, draw),
      ),
      published: Math.floor(random() * 20),
    }));
    const { segments } = await open([passages.slice(0, 7000), passages.slice(7000)], false);
    const queries = Array.from({ length: 60 }, (_, i) => ({
      terms: Array.from({ length: 1 + (i % 7) }, draw),
      ...(i % 3 === 0 ? { mask: { publishedUntil: (i % 20) * day } } : {}),
    }));
    for (const threads of [1, 2]) {
      addon.setThreadCount(threads);
      for (const scope of ['passages', 'sentences', 'all'] as const) {
        for (const pool of [false, true]) {
          const fast = await searchLexical(segments, queries, { scope, pool, k: 10 });
          assert.deepEqual(
            fast,
            await searchLexical(segments, queries, { scope, pool, k: 10, exhaustive: true }),
          );
          assert.deepEqual(
            hitsOf(await searchLexical(segments, [queries[5]!], { scope, pool, k: 10 }), 0),
            hitsOf(fast, 5),
          );
          const all = await searchLexical(segments, queries, {
            scope,
            pool: false,
            k: 100_000,
            exhaustive: true,
          });
          const few = segments.map((each) => ({
            ...each,
            liveDocs: Uint32Array.from({ length: 40 }, () => Math.floor(2000 * random())),
          }));
          const found = await searchLexical(few, queries, { scope, pool: false, k: 100_000 });
          queries.forEach((_, q) => {
            const seen = ({ segment, passage }: Hit): boolean =>
              few[segment]!.liveDocs.includes(passage);
            assert.deepEqual(hitsOf(found, q), hitsOf(all, q).filter(seen));
          });
        }
      }
    }
    addon.setThreadCount(0);
  });

  it('skips blocks whichever of their frequent long and rare short rows scores best', async () => {
    let state = 11;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const passages: TestPassage[] = Array.from({ length: 3000 }, (_, i) => {
      const frequency = 1 + Math.floor(random() * 12);
      const length =
        frequency +
        Math.floor((frequency - 1) * (4 + 3 * random()) * (1 + Math.floor(i / 128) / 8));
      return {
        sentences: [
          [
            ...Array<string>(frequency).fill('a'),
            ...Array<string>(length - frequency).fill(i % 5 === 0 ? 'b' : 'c'),
          ],
        ],
      };
    });
    const { segments } = await open([passages.sort(() => random() - 0.5)], false);
    const queries = [{ terms: ['a'] }, { terms: ['a', 'b'] }, { terms: ['a', 'c', 'b'] }];
    for (const k1 of [0, 0.2, 0.9, 3, 20, 1000]) {
      for (const b of [0, 0.4, 0.75, 0.9, 1]) {
        for (const k of [1, 4]) {
          const fast = await searchLexical(segments, queries, { k, k1, b });
          assert.deepEqual(
            fast,
            await searchLexical(segments, queries, { k, k1, b, exhaustive: true }),
          );
        }
      }
    }
  });

  it('gives every row of a scope its score, as the search does', async () => {
    const passages: TestPassage[] = [
      {
        sentences: [
          ['a', 'b'],
          ['a', 'a', 'c'],
        ],
      },
      { sentences: [['b']] },
      { sentences: [[]] },
    ];
    const { rows, segments } = await open([passages, [{ sentences: [['a'], ['d']] }]], false);
    for (const scope of ['passages', 'sentences', 'all'] as const) {
      const dense = await scoreLexical(segments, ['a', 'a', 'c'], { scope });
      const found = await searchLexical(segments, [{ terms: ['a', 'a', 'c'] }], { scope, k: 100 });
      const expected = dense.map((scores) => new Float32Array(scores.length));
      for (const hit of hitsOf(found, 0)) expected[hit.segment]![hit.row] = hit.score;
      assert.deepEqual(dense, expected);
      assert.equal(
        dense.reduce((sum, scores) => sum + scores.length, 0),
        rows.length,
      );
    }
  });
});
