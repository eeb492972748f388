// Definition of `asof restore`.
import type { Command } from '../command.js';

export const command: Command = {
  name: 'restore',
  summary: 'Makes a corpus hold what a backup, or any other corpus, holds.',
  positionals: ['DIR', 'FOLDER'],
  options: {},
  details:
    'DIR is a corpus, damaged or not, or a new or empty folder; FOLDER is read, verified first ' +
    'and left as it is. It is one commit: programs that have DIR open answer from its former ' +
    'content until then, and from the restored content from then on. Where encoder, fields, ' +
    'time zone, rows of sentences or history differ, they are told to open it again.\n' +
    'out with --json: {corpus, restored, passages, continued, seconds}',
  example: 'asof restore wiki.asof wiki-monday.asof',
};
