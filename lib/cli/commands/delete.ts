// Definition of `asof delete`.
import type { Command } from '../command.js';
import { idDetails } from '../options/ids.js';

export const command: Command = {
  name: 'delete',
  summary: 'Deletes passages from a corpus by id, in one commit. Unknown ids are ignored.',
  positionals: ['DIR', 'ID...'],
  options: {},
  details:
    `${idDetails}\n` +
    'Deletions take effect at once; the files shrink with a later merge, or by asof compact.',
  example: 'asof delete wiki.asof may johnson',
};
