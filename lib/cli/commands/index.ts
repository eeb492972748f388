// Definition of `asof index`.
import type { Command } from '../command.js';
import { encoderOptions } from '../options/encoders.js';
import { schemaOption } from '../options/postgres.js';
import { timeZoneOption } from '../options/timeZone.js';

export const command: Command = {
  name: 'index',
  summary:
    'Adds passages and documents to a corpus, which is created if missing. Running it again ' +
    'changes nothing.',
  positionals: ['DIR', 'PATH...'],
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
        'quantized copy of the vectors, stored with f32: int4 (default of a new corpus), int8 ' +
        '(faster for batches and on devices), bf16, or f32 (no copy)',
    },
    field: {
      type: 'string',
      multiple: true,
      value: 'NAME=TYPE',
      help:
        'create the corpus with a field, an entry of the metadata that filters can name: ' +
        'keyword, keyword[], number, boolean or time; may be repeated',
    },
    history: {
      type: 'boolean',
      help: 'create the corpus with a history: versions that are replaced or deleted are kept',
    },
    'no-sentences': {
      type: 'boolean',
      group: 'encoder',
      help:
        'create the corpus with one vector a passage and none of its sentences: for tens of ' +
        'millions of passages',
    },
    schema: schemaOption,
  },
  details:
    'PATH is a file, a folder or a quoted glob; - reads JSON lines from standard input.\n' +
    '.jsonl, and every other ending: {id, text, title?, published_at?, valid_from?, valid_to?, ' +
    'updated_at?, crawled_at?, metadata?, chunk?, vector?, sentence_vectors?} a line and no ' +
    'other fields; times are ISO 8601 or epoch milliseconds.\n' +
    'vector is of title and text, sentence_vectors are of its sentences with the title, by the ' +
    'model of --encoder; without them texts are encoded.\n' +
    '.csv, .tsv, .parquet: the same fields as columns; others go into the metadata.\n' +
    '.md, .html, .txt: a document each, cut into chunks. Its id is its path below the folder, or ' +
    'from the working folder; its date that of front matter, HTML metadata, the file name or the ' +
    'opening of the text.\n' +
    'A BEIR folder is read as its corpus.jsonl, {_id, title, text, metadata}, with times in the ' +
    'metadata.\n' +
    'updated_at and crawled_at go into the metadata; reimplementation+metadata derives validity ' +
    'from them.\n' +
    'A passage replaces the one with the same id, a document all chunks that it had. Invalid ' +
    'lines and files are reported and skipped; correct them and run the command again.',
  example: 'asof index wiki.asof passages.jsonl docs',
  failure: '1 failure, invalid lines or files',
};
