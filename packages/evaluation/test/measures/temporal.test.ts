// TEMPO's measures: every golden value of its published code, equal to the digit, and the paper's
// definitions by hand and as properties.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import {
  crossPeriodByCode,
  periodsByCode,
  type TempoGuidance,
} from '../../lib/measures/tempoPeriods.js';
import {
  roundToFiveDecimals,
  ndcgAtFullCoverage,
  temporalCoverage,
  temporalPrecision,
  temporalRecall,
  temporalRelevance,
  tempoNdcg,
} from '../../lib/measures/temporal.js';

const file = fileURLToPath(
  new URL('../../../../../shared/reference/tempo_vectors.json', import.meta.url),
);

interface Ranked {
  ranked: (string | number)[];
  gold: (string | number)[];
  k: number;
  value: number | null;
}

interface Worded {
  query: string;
  guidance: TempoGuidance | null;
}

interface Vectors {
  temporal_precision: { verdicts: number[]; value: number }[];
  temporal_relevance: { verdicts: number[]; value: number }[];
  temporal_recall: Ranked[];
  ndcg: Ranked[];
  cross_period: (Worded & { intent_focus: string; value: boolean })[];
  anchors: (Worded & { value: [string, string] })[];
}

const flags = (verdicts: readonly number[]): boolean[] => verdicts.map((verdict) => verdict === 1);
/** The code compares ids as texts, whatever they were. */
const texts = (ids: readonly (string | number)[]): string[] => ids.map(String);

describe("TEMPO's measures as its code computes them", () => {
  let vectors: Vectors;
  before(function () {
    if (!existsSync(file)) {
      console.log('      skipped: ../shared/reference/tempo_vectors.json is not there');
      return this.skip();
    }
    vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
  });

  /** Every vector of a kind through one function. */
  function equal<T extends { value: unknown }>(
    all: readonly T[],
    of: (each: T) => unknown,
    least: number,
  ): void {
    assert.ok(all.length >= least, `only ${all.length} vectors`);
    for (const each of all) assert.deepEqual(of(each) ?? null, each.value, JSON.stringify(each));
  }

  it('tp@k', () =>
    equal(
      vectors.temporal_precision,
      ({ verdicts }) => temporalPrecision(flags(verdicts), 10, 'code'),
      29,
    ));
  it('tr@k', () =>
    equal(
      vectors.temporal_relevance,
      ({ verdicts }) => temporalRelevance(flags(verdicts), 10, 'code'),
      29,
    ));
  it('temporal_recall@k', () =>
    equal(
      vectors.temporal_recall,
      ({ ranked, gold, k }) => temporalRecall(texts(ranked), new Set(texts(gold)), k, 'code'),
      31,
    ));
  it('its own ndcg@k', () =>
    equal(
      vectors.ndcg,
      ({ ranked, gold, k }) => tempoNdcg(texts(ranked), new Set(texts(gold)), k),
      31,
    ));
  it('which queries span periods', () =>
    equal(
      vectors.cross_period,
      ({ query, guidance, intent_focus }) => crossPeriodByCode(query, guidance, intent_focus),
      9,
    ));
  it('which two periods are asked for', () =>
    equal(vectors.anchors, ({ query, guidance }) => periodsByCode(query, guidance), 7));

  it('says 0 where nothing is relevant, and divides by what was retrieved', () => {
    assert.deepEqual(
      [
        temporalPrecision([false], 5, 'code'),
        temporalPrecision([], 5, 'code'),
        temporalRelevance([], 5, 'code'),
      ],
      [0, 0, 0],
    );
    assert.equal(temporalRelevance([true, false], 10, 'code'), 0.5);
  });

  it('knows two periods, whatever a query asks for', () => {
    const covered = [['2008'], [], ['2015']];
    assert.deepEqual(
      [1, 2, 3].map((k) => temporalCoverage(covered, ['2008', '2015', '2020'], k, 'code')),
      [0.5, 0.5, 1],
    );
    assert.equal(temporalCoverage(covered, ['2008'], 3, 'code'), 0.5);
    assert.equal(temporalCoverage(covered, undefined, 3, 'code'), undefined);
  });

  it('rounds as Python does: halves that are exact go to the even digit', () => {
    // As printed by round(n / 64, 5) for the odd n up to 15, and of numbers that only look like
    // halves.
    assert.deepEqual(
      [1, 3, 5, 7, 9, 11, 13, 15].map((n) => roundToFiveDecimals(n / 64)),
      [0.01562, 0.04688, 0.07812, 0.10938, 0.14062, 0.17188, 0.20312, 0.23438],
    );
    assert.deepEqual(
      [0.000005, 0.123455, 1 / 3, 2 / 3, 1.630929753571457].map(roundToFiveDecimals),
      [0.00001, 0.12345, 0.33333, 0.66667, 1.63093],
    );
  });
});

describe("TEMPO's measures as the paper defines them", () => {
  const ranking = fc.array(fc.boolean(), { maxLength: 15 });
  const cutoff = fc.integer({ min: 1, max: 20 });

  it('tp@k is the mean precision at the relevant ranks, undefined without one', () => {
    fc.assert(
      fc.property(ranking, cutoff, (verdicts, k) => {
        const ranks = verdicts.slice(0, k).flatMap((verdict, at) => (verdict ? [at + 1] : []));
        const value = temporalPrecision(verdicts, k);
        if (ranks.length === 0) return assert.equal(value, undefined);
        const mean =
          ranks
            .map((rank) => ranks.filter((each) => each <= rank).length / rank)
            .reduce((a, b) => a + b) / ranks.length;
        assert.ok(Math.abs(value! - mean) < 1e-12);
        assert.equal(roundToFiveDecimals(value!), temporalPrecision(verdicts, k, 'code'));
      }),
    );
  });

  it('tr@k is over k, however few were retrieved', () => {
    fc.assert(
      fc.property(ranking, cutoff, (verdicts, k) => {
        assert.equal(
          temporalRelevance(verdicts, k),
          verdicts.slice(0, k).filter(Boolean).length / k,
        );
      }),
    );
  });

  it('tc@k is the share of periods covered by the first k, and is monotonic in k', () => {
    const periods = ['p', 'q', 'r', 's'];
    const covered = fc.array(fc.subarray(periods), { maxLength: 8 });
    fc.assert(
      fc.property(covered, fc.subarray(periods, { minLength: 1 }), cutoff, (each, required, k) => {
        const reached = required.filter((period) =>
          each.slice(0, k).some((those) => those.includes(period)),
        ).length;
        assert.equal(temporalCoverage(each, required, k), reached / required.length);
        assert.ok(temporalCoverage(each, required, k + 1)! >= reached / required.length);
        if (required.length === 2)
          assert.equal(
            temporalCoverage(each, required, k),
            temporalCoverage(each, required, k, 'code'),
          );
      }),
    );
    assert.equal(temporalCoverage([['p'], ['q', 'r']], ['p', 'q', 'r', 's'], 2), 0.75);
    assert.equal(temporalCoverage([['p']], undefined, 5), undefined);
  });

  it('ndcg_fc@k counts a query only where its periods are all covered', () => {
    assert.deepEqual(
      [
        ndcgAtFullCoverage(0.4, 1),
        ndcgAtFullCoverage(0.4, 0.5),
        ndcgAtFullCoverage(0.4, undefined),
      ],
      [0.4, undefined, undefined],
    );
  });
});
