// Definition of `asof get`.
import type { Command } from '../command.js';
import { asRecordedOption } from '../options/asRecorded.js';
import { idDetails } from '../options/ids.js';
import { schemaOption } from '../options/postgres.js';

export const command: Command = {
  name: 'get',
  summary: 'Prints passages of a corpus as JSON lines, as asof index reads them.',
  positionals: ['DIR', 'ID...'],
  options: {
    'as-recorded': asRecordedOption,
    versions: {
      type: 'boolean',
      help: 'every version that is kept, the oldest first, of a corpus indexed with --history',
    },
    schema: schemaOption,
  },
  details:
    `${idDetails}\n` +
    'out: {id, text, title?, published_at?, valid_from?, valid_to?, metadata?, chunk?} a line, ' +
    'in the order of the ids; times are ISO 8601, a date alone is that whole day; with ' +
    '--versions also recorded_at and, of versions that were replaced or deleted, ended_at and ' +
    'ended_by',
  example: 'asof get wiki.asof may johnson',
  failure: '1 failure or an id that is not there',
};
