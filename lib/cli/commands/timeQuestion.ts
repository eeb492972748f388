// Definition of `asof time question`.
import type { Command } from '../command.js';
import { timeZoneOption } from '../options/timeZone.js';

export const command: Command = {
  name: 'time question',
  summary: 'Parses the time constraints of questions. JSON lines in, JSON lines out.',
  positionals: ['[FILE.jsonl]'],
  options: {
    'parts-of-decade': {
      type: 'string',
      value: 'MIDDLE,LATE',
      help: 'first years of the middle and late part of a decade, default 4,7',
    },
    'time-zone': timeZoneOption('days of the questions and of asked_at; default UTC'),
  },
  details:
    'in:  {id, question, asked_at?} a line, from FILE or standard input; asked_at is ISO 8601, ' +
    'default now\n' +
    'out: {id, main_content, constraint_text, condition, relation, start_iso, end_iso, ' +
    'window_start, window_end, granularity, constraints:[{constraint_text, relation, start_iso, ' +
    'end_iso, window_start, window_end, granularity, clock, binds}]}\n' +
    'constraints lists all constraints; the answer must satisfy those with binds true.\n' +
    'Dates are printed to the day, both ends inclusive, a time of day in UTC; an open end is ' +
    'null.',
  example: 'asof time question questions.jsonl',
};
