// Robustness counts each question once, and only questions that have both scores.
import assert from 'node:assert/strict';
import { perturbationRobustness } from '../../lib/index.js';

describe('robustness to perturbation', () => {
  const score = (id: string, value?: number): { id: string; values: Record<string, number> } => ({
    id,
    values: value === undefined ? {} : { 'hit@1': value },
  });
  const originalOf = (id: string): string | undefined =>
    id.includes('~') ? id.split('~')[0] : undefined;

  it('is the change of the mean, each question weighing the same', () => {
    const originals = [score('a', 1), score('b', 1), score('c', 1), score('d')];
    const perturbed = [
      score('a~1', 0),
      score('a~2', 0),
      score('a~3', 1),
      score('b~1', 1),
      score('d~1', 1),
      score('e~1', 0),
      score('x', 0),
      score('c~1'),
    ];
    const {
      original,
      perturbed: after,
      change,
      questions,
      forms,
    } = perturbationRobustness('hit@1', originals, perturbed, originalOf);
    assert.deepEqual([original, questions, forms], [1, 2, 4]);
    assert.ok(Math.abs(after - 2 / 3) < 1e-12 && Math.abs(change + 1 / 3) < 1e-12);
  });

  it('refuses to compare nothing', () => {
    assert.throws(
      () => perturbationRobustness('hit@1', [score('a', 1)], [score('b~1', 1)], originalOf),
      { code: 'ERR_INVALID_ARGUMENT' },
    );
    assert.throws(
      () => perturbationRobustness('map', [score('a', 1)], [score('a~1', 1)], originalOf),
      { code: 'ERR_INVALID_ARGUMENT' },
    );
  });
});
