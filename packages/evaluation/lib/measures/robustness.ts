// Robustness under temporal perturbation (MRAG section 3.2, figure 2): the change of a measure from
// questions to their perturbed forms.
import { invalidArgument, mustBe } from 'asof/kit';
import { metricValues, type QueryScores } from './averages.js';
import { groupBy } from './groupBy.js';
import { mean } from './mean.js';

/** A measure on original questions and on their perturbed forms. */
export interface Robustness {
  /** Mean over the compared questions. */
  original: number;
  /**
   * Mean over the same questions of the mean of each question's perturbed forms, questions weighted
   * equally.
   */
  perturbed: number;
  /** perturbed - original: negative for a loss. */
  change: number;
  /** Questions with both scores, and the perturbed forms counted. */
  questions: number;
  forms: number;
}

/**
 * The change of one metric from questions to their perturbed forms. `originalOf` maps the id of a
 * form to that of its question; questions without forms and forms without a measured question are
 * excluded.
 * @throws AsOfError ERR_INVALID_ARGUMENT without a question that has both.
 */
export function perturbationRobustness(
  metric: string,
  originals: readonly QueryScores[],
  perturbed: readonly QueryScores[],
  originalOf: (id: string) => string | undefined,
): Robustness {
  mustBe('an array', { originals, perturbed });
  mustBe('a function', { originalOf });
  const measured = perturbed.filter(({ values }) => values[metric] !== undefined);
  const forms = groupBy(measured, ({ id }) => originalOf(id));
  const compared = originals.filter(
    ({ id, values }) => values[metric] !== undefined && forms.has(id),
  );
  if (compared.length === 0)
    throw invalidArgument(
      'perturbed',
      `scores of ${metric} for forms of the measured questions`,
      perturbed,
    );
  const original = mean(compared.map(({ values }) => values[metric]!));
  const after = mean(compared.map(({ id }) => mean(metricValues(forms.get(id)!, metric))));
  const counted = compared.reduce((sum, { id }) => sum + forms.get(id)!.length, 0);
  return {
    original,
    perturbed: after,
    change: after - original,
    questions: compared.length,
    forms: counted,
  };
}
