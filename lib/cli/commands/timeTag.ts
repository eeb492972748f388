// Definition of `asof time tag`.
import type { Command } from '../command.js';
import { timeZoneOption } from '../options/timeZone.js';

export const command: Command = {
  name: 'time tag',
  summary: 'Finds the dates and other times that texts mention. JSON lines in, JSON lines out.',
  positionals: ['[FILE.jsonl]'],
  options: {
    mode: {
      type: 'string',
      value: 'news|narrative',
      help:
        'reference of dates without a year: ref (news) or the date before it in the text ' +
        '(narrative); default automatic, chosen for each text and printed',
    },
    'time-zone': timeZoneOption('of the texts and of ref; default UTC'),
  },
  details:
    'in:  {id, text, ref?} a line, from FILE or standard input; ref is the date of the text ' +
    '(ISO 8601); other fields are ignored\n' +
    'out: {id, mode, mentions:[{start, end, text, relation, start_iso, end_iso, granularity, ' +
    'timex_type, timex_value}], timex:[{start, end, text, type, value}]}\n' +
    'mentions include the preposition and, if known, the interval; timex are the TIMEX3 ' +
    'expressions in them.\n' +
    'Dates are printed to the day, both ends inclusive, a time of day in UTC; offsets count ' +
    'UTF-16 units.',
  example: 'echo \'{"id":"1","text":"Born in May 1971."}\' | asof time tag',
};
