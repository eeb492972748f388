// Robustness under temporal perturbation: option --forms, scores and tables of `asof eval` and
// `asof compare`.
import { UsageError, countOption, type Command, type Invocation, type OptionSpec } from '../command.js';

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
