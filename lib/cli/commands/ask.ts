// Definition of `asof ask`.
import type { Command } from '../command.js';
import { asRecordedOption } from '../options/asRecorded.js';
import { decayOption } from '../options/decay.js';
import { deviceOption } from '../options/device.js';
import { encoderOptions, rerankerOption } from '../options/encoders.js';
import { exactnessOption } from '../options/exactness.js';
import { extractorOption } from '../options/extractor.js';
import { modelOptions } from '../options/model.js';
import { schemaOption } from '../options/postgres.js';
import { readingOptions } from '../options/reading.js';
import { settingsOption } from '../options/settings.js';
import { whereOption } from '../options/where.js';
import { timeZoneOption } from '../options/timeZone.js';

export const command: Command = {
  name: 'ask',
  summary: 'Answers a question from a corpus, as of a time.',
  positionals: ['DIR', '"QUESTION"'],
  options: {
    'asked-at': {
      type: 'string',
      value: 'T',
      help:
        'time of the question (ISO 8601): the meaning of "now"; later publications are hidden; ' +
        'a date alone is its end; default now',
    },
    'time-zone': timeZoneOption('days of the question and of T; default that of the corpus'),
    system: {
      type: 'string',
      short: 's',
      value: 'S',
      help: 'retrieval system, default hybrid; an unknown name lists all',
    },
    k: { type: 'string', value: 'K', help: 'number of passages, default 5' },
    where: whereOption,
    'as-recorded': asRecordedOption,
    'per-document': {
      type: 'boolean',
      help: 'one passage per document: the best of its chunks; -k counts documents',
    },
    neighbours: {
      type: 'string',
      value: 'N',
      help: 'with --json, also the N chunks before and after each passage',
    },
    explain: {
      type: 'boolean',
      help: 'print the time constraint, every score, and the stages with their times',
    },
    html: {
      type: 'string',
      value: 'FILE.html',
      help:
        'also write a page with the evidence as a timeline, as of up to 24 times at which ' +
        'something changes',
    },
    decay: decayOption,
    settings: settingsOption,
    ...modelOptions,
    ...readingOptions,
    ...encoderOptions,
    reranker: rerankerOption,
    extractor: { ...extractorOption, group: 'encoder' },
    exactness: exactnessOption,
    device: deviceOption,
    schema: schemaOption,
  },
  example: 'asof ask wiki.asof "Who was UK prime minister in May 2021?" --explain',
};
