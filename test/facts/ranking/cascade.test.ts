// The cascade on hand-made tables: its scores equal the direct formula in probabilities, sure
// members are ordered by time and unsure ones by relevance, restatements take over the log-odds.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  cascade,
  mixed,
  placeOfGreatest,
  sigmoid,
  type CascadeWeights,
} from '../../../lib/facts/ranking/cascade.js';
import { featureNames, firstTimed } from '../../../lib/facts/features/features.js';
import {
  number,
  randomTables,
  randomWeights,
  tableOf,
  weightsOf,
  type TestTable,
} from '../tables.js';

const odds = (z: number): number => Math.exp(z) / (1 + Math.exp(z));

/** Log-odds by member, restatements included: the greatest of its own and what it restates. */
function logOddsOf(
  { members }: TestTable,
  { features }: CascadeWeights,
  judged: Float64Array,
): number[] {
  const own = members.map(({ candidate, features: values }) =>
    featureNames.reduce(
      (sum, name, f) => sum + features[f]! * (values[name] ?? 0),
      judged[candidate]!,
    ),
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

interface Expected {
  logOdds: number[];
  ordered: number[];
  relevance: number[];
  scores: number[];
}

/** Log-probabilities of each candidate, by the definition, in probabilities. */
function oracle(
  table: TestTable,
  weights: CascadeWeights,
  judged: Float64Array,
  credibility: Float64Array,
): Expected {
  const { members, candidates, clockInputs, seriesInputs, place = 1 } = table;
  const unbelieved = logOddsOf(table, weights, judged);
  const { share, shift } = weights.relative;
  const offset = unbelieved.length === 0 ? 0 : shift - share * Math.max(...unbelieved);
  const y = unbelieved.map((each, at) => {
    if (credibility[at] === 1) return each + offset;
    const member = Math.max(odds(each + offset) * credibility[at]!, 1e-12);
    return Math.log(member / (1 - member));
  });
  const z = y.map((each) => each - offset);
  const isPreferred = (one: number, other: number): boolean => {
    const [a, b] = [members[one]!, members[other]!];
    // What restates a far likelier one of its candidate by content supersedes a member.
    const ofContent = members.flatMap(({ candidate, interpretation }, at) =>
      candidate === b.candidate && interpretation === 0 ? [at] : [],
    );
    const best = ofContent.find((at) => ofContent.every((each) => z[each]! <= z[at]!));
    const isWeaker = b.interpretation === 0 && z[best!]! > z[other]! + 1;
    const restated = isWeaker ? [members[best!]!, b] : [b];
    const isRestated = restated.some(({ restatements }) =>
      restatements!.some(({ member }) => member === one),
    );
    if (one !== other && isRestated) return true;
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
  const priors = [clock + 1e-12, 1 - clock + 1e-12];
  const each = Array.from({ length: candidates }, (_, candidate) => candidate);
  const part = (candidate: number, interpretation: number): number => {
    const own = probability.filter(
      (_, at) =>
        members[at]!.candidate === candidate && members[at]!.interpretation === interpretation,
    );
    return priors[interpretation]! * (own.length > 0 ? Math.max(...own) : Math.exp(-50));
  };
  const sums = each.map((candidate) => part(candidate, 0) + part(candidate, 1));
  const none = members.length === 0 ? 1 : 1 - odds(Math.max(...unbelieved));
  const total = none + sums.reduce((sum, value) => sum + value, 0);
  const ordered = sums.map((sum) => sum / total);

  // Relevance alone: without the members' times where none is asked for.
  const evidence = members.map(({ features: values, interpretation }, at) =>
    table.hasOperator
      ? unbelieved[at]! - judged[members[at]!.candidate]! + Math.log(priors[interpretation!]!)
      : featureNames.reduce(
          (sum, name, f) => sum + (f < firstTimed ? weights.features[f]! * (values[name] ?? 0) : 0),
          0,
        ),
  );
  const exponents = each.map((candidate) => {
    const own = [...members.keys()].filter((at) => members[at]!.candidate === candidate);
    const most = Math.max(...own.map((at) => evidence[at]!));
    const right = own.length > 0 ? credibility[own.find((at) => evidence[at] === most)!]! : 1;
    const { logOdds, similarity, coverage } = weights.relevance;
    const ofPassage =
      similarity * table.similarity![candidate]! +
      coverage * table.coverage![candidate]! +
      judged[candidate]!;
    const ofStatement = logOdds * (own.length > 0 ? most : -50);
    return Math.exp(ofStatement + ofPassage) * (right + 1e-12);
  });
  const all = exponents.reduce((sum, value) => sum + value, 0);
  const relevance = exponents.map((value) => value / all);
  const series = gate(weights.series, seriesInputs!);
  return {
    logOdds: z,
    ordered: ordered.map(Math.log),
    relevance: relevance.map(Math.log),
    scores: each.map((candidate) =>
      Math.log(
        (series + 1e-12) * ordered[candidate]! + (1 - series + 1e-12) * relevance[candidate]!,
      ),
    ),
  };
}

const close = (one: number, other: number, message?: string): void =>
  assert.ok(Math.abs(one - other) < 1e-9 * (1 + Math.abs(other)), message ?? `${one} ${other}`);

/** Those of sure statements, and of ones that are surely wrong, are frequent. */
const probability = fc.oneof(
  fc.constantFrom(0, 1),
  fc.integer({ min: 1, max: 63 }).map((n) => n / 64),
);

describe('cascade', () => {
  it('equals the direct formula in probabilities, for every table and weights', () => {
    fc.assert(
      fc.property(
        randomTables([1, 1, 2, 3]),
        randomWeights,
        number(1),
        fc.option(fc.array(probability, { minLength: 10, maxLength: 10 })),
        (table, weights, by, rights) => {
          const judged = Float64Array.from(table.similarity!, (value) => by * value);
          const sure = new Float64Array(table.members.length).fill(1);
          const credibility = rights ? sure.map((_, at) => rights[at]!) : undefined;
          const options = { judged, credibility };
          const result = cascade(tableOf({ ...table, isLatest: false }), weights, options);
          const { best, ordered, nothing } = result;
          const expected = oracle(table, weights, judged, credibility ?? sure);
          for (const name of ['logOdds', 'ordered', 'relevance', 'scores'] as const)
            expected[name].forEach((value, at) => close(result[name][at]!, value, `${name} ${at}`));
          const unbelieved = logOddsOf(table, weights, judged);
          assert.equal(best < 0, unbelieved.length === 0);
          if (best >= 0) close(unbelieved[best]!, Math.max(...unbelieved));
          close(
            [...ordered, nothing].reduce((sum, each) => sum + Math.exp(each), 0),
            1,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('names the members that give a candidate its probability', () => {
    fc.assert(
      fc.property(randomTables(), randomWeights, (table, weights) => {
        const result = cascade(tableOf(table), weights);
        const { winners, preferred, logOdds, members, series, ordered, relevance } = result;
        winners.forEach((own, interpretation) =>
          own.forEach((member, candidate) => {
            const mine = table.members.filter(
              (each) => each.candidate === candidate && each.interpretation === interpretation,
            );
            assert.equal(member < 0, mine.length === 0);
            if (member >= 0) assert.ok(mine.includes(table.members[member]!));
          }),
        );
        members.forEach((member, candidate) => {
          const isOrdered =
            series * Math.exp(ordered[candidate]!) >=
            (1 - series) * Math.exp(relevance[candidate]!);
          const own = isOrdered
            ? winners.map((each) => each[candidate])
            : [result.relevant[candidate]];
          assert.ok(own.includes(member));
          assert.equal(result.isOrdered[candidate], Number(isOrdered));
        });
        assert.deepEqual(mixed(result, series), result.scores);
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

  it('lets what restates a far likelier statement of a passage supersede what else it says', () => {
    const preferred = (z: number, interpretation = 0): number =>
      cascade(
        tableOf({
          candidates: 2,
          members: [
            {
              candidate: 0,
              features: { cosine: 4 },
              restatements: [{ member: 2, isSameSeries: false }],
            },
            { candidate: 0, interpretation, features: { cosine: z } },
            { candidate: 1, features: { cosine: 3 } },
          ],
        }),
        weights,
      ).preferred[1]!;
    assert.equal(preferred(2.75), 2);
    assert.equal(preferred(3.25), -1, 'about as likely');
    assert.equal(preferred(2.75, 1), -1, 'by publication');
  });

  it('mixes the order of a series with relevance alone as far as a series is asked for', () => {
    const table: TestTable = {
      candidates: 2,
      members: [2, 4].map((value, candidate) => ({
        candidate,
        rank: candidate,
        features: { cosine: value },
      })),
      similarity: [-1, 1],
    };
    const first = (series: number): number => {
      const relevance = { logOdds: 0.5, similarity: 1, coverage: 0 };
      const own = weightsOf({ features: { cosine: 1 }, clock: [9], series: [series], relevance });
      return placeOfGreatest(cascade(tableOf(table), own).scores);
    };
    assert.equal(first(6), 0, 'the preferred one');
    assert.equal(first(-6), 1, 'the more relevant one');
  });

  it('puts older members of the first behind, where the latest of a series is asked for', () => {
    const scoresOf = (isLatest: boolean, series: number): Float64Array =>
      cascade(
        tableOf({
          isLatest,
          candidates: 3,
          members: [
            { candidate: 0, rank: 1, start: 1, features: { cosine: 4 } },
            { candidate: 1, rank: 0, start: 3, features: { cosine: 4 } },
            { candidate: 2, rank: 1, start: 1, features: { cosine: -6 } },
          ],
        }),
        weightsOf({ features: { cosine: 1 }, clock: [9], series: [series] }),
      ).scores;
    const [older, newer, other] = scoresOf(true, 1);
    const [unmoved] = scoresOf(false, 1);
    assert.ok(older! < unmoved! - 11 && newer! > other! && other! > older!);
    assert.deepEqual(scoresOf(true, -1), scoresOf(false, -1));
  });

  it('gives candidates without members next to no probability, and is stable at extremes', () => {
    const empty = cascade(tableOf({ candidates: 2, members: [] }), weights);
    assert.equal(empty.best, -1);
    close(empty.nothing, 0);
    // What is left is the share of relevance, which knows nothing of them.
    assert.ok([...empty.scores].every((score) => score < -20));
    for (const z of [-800, 800]) {
      const { scores, nothing } = cascade(series([z, z]), weights);
      assert.ok([...scores, nothing].every((score) => Number.isFinite(score) && score <= 1e-9));
    }
    close(sigmoid(-2) + sigmoid(2), 1);
  });
});
