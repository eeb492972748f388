// Definition of `asof tempo eval`.
import type { Command } from '../command.js';
import { encoderOptions, rerankerOption } from '../options/encoders.js';
import { modelOptions } from '../options/model.js';
import { cacheOptions } from '../options/modelUses.js';
import { settingsOption } from '../options/settings.js';
import { splitOption } from '../options/split.js';

export const tasks = ['documents', 'steps', 'answers'] as const;
export const modelTasks = ['judge', 'answers', 'reformulation', 'systems'] as const;
export const defaultMetrics = ['ndcg@10', 'recall@10', 'precision@10', 'map@10', 'mrr'];
export const judgedMetrics = ['tp@10', 'tr@10', 'tc@10', 'ndcg_fc@10'];
export const defaultSystems = ['bm25', 'dense', 'hybrid'];

export const command: Command = {
  name: 'tempo eval',
  summary: "Runs TEMPO's tasks over a folder with its data and prints its tables.",
  positionals: ['DIR'],
  options: {
    domains: {
      type: 'string',
      value: 'D,...',
      multiple: true,
      help: 'domains to read, default all of the folder',
    },
    split: splitOption,
    tasks: {
      type: 'string',
      value: 'T,...',
      multiple: true,
      help: `of ${tasks.join(', ')}; default documents`,
    },
    systems: {
      type: 'string',
      short: 's',
      value: 'S,...',
      multiple: true,
      help: `default ${defaultSystems.join(', ')}`,
    },
    metrics: {
      type: 'string',
      value: 'M,...',
      multiple: true,
      help: `default ${defaultMetrics.join(', ')}; with --judge also ${judgedMetrics.join(', ')}`,
    },
    out: { type: 'string', value: 'RESULT.json', help: 'write the result' },
    runs: {
      type: 'string',
      value: 'DIR',
      help:
        'write TREC runs: DIR/SYSTEM-VARIANT-DOMAIN.trec, and of the steps task, by step id, ' +
        'DIR/SYSTEM-STRATEGY-DOMAIN.trec',
    },
    k: {
      type: 'string',
      value: 'K',
      help: 'passages for each query, default the largest cutoff; 1000 with --tempo code',
    },
    'asked-at': {
      type: 'string',
      value: 'T',
      help: 'time of every query; default now, so that figures change from day to day',
    },
    sample: { type: 'string', value: 'N', help: 'a random sample of N queries of each domain' },
    seed: { type: 'string', value: 'N', help: 'random seed of the sample, default 1' },
    keep: { type: 'string', value: 'DIR', help: 'keep the corpora of the domains; default: no' },
    'per-query': {
      type: 'boolean',
      help: 'with --json or --out: the values of every query and step too',
    },
    settings: settingsOption,
    table: {
      type: 'string',
      value: 'M,...',
      multiple: true,
      group: 'evaluation',
      help:
        'metrics with tables by domain, or all; the first also by class, variant and strategy. ' +
        'Default the first of --metrics and those of TEMPO',
    },
    variants: {
      type: 'string',
      value: 'V,...',
      multiple: true,
      group: 'evaluation',
      help: 'query variants: baseline (default), strip, temporal-only, normalized, or all',
    },
    'variant-by': {
      type: 'string',
      value: 'R',
      group: 'evaluation',
      help: 'source of variants: annotation (default, as in the paper) or rules',
    },
    strategies: {
      type: 'string',
      value: 'S,...',
      multiple: true,
      group: 'evaluation',
      help:
        'of the steps task: step-only, query+step, query+all; default all, with --tempo code ' +
        'query+step',
    },
    contexts: {
      type: 'string',
      value: 'C,...',
      multiple: true,
      group: 'evaluation',
      help: 'of the answers task: none, oracle, retrieved; default all',
    },
    'context-depth': {
      type: 'string',
      value: 'N',
      group: 'evaluation',
      help: 'retrieved documents in the context of an answer, default 10',
    },
    judge: {
      type: 'boolean',
      group: 'evaluation',
      help: "judge documents for TEMPO's temporal metrics, by rules or by --model",
    },
    reasoning: {
      type: 'string',
      value: 'PART',
      group: 'evaluation',
      help: 'reworded queries of this part of the folder, such as gpt4o_reason',
    },
    excluded: {
      type: 'string',
      value: 'E',
      group: 'evaluation',
      help:
        'documents removed from rankings: listed (excluded_ids, default), negatives ' +
        '(negative_ids too; default with --tempo code, except of steps) or none',
    },
    tempo: {
      type: 'string',
      value: 'paper|code',
      group: 'evaluation',
      help:
        "TEMPO's metrics as its paper defines them (default), or the whole path of its " +
        'published code: exclusions, depth, prompts, periods, rounding',
    },
    classes: {
      type: 'string',
      value: 'C',
      group: 'evaluation',
      help:
        "reported (default): the ten classes of the paper's tables; annotated: the eleven " +
        'of the prompt',
    },
    ...modelOptions,
    'model-for': {
      type: 'string',
      value: 'W,...',
      multiple: true,
      group: 'model',
      help: `tasks of --model: ${modelTasks.join(', ')}; default answers, or judge with --judge`,
    },
    ...cacheOptions,
    ...encoderOptions,
    reranker: rerankerOption,
  },
  details:
    'DIR has documents/DOMAIN, examples/DOMAIN and steps/DOMAIN as parquet (as published; ' +
    'needs npm ' +
    'install hyparquet), .jsonl or .json, or DOMAIN/documents.jsonl and so on. Each domain is a ' +
    'corpus. Tables are means over domains (macro), with the mean over all queries (micro) ' +
    'below; steps are averaged by query first, then over all steps of a domain, as in the ' +
    'published code.\n' +
    'Tasks that --model does not do are rule-based: judging, and answers read from the ' +
    'documents. After --budget is exhausted, the number of remaining queries is printed; run the ' +
    'command again ' +
    'with --cache to continue.',
  example: 'asof tempo eval tempo/ -s bm25,hybrid --out result.json',
  failure: '1 failure or --budget exhausted',
};
