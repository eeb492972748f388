// Significance of differences: every system against a baseline and the best two of each collection,
// corrected within a family of all pairs of one metric in one collection.
import { invalidArgument, yieldToEventLoop } from 'asof/kit';
import type { RunOptions } from 'asof';
import { metricValues, type QueryScores } from '../measures/averages.js';
import { mean } from '../measures/mean.js';
import { pairedDifference, ResamplingDraws } from './pairedTest.js';
import {
  corrections,
  lowerIsBetter,
  type Correction,
  type Significance,
  type SignificanceTest,
} from './result.js';

/**
 * p-values corrected for multiple tests, in input order. Holm (1979) and Bonferroni control the
 * family-wise error rate, Benjamini and Hochberg (1995) the false discovery rate.
 */
export function correctPValues(values: readonly number[], correction: Correction): number[] {
  if (!corrections.includes(correction))
    throw invalidArgument('correction', `one of ${corrections.join(', ')}`, correction);
  const count = values.length;
  if (correction === 'none') return [...values];
  if (correction === 'bonferroni') return values.map((p) => Math.min(1, p * count));
  const rising = values.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  const corrected = new Array<number>(count);
  let bound = correction === 'holm' ? 0 : 1;
  if (correction === 'holm') {
    rising.forEach(
      ({ p, at }, rank) =>
        (corrected[at] = bound = Math.max(bound, Math.min(1, p * (count - rank)))),
    );
  } else {
    for (let rank = count; rank > 0; rank -= 1) {
      const { p, at } = rising[rank - 1]!;
      corrected[at] = bound = Math.min(bound, (p * count) / rank);
    }
  }
  return corrected;
}

/** The scores of one system on one set. */
export interface SystemScores {
  system: string;
  queries: readonly QueryScores[];
}

export interface SignificanceOptions extends Pick<RunOptions, 'signal'> {
  baseline: string;
  test: SignificanceTest;
  correction: Correction;
  rounds: number;
  seed: number;
  /** Shared with the intervals of the same runs. Default: drawn for these tests. */
  draws?: ResamplingDraws;
}

/**
 * The tests of one collection: for each metric every system against the baseline, and the best two
 * systems if neither is the baseline.
 */
export async function testRuns(
  set: string,
  metrics: readonly string[],
  systems: readonly SystemScores[],
  options: SignificanceOptions,
): Promise<Significance[]> {
  const { baseline, test, correction, rounds, seed, signal } = options;
  const { draws = new ResamplingDraws() } = options;
  const found: Significance[] = [];
  for (const metric of metrics) {
    const family: Significance[] = [];
    for (const { first, second, pair } of pairsOf(metric, systems, baseline)) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      const { queries, difference, interval, p } = pairedDifference(
        first.queries,
        second.queries,
        metric,
        { rounds, seed, test, draws },
      );
      const tested = {
        set,
        metric,
        system: second.system,
        against: first.system,
        pair,
        difference,
        low: interval[0],
        high: interval[1],
      };
      family.push({ ...tested, p, corrected: p, test, correction, n: queries });
    }
    const corrected = correctPValues(
      family.map(({ p }) => p),
      correction,
    );
    found.push(...family.map((each, at) => ({ ...each, corrected: corrected[at]! })));
  }
  return found;
}

interface Pair {
  first: SystemScores;
  second: SystemScores;
  pair: Significance['pair'];
}

function pairsOf(metric: string, systems: readonly SystemScores[], baseline: string): Pair[] {
  const having = systems.flatMap((system) => {
    const value = meanOf(system.queries, metric);
    return value === undefined ? [] : [{ system, mean: value }];
  });
  const base = having.find(({ system }) => system.system === baseline)?.system;
  const others = having.filter(({ system }) => system !== base);
  const pairs: Pair[] = base
    ? others.map(({ system }) => ({ first: base, second: system, pair: 'baseline' }))
    : [];
  const [best, next] = [...having]
    .sort((a, b) => (lowerIsBetter(metric) ? a.mean - b.mean : b.mean - a.mean))
    .map(({ system }) => system);
  const best2 =
    best && next && best !== base && next !== base && sharesQuestion(best, next, metric);
  return [
    ...pairs.filter(({ first, second }) => sharesQuestion(first, second, metric)),
    ...(best2 ? [bestTwo(next, best)] : []),
  ];
}

const bestTwo = (first: SystemScores, second: SystemScores): Pair => ({
  first,
  second,
  pair: 'best two',
});

function sharesQuestion(first: SystemScores, second: SystemScores, metric: string): boolean {
  const known = new Set(
    first.queries.filter(({ values }) => values[metric] !== undefined).map(({ id }) => id),
  );
  return second.queries.some(({ id, values }) => values[metric] !== undefined && known.has(id));
}

function meanOf(queries: readonly QueryScores[], metric: string): number | undefined {
  const values = metricValues(queries, metric);
  return values.length === 0 ? undefined : mean(values);
}
