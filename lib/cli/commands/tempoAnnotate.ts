// Definition of `asof tempo annotate`.
import type { Command } from '../command.js';
import { modelOptions } from '../options/model.js';
import { cacheOptions } from '../options/modelUses.js';

export const command: Command = {
  name: 'tempo annotate',
  summary: 'Annotates queries or passages of a TEMPO folder, by rules or by a model.',
  positionals: ['DIR'],
  options: {
    out: { type: 'string', value: 'FILE.jsonl', required: true, help: 'output of the annotations' },
    level: {
      type: 'string',
      value: 'L',
      help: 'queries (default) or passages: the gold documents of every query',
    },
    negatives: { type: 'boolean', help: 'with --level passages: the hard negatives too' },
    domains: {
      type: 'string',
      value: 'D,...',
      multiple: true,
      help: 'domains to read, default all of the folder',
    },
    ...modelOptions,
    ...cacheOptions,
  },
  details:
    'out: {id, domain, by, query_guidance:{is_temporal_query, temporal_intent, ' +
    'query_temporal_signals, query_temporal_events, query_summary, ' +
    'temporal_reasoning_class_primary, temporal_reasoning_class_secondary, retrieval_reasoning, ' +
    'retrieval_plan, key_time_anchors, expected_granularity, quality_checks}} for each query, or ' +
    '{id, domain, by, gold_passage_annotations:[{doc_id, passage_temporal_signals, ' +
    'passage_temporal_events, time_mentions, time_scope_guess, tense_guess, confidence}]}: the ' +
    'format of guidance/DOMAIN.jsonl in the folder.\n' +
    'The agreement with annotations of the folder is printed.\n' +
    'Only complete queries are written; after --budget is exhausted, run the command again with ' +
    '--cache to continue.',
  example: 'asof tempo annotate tempo/ --domains law --out law.jsonl',
  failure: '1 failure or --budget exhausted',
};
