// Definition of `asof copy`.
import type { Command } from '../command.js';
import { postgresHelp } from '../options/postgres.js';

export const command: Command = {
  name: 'copy',
  summary:
    'Copies all passages of a corpus into another, in a folder or in PostgreSQL, with their ' +
    'vectors, and compares both.',
  positionals: ['FROM', 'TO'],
  options: {
    schema: {
      type: 'string',
      value: 'NAME',
      help: 'of what is in PostgreSQL, default asof',
    },
    'to-schema': {
      type: 'string',
      value: 'NAME',
      help: 'of TO, where both are in PostgreSQL and it is another one',
    },
  },
  details:
    `FROM and TO are folders, or ${postgresHelp}.\n` +
    'TO is created with the encoder, fields, time zone and sentences of FROM, or has to have ' +
    'them. Nothing is encoded again. What is there already stays: an interrupted copy goes on ' +
    'where it was when the command is repeated.\n' +
    'At the end all of TO is read: its number of passages and the checksum over ids, records and ' +
    'vectors have to be those of FROM. Versions that a history keeps are not copied.',
  example: 'asof copy wiki.asof postgres://asof@db.example.com/corpora --schema wiki',
  failure: '1 failure or a copy that differs',
};
