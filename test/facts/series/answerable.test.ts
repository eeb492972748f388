// Whether a question is left unanswered, over hand-made tables.
import assert from 'node:assert/strict';
import {
  noneInputNames,
  noneInputs,
  noneProbability,
  reasonOf,
} from '../../../lib/facts/series/answerable.js';
import { cascade } from '../../../lib/facts/series/cascade.js';
import type { FeatureValues } from './tables.js';
import { tableOf, weightsOf } from './tables.js';

const weights = weightsOf({ features: { bias: 1 } });

/** The inputs of two candidates, of which the first is the likelier member. */
function inputsOf(best: FeatureValues) {
  const table = tableOf({
    candidates: 2,
    members: [
      { candidate: 0, features: { bias: 3, ...best } },
      { candidate: 1, features: { bias: -2, unknownName: 5, outside: 1 } },
    ],
  });
  const result = cascade(table, weights);
  return { table, result, inputs: noneInputs(table, result) };
}

describe('noneInputs', () => {
  it('are of the likeliest member, with its log-odds and the share of the first passage', () => {
    const { inputs, result } = inputsOf({ outside: 1, gap: 0.5, cosine: 0.25 });
    const value = (name: (typeof noneInputNames)[number]): number =>
      inputs[noneInputNames.indexOf(name)]!;
    assert.equal(value('bias'), 1);
    assert.equal(value('logOdds'), 3 / 5);
    assert.equal(value('outside'), 1);
    assert.equal(value('gap'), 0.5);
    assert.equal(value('cosine'), 0.25);
    assert.equal(value('unknownName'), 0);
    const all = [...result.scores, result.none].map(Math.exp);
    const share = all[0]! / all.reduce((sum, each) => sum + each, 0);
    assert.ok(Math.abs(value('first') - share) < 1e-12, `${value('first')} ${share}`);
  });
});

describe('noneProbability', () => {
  it('is one half at log-odds of 0, and rises with them', () => {
    const inputs = Float64Array.of(1, 2);
    assert.equal(noneProbability(Float64Array.of(-2, 1), inputs), 0.5);
    assert.ok(Math.abs(noneProbability(Float64Array.of(0, 1), inputs) - 0.880797) < 1e-6);
  });
});

describe('reasonOf', () => {
  const reason = (best: FeatureValues): string => {
    const { table, result } = inputsOf(best);
    return reasonOf(table, result);
  };

  it('names what the likeliest member lacks: the entity, the time, the relation', () => {
    assert.equal(
      reason({ unknownName: 1, outside: 1 }),
      'No passage names the entity of the question.',
    );
    for (const name of ['outside', 'before', 'beforeOfFigure', 'undated'] as const)
      assert.equal(reason({ [name]: 1 }), 'No passage states it for the time asked for.');
    assert.equal(reason({ rarityMissing: 1 }), 'No passage states it.');
  });
});
