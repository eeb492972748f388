// Abstention: log-odds that no passage answers, from how the likeliest member of the series matches
// the question and its window, from how sure the first passage is, and whether a series is shown.
import { placeOfGreatest, sigmoid, type CascadeResult } from './cascade.js';
import { featurePlaces, firstTimed, width, type FeatureName } from '../features/features.js';
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
/**
 * Its inputs by name: log-odds of the likeliest member, probability of the first passage, that the
 * order of a series counts (where none is shown, what is missing says little), and of `ofBest`.
 */
export const noneInputNames = ['bias', 'logOdds', 'first', 'series', ...ofBest] as const;

/** Log-odds of membership are divided by this. */
const logOddsScale = 5;

/**
 * The inputs of one question that has a member. Where it has no operator, the times of statements
 * say nothing of whether they answer.
 */
export function noneInputs(table: MemberColumns, result: CascadeResult): Float64Array {
  const { evidence, scores, series } = result;
  const best = table.hasOperator ? result.best : placeOfGreatest(evidence);
  const valueOf = (name: FeatureName): number => {
    const counts = table.hasOperator || featurePlaces[name] < firstTimed;
    return counts ? table.features[best * width + featurePlaces[name]]! : 0;
  };
  const logOdds = table.hasOperator ? result.logOdds[best]! : evidence[best]!;
  const first = Math.exp(scores[placeOfGreatest(scores)]!);
  return Float64Array.of(1, logOdds / logOddsScale, first, series, ...ofBest.map(valueOf));
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
