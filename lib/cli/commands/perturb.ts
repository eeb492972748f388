// Definition of `asof bench-data perturb`.
import type { Command } from '../command.js';

export const command: Command = {
  name: 'bench-data perturb',
  summary: 'Varies the time constraints of dated questions so that their answers stay the same.',
  positionals: ['[FILE.jsonl]'],
  options: {
    seed: { type: 'string', value: 'N', help: 'random seed, an integer, default 1' },
    'per-question': {
      type: 'string',
      value: 'N',
      help: 'at most N combinations of each question; default all',
    },
    condition: {
      type: 'string',
      value: 'C,...',
      multiple: true,
      help: 'of none, first, earliest, last, latest; default all',
    },
    relation: {
      type: 'string',
      value: 'R,...',
      multiple: true,
      help:
        'of as of, from-to, until, before, after, around, between, by, in, on, since; default ' +
        'all',
    },
    granularity: {
      type: 'string',
      value: 'G,...',
      multiple: true,
      help: 'of year, month, day; default all',
    },
    overlap: {
      type: 'boolean',
      help:
        'allow dates in the years of the question and of the ends of its answer, which are ' +
        'avoided by default',
    },
    until: { type: 'string', value: 'T', help: 'no date after T; default: asked_at' },
    qrels: {
      type: 'string',
      value: 'R',
      help: 'relevance judgements of the questions, TREC or BEIR form',
    },
    'qrels-to': {
      type: 'string',
      value: 'OUT',
      help: 'output of the judgements of the perturbed questions, TREC form',
    },
  },
  details:
    'in:  {id, text, answers?, gold_evidence?, asked_at?, as_recorded?, valid_from?, valid_to?, ' +
    'others?:[{valid_from?, valid_to?}]} a line, from FILE or standard input\n' +
    'out: {id, original_id, text, answers?, gold_evidence?, asked_at?, as_recorded?, condition, ' +
    'relation, start_iso, end_iso, window_start, window_end, granularity}, zero or more lines ' +
    'for each\n' +
    'The answer is valid from valid_from to valid_to, default the interval in the question; ' +
    'others are the validity of other answers, and without them no date depends on them. Every ' +
    'perturbed question parses back to its constraint.',
  example: 'asof bench-data perturb questions.jsonl --granularity year > perturbed.jsonl',
  failure: '1 failure or invalid lines',
};
