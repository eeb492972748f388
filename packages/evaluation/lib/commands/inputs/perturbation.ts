// Perturbed forms of the queries of an evaluation, and their scores.
import { measuredRobustness } from '../../comparison/robustnessCurves.js';
import { evaluate, type Evaluation, type EvaluateOptions } from '../../evaluate.js';
import type { Robustness } from '../../measures/robustness.js';
import { perturbQuestions, type PerturbedQuestions } from '../../perturbation/perturbQuestions.js';
import type { DatedQuestion } from '../../perturbation/perturbQuestion.js';
import type { System } from 'asof';
import { UsageError } from 'asof/command';
import { perturbableQuestions } from '../options/perturbation.js';

export interface Perturbation {
  seed: number;
  per_question: number;
  questions: number;
  forms: number;
  /** By metric, over the questions with forms. */
  metrics: Record<string, Robustness>;
}

/**
 * The perturbed forms of queries.
 * @throws UsageError if no query can be perturbed.
 */
export async function perturbedOf(
  queries: readonly DatedQuestion[],
  perQuestion: number,
  { qrels, signal }: Pick<EvaluateOptions, 'qrels' | 'signal'>,
): Promise<PerturbedQuestions> {
  const set = await perturbQuestions(queries, {
    perQuestion,
    qrels,
    signal,
  });
  if (set.forms.length === 0)
    throw new UsageError(`None of the queries can be perturbed. ${perturbableQuestions}`);
  return set;
}

/** Runs a system on the perturbed forms and compares its scores with those of the originals. */
export async function perturbation(
  { system, evaluation }: { system: System; evaluation: Evaluation },
  { forms, qrels, originalOf }: PerturbedQuestions,
  perQuestion: number,
  settings: EvaluateOptions,
): Promise<Perturbation> {
  // These judgements are by the ids of the originals, as are the candidates of a pool.
  const { versions: _v, temporal: _t, qrels: judged, pool, ...rest } = settings;
  const { queries } = await evaluate(system, forms, {
    ...rest,
    ...(judged ? { qrels } : {}),
    ...(pool ? { pool: (id: string) => pool(originalOf(id)!) } : {}),
  });
  const changes = settings.metrics.flatMap(({ name }): [string, Robustness][] => {
    const robustness = measuredRobustness(name, evaluation.queries, queries, originalOf);
    return robustness ? [[name, robustness]] : [];
  });
  const questions = new Set(forms.map(({ originalId }) => originalId)).size;
  return {
    seed: 1,
    per_question: perQuestion,
    questions,
    forms: forms.length,
    metrics: Object.fromEntries(changes),
  };
}
