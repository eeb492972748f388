// Option --model: the language model of a command.
import { option, type Invocation, type OptionSpec } from '../command.js';
import { serverOption } from './server.js';

export const modelOptions: Readonly<Record<string, OptionSpec>> = {
  model: {
    value: 'M',
    group: 'model',
    help:
      'language model: NAME on the server of --base-url; default none: all stages are ' +
      'rule-based',
  },
  'base-url': serverOption,
};

/** Whether --model is present. */
export function namesModel(invocation: Invocation): boolean {
  return option(invocation, 'model') !== undefined;
}
