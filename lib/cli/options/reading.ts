// Options --read and --passages: how the answer is read from the passages.
import type { OptionSpec } from '../command.js';

export const readingOptions: Readonly<Record<string, OptionSpec>> = {
  read: {
    type: 'string',
    value: 'MODE',
    group: 'model',
    help:
      'reader of the answer: extract (default, by rules), or a prompt of --model: direct, ' +
      'chainOfThought, concatenated, selfMrag',
  },
  passages: {
    type: 'string',
    value: 'N',
    group: 'model',
    help: 'passages that the answer is read from, default 5',
  },
};
