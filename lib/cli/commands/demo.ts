// Definition of `asof demo`.
import type { Command } from '../command.js';

export const command: Command = {
  name: 'demo',
  summary:
    'Indexes example passages and answers example questions, compared with plain similarity.',
  positionals: [],
  options: {
    dir: {
      type: 'string',
      value: 'DIR',
      help: 'keep the corpus in DIR for your own questions; default: a temporary folder',
    },
  },
  details: 'Wrong answers of either system are shown; they do not change the exit code.',
  example: 'asof demo --dir demo.asof',
};
