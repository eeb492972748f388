// Robustness under temporal perturbation as tables, for `asof eval` and `asof compare`.
import type { Comparison } from '../../comparison/result.js';
import type { System } from 'asof';
import type { Perturbation } from '../inputs/perturbation.js';
import { type Terminal, counted, table } from 'asof/command';

/** A row a system and metric. */
export function robustnessTable(
  done: readonly { system: System; perturbed: Perturbation }[],
  names: readonly string[],
  terminal: Terminal,
): string {
  const first = done[0]!.perturbed;
  const head = ['', 'metric', 'original', 'perturbed', 'change'].map((cell) =>
    terminal.style(cell, 'bold'),
  );
  const rows = done.flatMap(({ system, perturbed: { metrics } }) =>
    names.flatMap((name) => {
      const robustness = metrics[name];
      return robustness
        ? [
            [
              system.name,
              name,
              ...[robustness.original, robustness.perturbed].map((each) => each.toFixed(4)),
              signed(robustness.change),
            ],
          ]
        : [];
    }),
  );
  const title = `${formsNote(first)}, seed ${first.seed}, each question the mean of its forms`;
  return `\n${terminal.style(title, 'bold')}\n${table([head, ...rows], { align: ['left', 'left'] })}`;
}

/** For each set the change of every metric, and of the first one by distance of the dates. */
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
          const point = mine.find(
            (each) => each.system === system && each.metric === metric && each.share === 1,
          );
          return point
            ? `${point.original.toFixed(2)} ${point.mean.toFixed(2)} ${signed(point.mean - point.original, 2)}`
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
        `\n${terminal.style(`${name}, ${formsNote(perturbed!)}: original, perturbed, change`, 'bold')}\n${table([head(['', ...those]), ...whole])}` +
        `${terminal.style(`${those[0]} by years from the dates in passages`, 'bold')}\n` +
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
