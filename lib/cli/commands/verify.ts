// Definition of `asof verify`.
import type { Command } from '../command.js';
import { schemaOption } from '../options/postgres.js';

export const command: Command = {
  name: 'verify',
  summary: 'Reads every byte of a corpus and compares all checksums, records and ids.',
  positionals: ['DIR'],
  options: { schema: schemaOption },
  details: 'The first damaged part is named. asof repair keeps all readable passages.',
  example: 'asof verify wiki.asof',
  failure: '1 failure or a damaged corpus',
};
