// Definition of `asof time tuple`.
import type { Command } from '../command.js';

export const command: Command = {
  name: 'time tuple',
  summary: 'Extracts the main time of each text: year, month, day of month. JSON lines in and out.',
  positionals: ['[FILE.jsonl]'],
  options: {
    kind: {
      type: 'string',
      value: 'passage|query',
      help: 'passage (default): the time it tells about; query: the time it asks for',
    },
    extractor: {
      type: 'string',
      value: 'grammar|learned|both',
      help:
        'grammar (default); learned (needs onnxruntime-node); both: learned where the grammar ' +
        'finds no time',
    },
  },
  details:
    'in:  {id, text, ref?} a line, from FILE or standard input; ref is the reference of relative ' +
    'times (ISO 8601), default now for a query\n' +
    'out: {id, year, month, day_of_month}, null for an unknown part.',
  example: 'asof time tuple passages.jsonl',
};
