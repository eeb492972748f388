// Robustness under temporal perturbation: option --forms, scores and tables of `asof eval` and
// `asof compare`.
import { measuredRobustness } from '../../eval/comparison/robustnessCurves.js';
import type { Comparison } from '../../eval/comparison/result.js';
import { evaluate, type Evaluation, type EvaluateOptions } from '../../eval/evaluate.js';
import type { Robustness } from '../../eval/measures/robustness.js';
import {
  perturbQuestions,
  type PerturbedQuestions,
} from '../../eval/perturbation/perturbQuestions.js';
import type { System } from '../../systems/system.js';
import {
  UsageError,
  countOption,
  type Command,
  type Invocation,
  type OptionSpec,
} from '../command.js';
import type { readQueries } from '../inputs/jsonLines.js';
import { counted, table } from '../tables/layout.js';
import type { Terminal } from '../terminal.js';

/** Default of --forms. */
const usualForms = 4;

export const formsOption: OptionSpec = {
  type: 'string',
  value: 'N',
  group: 'perturbation',
  help: `perturbed forms of each question, default ${usualForms}`,
};

export const whichAreDated =
  'Perturbed questions need valid_from or valid_to (see asof bench-data perturb), or answers ' +
  'such as "from 1916 to 1920"; answers and judgements stay the same.';

/**
 * How many forms of a question are wanted; nothing where `flag` is not given. Errors: UsageError.
 */
export function formsOf(
  invocation: Invocation,
  command: Command,
  flag: string,
): number | undefined {
  const forms = countOption(invocation, command, 'forms');
  if (invocation.flags.has(flag)) return forms ?? usualForms;
  if (forms !== undefined)
    throw new UsageError(`--forms is for --${flag}, which is not given.`, command.name);
  return undefined;
}

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

/** A row a system and metric. */
export function robustnessTable(
  done: readonly { system: System; perturbed: Perturbation }[],
  names: readonly string[],
  terminal: Terminal,
): string {
  const first = done[0]!.perturbed;
  const head = ['', 'metric', 'as asked', 'perturbed', 'change'].map((cell) =>
    terminal.style(cell, 'bold'),
  );
  const rows = done.flatMap(({ system, perturbed: { metrics } }) =>
    names.flatMap((name) => {
      const found = metrics[name];
      return found
        ? [
            [
              system.name,
              name,
              ...[found.original, found.perturbed].map((each) => each.toFixed(4)),
              signed(found.change),
            ],
          ]
        : [];
    }),
  );
  const title = `${formsNote(first)}, seed ${first.seed}, each question the mean of its forms`;
  return `\n${terminal.style(title, 'bold')}\n${table([head, ...rows], { align: ['left', 'left'] })}`;
}

/**
 * Of a comparison: for each set the change of every measure, and of the first one by how far the
 * dates lie off.
 */
export function degradationTables(
  { perturbation: points = [], sets, metrics }: Comparison,
  terminal: Terminal,
): string {
  const tables = sets
    .filter(({ perturbed }) => perturbed)
    .map(({ name, perturbed }) => {
      const mine = points.filter(({ set }) => set === name);
      const systems = [...new Set(mine.map(({ system }) => system))];
      const those = metrics.filter((metric) => mine.some((each) => each.metric === metric));
      const whole = systems.map((system) => [
        system,
        ...those.map((metric) => {
          const found = mine.find(
            (each) => each.system === system && each.metric === metric && each.share === 1,
          );
          return found
            ? `${found.original.toFixed(2)} ${found.mean.toFixed(2)} ${signed(found.mean - found.original, 2)}`
            : '-';
        }),
      ]);
      const near = mine.filter((each) => each.metric === those[0] && each.kind === 'distance');
      const steps = [...new Set(near.map(({ step }) => step!))].sort((a, b) => a - b);
      const at = (system: string, step: number): number =>
        near.find((each) => each.system === system && each.step === step)!.mean;
      const far = systems.map((system) => [
        system,
        ...steps.map((step) => at(system, step).toFixed(2)),
      ]);
      const head = (cells: readonly string[]): string[] =>
        cells.map((cell) => terminal.style(cell, 'bold'));
      const counts = steps.map((step) => near.find((each) => each.step === step)!.n);
      return (
        `\n${terminal.style(`${name}, ${formsNote(perturbed!)}: as asked, perturbed, change`, 'bold')}\n${table([head(['', ...those]), ...whole])}` +
        `${terminal.style(`${those[0]} by years from the dates that passages show`, 'bold')}\n` +
        table([
          head(['', ...steps.map((step, next) => stepName(step, steps[next + 1]))]),
          ...far,
          ['questions', ...counts.map(String)],
        ])
      );
    });
  return tables.join('');
}

const formsNote = ({ questions, forms }: { questions: number; forms: number }): string =>
  `${counted(questions, 'question', 'questions')} with other time constraints in ${counted(forms, 'form', 'forms')}`;
const stepName = (step: number, next: number | undefined): string =>
  next === undefined ? `${step} or more` : next === step + 1 ? String(step) : `${step}-${next - 1}`;
const signed = (value: number, digits = 4): string =>
  `${value < 0 ? '' : '+'}${value.toFixed(digits)}`;
