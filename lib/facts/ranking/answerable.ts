// Abstention: log-odds that no passage answers, from how the likeliest member of the series matches
// the question and its window, and from how sure the first passage is.
import { logSum, sigmoid, type CascadeResult } from './cascade.js';
import { featurePlaces, width, type FeatureName } from '../features/features.js';
import type { MemberColumns } from '../members/members.js';

const ofBest = [
  'undated',
  'before',
  'beforeOfFigure',
  'outside',
  'gap',
  'nameMissing',
  'rarityMissing',
  'unknownName',
  'cosine',
] as const satisfies readonly FeatureName[];
/** Its inputs by name: log-odds of the likeliest member, probability of the first passage. */
export const noneInputNames = ['bias', 'logOdds', 'first', ...ofBest] as const;

/** Log-odds of membership are divided by this. */
const logOddsScale = 5;

/** The inputs of one question that has a member. */
export function noneInputs({ features }: MemberColumns, result: CascadeResult): Float64Array {
  const { best, logOdds, scores, none } = result;
  const first = Math.exp(Math.max(...scores) - logSum([...scores, none]));
  return Float64Array.of(
    1,
    logOdds[best]! / logOddsScale,
    first,
    ...ofBest.map((name) => features[best * width + featurePlaces[name]]!),
  );
}

/**
 * The probability that no passage answers, 0 to 1; the weights are shifted so that the questions
 * from one half up are left unanswered.
 */
export const noneProbability = (weights: Float64Array, inputs: Float64Array): number =>
  sigmoid(weights.reduce((sum, weight, i) => sum + weight * inputs[i]!, 0));

/** What is said where the fact is known of other times alone. */
export const notThen = 'No passage states it for the time asked for';

/** Why no passage answers, by what the likeliest member lacks. */
export function reasonOf({ features }: MemberColumns, { best }: CascadeResult): string {
  const valueOf = (name: FeatureName): number => features[best * width + featurePlaces[name]]!;
  if (valueOf('unknownName') > 0) return 'No passage names the entity of the question.';
  const isElsewhere = (['undated', 'before', 'beforeOfFigure', 'outside'] as const).some(
    (name) => valueOf(name) > 0,
  );
  return isElsewhere ? `${notThen}.` : 'No passage states it.';
}
