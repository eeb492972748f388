// The gradient of the ranker's loss: it equals central differences of the loss, which is minus the
// log-probability of the relevant candidates among all and "none".
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cascade, type CascadeWeights } from '../../../../lib/facts/ranking/cascade.js';
import { featureNames } from '../../../../lib/facts/features/features.js';
import type { RankingExample } from '../../lib/ranker/examples.js';
import { addGradient } from '../../lib/ranker/gradient.js';
import { randomTables, randomWeights, tableOf, weightsOf } from '../../../../test/facts/tables.js';

/** The loss by its definition; undefined where nothing can be learned. */
function lossOf(
  { table, labels, unanswerable }: RankingExample,
  weights: CascadeWeights,
): number | undefined {
  const { ordered, nothing, relevance, series, best } = cascade(table, weights);
  const judged = [...labels.keys()].filter((candidate) => labels[candidate]! >= 0);
  const isLearned = best >= 0 && (unanswerable || labels.includes(1));
  if (!isLearned) return undefined;
  const share = (values: Float64Array, rest: number): number => {
    const sum = (list: readonly number[]): number =>
      list.reduce((all, candidate) => all + Math.exp(values[candidate]!), 0);
    const all = sum(judged) + rest;
    return (unanswerable ? rest : sum(judged.filter((each) => labels[each] === 1))) / all;
  };
  const inOrder = share(ordered, Math.exp(nothing));
  if (unanswerable) return -Math.log(inOrder);
  return -Math.log(series * inOrder + (1 - series) * share(relevance, 0) + 1e-12);
}

/** The weights as one list, with setters. */
function parameters(
  weights: CascadeWeights,
): { name: string; get(): number; add(d: number): void }[] {
  const ofArray = (name: string, values: Float64Array) =>
    [...values.keys()].map((i) => ({
      name: `${name} ${i}`,
      get: () => values[i]!,
      add: (d: number) => void (values[i]! += d),
    }));
  const { features, clock, series, relative, relevance } = weights;
  return [
    ...ofArray('feature', features),
    ...ofArray('clock', clock),
    ...ofArray('series', series),
    ...(['share', 'shift'] as const).map((name) => ({
      name,
      get: () => relative[name],
      add: (d: number) => void (relative[name] += d),
    })),
    ...(['logOdds', 'similarity', 'coverage'] as const).map((name) => ({
      name,
      get: () => relevance[name],
      add: (d: number) => void (relevance[name] += d),
    })),
  ];
}

const copy = ({
  features,
  clock,
  series,
  relative,
  relevance,
  none,
}: CascadeWeights): CascadeWeights => ({
  features: features.slice(),
  clock: clock.slice(),
  series: series.slice(),
  relative: { ...relative },
  relevance: { ...relevance },
  none: none.slice(),
});

/** Which members count: the loss has a kink where that changes. */
function choices({ table }: RankingExample, weights: CascadeWeights): string {
  const { winners, preferred, source, best, relevant } = cascade(table, weights);
  const lists = [...winners, preferred, source, relevant];
  return JSON.stringify([lists.map((each) => [...each]), best]);
}

const step = 1e-5;

const examples: fc.Arbitrary<RankingExample> = fc
  .record({
    table: randomTables(),
    labels: fc.array(fc.constantFrom(1, 0, 0, -1), { minLength: 5, maxLength: 5 }),
    unanswerable: fc.boolean(),
  })
  .map(({ table, labels, unanswerable }) => ({
    group: '',
    weight: 1,
    ids: Array.from({ length: table.candidates }, (_, at) => String(at)),
    labels: Int8Array.from(labels.slice(0, table.candidates), (label) =>
      unanswerable && label === 1 ? 0 : label,
    ),
    unanswerable,
    table: tableOf(table),
  }));

describe('addGradient', () => {
  it('equals central differences of the loss, for every weight', () => {
    const seen = {
      features: 0,
      clock: 0,
      series: 0,
      relevance: 0,
      relative: 0,
      unanswerable: 0,
      unjudged: 0,
    };
    fc.assert(
      fc.property(examples, randomWeights, (example, weights) => {
        const slopes = weightsOf({ series: [] });
        const loss = addGradient(example, weights, slopes, 1);
        const expected = lossOf(example, weights);
        assert.ok(Math.abs(loss - (expected ?? 0)) < 1e-9, `loss ${loss} ${expected}`);
        const moved = copy(weights);
        const list = parameters(moved);
        const before = choices(example, weights);
        parameters(slopes).forEach(({ name, get }, i) => {
          const lossAt = (d: number): number | undefined => {
            list[i]!.add(d);
            const value = choices(example, moved) === before ? lossOf(example, moved) : NaN;
            list[i]!.add(-d);
            return value;
          };
          const [up, down] = [lossAt(step) ?? 0, lossAt(-step) ?? 0];
          if (Number.isNaN(up) || Number.isNaN(down)) return;
          const difference = (up - down) / (2 * step);
          assert.ok(Math.abs(get() - difference) < 1e-4, `${name}: ${get()} ${difference}`);
        });
        const isUsed = (values: Float64Array): number =>
          Number(values.some((value) => Math.abs(value) > 0.01));
        seen.features += isUsed(slopes.features);
        seen.clock += isUsed(slopes.clock);
        seen.series += isUsed(slopes.series);
        seen.relevance += Number(Math.abs(slopes.relevance.logOdds) > 0.01);
        seen.relative += Number(Math.abs(slopes.relative.share) > 0.01);
        if (loss > 0.01) {
          seen.unanswerable += Number(example.unanswerable);
          seen.unjudged += Number(example.labels.includes(-1));
        }
      }),
      { numRuns: 300 },
    );
    for (const [name, count] of Object.entries(seen)) assert.ok(count >= 10, `${name} ${count}`);
  });

  it('adds to what is there, times the scale', () => {
    const example: RankingExample = {
      group: '',
      weight: 1,
      ids: ['a', 'b'],
      labels: Int8Array.of(1, 0),
      unanswerable: false,
      table: tableOf({
        candidates: 2,
        members: [1, 2].map((value, candidate) => ({
          candidate,
          rank: candidate,
          features: { bias: 1, cosine: value },
        })),
      }),
    };
    const weights = weightsOf({ features: { bias: -1, cosine: 0.5 } });
    const [once, scaled] = [weightsOf({ series: [] }), weightsOf({ features: { cosine: 7 } })];
    addGradient(example, weights, once, 1);
    addGradient(example, weights, scaled, 0.25);
    const cosine = featureNames.indexOf('cosine');
    assert.ok(Math.abs(once.features[cosine]!) > 0.1);
    assert.ok(Math.abs(scaled.features[cosine]! - 7 - 0.25 * once.features[cosine]!) < 1e-12);
  });

  it('learns nothing of a question without a relevant candidate or without members', () => {
    const table = tableOf({ candidates: 1, members: [{ candidate: 0, features: { bias: 1 } }] });
    const example = { group: '', weight: 1, ids: ['a'], labels: Int8Array.of(0), table };
    const slopes = weightsOf({ series: [] });
    const weights = weightsOf({ features: { bias: 1 } });
    assert.equal(addGradient({ ...example, unanswerable: false }, weights, slopes, 1), 0);
    const empty = tableOf({ candidates: 1, members: [] });
    assert.equal(
      addGradient({ ...example, table: empty, unanswerable: true }, weights, slopes, 1),
      0,
    );
    assert.deepEqual(slopes, weightsOf({ series: [] }));
    assert.ok(addGradient({ ...example, unanswerable: true }, weights, slopes, 1) > 0.5);
    assert.ok(slopes.features[featureNames.indexOf('bias')]! > 0);
  });
});
