// Definition of `asof train mine`.
import type { Command } from '../command.js';
import { encoderOptions } from '../options/encoders.js';
import { miningOptions } from '../options/trainOptions.js';

export const command: Command = {
  name: 'train mine',
  summary: 'Mines training triplets from the dated passages of a corpus.',
  positionals: ['DIR'],
  options: {
    split: { type: 'string', value: 'S', help: 'train or test, by page, 80 to 20; default both' },
    format: {
      type: 'string',
      value: 'F',
      help:
        'asof (default), or sentence-transformers: {anchor, positive, negative, label} a line, ' +
        'to fine-tune an encoder with',
    },
    ...miningOptions,
    ...encoderOptions,
  },
  details:
    'out: {kind, split, question, by?, relation?, window_start?, window_end?, positive:{id, ' +
    'title?, text, published_at?}, negative:{...}, margin, gap_years?} a line; window_end is ' +
    'exclusive, null an open end. train adapter and train re3 read it. Output is deterministic ' +
    'for the same corpus, encoder and options.',
  example: 'asof train mine wiki.asof --split train > triplets.jsonl',
};
