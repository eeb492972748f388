// Definition of `asof serve`.
import type { Command } from '../command.js';
import { deviceOption } from '../options/device.js';
import { encoderOptions, rerankerOption } from '../options/encoders.js';
import { extractorOption } from '../options/extractor.js';
import { limitOptions } from '../options/limits.js';
import { modelOptions } from '../options/model.js';
import { schemaOption } from '../options/postgres.js';
import { readingOptions } from '../options/reading.js';
import { settingsOption } from '../options/settings.js';

export const command: Command = {
  name: 'serve',
  summary: 'Serves corpora over HTTP with JSON: questions, timelines, passages, and a page.',
  positionals: ['DIR...'],
  options: {
    port: { type: 'string', value: 'PORT', help: 'default 8080; 0 is a free one' },
    host: {
      type: 'string',
      value: 'HOST',
      help: 'default 127.0.0.1; others that this machine has need a token',
    },
    write: { type: 'boolean', help: 'allow passages to be added and deleted' },
    cors: {
      type: 'string',
      multiple: true,
      value: 'ORIGIN',
      help: 'allow pages of this site, https://app.example.com; may be repeated',
    },
    system: {
      type: 'string',
      short: 's',
      value: 'S',
      help: 'system of questions that name none, default hybrid',
    },
    concurrency: {
      type: 'string',
      value: 'N',
      help: 'questions that one corpus answers at a time, default 8; more for a slow model',
    },
    conditions: {
      type: 'string',
      value: 'N',
      help: 'conditions of a filter, default 16,384, which is the most',
      group: 'limit',
    },
    ...limitOptions,
    settings: settingsOption,
    ...modelOptions,
    ...readingOptions,
    ...encoderOptions,
    reranker: rerankerOption,
    extractor: { ...extractorOption, group: 'encoder' },
    device: deviceOption,
    schema: schemaOption,
  },
  details:
    'DIR is a corpus, served by the name of its folder (without .asof), or NAME=DIR.\n' +
    'The variable ASOF_TOKEN is the bearer token that requests need, or several between commas.\n' +
    'GET /openapi.json describes the interface. Requests are logged to standard error as JSON, ' +
    'a line each, without their texts.\n' +
    'SIGINT and SIGTERM stop it: what runs has 10 seconds to end.',
  example: 'asof serve wiki.asof news=2024/news.asof --port 8080',
};
