// Weights of abstention, over made-up examples of which a share cannot be answered.
import assert from 'node:assert/strict';
import { noneInputs, noneProbability } from '../../../../lib/facts/ranking/answerable.js';
import { cascade, type CascadeWeights } from '../../../../lib/facts/ranking/cascade.js';
import { mulberry32 } from '../../../../lib/text/random.js';
import type { RankingExample } from '../../lib/ranker/examples.js';
import { fitNone } from '../../lib/ranker/fitNone.js';
import { tableOf, weightsOf } from '../../../../test/facts/tables.js';

const weights: CascadeWeights = weightsOf({ features: { bias: 1, outside: -1 } });

/** Of unanswerable questions the likeliest member is mostly outside the window. */
function examples(count: number, seed: number, unanswerables: number): RankingExample[] {
  const random = mulberry32(seed);
  return Array.from({ length: count }, (_, n): RankingExample => {
    const unanswerable = random() < unanswerables;
    const outside = Number(random() < (unanswerable ? 0.9 : 0.05));
    const features = { bias: 1 + random(), outside, gap: outside * random() };
    return {
      group: String(n),
      weight: 1,
      ids: ['a'],
      labels: Int8Array.of(Number(!unanswerable)),
      unanswerable,
      table: tableOf({ members: [{ candidate: 0, features }], candidates: 1 }),
    };
  });
}

/** Shares of the unanswerable and of the answerable questions that are left unanswered. */
function unanswered(list: readonly RankingExample[], none: Float64Array): [number, number] {
  const share = (rows: readonly RankingExample[]): number =>
    rows.filter(
      ({ table }) => noneProbability(none, noneInputs(table, cascade(table, weights))) > 0.5,
    ).length / rows.length;
  return [
    share(list.filter((each) => each.unanswerable)),
    share(list.filter((each) => !each.unanswerable)),
  ];
}

describe('fitNone', () => {
  it('leaves unanswerable questions unanswered, and at most a twentieth of the others', () => {
    const train = examples(2000, 1, 0.1);
    const none = fitNone(train, weights);
    const [, lost] = unanswered(train, none);
    assert.ok(lost <= 0.05 && lost > 0.03, `${lost}`);
    const [abstained, lostUnseen] = unanswered(examples(2000, 2, 0.1), none);
    assert.ok(abstained > 0.75 && lostUnseen < 0.07, `${abstained} ${lostUnseen}`);
  });

  it('answers all where it has seen no question without an answer', () => {
    const none = fitNone(examples(50, 3, 0), weights);
    assert.deepEqual(unanswered(examples(200, 4, 0.5), none), [0, 0]);
    assert.ok(fitNone([], weights).every(Number.isFinite));
  });
});
