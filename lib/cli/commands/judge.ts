// Definition of `asof judge`.
import type { Command } from '../command.js';
import { encoderOptions } from '../options/encoders.js';
import { modelOptions } from '../options/model.js';
import { cacheOptions } from '../options/modelUses.js';

export const command: Command = {
  name: 'judge',
  summary: 'Judges the temporal relevance of the documents of a run, by rules or by a model.',
  positionals: [],
  options: {
    queries: {
      type: 'string',
      value: 'Q.jsonl',
      required: true,
      help: '{id, text, asked_at?, answers?, query_guidance?} a line',
    },
    run: {
      type: 'string',
      value: 'RUN.trec',
      required: true,
      alternative: 'data-quality',
      help: 'the TREC run; or --data-quality',
    },
    out: {
      type: 'string',
      value: 'J.jsonl',
      required: true,
      help: 'output of the judgements, for asof metrics --judgements',
    },
    corpus: { type: 'string', value: 'DIR', help: 'corpus with the documents; or --documents' },
    documents: {
      type: 'string',
      value: 'FILE.jsonl',
      multiple: true,
      help: 'files with the documents, as for asof index',
    },
    depth: { type: 'string', value: 'K', help: 'judge the first K documents, default 10' },
    tempo: {
      type: 'string',
      value: 'D',
      help:
        "paper (default): any number of periods; code: two, with the prompts' fields and the " +
        "treatment of failures and unknown documents of TEMPO's published code",
    },
    answers: {
      type: 'string',
      value: 'A.jsonl',
      help: '{id, answer} a line: judge their coverage of the answers of --queries, 0 to 100',
    },
    against: {
      type: 'string',
      value: 'J.jsonl',
      help: 'report the agreement with these judgements; default with --model: the rules',
    },
    'data-quality': {
      type: 'boolean',
      help:
        'judge how well the retrieval plan and the documents of --qrels serve each query, 0 to ' +
        '100, instead of a run',
    },
    qrels: {
      type: 'string',
      value: 'R',
      help: 'with --data-quality: relevance judgements, TREC or BEIR form',
    },
    ...modelOptions,
    ...cacheOptions,
    jobs: {
      type: 'string',
      value: 'N',
      group: 'model',
      help: 'queries judged concurrently by a server, default 1',
    },
    ...encoderOptions,
  },
  details:
    'out: {query_id, temporal, cross_period, periods?, answer_coverage?, by, reason} for each ' +
    'query, then {query_id, doc_id, verdict, periods?, by, reason} for its documents; with ' +
    '--tempo code covers_baseline and covers_comparison instead of periods. With --data-quality ' +
    '{query_id, data_quality, by, reason} for each query with documents in --qrels.\n' +
    'query_guidance is {is_temporal_query?, temporal_reasoning_class_primary?, ' +
    'key_time_anchors?, retrieval_plan?:[{action}]}, if known.\n' +
    'Only complete queries are written; after --budget is exhausted, run the command again with ' +
    '--cache to continue.',
  example: 'asof judge --corpus wiki.asof --queries q.jsonl --run r.trec --out j.jsonl',
  failure: '1 failure or --budget exhausted',
};
