// Definition of `asof compact`.
import type { Command } from '../command.js';
import { schemaOption } from '../options/postgres.js';

export const command: Command = {
  name: 'compact',
  summary: 'Merges the segments of a corpus into one, without deleted passages.',
  positionals: ['DIR'],
  options: {
    'keep-days': {
      type: 'string',
      value: 'N',
      help: 'of a corpus indexed with --history: drop versions that ended more than N days ago',
    },
    schema: schemaOption,
  },
  details:
    'asof index merges small segments by itself: compact after large deletions, or for the last ' +
    'few percent of speed. It verifies its sources, and needs free space of the size of the ' +
    'corpus. Searches go on meanwhile.',
  example: 'asof compact wiki.asof',
};
