// The measures against their float64 oracle on random judgements and rankings, and properties that
// hold for any of them.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  gradeRanking,
  bpref,
  averagePrecision,
  success,
  ndcg,
  precision,
  rPrecision,
  recall,
  reciprocalRank,
} from '../../lib/measures/ranking.js';
import {
  oracleAveragePrecision,
  oracleBpref,
  oracleHit,
  oracleNdcg,
  oraclePrecision,
  oracleRPrecision,
  oracleRecall,
  oracleReciprocalRank,
  type OracleQuery,
} from '../../../../test/oracle/measures.js';

const ids = Array.from({ length: 14 }, (_, index) => `d${index}`);

const query: fc.Arbitrary<OracleQuery> = fc.record({
  ranking: fc.shuffledSubarray(ids),
  judgements: fc.dictionary(fc.constantFrom(...ids), fc.integer({ min: -2, max: 4 })),
  relevantFrom: fc.integer({ min: 1, max: 3 }),
});

const cutoff = fc.integer({ min: 1, max: 20 });

function judged(given: OracleQuery): ReturnType<typeof gradeRanking> {
  return gradeRanking(given.ranking, new Map(Object.entries(given.judgements)), {
    relevantFrom: given.relevantFrom,
  });
}

const cut = {
  precision,
  recall,
  hit: success,
  reciprocalRank,
  averagePrecision,
  normalizedGain: ndcg,
};
const oracles = {
  precision: oraclePrecision,
  recall: oracleRecall,
  hit: oracleHit,
  reciprocalRank: oracleReciprocalRank,
  averagePrecision: oracleAveragePrecision,
  normalizedGain: oracleNdcg,
};

describe('measures', () => {
  for (const name of Object.keys(cut) as (keyof typeof cut)[]) {
    it(`${name} equals its definition at every cutoff`, () => {
      fc.assert(
        fc.property(query, cutoff, (given, k) => {
          assert.ok(Math.abs(cut[name](judged(given), k) - oracles[name](given, k)) < 1e-12);
        }),
        { numRuns: 500 },
      );
    });

    it(`${name} stays between 0 and 1`, () => {
      fc.assert(
        fc.property(query, cutoff, (given, k) => {
          const value = cut[name](judged(given), k);
          assert.ok(value >= 0 && value <= 1 + 1e-12, `${value}`);
        }),
      );
    });

    it(`${name} does not fall when a relevant document moves up past one without a grade`, () => {
      fc.assert(
        fc.property(query, cutoff, fc.nat(12), (given, k, at) => {
          const [upper, lower] = [given.ranking[at], given.ranking[at + 1]];
          fc.pre(upper !== undefined && lower !== undefined);
          fc.pre(
            (given.judgements[upper] ?? 0) <= 0 &&
              (given.judgements[lower] ?? 0) >= given.relevantFrom,
          );
          const ranking = [...given.ranking];
          ranking.splice(at, 2, lower, upper);
          assert.ok(
            cut[name](judged({ ...given, ranking }), k) >= cut[name](judged(given), k) - 1e-12,
          );
        }),
      );
    });
  }

  it('rprec and bpref equal their definitions', () => {
    fc.assert(
      fc.property(query, (given) => {
        assert.ok(Math.abs(rPrecision(judged(given)) - oracleRPrecision(given)) < 1e-12);
        assert.ok(Math.abs(bpref(judged(given)) - oracleBpref(given)) < 1e-12);
      }),
      { numRuns: 500 },
    );
  });

  it('recall and hit do not fall with the cutoff', () => {
    fc.assert(
      fc.property(query, cutoff, (given, k) => {
        const ranking = judged(given);
        assert.ok(
          recall(ranking, k + 1) >= recall(ranking, k) &&
            success(ranking, k + 1) >= success(ranking, k),
        );
      }),
    );
  });

  it('the ideal ranking has ndcg, map and rprec of one', () => {
    fc.assert(
      fc.property(query, (given) => {
        const ranking = Object.keys(given.judgements).sort(
          (a, b) => given.judgements[b]! - given.judgements[a]!,
        );
        fc.pre(ranking.length > 0 && given.judgements[ranking[0]!]! >= given.relevantFrom);
        const ideal = judged({ ...given, ranking });
        for (const value of [ndcg(ideal), averagePrecision(ideal), rPrecision(ideal)])
          assert.ok(Math.abs(value - 1) < 1e-12);
      }),
    );
  });

  it('a depth is the ranking cut there', () => {
    fc.assert(
      fc.property(query, cutoff, (given, depth) => {
        const judgements = new Map(Object.entries(given.judgements));
        assert.deepEqual(
          gradeRanking(given.ranking, judgements, { depth }),
          gradeRanking(given.ranking.slice(0, depth), judgements),
        );
      }),
    );
  });

  it('a query without relevant documents or without results scores zero', () => {
    for (const ranking of [
      gradeRanking(
        ['a'],
        new Map([
          ['a', 0],
          ['b', -1],
        ]),
      ),
      gradeRanking([], new Map([['a', 1]])),
      gradeRanking([], new Map()),
    ]) {
      for (const value of [
        success(ranking, 5),
        recall(ranking, 5),
        precision(ranking, 5),
        reciprocalRank(ranking),
        averagePrecision(ranking),
        ndcg(ranking),
        rPrecision(ranking),
        bpref(ranking),
      ])
        assert.equal(value, 0);
    }
  });

  it('graded relevance counts by its grade in ndcg only', () => {
    const judgements = new Map([
      ['a', 3],
      ['b', 1],
    ]);
    assert.equal(
      ndcg(gradeRanking(['b', 'a'], judgements), 2),
      (1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)),
    );
    assert.equal(averagePrecision(gradeRanking(['b', 'a'], judgements)), 1);
  });
});
