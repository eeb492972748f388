// Definition of `asof train adapter`.
import type { Command } from '../command.js';
import { encoderOptions } from '../options/encoders.js';
import { miningOptions } from '../options/trainOptions.js';

export const command: Command = {
  name: 'train adapter',
  summary: 'Trains a low-rank adapter of the encoder of a corpus, for --encoder adapter:FILE.',
  positionals: ['DIR'],
  options: {
    out: { type: 'string', value: 'FILE', required: true, help: 'output of the weights' },
    triplets: {
      type: 'string',
      value: 'FILE.jsonl',
      multiple: true,
      help: 'training data of asof train mine; default: mined from DIR',
    },
    rank: { type: 'string', value: 'N', group: 'training', help: 'rank, default 16' },
    sides: {
      type: 'string',
      value: 'S',
      group: 'training',
      help: 'shared (default): one for questions and passages; separate: one for each',
    },
    epochs: {
      type: 'string',
      value: 'N',
      group: 'training',
      help: 'passes over the temporal triplets, default 3',
    },
    batch: { type: 'string', value: 'N', group: 'training', help: 'batch size, default 64' },
    rate: {
      type: 'string',
      value: 'X',
      group: 'training',
      help: 'peak learning rate, default 2e-5',
    },
    checkpoint: {
      type: 'string',
      value: 'FILE',
      group: 'checkpoint',
      help: 'state of the training, written periodically and on interruption',
    },
    'checkpoint-every': {
      type: 'string',
      value: 'N',
      group: 'checkpoint',
      help: 'steps between checkpoints, default 500',
    },
    resume: {
      type: 'boolean',
      group: 'checkpoint',
      help: 'continue from the checkpoint, with the same other options',
    },

    ...miningOptions,
    ...encoderOptions,
  },
  details:
    'Pages are split 80 to 20 into training and held-out data; the loss on both is printed. ' +
    'Weights are deterministic for the same corpus, options and seed.\n' +
    'Index the passages again with asof index NEW.asof FILE.jsonl --encoder adapter:FILE.',
  example: 'asof train adapter wiki.asof --out wiki.adapter',
};
