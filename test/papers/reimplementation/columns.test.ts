// Column stages: sums, normalisation, factors and max pooling, each against a plain computation.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sortByScore, type Candidate, type Candidates } from '../../../lib/retrieval/candidate.js';
import {
  bestPerPassage,
  minMax,
  sumColumns,
  timesColumn,
} from '../../../lib/papers/reimplementation/columns.js';
import type { Stage } from '../../../lib/pipeline.js';

type Row = { id: string; row: number; score: number; scores: Record<string, number> };
const candidate = ({ id, row, score, scores }: Row): Candidate => ({
  id,
  segment: 0,
  passage: id.charCodeAt(0),
  row,
  score,
  scores: { ...scores },
});
const run = async (
  stage: Stage<Candidates, Candidates>,
  rows: readonly Row[],
): Promise<Candidate[]> =>
  (await stage.run({ query: undefined as never, hits: rows.map(candidate) }, { note: () => {} }))
    .hits;

const number = fc.double({ min: -1, max: 1, noNaN: true });
const rows = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    row: fc.nat(9),
    score: number,
    scores: fc.record({ x: number, y: number }, { requiredKeys: ['x'] }),
  }),
  { maxLength: 8, selector: ({ id, row }) => `${id}${row}` },
);

describe('columns', () => {
  it('are summed by weight, a missing column as 0, best first and ties by id', async () => {
    await fc.assert(
      fc.asyncProperty(rows, number, async (given, weight) => {
        const hits = await run(sumColumns({ x: 1, y: weight }), given);
        const expected = given.map(({ id, row, scores }) => ({
          id,
          row,
          score: scores.x + weight * (scores.y ?? 0),
        }));
        expected.sort((a, b) => b.score - a.score || a.id.localeCompare(b.id) || a.row - b.row);
        assert.deepEqual(
          hits.map(({ id, row }) => `${id}${row}`),
          expected.map(({ id, row }) => `${id}${row}`),
        );
      }),
    );
  });

  it('are scaled to [0, 1] in order, and unchanged if constant', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const hits = await run(minMax(['x']), given);
        const before = given.map(({ scores }) => scores.x);
        const after = hits.map(({ scores }) => scores['x']!);
        if (new Set(before.map((value) => value + 0)).size < 2)
          return assert.deepEqual(after, before);
        assert.equal(Math.min(...after), 0);
        assert.equal(Math.max(...after), 1);
        before.forEach((value, i) =>
          before.forEach((other, j) => assert.ok(!(value < other) || after[i]! <= after[j]!)),
        );
      }),
    );
  });

  it('are a factor by which a better time never lowers a score', async () => {
    await fc.assert(
      fc.asyncProperty(
        number,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (score, worse, better, weight) => {
          const [low, high] = [Math.min(worse, better), Math.max(worse, better)];
          const hits = await run(timesColumn('t', weight), [
            { id: 'a', row: 0, score, scores: { t: low } },
            { id: 'b', row: 0, score, scores: { t: high } },
          ]);
          const of = (id: string): number => hits.find((each) => each.id === id)!.score;
          assert.ok(of('b') >= of('a'));
          if (score >= 0)
            assert.ok(Math.abs(of('a') - score * (weight * low + 1 - weight)) < 1e-12);
        },
      ),
    );
    assert.deepEqual(
      (await run(timesColumn('absent'), [{ id: 'a', row: 0, score: 0.5, scores: {} }]))[0]!.score,
      0.5,
    );
  });

  it('are pooled to the best row of each passage', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const pooled = await run(bestPerPassage(), sortByScore(given.map(candidate)));
        for (const id of ['a', 'b', 'c']) {
          const own = given.filter((each) => each.id === id).map(({ score }) => score);
          assert.deepEqual(
            pooled.filter((each) => each.id === id).map(({ score }) => score),
            own.length > 0 ? [Math.max(...own)] : [],
          );
        }
      }),
    );
  });

  it('reject invalid weights', () => {
    assert.throws(() => sumColumns({ x: NaN }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /the weight of x/,
    });
    assert.throws(() => timesColumn('x', 1.5), { code: 'ERR_INVALID_ARGUMENT' });
  });
});
