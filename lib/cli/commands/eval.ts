// Definition of `asof eval`.
import type { Command } from '../command.js';
import { asRecordedOption } from '../options/asRecorded.js';
import { auxiliaryJudgementOptions } from '../options/auxiliaryJudgements.js';
import { deviceOption } from '../options/device.js';
import { encoderOptions, rerankerOption } from '../options/encoders.js';
import { exactnessOption } from '../options/exactness.js';
import { extractorOption } from '../options/extractor.js';
import { modelOptions } from '../options/model.js';
import { formsOption, perturbableQuestions } from '../options/perturbation.js';
import { schemaOption } from '../options/postgres.js';
import { readingOptions } from '../options/reading.js';
import { settingsOption } from '../options/settings.js';

export const rankingMetrics = ['hit@1', 'hit@5', 'recall@5', 'recall@10', 'mrr@10', 'ndcg@10'];
export const answerMetrics = ['answer_recall@1', 'answer_recall@5'];
/** Metrics of table 1 of the re-implementation of MRAG. */
export const evaluableMetrics = ['hit', 'mrr', 'recall'].flatMap((name) =>
  [1, 5, 10, 20].map((k) => `${name}@${k}`),
);

export const command: Command = {
  name: 'eval',
  summary: 'Runs systems over queries; scores rankings and answers, and measures latency.',
  positionals: ['DIR'],
  options: {
    queries: {
      type: 'string',
      value: 'Q.jsonl',
      required: true,
      help:
        '{id, text, asked_at?, as_recorded?, answers?, gold_evidence?} a line, a BEIR folder, ' +
        "or TempRAGEval's .csv",
    },
    qrels: {
      type: 'string',
      value: 'R',
      help: "relevance judgements, TREC form, BEIR's tsv or its folder",
    },
    system: {
      type: 'string',
      short: 's',
      value: 'S,...',
      multiple: true,
      help: 'systems, a row of the table each, default hybrid',
    },
    metrics: {
      type: 'string',
      value: 'M,...',
      multiple: true,
      help: `default ${rankingMetrics.join(', ')}; with answers ${answerMetrics.join(', ')}`,
    },
    k: { type: 'string', value: 'K', help: 'passages for each query, default the largest cutoff' },
    'as-recorded': asRecordedOption,
    limit: { type: 'string', value: 'N', help: 'only the first N queries' },
    run: { type: 'string', value: 'OUT.trec', help: 'write the TREC run of the (one) system' },
    'per-query': { type: 'boolean', help: 'with --json: the values of every query too' },
    settings: settingsOption,
    split: {
      type: 'string',
      value: 'S',
      group: 'evaluation',
      help: 'qrels of a BEIR folder, default test',
    },
    relevance: {
      type: 'string',
      value: 'answers',
      group: 'evaluation',
      help:
        'instead of --qrels: passages that contain an answer are relevant; averages are over the ' +
        'queries that have one',
    },
    'relevant-from': {
      type: 'string',
      value: 'G',
      group: 'evaluation',
      help: 'lowest relevant grade, default 1',
    },
    pool: {
      type: 'string',
      value: 'P.jsonl',
      group: 'evaluation',
      help:
        'candidate pool: {id} a line for all queries, {id, query} for one; other passages are ' +
        'neither retrieved nor relevant',
    },
    'group-by': {
      type: 'string',
      value: 'FIELD',
      group: 'evaluation',
      help: 'averages by a field of the query or its metadata, and their mean (macro)',
    },
    ...auxiliaryJudgementOptions,
    perturbed: {
      type: 'boolean',
      group: 'perturbation',
      help: 'robustness: change of each metric when only the time constraint varies',
    },
    forms: formsOption,
    ...modelOptions,
    ...readingOptions,
    ...encoderOptions,
    reranker: rerankerOption,
    extractor: { ...extractorOption, group: 'encoder' },
    exactness: exactnessOption,
    device: deviceOption,
    schema: schemaOption,
  },
  details:
    'Metrics: hit@k recall@k precision@k mrr mrr@k map map@k ndcg ndcg@k rprec bpref ' +
    'temporal_recall@k with --qrels; answer_recall@k em f1 abstained with answers; ' +
    'evidence_recall@k with gold_evidence; tp@k tr@k tc@k ndcg_fc@k with --judgements; current@k ' +
    'outdated@k clean@k all@k with --outdated; violation@k, the share of passages whose dates ' +
    'contradict the question; future@k, whether any passage is published after it.\n' +
    `Default with --relevance answers: ${evaluableMetrics.join(', ')}, with the number of ` +
    'evaluable queries.\n' +
    'Averages are over the queries with judgements (or answers), zero for those without ' +
    'results.\n' +
    perturbableQuestions,
  example: 'asof eval wiki.asof --queries q.jsonl --qrels qrels.tsv -s bm25,hybrid',
};
