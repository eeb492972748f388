// Options --read, --passages, --temperature, --fallback and --examples: how the answer is read.
import type { OptionSpec } from '../command.js';

export const readingOptions: Readonly<Record<string, OptionSpec>> = {
  read: {
    value: 'MODE',
    group: 'model',
    help:
      'reader of the answer: extract (default, by rules), or a prompt of --model: direct, ' +
      'chainOfThought, concatenated, selfMrag',
  },
  passages: {
    value: 'N',
    group: 'model',
    help: 'passages that the answer is read from, default 5',
  },
  temperature: {
    value: 'X',
    group: 'model',
    help: 'of the reader that prompts --model, 0 to 2, default 0',
  },
  fallback: {
    value: 'F',
    group: 'model',
    help:
      'of --read concatenated and selfMrag where the passages do not tell: abstain (default), or ' +
      'memory, what --model knows',
  },
  examples: {
    value: 'E.jsonl',
    group: 'model',
    help:
      'few-shot examples of the reader in place of its own: {question, answer, asked_at?, ' +
      'reasoning?, passages?:[{title?, text}]} a line',
  },
};
