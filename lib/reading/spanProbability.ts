// The probability that a span is the answer: how far its score is above that of others, what form
// it has, and where it stands. A logistic model, fitted on what `hybrid` finds for questions of
// families, written collections, TimeQA, HoH, forecasts, counts and matches; calibrated on sets
// held out.
import type { CandidateSpan } from './candidates.js';
import type { ReadablePassage } from './answer.js';

/** Bias, then by what is multiplied. */
const weights = {
  /** Raised by 0.4: of spans with 0.5 to 0.6 by the fit, 0.69 were right on sets held out. */
  bias: -2.09,
  /** Score above the best other text. */
  margin: 0.4,
  score: 0.38,
  /** Its form is one that the kind of answer has. */
  agrees: 0.88,
  isOfFirst: 1.04,
  /** Logarithm of the number of different texts. */
  others: -0.89,
};
/** The margin of the only span. */
const alone = 3;

/** @param first the best of the passages that were read */
export function spanProbability(
  best: CandidateSpan,
  candidates: readonly CandidateSpan[],
  first: ReadablePassage,
): number {
  const own = best.text.toLowerCase();
  const texts = new Set<string>();
  let other = -Infinity;
  for (const { text, score } of candidates) {
    const lower = text.toLowerCase();
    texts.add(lower);
    if (lower !== own && score > other) other = score;
  }
  const logOdds =
    weights.bias +
    weights.margin * Math.min(alone, best.score - other) +
    weights.score * best.score +
    weights.agrees * (best.features['agrees'] ?? 0) +
    (best.passage === first ? weights.isOfFirst : 0) +
    weights.others * Math.log(texts.size);
  return 1 / (1 + Math.exp(-logOdds));
}
