// The search of settings: against brute force, held-out figures without leakage, refusals passed
// over, and the same by seed.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tuneOptions, type TuningObjective, type OptionPoint } from '../lib/tuneOptions.js';

const values = [0, 0.5, 1, 2];
/** Questions that each like a point of their own: nearer is better. */
const liking =
  (targets: readonly [number, number][], asked: OptionPoint[] = []): TuningObjective =>
  async (point) => {
    asked.push(point);
    return targets.map(
      ([a, b]) => 1 / (1 + Math.abs((point['a'] ?? 1) - a) + Math.abs((point['b'] ?? 1) - b)),
    );
  };
const target = fc.tuple(fc.constantFrom(...values), fc.constantFrom(...values));
const targets = fc.array(target, { minLength: 6, maxLength: 12 });
const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

describe('search of settings', () => {
  it('a grid finds the best of all combinations, whatever the questions are', async () => {
    await fc.assert(
      fc.asyncProperty(targets, async (liked) => {
        const objective = liking(liked);
        const { best, tried } = await tuneOptions(
          objective,
          { a: values, b: values },
          { method: 'grid', folds: 2 },
        );
        const all = await Promise.all(
          values.flatMap((a) => values.map(async (b) => mean((await objective({ a, b }, {}))!))),
        );
        assert.ok(Math.abs(best.mean - Math.max(...all)) < 1e-9);
        assert.equal(tried.length, 17, 'every combination and the start, once each');
      }),
      { numRuns: 30 },
    );
  });

  it('coordinate ascent never ends below the start, and reaches a separable optimum', async () => {
    await fc.assert(
      fc.asyncProperty(targets, fc.boolean(), async (liked, together) => {
        const separable: TuningObjective = async (point) =>
          liked.map(([a, b]) => -Math.abs((point['a'] ?? 1) - a) - Math.abs((point['b'] ?? 1) - b));
        const objective = together ? separable : liking(liked);
        const { best, start } = await tuneOptions(
          objective,
          { a: values, b: values },
          { start: { a: 1, b: 1 }, folds: 2 },
        );
        assert.ok(best.mean >= start.mean - 1e-12);
        if (!together) return;
        const grid = await tuneOptions(
          objective,
          { a: values, b: values },
          { start: { a: 1, b: 1 }, folds: 2, method: 'grid' },
        );
        assert.ok(Math.abs(best.mean - grid.best.mean) < 1e-9);
      }),
      { numRuns: 30 },
    );
  });

  it('scores each question with settings that questions of other parts chose', async () => {
    await fc.assert(
      fc.asyncProperty(
        targets,
        fc.integer({ min: 2, max: 6 }),
        fc.nat(99),
        async (liked, folds, seed) => {
          const objective = liking(liked);
          const result = await tuneOptions(objective, { a: values, b: values }, { folds, seed });
          assert.deepEqual(
            result,
            await tuneOptions(liking(liked), { a: values, b: values }, { folds, seed }),
            'the same by seed',
          );
          assert.equal(
            result.folds.reduce((sum, { questions }) => sum + questions, 0),
            liked.length,
          );
          const weighted =
            result.folds.reduce((sum, { heldOut, questions }) => sum + heldOut * questions, 0) /
            liked.length;
          assert.ok(Math.abs(weighted - result.heldOut.mean) < 1e-9);
          assert.ok(
            result.heldOut.mean <=
              result.tried.reduce((most, each) => Math.max(most, each.mean), 0) + 1,
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  it('shows an option that fits only noise: held out it does not gain', async () => {
    // Each question gains from a value of its own and loses by every other: what is chosen on some
    // says nothing of the others.
    const noise: TuningObjective = async ({ a }) =>
      Array.from({ length: 40 }, (_, i) =>
        a === undefined ? 0.5 : (Math.imul(i * 97 + a * 31 + 7, 2654435761) >>> 9) % 2,
      );
    const { heldOut, best } = await tuneOptions(
      noise,
      { a: Array.from({ length: 30 }, (_, i) => i) },
      { folds: 10 },
    );
    assert.ok(best.mean > 0.55, String(best.mean));
    assert.ok(heldOut.mean < best.mean, `${heldOut.mean} and ${best.mean}`);
  });

  it(
    'leaves an option without effect as it was, asks for a point once, and passes over ' +
      'what is refused',
    async () => {
      const asked: OptionPoint[] = [];
      const objective: TuningObjective = async (point) => {
        asked.push(point);
        return point['b']! > 1 ? undefined : [1, 0.5, 1, 0.25];
      };
      const result = await tuneOptions(
        objective,
        { a: [0, 3], b: [0, 2] },
        { start: { a: 1, b: 1 }, folds: 2 },
      );
      assert.deepEqual(result.best.point, { a: 1, b: 1 });
      assert.deepEqual(result.refused, [{ a: 1, b: 2 }]);
      assert.equal(new Set(asked.map((point) => JSON.stringify(point))).size, asked.length);
      assert.deepEqual([result.heldOut.better, result.heldOut.worse], [0, 0]);
    },
  );

  it('refuses what it cannot search, and stops when told', async () => {
    const fine: TuningObjective = async () => [1, 2, 3];
    const refused = (space: Record<string, number[]>, options: object, message: RegExp) =>
      assert.rejects(tuneOptions(fine, space, { folds: 2, ...options }), {
        code: 'ERR_INVALID_ARGUMENT',
        message,
      });
    await refused({}, {}, /at least one option/);
    await refused({ a: [NaN] }, {}, /finite numbers/);
    await refused({ a: [1] }, { folds: 1 }, /folds/);
    await refused({ a: [1] }, { folds: 4 }, /questions/);
    await refused({ a: [1] }, { method: 'guess' }, /method/);
    await refused(
      Object.fromEntries('abcdef'.split('').map((name) => [name, values])),
      { method: 'grid' },
      /2000 combinations/,
    );
    await assert.rejects(
      tuneOptions(async () => undefined, { a: [1] }, { folds: 2 }),
      { code: 'ERR_INVALID_ARGUMENT', message: /start/ },
    );
    const controller = new AbortController();
    const stopping: TuningObjective = async () => (controller.abort(), [1, 2]);
    await assert.rejects(
      tuneOptions(stopping, { a: [1, 2] }, { folds: 2, signal: controller.signal }),
      { code: 'ERR_ABORTED' },
    );
  });
});
