// Definition of `asof bench-data pool`.
import type { Command } from '../command.js';
import { encoderOptions } from '../options/encoders.js';

export const command: Command = {
  name: 'bench-data pool',
  summary: 'Makes a candidate pool for queries: relevant passages and hard negatives of BM25.',
  positionals: ['DIR'],
  options: {
    queries: {
      type: 'string',
      value: 'Q.jsonl',
      required: true,
      help: '{id, text, asked_at?, answers?} a line',
    },
    qrels: {
      type: 'string',
      value: 'R',
      help: 'relevance judgements; default: passages that contain an answer',
    },
    negatives: { type: 'string', value: 'N', help: 'hard negatives of each query, default 50' },
    'per-query': {
      type: 'boolean',
      help: 'a pool for each query, {id, query, kind} a line; default one pool, {id} a line',
    },
    ...encoderOptions,
  },
  details: 'out: the pool for asof eval --pool. Queries without a relevant passage are skipped.',
  example: 'asof bench-data pool wiki.asof --queries q.jsonl --qrels r.tsv > pool.jsonl',
};
