// Cohen's kappa against values computed by hand, its properties, and the agreement of two judges of
// one run.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { judgeAgreement, judgeRun, modelJudge, ruleJudge } from '../../lib/index.js';
import { agreement, toTemporalJudgements } from '../../lib/judges/agreement.js';
import { fares, faresQuestion, ranking, scripted } from './examples.js';

const labels = (...counts: [number, string][]): string[] =>
  counts.flatMap(([count, label]) => Array.from({ length: count }, () => label));

describe('agreement of judges', () => {
  it('is kappa by hand', () => {
    // 20 both yes, 15 both no, 5 first only, 10 second only: agreed 0.7, chance 0.5 * 0.6 + 0.5 *
    // 0.4 = 0.5.
    const first = labels([20, 'yes'], [15, 'no'], [5, 'yes'], [10, 'no']);
    const second = labels([20, 'yes'], [15, 'no'], [5, 'no'], [10, 'yes']);
    const found = agreement(first, second);
    assert.deepEqual(
      [found.pairs, found.agreed, found.labels, found.confusion],
      [
        50,
        0.7,
        ['no', 'yes'],
        [
          [15, 10],
          [5, 20],
        ],
      ],
    );
    assert.ok(Math.abs(found.kappa! - 0.4) < 1e-12);
  });

  it('has no kappa where both say one thing only, and nothing of no pairs', () => {
    assert.deepEqual(agreement(['a', 'a'], ['a', 'a']), {
      pairs: 2,
      agreed: 1,
      labels: ['a'],
      confusion: [[2]],
    });
    assert.deepEqual(agreement([], [], ['no', 'yes']), {
      pairs: 0,
      labels: ['no', 'yes'],
      confusion: [
        [0, 0],
        [0, 0],
      ],
    });
    assert.throws(() => agreement(['a'], []), { code: 'ERR_INVALID_ARGUMENT' });
    assert.throws(() => agreement(['a'], ['b'], ['a']), { code: 'ERR_INVALID_ARGUMENT' });
  });

  it('does not depend on who is first nor on the order, and is 1 with itself', () => {
    const label = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.tuple(label, label), { minLength: 1 }), (pairs) => {
        const [first, second] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
        const [one, other] = [
          agreement(first, second),
          agreement([...second].reverse(), [...first].reverse()),
        ];
        assert.equal(one.agreed, other.agreed);
        if (one.kappa !== undefined)
          assert.ok(
            Math.abs(one.kappa - other.kappa!) < 1e-12 &&
              one.kappa <= 1 + 1e-12 &&
              one.kappa >= -1 - 1e-12,
          );
        const self = agreement(first, first);
        assert.ok(
          self.agreed === 1 && (self.kappa === undefined || Math.abs(self.kappa - 1) < 1e-12),
        );
      }),
    );
  });

  it('is over what both judged', async () => {
    const model = scripted(({ system, prompt }) => {
      if (system!.startsWith('You sort')) return { keywords: [], focus: 'change_over_time' };
      return prompt.includes('lakes')
        ? { reason: 'wrong', periods: [1], verdict: 1 }
        : { reason: 'r', periods: [], verdict: 0 };
    });
    const run = ranking('fares', 'baseline', 'both', 'elsewhere');
    const judged = async (judge: ReturnType<typeof ruleJudge>, depth: number) =>
      toTemporalJudgements(
        (await judgeRun(judge, [faresQuestion], run, (id) => fares[id], { depth })).queries,
      );
    const { temporal, crossPeriod, verdict, coverage } = judgeAgreement(
      await judged(modelJudge(model), 3),
      await judged(ruleJudge(), 2),
    );
    assert.deepEqual([temporal.agreed, crossPeriod.agreed], [1, 1]);
    assert.deepEqual(
      [verdict.pairs, verdict.confusion],
      [
        2,
        [
          [0, 2],
          [0, 0],
        ],
      ],
    );
    assert.deepEqual(
      [coverage.pairs, coverage.confusion],
      [
        4,
        [
          [1, 3],
          [0, 0],
        ],
      ],
    );
  });
});
