// Definition of `asof list`.
import type { Command } from '../command.js';
import { asRecordedOption } from '../options/asRecorded.js';
import { schemaOption } from '../options/postgres.js';
import { whereOption } from '../options/where.js';

export const command: Command = {
  name: 'list',
  summary: 'Prints the passages of a corpus that pass a filter as JSON lines, or counts them.',
  positionals: ['DIR'],
  options: {
    where: whereOption,
    'as-recorded': asRecordedOption,
    'order-by': {
      type: 'string',
      value: 'FIELD',
      help: 'id (default), published_at, valid_from, valid_to or a field of numbers or times',
    },
    descending: { type: 'boolean', help: 'the greatest first' },
    limit: { type: 'string', value: 'N', help: 'passages to print, default all' },
    count: { type: 'boolean', help: 'print their number alone' },
    schema: schemaOption,
  },
  details:
    'out: {id, text, title?, published_at?, valid_from?, valid_to?, metadata?} a line, as asof ' +
    'index reads them',
  example: 'asof list news.asof --where \'{"tenant": "a"}\' --order-by published_at --limit 10',
};
