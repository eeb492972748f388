// The option --where of commands that filter passages.
import type { OptionSpec } from '../command.js';

export const whereOption: OptionSpec = {
  type: 'string',
  value: 'JSON',
  help: 'only passages that pass this filter of the corpus\'s fields: \'{"tenant": "a"}\'',
};
