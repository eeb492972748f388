// Significance by question: paired randomisation test (Fisher; Smucker et al. 2007) and shifted
// bootstrap (Sakai 2006), with a bootstrap interval of the mean difference.
import { invalidArgument, mustBeWhole, seededRandom } from 'asof/kit';
import type { QueryScores } from '../measures/averages.js';
import { significanceTests, type SignificanceTest } from './result.js';

export interface PairedOptions {
  /**
   * Random relabellings, and resamples for the interval; 100 to 1,000,000. Default 10,000: p is
   * then exact to about 0.004 at 0.05.
   */
  rounds?: number | undefined;
  /** Default 1. */
  seed?: number | undefined;
  /** Default 'randomisation'. */
  test?: SignificanceTest | undefined;
  /**
   * Draws shared with other tests. Default: drawn for this test.
   * @internal
   */
  draws?: ResamplingDraws;
}

/**
 * The mean difference of two systems on the same questions, and the probability of one at least as
 * large under the null hypothesis.
 */
export interface PairedDifference {
  /** Questions with the metric in both. */
  queries: number;
  /** Number of questions whose values differ. */
  differing: number;
  /** Mean of the second minus mean of the first. */
  difference: number;
  /**
   * Two-sided: the share of random swaps of the two systems, question by question, with a
   * difference at least as large; of the bootstrap, the share of resamples of the differences
   * shifted to a mean of 0.
   */
  p: number;
  /** The middle 95 percent of the mean difference over resampled questions. */
  interval: [low: number, high: number];
}

/**
 * The difference of two lists of scores by question, such as `evaluation.queries` of two systems.
 * @throws AsOfError ERR_INVALID_ARGUMENT where no question has the metric in both.
 */
export function pairedDifference(
  first: readonly QueryScores[],
  second: readonly QueryScores[],
  metric: string,
  options: PairedOptions = {},
): PairedDifference {
  for (const [name, scores] of [
    ['first', first],
    ['second', second],
  ] as const) {
    const scored =
      Array.isArray(scores) &&
      (scores as readonly Partial<QueryScores>[]).every(
        (each) => typeof each?.values === 'object' && each.values !== null,
      );
    if (!scored)
      throw invalidArgument(name, "an array of scores, such as an evaluation's queries", scores);
  }
  if (typeof options !== 'object' || options === null)
    throw invalidArgument('options', 'an object { rounds, seed }', options);
  const { rounds = 10_000, seed = 1, test = 'randomisation' } = options;
  const { draws = new ResamplingDraws() } = options;
  checkRounds(rounds);
  if (!significanceTests.includes(test))
    throw invalidArgument('test', significanceTests.join(' or '), test);
  const known = new Map(first.map(({ id, values }) => [id, values[metric]]));
  const differences = second.flatMap(({ id, values }) => {
    const [before, after] = [known.get(id), values[metric]];
    return before === undefined || after === undefined ? [] : [after - before];
  });
  if (differences.length === 0)
    throw invalidArgument('metric', 'a metric of some question in both lists', metric);
  const differing = differences.filter((each) => each !== 0);
  const total = sum(differing);
  const difference = total / differences.length;
  const means = bootstrapMeans(differences, rounds, seed, draws);
  return {
    queries: differences.length,
    differing: differing.length,
    difference,
    p:
      test === 'randomisation'
        ? randomisationPValue(differing, Math.abs(total), rounds, seed, draws)
        : bootstrapPValue(means, difference),
    interval: percentileInterval(means),
  };
}

/**
 * Errors: ERR_INVALID_ARGUMENT. The bound limits memory and the time without a yield.
 */
export function checkRounds(rounds: number): void {
  mustBeWhole({ rounds }, 100, 1_000_000);
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

/**
 * Questions without a difference are excluded, since they change no sum. The observed labels count
 * as one round, so p is never 0.
 */
function randomisationPValue(
  differing: readonly number[],
  observed: number,
  rounds: number,
  seed: number,
  draws: ResamplingDraws,
): number {
  const least = observed - 1e-9; // sums of the same terms in another order
  const values = Float64Array.from(differing);
  const count = values.length;
  const { values: signs, offset } = draws.signs(seed, count, rounds);
  let asLarge = 1;
  for (let round = 0; round < rounds; round += 1) {
    const from = offset(round);
    let total = 0;
    for (let at = 0; at < count; at += 1) total += signs[from + at]! * values[at]!;
    if (Math.abs(total) >= least) asLarge += 1;
  }
  return asLarge / (rounds + 1);
}

/**
 * The share of resampled means that deviate from the observed one at least as far as it deviates
 * from 0; the observed one counts, so p is never 0.
 */
function bootstrapPValue(means: Float64Array, observed: number): number {
  const least = Math.abs(observed) - 1e-12;
  return (
    (1 + means.filter((mean) => Math.abs(mean - observed) >= least).length) / (means.length + 1)
  );
}

/** Means of `rounds` bootstrap samples of the values, ascending. */
export function bootstrapMeans(
  values: readonly number[],
  rounds: number,
  seed: number,
  draws: ResamplingDraws,
): Float64Array {
  const count = values.length;
  const means = new Float64Array(rounds);
  if (count === 0) return means.fill(NaN);
  const given = Float64Array.from(values);
  const { values: places, offset } = draws.resampling(seed, count, rounds);
  for (let round = 0; round < rounds; round += 1) {
    const from = offset(round);
    let total = 0;
    for (let at = 0; at < count; at += 1) total += given[places[from + at]!]!;
    means[round] = total / count;
  }
  return means.sort();
}

/** The draws of one round: `values` from `offset(round)` on. */
interface Draws<Values> {
  values: Values;
  offset(round: number): number;
}

/** More draws than this are generated round by round and not cached. */
const maxCachedDraws = 2 ** 24;

/**
 * Random draws of tests and intervals, shared by the runs of a comparison: drawing costs several
 * times as much as summing, and depends only on the seed and the number of questions. The last
 * draws of each kind are cached.
 */
export class ResamplingDraws {
  readonly #resampling = { key: '', values: new Uint32Array(0) };
  readonly #signs = { seed: NaN, values: new Int8Array(0) };

  /** `count` indices below `count` per round. */
  resampling(seed: number, count: number, rounds: number): Draws<Uint32Array> {
    const random = seededRandom(seed, 'resampling');
    const draw = (into: Uint32Array): void => {
      for (let at = 0; at < into.length; at += 1) into[at] = random.below(count);
    };
    if (count * rounds > maxCachedDraws) return byRound(new Uint32Array(count), draw);
    const cache = this.#resampling;
    const key = `${seed} ${count}`;
    if (cache.key !== key || cache.values.length < count * rounds) {
      Object.assign(cache, { key, values: new Uint32Array(count * rounds) });
      draw(cache.values);
    }
    return { values: cache.values, offset: (round) => round * count };
  }

  /** `count` signs, 1 or -1, per round. */
  signs(seed: number, count: number, rounds: number): Draws<Int8Array> {
    const random = seededRandom(seed, 'randomisation');
    const draw = (into: Int8Array): void => {
      for (let at = 0; at < into.length; at += 1) into[at] = random.next() < 0.5 ? 1 : -1;
    };
    if (count * rounds > maxCachedDraws) return byRound(new Int8Array(count), draw);
    const cache = this.#signs;
    if (cache.seed !== seed || cache.values.length < count * rounds) {
      Object.assign(cache, { seed, values: new Int8Array(count * rounds) });
      draw(cache.values);
    }
    return { values: cache.values, offset: (round) => round * count };
  }
}

const byRound = <Values>(values: Values, draw: (into: Values) => void): Draws<Values> => ({
  values,
  offset: () => (draw(values), 0),
});

/** The 95 % percentile interval of ascending values. */
export function percentileInterval(rising: Float64Array): [low: number, high: number] {
  return [
    rising[Math.floor(0.025 * rising.length)]!,
    rising[Math.ceil(0.975 * rising.length) - 1]!,
  ];
}
