// Definition of `asof timeline`.
import type { Command } from '../command.js';
import { asRecordedOption } from '../options/asRecorded.js';
import { encoderOptions } from '../options/encoders.js';
import { schemaOption } from '../options/postgres.js';
import { timeZoneOption } from '../options/timeZone.js';

export const command: Command = {
  name: 'timeline',
  summary: 'Prints what changed with time: the facts of one series, each with its validity.',
  positionals: ['DIR', '"QUESTION OR NAME"'],
  options: {
    'asked-at': {
      type: 'string',
      value: 'T',
      help: 'time of the question (ISO 8601): later publications are hidden; default now',
    },
    'as-recorded': asRecordedOption,
    'time-zone': timeZoneOption('days of the question and of T; default that of the corpus'),
    passages: {
      type: 'string',
      value: 'N',
      help: 'passages that are read, the nearest first, default 400',
    },
    ...encoderOptions,
    schema: schemaOption,
  },
  example: 'asof timeline wiki.asof "prime minister of the United Kingdom"',
};
