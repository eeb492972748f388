// Training of the ranker by series: maximum likelihood by Adam, with signs of weights kept.
// Deterministic by examples, options and seed.
import { mustBe, mustBeWhole, rankerForm, seededRandom, throwIfAborted } from 'asof/kit';
import type { RunOptions } from 'asof';
import type { RankingExample } from './examples.js';
import { fitNone } from './fitNone.js';
import { fitRelevance } from './fitRelevance.js';
import { fitSeries } from './fitSeries.js';
import { addGradient, type RankerWeights } from './gradient.js';

export interface TrainRankerOptions extends RunOptions {
  /** Names the weights in traces and tables. Default 'trained'. */
  id?: string | undefined;
  /** Passes over the examples, 1 to 1000. Default 8. */
  passes?: number | undefined;
  /** Default 1. */
  seed?: number | undefined;
  /**
   * Keeps what this model knows of membership, and fits only relevance alone, whether the order of
   * a series counts and whether nothing answers: for some hundred questions of one's own. Default:
   * everything is fitted.
   */
  from?: ReturnType<typeof rankerForm.model> | undefined;
}

/** Where training starts: statements of the very name, in the window, with the question's words. */
const start: Partial<Record<(typeof rankerForm.featureNames)[number], number>> = {
  bias: -6,
  nameOverlap: 4,
  rarityMissing: -2,
  cosine: 2,
  outside: -3,
};
const batch = 32;
/** What the step falls by over the passes, and what is left of it. */
const [firstRate, lastRate] = [0.05, 0.003];
/** Twice the weight of the squared weights in the loss of a question. */
const smoothing = 5e-4;
/** The last weights, whose squares do not count: of scales. */
const unsmoothed = 5;
/** Decay of Adam's moments. */
const [meanDecay, squareDecay] = [0.9, 0.99];

/**
 * Fits the weights of `hybrid`'s ranker by the likelihood of the relevant passages, or of "none"
 * for questions that the corpus cannot answer. Write the model as JSON and pass its path to
 * `hybrid` (`ranker`). For evaluation hold out whole collections, pages or entities.
 * @throws AsOfError ERR_INVALID_ARGUMENT for arguments of the wrong kind; ERR_INVALID_INPUT for a
 * `from` that is no model of this version; ERR_ABORTED.
 */
export function trainRanker(
  examples: readonly RankingExample[],
  options: TrainRankerOptions = {},
): ReturnType<typeof rankerForm.model> {
  mustBe('an array', { examples });
  mustBe('an object', { options });
  const { id = 'trained', from, signal } = options;
  throwIfAborted(signal);
  const weights = from ? rankerForm.weights(from) : fitMembership(examples, options);
  weights.relevance = fitRelevance(examples, weights);
  weights.series = fitSeries(examples, weights);
  weights.none = fitNone(examples, weights);
  return rankerForm.model(id, weights);
}

/** Membership and clocks, by the likelihood of the whole. */
function fitMembership(
  examples: readonly RankingExample[],
  { passes = 8, seed = 1, signal, onProgress }: TrainRankerOptions,
): RankerWeights {
  mustBeWhole({ passes }, 1, 1000);
  const weights = rankerForm.zeros();
  for (const [name, value] of Object.entries(start))
    weights.features[rankerForm.featureNames.indexOf(name as 'bias')] = value;
  weights.clock[0] = 1;
  weights.relative.share = 0.5;
  weights.relevance = { logOdds: 0.3, similarity: 0.8, coverage: 0.6 };
  const optimizer = new Adam();
  const random = seededRandom(seed);
  let order = [...examples];
  for (let pass = 0; pass < passes; pass += 1) {
    order = random.shuffled(order);
    const rate = firstRate * (1 - pass / passes) + lastRate;
    for (let from = 0; from < order.length; from += batch) {
      throwIfAborted(signal);
      const slopes = rankerForm.zeros();
      for (const example of order.slice(from, from + batch))
        addGradient(example, weights, slopes, example.weight / batch);
      optimizer.step(weights, slopes, rate);
    }
    onProgress?.({ done: pass + 1, total: passes });
  }
  return weights;
}

class Adam {
  private readonly means = new Float64Array(size);
  private readonly squares = new Float64Array(size);
  private steps = 0;

  step(weights: RankerWeights, slopes: RankerWeights, rate: number): void {
    this.steps += 1;
    const values = flat(weights);
    const slope = flat(slopes);
    const [mean, square] = [1 - meanDecay ** this.steps, 1 - squareDecay ** this.steps];
    for (let i = 0; i < size; i += 1) {
      const each = slope[i]! + smoothing * (i < size - unsmoothed ? values[i]! : 0);
      this.means[i] = meanDecay * this.means[i]! + (1 - meanDecay) * each;
      this.squares[i] = squareDecay * this.squares[i]! + (1 - squareDecay) * each * each;
      values[i]! -= (rate * this.means[i]!) / mean / (Math.sqrt(this.squares[i]! / square) + 1e-8);
    }
    rankerForm.featureSigns.forEach((sign, f) => {
      if (sign * values[f]! < 0) values[f] = 0;
    });
    const { features, clock, series } = weights;
    let from = 0;
    for (const each of [features, clock, series]) {
      each.set(values.subarray(from, from + each.length));
      from += each.length;
    }
    const [share, shift, ...relevance] = values.subarray(from);
    const [logOdds, similarity, coverage] = relevance.map((each) => Math.max(0, each));
    weights.relative = { share: share!, shift: shift! };
    weights.relevance = {
      logOdds: logOdds!,
      similarity: similarity!,
      coverage: coverage!,
    };
  }
}

const flat = ({ features, clock, series, relative, relevance }: RankerWeights): Float64Array =>
  Float64Array.of(
    ...features,
    ...clock,
    ...series,
    relative.share,
    relative.shift,
    relevance.logOdds,
    relevance.similarity,
    relevance.coverage,
  );

const size = flat(rankerForm.zeros()).length;
