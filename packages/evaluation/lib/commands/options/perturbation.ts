// Option --forms of `asof eval` and `asof compare`: robustness under temporal perturbation.
import { UsageError, countOption, type Invocation, type OptionSpec } from 'asof/command';

const defaultForms = 4;

export const formsOption: OptionSpec = {
  value: 'N',
  group: 'perturbation',
  help: `perturbed forms of each question, default ${defaultForms}`,
};

export const perturbableQuestions =
  'Perturbed questions need valid_from or valid_to (see asof bench-data perturb), or answers ' +
  'such as "from 1916 to 1920"; answers and judgements stay the same.';

/**
 * The number of forms of each question; undefined without `flag`.
 * @throws UsageError for --forms without `flag`.
 */
export function formsOf(invocation: Invocation, flag: string): number | undefined {
  const forms = countOption(invocation, 'forms');
  if (invocation.flags.has(flag)) return forms ?? defaultForms;
  if (forms !== undefined) throw new UsageError(`--forms needs --${flag}.`);
  return undefined;
}
