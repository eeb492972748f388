// The option --as-recorded of commands that read a corpus with history.
import { option, type Arguments, type OptionSpec } from '../command.js';

export const asRecordedOption: OptionSpec = {
  type: 'string',
  value: 'T',
  help:
    'the corpus as it was recorded at T (ISO 8601; a date alone is its end), of a corpus indexed ' +
    'with --history; default now',
};

export function asRecordedOf(invocation: Arguments): { asRecorded?: string } {
  const asRecorded = option(invocation, 'as-recorded');
  return asRecorded === undefined ? {} : { asRecorded };
}
