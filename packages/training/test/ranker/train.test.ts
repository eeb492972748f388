// Training the ranker: it learns which statements are of the series and lets time order them, keeps
// the signs of weights, gives the same weights for the same seed, and refuses wrong arguments.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cascade } from '../../../../lib/facts/ranking/cascade.js';
import { featureNames, featureSigns } from '../../../../lib/facts/features/features.js';
import { rankerOf, type RankerModel } from '../../../../lib/facts/ranking/model.js';
import { mulberry32 } from '../../../../lib/text/random.js';
import type { RankingExample } from '../../lib/ranker/examples.js';
import { trainRanker, type TrainRankerOptions } from '../../lib/ranker/train.js';
import { failsWith } from '../../../../test/failsWith.js';
import { tableOf, type TestMember } from '../../../../test/facts/tables.js';

/**
 * Questions for the latest of a series. Of 6 candidates, the titles of three are asked for; the
 * right one is the latest of them. The others agree in name, and are often later or of a greater
 * cosine.
 */
function examples(count: number, seed = 7): RankingExample[] {
  const random = mulberry32(seed);
  return Array.from({ length: count }, (_, n): RankingExample => {
    const ranks = [0, 1, 2, 3, 4, 5];
    for (let i = 5; i > 0; i -= 1) {
      const j = Math.floor(random() * (i + 1));
      [ranks[i], ranks[j]] = [ranks[j]!, ranks[i]!];
    }
    const members = ranks.map((rank, candidate): TestMember => {
      const named = candidate < 3;
      return {
        candidate,
        rank,
        features: {
          bias: 1,
          titleAsked: named ? 1 : 0.3 * random(),
          nameOverlap: 0.8 + 0.2 * random(),
          rarityMissing: 0.3 * random(),
          cosine: (named ? 0.3 : 0.5) + 0.4 * random(),
        },
      };
    });
    const right = ranks.indexOf(Math.min(...ranks.slice(0, 3)));
    return {
      group: String(n),
      weight: 1,
      ids: ranks.map((_, candidate) => `${n}/${candidate}`),
      labels: Int8Array.from(ranks, (_, candidate) => Number(candidate === right)),
      unanswerable: false,
      table: tableOf({ members, candidates: 6 }),
    };
  });
}

/** The share of questions whose best candidate is relevant. */
function share(list: readonly RankingExample[], model: RankerModel): number {
  const { weights } = rankerOf(structuredClone(model));
  const isRight = ({ table, labels }: RankingExample): boolean => {
    const { scores } = cascade(table, weights);
    return labels[scores.indexOf(Math.max(...scores))] === 1;
  };
  return list.filter(isRight).length / list.length;
}

describe('trainRanker', () => {
  it('learns to find the latest with the name, of questions that it has not seen', () => {
    const unseen = examples(100, 99);
    const model = trainRanker(examples(300), { passes: 30 });
    assert.ok(share(unseen, trainRanker([])) < 0.8, 'the start knows it already');
    assert.ok(share(unseen, model) >= 0.97, String(share(unseen, model)));
    // With the latest of all as the right one, it does not.
    const shuffled = examples(300).map(({ labels, ...each }) => ({
      ...each,
      labels: labels.slice().reverse(),
    }));
    assert.ok(share(unseen, trainRanker(shuffled, { passes: 30 })) < 0.5);
  });

  it('lowers the odds of membership where no passage answers', () => {
    const answered = examples(64);
    const unanswered = answered.map((each) => ({
      ...each,
      labels: each.labels.map(() => 0),
      unanswerable: true,
    }));
    const none = (list: readonly RankingExample[]): number => {
      const { weights } = rankerOf(trainRanker(list, { passes: 10 }));
      return cascade(answered[0]!.table, weights).nothing;
    };
    assert.ok(none(unanswered) > none(answered) + 0.5);
  });

  it('gives the same weights for the same examples and seed, and others for another', () => {
    const list = examples(80);
    const order = [...list];
    const weights = (seed?: number): RankerModel =>
      trainRanker(list, { passes: 3, ...(seed === undefined ? {} : { seed }) });
    assert.deepEqual(weights(1), weights(1));
    assert.deepEqual(weights(), weights(1));
    assert.notDeepEqual(weights(1), weights(2));
    assert.deepEqual(list, order, 'the list is left as it was');
  });

  it('keeps what a given model knows of membership, and fits the gates alone', () => {
    const from = trainRanker(examples(80), { id: 'first', passes: 3 });
    const answered = examples(40, 5);
    const unanswered = examples(40, 6).map((each) => ({
      ...each,
      labels: each.labels.map(() => 0),
      unanswerable: true,
    }));
    const own = trainRanker([...answered, ...unanswered], { id: 'own', from });
    assert.equal(own.id, 'own');
    for (const name of ['features', 'clock', 'relative', 'relevance'] as const)
      assert.deepEqual(own[name], from[name], name);
    assert.notDeepEqual(own.none, from.none);
    const broken = { ...from, features: {} } as RankerModel;
    assert.throws(
      () => trainRanker(answered, { from: broken }),
      failsWith('ERR_INVALID_INPUT', /a finite weight for each/),
    );
  });

  it('keeps the signs of weights, whatever the labels', () => {
    const labels = fc.array(fc.constantFrom(1, 0, -1), { minLength: 6, maxLength: 6 });
    const list = examples(8);
    fc.assert(
      fc.property(fc.array(labels, { minLength: 8, maxLength: 8 }), (all) => {
        const judged = list.map((each, n) => ({ ...each, labels: Int8Array.from(all[n]!) }));
        const { features } = trainRanker(judged, { passes: 12 });
        featureNames.forEach((name, f) => {
          assert.ok(featureSigns[f]! * features[name]! >= 0, `${name} ${features[name]}`);
        });
      }),
      { numRuns: 30 },
    );
    // Without its sign, the weight would fall below 0.
    const labelled = (labels: readonly number[]): RankingExample[] =>
      list.map((each) => ({ ...each, labels: Int8Array.from(labels) }));
    const named = trainRanker(labelled([1, 1, 1, 0, 0, 0]), { passes: 60 });
    const others = trainRanker(labelled([0, 0, 0, 1, 1, 1]), { passes: 60 });
    assert.ok(named.features.titleAsked! > 0.5);
    assert.equal(others.features.titleAsked, 0);
  });

  it('counts weights of questions, and skips those of weight 0', () => {
    const [one, other] = [examples(32), examples(32, 5)];
    const weighted = other.map((each) => ({ ...each, weight: 0 }));
    // One batch: what has no weight changes neither the slopes nor the number of steps.
    const few = trainRanker(one.slice(0, 16), { passes: 5 });
    const many = trainRanker([...one.slice(0, 16), ...weighted.slice(0, 16)], { passes: 5 });
    for (const name of featureNames)
      assert.ok(Math.abs(few.features[name]! - many.features[name]!) <= 1e-4, name);
    // Of two halves that contradict each other, the heavier one is believed.
    const weightOfTitle = (named: number, others: number): number => {
      const halves = one.flatMap((each) => [
        { ...each, labels: Int8Array.of(1, 1, 1, 0, 0, 0), weight: named },
        { ...each, labels: Int8Array.of(0, 0, 0, 1, 1, 1), weight: others },
      ]);
      return trainRanker(halves, { passes: 60 }).features.titleAsked!;
    };
    assert.ok(weightOfTitle(4, 1) > weightOfTitle(1, 4) + 0.5);
  });

  it('gives a model that is read back, with its id, of examples or none at all', () => {
    const model = trainRanker([]);
    assert.equal(model.id, 'trained');
    assert.equal(trainRanker([], { id: 'mine' }).id, 'mine');
    assert.equal(rankerOf(JSON.parse(JSON.stringify(model))).id, 'trained');
    assert.ok(model.features.bias! < 0 && model.features.nameOverlap! > 0);
    const [one] = examples(1);
    const unlearnable = { ...one!, labels: new Int8Array(6) };
    const table = tableOf({ members: [], candidates: 0 });
    const empty = { ...one!, ids: [], labels: new Int8Array(), table };
    for (const each of [unlearnable, empty]) rankerOf(trainRanker([each], { passes: 2 }));
  });

  it('reports its passes, stops at a signal, and refuses wrong arguments', () => {
    const list = examples(4);
    const seen: [number, number | undefined][] = [];
    const onProgress: TrainRankerOptions['onProgress'] = ({ done, total }) =>
      void seen.push([done, total]);
    trainRanker(list, { passes: 2, onProgress });
    assert.deepEqual(seen, [
      [1, 2],
      [2, 2],
    ]);
    assert.throws(
      () => trainRanker(list, { signal: AbortSignal.abort() }),
      failsWith('ERR_ABORTED'),
    );
    const controller = new AbortController();
    assert.throws(
      () => trainRanker(list, { signal: controller.signal, onProgress: () => controller.abort() }),
      failsWith('ERR_ABORTED'),
    );
    const wrong: [unknown, unknown, RegExp][] = [
      ['none', {}, /examples to be an array/],
      [undefined, {}, /examples to be an array/],
      [list, null, /options to be an object/],
      [list, [], /options to be an object/],
      [list, { passes: 0 }, /passes/],
      [list, { passes: 1.5 }, /passes/],
      [list, { passes: 1001 }, /passes/],
    ];
    for (const [given, options, message] of wrong)
      assert.throws(
        () => trainRanker(given as RankingExample[], options as TrainRankerOptions),
        failsWith('ERR_INVALID_ARGUMENT', message),
      );
  });
});
