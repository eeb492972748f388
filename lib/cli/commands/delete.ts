// Definition of `asof delete`.
import type { Command } from '../command.js';
import { whereOption } from '../options/where.js';
import { idDetails } from '../options/ids.js';
import { schemaOption } from '../options/postgres.js';

export const command: Command = {
  name: 'delete',
  summary:
    'Deletes passages from a corpus in one commit: by id, of which unknown ones are ignored, or ' +
    'all that pass a filter.',
  positionals: ['DIR', '[ID...]'],
  options: { where: whereOption, schema: schemaOption },
  details:
    `${idDetails}\n` +
    'Deletions take effect at once; the files shrink with a later merge, or by asof compact.',
  example: 'asof delete wiki.asof may johnson',
};
