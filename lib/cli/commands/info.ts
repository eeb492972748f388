// Definition of `asof info`.
import type { Command } from '../command.js';
import { schemaOption } from '../options/postgres.js';

export const command: Command = {
  name: 'info',
  summary: 'Prints counts, times, sizes and encoder of a corpus, and checks its integrity.',
  positionals: ['DIR'],
  options: {
    quick: { type: 'boolean', help: 'skip the integrity check, which reads every byte' },
    schema: schemaOption,
  },
  example: 'asof info wiki.asof',
  failure: '1 failure or a damaged corpus',
};
