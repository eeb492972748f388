// Definition of `asof backup`.
import type { Command } from '../command.js';

export const command: Command = {
  name: 'backup',
  summary: 'Copies a corpus into a new or empty folder, while others may write to it.',
  positionals: ['DIR', 'FOLDER'],
  options: {},
  details:
    'The copy is a corpus of its own, as of one commit. On the same file system its files are ' +
    'hard links: at once, without space, and with the faults of the same disk. Keep a backup on ' +
    'another disk, where bytes are copied. Nothing is verified: asof verify FOLDER does.',
  example: 'asof backup wiki.asof wiki-monday.asof',
};
