// Definition of `asof train weights`.
import type { Command } from '../command.js';
import { encoderOptions } from '../options/encoders.js';

export const command: Command = {
  name: 'train weights',
  summary: "Tunes a system's numeric options on judged questions by cross-validation.",
  positionals: ['DIR'],
  options: {
    queries: {
      type: 'string',
      value: 'Q.jsonl',
      required: true,
      help: '{id, text, asked_at?} a line',
    },
    qrels: {
      type: 'string',
      value: 'R',
      required: true,
      help: "relevance judgements, TREC form or BEIR's tsv",
    },
    system: { type: 'string', short: 's', value: 'S', help: 'default tempralm' },
    output: {
      type: 'string',
      value: 'FILE',
      help: 'output {system, settings, trained} for --settings of asof ask and asof eval',
    },
    limit: { type: 'string', value: 'N', help: 'only the first N queries' },
    search: {
      type: 'string',
      value: 'NAME=V,V,...',
      multiple: true,
      group: 'training',
      help:
        'an option and its values: weight=0,0.5,1 or relevance.semantic=0,0.2,1; default: every ' +
        'numeric option, from 0 to 4 times its value',
    },
    metric: {
      type: 'string',
      value: 'M',
      group: 'training',
      help: 'metric to maximize, default mrr@10',
    },
    method: {
      type: 'string',
      value: 'M',
      group: 'training',
      help:
        'coordinate (default): one option at a time until none improves; grid: every ' +
        'combination',
    },
    folds: {
      type: 'string',
      value: 'N',
      group: 'training',
      help: 'folds of the questions, each scored with the choice of the others, default 5',
    },
    seed: { type: 'string', value: 'N', group: 'training', help: 'random seed, default 1' },
    ...encoderOptions,
  },
  details:
    'The held-out figure is the unbiased one: each question is scored with settings chosen ' +
    'without its fold. The written settings are chosen on all questions. An option whose values ' +
    'make no difference keeps its value.',
  example: 'asof train weights wiki.asof --queries q.jsonl --qrels r.tsv --output s.json',
};
