// Perturbed forms of the queries of an evaluation, and their scores.
import { measuredRobustness } from '../../eval/comparison/robustnessCurves.js';
import { evaluate, type Evaluation, type EvaluateOptions } from '../../eval/evaluate.js';
import type { Robustness } from '../../eval/measures/robustness.js';
import { perturbQuestions, type PerturbedQuestions } from '../../eval/perturbation/perturbQuestions.js';
import type { System } from '../../systems/system.js';
import { UsageError, type Command } from '../command.js';
import { whichAreDated } from '../options/perturbation.js';
import type { readQueries } from './jsonLines.js';

export interface Perturbation {
  seed: number;
  per_question: number;
  questions: number;
  forms: number;
  /** Of each metric, over the questions that have forms. */
  metrics: Record<string, Robustness>;
}

/** The forms of queries. Errors: UsageError where none can be perturbed. */
export async function perturbedOf(
  queries: Awaited<ReturnType<typeof readQueries>>,
  perQuestion: number,
  { qrels, signal }: Pick<EvaluateOptions, 'qrels' | 'signal'>,
  command: Command,
): Promise<PerturbedQuestions> {
  const set = await perturbQuestions(queries, {
    perQuestion,
    ...(qrels ? { qrels } : {}),
    ...(signal ? { signal } : {}),
  });
  if (set.forms.length === 0)
    throw new UsageError(
      `None of the queries can be perturbed. ${whichAreDated.replace('\n', ' ')}`,
      command.name,
    );
  return set;
}

/** Asks a system the forms, and compares with what it made of the questions themselves. */
export async function perturbation(
  { system, evaluation }: { system: System; evaluation: Evaluation },
  { forms, qrels, originalOf }: PerturbedQuestions,
  perQuestion: number,
  settings: EvaluateOptions,
): Promise<Perturbation> {
  // judgements by the ids of the questions themselves
  const { versions: _v, temporal: _t, qrels: judged, ...rest } = settings;
  const { queries } = await evaluate(system, forms, { ...rest, ...(judged ? { qrels } : {}) });
  const changes = settings.metrics.flatMap(({ name }): [string, Robustness][] => {
    const found = measuredRobustness(name, evaluation.queries, queries, originalOf);
    return found ? [[name, found]] : [];
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
