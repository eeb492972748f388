// Files of weights: what is written is read back, what is broken is refused with what to do, and
// the package's own weights are sound.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { noneInputNames } from '../../../lib/facts/ranking/answerable.js';
import { featureNames, featureSigns } from '../../../lib/facts/features/features.js';
import { clockGate, seriesGate } from '../../../lib/facts/members/members.js';
import { embeddedRanker, modelOf, rankerOf, readRanker } from '../../../lib/facts/ranking/model.js';
import { failsWith } from '../../failsWith.js';
import { weightsOf } from '../tables.js';

const sizes = {
  features: featureNames.length,
  clock: clockGate.length,
  series: seriesGate.length,
  none: noneInputNames.length,
};
const weight = fc.integer({ min: -99_999, max: 99_999 }).map((n) => n / 1e4);
const weights = (length: number): fc.Arbitrary<Float64Array> =>
  fc.array(weight, { minLength: length, maxLength: length }).map((each) => Float64Array.from(each));

describe('a model of weights', () => {
  it('comes back as it was, by name and through JSON', () => {
    const all = fc.record({
      features: weights(sizes.features),
      clock: weights(sizes.clock),
      series: weights(sizes.series),
      relevance: fc.record({ logOdds: weight, similarity: weight, coverage: weight }),
      relative: fc.record({ share: weight, shift: weight }),
      none: weights(sizes.none),
    });
    fc.assert(
      fc.property(all, fc.string(), (given, id) => {
        const model = modelOf(id, given);
        assert.equal(model.features[featureNames[3]!], given.features[3]);
        assert.equal(model.clock[clockGate[1]], given.clock[1]);
        assert.equal(model.series[seriesGate[2]], given.series[2]);
        assert.equal(model.none[noneInputNames[1]], given.none[1]);
        const read = rankerOf(JSON.parse(JSON.stringify(model)));
        assert.deepEqual(read, { id, weights: structuredClone(given) });
        const mixed = {
          ...model,
          features: Object.fromEntries(Object.entries(model.features).reverse()),
        };
        assert.deepEqual(rankerOf(mixed), read, 'weights are read by name');
      }),
    );
  });

  it('has four digits after the point', () => {
    const { features, relative } = modelOf(
      'a',
      weightsOf({ features: { bias: -1.23456 }, relative: { share: 1 / 3, shift: 2e-5 } }),
    );
    assert.equal(features.bias, -1.2346);
    assert.deepEqual(relative, { share: 0.3333, shift: 0 });
  });

  it('is refused where anything is missing, superfluous or no finite number', () => {
    const sound = modelOf('test', weightsOf({}));
    assert.equal(rankerOf(structuredClone(sound)).id, 'test');
    const spoil: [(model: any) => void, RegExp][] = [
      [(model) => void delete model.format, /format asof-ranker-4/],
      [(model) => void (model.format = 'asof-ranker-3'), /asof-ranker-4.*"asof-ranker-3"/],
      [(model) => void delete model.id, /an id, received undefined/],
      [(model) => void (model.id = 7), /an id, received number 7/],
      [(model) => void delete model.relative, /relative\.share and relative\.shift/],
      [(model) => void (model.relative = null), /relative\.share/],
      [(model) => void delete model.relative.share, /relative\.share/],
      [(model) => void (model.relative.shift = NaN), /relative\.shift/],
      [(model) => void (model.relative.shift = '1'), /relative\.shift/],
      [
        (model) => void delete model.relevance,
        /relevance\.logOdds and relevance\.similarity and relevance\.coverage/,
      ],
      [(model) => void (model.relevance.similarity = null), /relevance\.similarity/],
    ];
    for (const [name, keys] of [
      ['features', featureNames],
      ['clock', clockGate],
      ['series', seriesGate],
      ['none', noneInputNames],
    ] as const) {
      const message = new RegExp(`a finite weight for each of the ${keys.length} ${name}`);
      const [, key] = keys;
      spoil.push(
        [(model) => void delete model[name], message],
        [(model) => void (model[name] = null), message],
        [(model) => void (model[name] = Object.values(model[name])), message],
        [(model) => void delete model[name][key], message],
        [(model) => void (model[name].another = 1), message],
        [(model) => (delete model[name][key], void (model[name].another = 1)), message],
        [(model) => void (model[name][key] = NaN), message],
        [(model) => void (model[name][key] = -Infinity), message],
        [(model) => void (model[name][key] = null), message],
        [(model) => void (model[name][key] = '1'), message],
      );
    }
    for (const [change, message] of spoil) {
      const model = structuredClone(sound);
      change(model);
      assert.throws(
        () => rankerOf(model, 'w.json'),
        failsWith('ERR_INVALID_INPUT', message),
        String(change),
      );
      assert.throws(
        () => rankerOf(model, 'w.json'),
        failsWith(
          'ERR_INVALID_INPUT',
          /^Expected w\.json to be a ranker's weights with .*, received .*\. Train them again/,
        ),
      );
    }
    for (const value of [undefined, null, 7, 'asof-ranker-4', [], true])
      assert.throws(() => rankerOf(value), failsWith('ERR_INVALID_INPUT', /Expected the model to/));
  });
});

describe('a file of weights', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'asof-ranker-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is read', () => {
    const path = join(folder, 'sound.json');
    const given = weightsOf({
      features: { cosine: 2.5, outside: -3 },
      clock: [1],
      series: [2, -1],
    });
    writeFileSync(path, JSON.stringify(modelOf('mine', given)));
    assert.deepEqual(readRanker(path), { id: 'mine', weights: given });
  });

  it('is refused where it is missing, unreadable, no JSON or has another format', () => {
    assert.throws(
      () => readRanker(join(folder, 'none.json')),
      failsWith('ERR_NOT_FOUND', /Expected the weights of a ranker at .*Train them again/),
    );
    // As where no more files can be opened.
    assert.throws(
      () => readRanker(folder),
      failsWith('ERR_STORAGE', /Expected to read the weights of a ranker.*limit of open files/),
    );
    const path = join(folder, 'weights.json');
    for (const [text, message] of [
      ['', /with JSON, received other text/],
      ['{', /with JSON, received other text/],
      ['null', /format asof-ranker-4, received null/],
      ['[]', /format asof-ranker-4, received an array/],
      ['{"format":"asof-ranker-3"}', /asof-ranker-4, received the string "asof-ranker-3"/],
    ] as const) {
      writeFileSync(path, text);
      assert.throws(() => readRanker(path), failsWith('ERR_INVALID_INPUT', message));
      assert.throws(() => readRanker(path), { message: /weights\.json/ });
    }
  });
});

describe('the weights of the package', () => {
  it('are read once, and keep the signs of their features', () => {
    const ranker = embeddedRanker();
    assert.equal(embeddedRanker(), ranker);
    assert.notEqual(ranker.id, '');
    const { features } = ranker.weights;
    assert.ok(features.some((each) => each !== 0));
    features.forEach((each, f) => assert.ok(featureSigns[f]! * each >= 0, featureNames[f]));
  });
});
