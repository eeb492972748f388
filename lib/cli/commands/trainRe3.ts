// Definition of `asof train re3`.
import type { Command } from '../command.js';
import { deviceOption } from '../options/device.js';
import { encoderOptions } from '../options/encoders.js';
import { extractorOption } from '../options/extractor.js';

export const command: Command = {
  name: 'train re3',
  summary: "Trains Re3's time encoder over the vectors of an encoder.",
  positionals: [],
  options: {
    triplets: {
      type: 'string',
      value: 'FILE.jsonl',
      multiple: true,
      required: true,
      help: 'triplets-train.jsonl of asof bench-data re2, or output of asof train mine',
    },
    passages: {
      type: 'string',
      value: 'FILE.jsonl',
      multiple: true,
      help: 'the passages of triplets that name them by id',
    },
    out: { type: 'string', value: 'FILE', required: true, help: 'output of the weights' },
    dev: {
      type: 'string',
      value: 'FILE.jsonl',
      multiple: true,
      help: 'validation triplets: the best weights are kept, with early stopping; default none',
    },
    extractor: { ...extractorOption, group: 'training' },
    kind: {
      type: 'string',
      value: 'K',
      group: 'training',
      help: "film (default, the paper's), concatenated, direct or absolute",
    },
    width: {
      type: 'string',
      value: 'N',
      group: 'training',
      help:
        'hidden units of the projection to gamma and beta, or added components of another kind, ' +
        'default 64',
    },
    'lambda-hard': {
      type: 'string',
      value: 'X',
      group: 'training',
      help: 'weight of the hardest negative of a batch, default 0.1',
    },
    'lambda-time': {
      type: 'string',
      value: 'X',
      group: 'training',
      help: 'weight of the negatives of another time, default 0.1',
    },
    negatives: {
      type: 'string',
      value: 'K,...',
      group: 'training',
      help: 'kinds of negatives of --lambda-time, default time',
    },
    temperature: {
      type: 'string',
      value: 'X',
      group: 'training',
      help: 'temperature of the contrastive loss, default 0.1',
    },
    margin: {
      type: 'string',
      value: 'X',
      group: 'training',
      help: 'margin of both kinds of negatives, in cosine, default 0.2',
    },
    epochs: { type: 'string', value: 'N', group: 'training', help: 'at most N epochs, default 5' },
    batch: { type: 'string', value: 'N', group: 'training', help: 'batch size, default 128' },
    rate: {
      type: 'string',
      value: 'X',
      group: 'training',
      help: 'peak learning rate, default 0.002',
    },
    patience: {
      type: 'string',
      value: 'N',
      group: 'training',
      help: 'validations without improvement before early stopping, default 5',
    },
    'validate-every': {
      type: 'string',
      value: 'N',
      group: 'training',
      help: 'steps between validations, default 200',
    },
    seed: { type: 'string', value: 'N', group: 'training', help: 'random seed, default 1' },
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

    ...encoderOptions,
    device: {
      ...deviceOption,
      help: 'device of the training: cpu (default) or cuda, the first CUDA device',
    },
  },
  details:
    'A triplet is {query, asked_at?, positive, negatives:[{id, kind}]} with ids of passages, or ' +
    'passages in their place; a negative of kind time is about the same subject at another time. ' +
    'A passage is {id, text, title?, published_at?}. Lines of asof train mine are triplets too; ' +
    'those of its split test validate. Weights are deterministic for the same files, options and ' +
    'seed.',
  example: 'asof train re3 --triplets triplets-train.jsonl --passages passages.jsonl --out re3.bin',
};
