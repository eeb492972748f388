// The cascade on hand-made tables: its scores equal the direct formula in probabilities, sure
// members are ordered by time and unsure ones by relevance, restatements take over the log-odds.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  cascade,
  logSum,
  sigmoid,
  type CascadeWeights,
} from '../../../lib/facts/ranking/cascade.js';
import { featureNames } from '../../../lib/facts/features/features.js';
import { randomTables, randomWeights, tableOf, weightsOf, type TestTable } from '../tables.js';

const odds = (z: number): number => Math.exp(z) / (1 + Math.exp(z));

/** Log-odds by member, restatements included: the greatest of its own and what it restates. */
function logOddsOf({ members }: TestTable, { features }: CascadeWeights): number[] {
  const own = members.map(({ features: values }) =>
    featureNames.reduce((sum, name, f) => sum + features[f]! * (values[name] ?? 0), 0),
  );
  return own.map((z, at) => {
    const restated = members.flatMap(({ restatements = [] }, earlier) =>
      restatements.some(({ member, isSameSeries }) => member === at && isSameSeries)
        ? [own[earlier]!]
        : [],
    );
    return Math.max(z, ...restated);
  });
}

/** Log-probability of each candidate, by the definition, in probabilities. */
function oracle(table: TestTable, weights: CascadeWeights): number[] {
  const { members, candidates, hasState, clockInputs, stateInputs, place = 1 } = table;
  const z = logOddsOf(table, weights);
  const { share, shift } = weights.relative;
  const offset = z.length === 0 ? 0 : shift - share * Math.max(...z);
  const y = z.map((each) => each + offset);
  const isPreferred = (one: number, other: number): boolean => {
    const [a, b] = [members[one]!, members[other]!];
    if (b.restatements!.some(({ member }) => member === one)) return true;
    return a.interpretation === b.interpretation && a.rank! < b.rank!;
  };
  /** That just `place - 1` of the ranks before it have a member; by every choice of ranks. */
  const placed = (at: number): number => {
    const { interpretation, rank } = members[at]!;
    const ranks = [0, 1, 2, 3].filter((each) => each < rank!);
    const has = ranks.map((each) => {
      const own = y.filter(
        (_, m) => members[m]!.interpretation === interpretation && members[m]!.rank === each,
      );
      const most = Math.max(-Infinity, ...own);
      return most > 0 ? odds(most) : 0;
    });
    let sum = 0;
    for (let chosen = 0; chosen < 1 << ranks.length; chosen += 1) {
      const isIn = ranks.map((_, i) => ((chosen >> i) & 1) === 1);
      if (isIn.filter(Boolean).length === place - 1)
        sum += has.reduce((product, each, i) => product * (isIn[i] ? each : 1 - each), 1);
    }
    return sum + 1e-12;
  };
  const probability = members.map((_, at) => {
    if (place > 1) return odds(y[at]!) * placed(at);
    const preferred = y.filter((_, one) => isPreferred(one, at));
    return odds(y[at]!) * (preferred.length === 0 ? 1 : 1 - odds(Math.max(...preferred)));
  });
  const gate = (values: Float64Array, inputs: readonly number[]): number =>
    odds(inputs.reduce((sum, each, i) => sum + each * values[i]!, 0));
  const clock = gate(weights.clock, clockInputs!);
  const state = hasState ? gate(weights.state, stateInputs!) : 0;
  const priors = [clock * (1 - state), (1 - clock) * (1 - state), clock * state];
  priors.push((1 - clock) * state);
  return Array.from({ length: candidates }, (_, candidate) => {
    let sum = 0;
    for (let each = 0; each < (hasState ? 4 : 2); each += 1) {
      const own = probability.filter(
        (_, at) => members[at]!.candidate === candidate && members[at]!.interpretation === each,
      );
      sum += (priors[each]! + 1e-12) * (own.length > 0 ? Math.max(...own) : Math.exp(-50));
    }
    return Math.log(sum);
  });
}

const close = (one: number, other: number, message?: string): void =>
  assert.ok(Math.abs(one - other) < 1e-9 * (1 + Math.abs(other)), message ?? `${one} ${other}`);

describe('cascade', () => {
  it('equals the direct formula in probabilities, for every table and weights', () => {
    fc.assert(
      fc.property(randomTables([1, 1, 2, 3]), randomWeights, (table, weights) => {
        const { scores, logOdds, best, none } = cascade(tableOf(table), weights);
        logOddsOf(table, weights).forEach((z, at) => close(logOdds[at]!, z, `log-odds of ${at}`));
        oracle(table, weights).forEach((score, at) => close(scores[at]!, score));
        assert.equal(best < 0, logOdds.length === 0);
        if (best >= 0) close(logOdds[best]!, Math.max(...logOdds));
        close(none, best < 0 ? 0 : Math.log(1 - odds(Math.max(...logOdds))));
        assert.ok([...scores].every((score) => score <= 1e-9));
      }),
      { numRuns: 300 },
    );
  });

  it('names the members that give a candidate its probability', () => {
    fc.assert(
      fc.property(randomTables(), randomWeights, (table, weights) => {
        const { winners, parts, scores, preferred, logOdds } = cascade(tableOf(table), weights);
        winners.forEach((own, interpretation) =>
          own.forEach((member, candidate) => {
            const mine = table.members.filter(
              (each) => each.candidate === candidate && each.interpretation === interpretation,
            );
            assert.equal(member < 0, mine.length === 0);
            if (member >= 0) assert.ok(mine.includes(table.members[member]!));
          }),
        );
        scores.forEach((score, candidate) =>
          close(score, Math.log(parts.reduce((sum, part) => sum + Math.exp(part[candidate]!), 0))),
        );
        preferred.forEach((one, at) => assert.ok(one !== at && one < logOdds.length));
      }),
    );
  });

  const weights = weightsOf({ features: { cosine: 1 }, clock: [9] });
  /** One member by content each, with these log-odds, in the order of their ranks. */
  const series = (zs: readonly number[], ranks: readonly number[] = [...zs.keys()]) =>
    tableOf({
      candidates: zs.length,
      members: zs.map((z, at) => ({ candidate: at, rank: ranks[at]!, features: { cosine: z } })),
    });

  it('hands the log-odds of a statement to its restatement, which supersedes it', () => {
    const restated = (isSameSeries: boolean) =>
      cascade(
        tableOf({
          candidates: 2,
          members: [
            {
              candidate: 0,
              rank: 0,
              features: { cosine: 4 },
              restatements: [{ member: 1, isSameSeries }],
            },
            { candidate: 1, rank: 0, features: { cosine: -2 } },
          ],
        }),
        weights,
      );
    const same = restated(true);
    assert.deepEqual([...same.logOdds], [4, 4]);
    assert.deepEqual([...same.source], [0, 0]);
    assert.deepEqual([...same.preferred], [1, -1]);
    assert.ok(same.scores[1]! > same.scores[0]! + 3);
    const other = restated(false);
    assert.deepEqual([...other.logOdds], [4, -2]);
    assert.deepEqual([...other.source], [0, 1]);
    assert.ok(other.scores[0]! > other.scores[1]! + 1);
  });

  it('gives candidates without members next to no probability, and is stable at extremes', () => {
    const empty = cascade(tableOf({ candidates: 2, members: [] }), weights);
    assert.equal(empty.best, -1);
    assert.equal(empty.none, 0);
    assert.ok([...empty.scores].every((score) => score < -49));
    for (const z of [-800, 800]) {
      const { scores, none } = cascade(series([z, z]), weights);
      assert.ok([...scores, none].every((score) => Number.isFinite(score) && score <= 1e-9));
    }
    close(logSum([-800, -800]), -800 + Math.log(2));
    close(sigmoid(-2) + sigmoid(2), 1);
  });
});
