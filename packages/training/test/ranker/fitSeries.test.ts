// The gate of series: it learns by how many times a series has whether its order or relevance puts
// the right passage first, and counts outdated passages.
import assert from 'node:assert/strict';
import { cascade, placeOfGreatest } from '../../../../lib/facts/ranking/cascade.js';
import { seriesGate } from '../../../../lib/facts/members/members.js';
import { mulberry32 } from '../../../../lib/text/random.js';
import type { RankingExample } from '../../lib/ranker/examples.js';
import { fitSeries } from '../../lib/ranker/fitSeries.js';
import { tableOf, weightsOf } from '../../../../test/facts/tables.js';

const relevance = { logOdds: 0.5, similarity: 1, coverage: 0 };
const weights = weightsOf({ features: { cosine: 1 }, clock: [9], series: [], relevance });
const times = seriesGate.indexOf('times');

/** Of two candidates the newer is right where the series has many times, else the more relevant. */
function examples(count: number, seed: number): RankingExample[] {
  const random = mulberry32(seed);
  return Array.from({ length: count }, (_, n): RankingExample => {
    const size = random();
    const isSeries = size + 0.2 * (random() - 0.5) > 0.5;
    const seriesInputs = seriesGate.map((name) => Number(name === 'bias'));
    seriesInputs[times] = size;
    return {
      group: String(n),
      weight: 1,
      ids: ['a', 'b'],
      labels: isSeries ? Int8Array.of(1, 2) : Int8Array.of(0, 1),
      unanswerable: false,
      table: tableOf({
        candidates: 2,
        isLatest: true,
        seriesInputs,
        similarity: [-1, 1],
        members: [2, 3].map((value, candidate) => ({
          candidate,
          rank: candidate,
          start: 1 - candidate,
          features: { cosine: value },
        })),
      }),
    };
  });
}

const share = (list: readonly RankingExample[], series: Float64Array): number =>
  list.filter(
    ({ table, labels }) =>
      labels[placeOfGreatest(cascade(table, { ...weights, series }).scores)] === 1,
  ).length / list.length;

describe('fitSeries', () => {
  it('lets the order count where it is right', () => {
    const unseen = examples(500, 2);
    assert.ok(share(unseen, weights.series) < 0.7, 'the start knows it already');
    const fitted = fitSeries(examples(500, 1), weights);
    assert.ok(fitted[times]! > 0);
    assert.ok(share(unseen, fitted) > 0.93, `${share(unseen, fitted)}`);
  });

  it('gives the same weights for the same examples, and its start where none tells', () => {
    const list = examples(50, 3);
    assert.deepEqual(fitSeries(list, weights), fitSeries(list, weights));
    const unanswerable = list.map((each) => ({ ...each, unanswerable: true }));
    assert.deepEqual(fitSeries(unanswerable, weights), weights.series);
    assert.deepEqual(fitSeries([], weights), weights.series);
  });
});
