// Definition of `asof tempo info`.
import type { Command } from '../command.js';
import { modelOptions } from '../options/model.js';
import { cacheOptions } from '../options/modelUses.js';
import { splitOption } from '../options/split.js';

export const command: Command = {
  name: 'tempo info',
  summary: 'Checks a folder with TEMPO data and counts its contents by domain and class.',
  positionals: ['DIR'],
  options: {
    domains: {
      type: 'string',
      value: 'D,...',
      multiple: true,
      help: 'domains to read, default all of the folder',
    },
    split: splitOption,
    quality: {
      type: 'boolean',
      help:
        'judge how well plans and gold documents serve the queries, 0 to 100, by rules or by ' +
        '--model',
    },
    ...modelOptions,
    ...cacheOptions,
  },
  details:
    'Unreadable files, missing columns, duplicate ids and gold ids without a document are errors.',
  example: 'asof tempo info tempo/',
  failure: '1 failure or --budget exhausted',
};
