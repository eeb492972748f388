// Definition of `asof index`.
import type { Command } from '../command.js';
import { encoderOptions } from '../options/encoders.js';
import { timeZoneOption } from '../options/timeZone.js';

export const command: Command = {
  name: 'index',
  summary:
    'Adds passages to a corpus, which is created if missing. Running it again changes nothing.',
  positionals: ['DIR', 'FILE.jsonl...'],
  options: {
    ...encoderOptions,
    'time-zone': timeZoneOption(
      'of dates, and of times without an offset, in fields and texts; set when the corpus is ' +
        'created; default UTC',
    ),
    storage: {
      type: 'string',
      value: 'S',
      group: 'encoder',
      help:
        'quantized copy of the vectors, stored with f32: int8 (default of a new corpus), int4 ' +
        '(faster for single questions), bf16, or f32 (no copy)',
    },
    'no-sentences': {
      type: 'boolean',
      group: 'encoder',
      help:
        'create the corpus with one vector a passage and none of its sentences: for tens of ' +
        'millions of passages',
    },
  },
  details:
    'in: {id, text, title?, published_at?, valid_from?, valid_to?, updated_at?, crawled_at?, ' +
    'metadata?, vector?, sentence_vectors?} a line and no other fields; times are ISO 8601 or ' +
    'epoch milliseconds; - reads standard input.\n' +
    'vector is of title and text, sentence_vectors are of its sentences with the title, by the ' +
    'model of --encoder; without them texts are encoded.\n' +
    'A BEIR folder is read as its corpus.jsonl, {_id, title, text, metadata}, with times in the ' +
    'metadata.\n' +
    'updated_at and crawled_at go into the metadata; reimplementation+metadata derives validity ' +
    'from them.\n' +
    'A passage replaces the one with the same id. Invalid lines are reported by file and line ' +
    'number and skipped; correct them and run the command again.',
  example: 'asof index wiki.asof passages.jsonl',
  failure: '1 failure or invalid lines',
};
