// Definition of `asof metrics`.
import type { Command } from '../command.js';
import { auxiliaryJudgementOptions } from '../options/auxiliaryJudgements.js';

export const defaultMetrics = [
  'map',
  'mrr',
  'ndcg@10',
  'precision@10',
  'recall@10',
  'recall@100',
  'hit@1',
  'hit@5',
];

export const command: Command = {
  name: 'metrics',
  summary:
    "Scores an existing TREC run with trec_eval's metrics, to the same digits, and with TEMPO's.",
  positionals: [],
  options: {
    qrels: {
      type: 'string',
      value: 'R',
      required: true,
      alternative: 'judgements',
      help: "relevance judgements, TREC form, BEIR's tsv or its folder; or --judgements",
    },
    run: {
      type: 'string',
      value: 'RUN.trec',
      required: true,
      help: 'the TREC run; - reads standard input',
    },
    metrics: {
      type: 'string',
      value: 'M,...',
      multiple: true,
      help: `default ${defaultMetrics.join(', ')}`,
    },
    'per-query': { type: 'boolean', help: 'print the values of every query too' },
    complete: {
      type: 'boolean',
      group: 'evaluation',
      help: 'average over all judged queries, zero for those without results (trec_eval -c)',
    },
    depth: {
      type: 'string',
      value: 'N',
      group: 'evaluation',
      help: 'use the first N documents of each query (trec_eval -M)',
    },
    'relevant-from': {
      type: 'string',
      value: 'G',
      group: 'evaluation',
      help: 'lowest relevant grade, default 1 (trec_eval -l)',
    },
    split: {
      type: 'string',
      value: 'S',
      group: 'evaluation',
      help: 'qrels of a BEIR folder, default test',
    },
    ...auxiliaryJudgementOptions,
    queries: {
      type: 'string',
      value: 'Q.jsonl',
      group: 'evaluation',
      help: 'average over these queries ({id} a line, or a BEIR folder), zero without results',
    },
    'group-by': {
      type: 'string',
      value: 'FIELD',
      group: 'evaluation',
      help: 'with --queries: averages by a field of the query, and their mean (macro)',
    },
  },
  details:
    'Metrics: hit@k recall@k precision@k mrr mrr@k map map@k ndcg ndcg@k rprec bpref ' +
    'temporal_recall@k with --qrels; tp@k tr@k tc@k ndcg_fc@k with --judgements; current@k ' +
    'outdated@k clean@k with --outdated, future@k with --future, all@k with --facts.\n' +
    'Documents are ordered by score, then by id descending, as in trec_eval; the rank in the ' +
    'file is ignored.\n' +
    'Averages are over the judged queries in the run; --complete counts the others as zero.\n' +
    'A run that is sorted by query is streamed, so it may have any length.',
  example: 'asof metrics --qrels qrels.tsv --run bm25.trec --metrics ndcg@10,map',
  failure: '1 failure or no judged query in the run',
};
