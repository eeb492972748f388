// Weights of relevance alone: they find which input tells, and take outdated passages for right.
import assert from 'node:assert/strict';
import { cascade, placeOfGreatest } from '../../../../lib/facts/ranking/cascade.js';
import { mulberry32 } from '../../../../lib/text/random.js';
import type { RankingExample } from '../../lib/ranker/examples.js';
import { fitRelevance } from '../../lib/ranker/fitRelevance.js';
import { tableOf, weightsOf } from '../../../../test/facts/tables.js';

const given = { logOdds: 0.5, similarity: 0.5, coverage: 0.5 };
const weights = weightsOf({ features: { cosine: 1 }, series: [-40], relevance: given });

/** The passage that covers more is relevant, whatever its statement and its similarity. */
function examples(count: number, seed: number): RankingExample[] {
  const random = mulberry32(seed);
  const value = (): number => 4 * random() - 2;
  return Array.from({ length: count }, (_, n): RankingExample => {
    const coverage = [value(), value(), value()];
    const best = coverage.indexOf(Math.max(...coverage));
    return {
      group: String(n),
      weight: 1,
      ids: ['a', 'b', 'c'],
      labels: Int8Array.from(coverage, (_, at) => (at === best ? 1 + (n % 2) : 0)),
      unanswerable: false,
      table: tableOf({
        candidates: 3,
        coverage,
        similarity: [value(), value(), value()],
        members: [0, 1, 2].map((candidate) => ({ candidate, features: { cosine: value() } })),
      }),
    };
  });
}

const share = (list: readonly RankingExample[], relevance: typeof given): number =>
  list.filter(
    ({ table, labels }) =>
      labels[placeOfGreatest(cascade(table, { ...weights, relevance }).scores)]! > 0,
  ).length / list.length;

describe('fitRelevance', () => {
  it('learns what tells relevant passages from others', () => {
    const unseen = examples(300, 2);
    assert.ok(share(unseen, given) < 0.8, 'the start knows it already');
    const fitted = fitRelevance(examples(300, 1), weights);
    assert.ok(fitted.coverage > 3 * Math.max(fitted.logOdds, fitted.similarity));
    assert.ok(share(unseen, fitted) > 0.9, `${share(unseen, fitted)}`);
  });

  it('gives the same weights for the same examples, and its start where none tells', () => {
    const list = examples(50, 3);
    assert.deepEqual(fitRelevance(list, weights), fitRelevance(list, weights));
    assert.deepEqual(fitRelevance([], weights), given);
    const alike = list.map((each) => ({ ...each, labels: new Int8Array(3) }));
    assert.deepEqual(fitRelevance(alike, weights), given);
  });
});
