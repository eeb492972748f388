// Robustness under temporal perturbation (MRAG section 3.2, figure 2): points of its curves, from
// the scores of questions and of their perturbed forms.
import type { QueryScores } from '../measures/averages.js';
import { perturbationRobustness, type Robustness } from '../measures/robustness.js';
import type { PerturbedQuestions } from '../perturbation/perturbQuestions.js';
import type { PerturbationPoint } from './result.js';

/** Lower bounds of the steps, in years between the dates of a form and those in passages. */
const distanceSteps = [0, 1, 2, 3, 5, 10, 20] as const;

/**
 * The change of each metric from questions to their forms; nothing for a metric without values.
 * Shares between 0 and 1 are interpolated: the perturbed questions are a random sample, so the
 * expected mean is linear in the share.
 */
export function robustnessCurves(
  of: { set: string; system: string },
  metrics: readonly string[],
  originals: readonly QueryScores[],
  forms: readonly QueryScores[],
  { originalOf, yearsOff }: PerturbedQuestions,
): PerturbationPoint[] {
  return metrics.flatMap((metric): PerturbationPoint[] => {
    const whole = measuredRobustness(metric, originals, forms, originalOf);
    if (!whole) return [];
    const point = ({ original, questions, forms: counted }: Robustness, mean: number) => ({
      mean,
      original,
      n: questions,
      forms: counted,
    });
    const steps = distanceSteps.flatMap((step, at): PerturbationPoint[] => {
      const beyond = distanceSteps[at + 1] ?? Infinity;
      const those = forms.filter(
        ({ id }) => yearsOff.get(id)! >= step && yearsOff.get(id)! < beyond,
      );
      const found = measuredRobustness(metric, originals, those, originalOf);
      return found
        ? [{ ...of, metric, kind: 'distance', step, ...point(found, found.perturbed) }]
        : [];
    });
    return [
      { ...of, metric, kind: 'constraint', share: 0, ...point(whole, whole.original), forms: 0 },
      { ...of, metric, kind: 'constraint', share: 1, ...point(whole, whole.perturbed) },
      ...steps,
    ];
  });
}

/** The robustness of a metric; undefined if no question and form share it. */
export function measuredRobustness(
  metric: string,
  originals: readonly QueryScores[],
  forms: readonly QueryScores[],
  originalOf: (id: string) => string | undefined,
): Robustness | undefined {
  const having = new Set(
    originals.filter(({ values }) => values[metric] !== undefined).map(({ id }) => id),
  );
  const some = forms.some(
    ({ id, values }) => values[metric] !== undefined && having.has(originalOf(id) ?? ''),
  );
  return some ? perturbationRobustness(metric, originals, forms, originalOf) : undefined;
}
