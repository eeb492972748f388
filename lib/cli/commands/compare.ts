// Definition of `asof compare`.
import type { Command } from '../command.js';
import { setForm } from '../options/collectionForm.js';
import { encoderOptions, rerankerOption } from '../options/encoders.js';
import { exactnessOption } from '../options/exactness.js';
import { extractorOption } from '../options/extractor.js';
import { modelOptions } from '../options/model.js';
import { formsOption, perturbableQuestions } from '../options/perturbation.js';
import { readingOptions } from '../options/reading.js';
import { settingsOption } from '../options/settings.js';

export const defaultMetrics = ['hit@1', 'hit@5', 'mrr@10', 'ndcg@10', 'recall@10'];
export const defaultSystems = ['bm25', 'dense', 'tempralm', 'mrag', 'hybrid'];

export const command: Command = {
  name: 'compare',
  summary: 'Compares systems over test collections: significance, intervals, latency.',
  positionals: ['[FOLDER...]'],
  options: {
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
      help: `default ${defaultMetrics.join(', ')}`,
    },
    set: {
      type: 'string',
      value: 'FOLDER',
      multiple: true,
      help: `a test collection, as the arguments: ${setForm}`,
    },
    out: { type: 'string', value: 'RESULT.json', help: 'write the result, for asof report' },
    k: {
      type: 'string',
      value: 'K',
      help:
        'passages for each query and end of recall curves, to 10000; default the largest ' +
        'cutoff',
    },
    sample: { type: 'string', value: 'N', help: 'a random sample of N questions of each set' },
    seed: {
      type: 'string',
      value: 'N',
      help: 'random seed of samples, tests and printed questions, default 1',
    },
    jobs: {
      type: 'string',
      value: 'N',
      help: 'concurrent processes, default 1; latencies of more than one are marked as such',
    },
    keep: {
      type: 'string',
      value: 'DIR',
      help:
        'keep corpora and finished runs to continue after an interruption; default RESULT.kept ' +
        'next to --out, else a temporary folder',
    },
    settings: settingsOption,
    'relevant-from': {
      type: 'string',
      value: 'G',
      group: 'evaluation',
      help: 'lowest relevant grade, default 1',
    },
    'group-by': {
      type: 'string',
      value: 'FIELD,...',
      multiple: true,
      group: 'evaluation',
      help: 'fields of questions or their metadata for scores by group, with class and domain',
    },
    shown: {
      type: 'string',
      value: 'N',
      group: 'evaluation',
      help: 'questions of each set with candidates in the result, default 20, 0 for none',
    },
    tempo: {
      type: 'string',
      value: 'paper|code',
      group: 'evaluation',
      help: "TEMPO's metrics as its paper defines (default) or its code computes them",
    },
    baseline: {
      type: 'string',
      value: 'S',
      group: 'statistics',
      help: 'the system that others are tested against, default the first',
    },
    test: {
      type: 'string',
      value: 'T',
      group: 'statistics',
      help: 'paired test by question: randomisation (default) or bootstrap',
    },
    correction: {
      type: 'string',
      value: 'C',
      group: 'statistics',
      help:
        'correction for multiple tests of a metric in a set: holm (default), bonferroni, ' +
        'benjamini-hochberg or none',
    },
    rounds: {
      type: 'string',
      value: 'N',
      group: 'statistics',
      help: 'permutations or resamples of a test, default 10000',
    },
    perturb: {
      type: 'boolean',
      group: 'perturbation',
      help: 'robustness: drop of each metric when only the time constraints vary',
    },
    forms: formsOption,
    dates: {
      type: 'boolean',
      group: 'perturbation',
      help: "MRAG's controlled experiment (figure 5): scores by temporal relation and passage date",
    },
    ...modelOptions,
    ...readingOptions,
    ...encoderOptions,
    reranker: rerankerOption,
    extractor: { ...extractorOption, group: 'encoder' },
    exactness: exactnessOption,
  },
  details:
    'outdated.tsv, future.tsv, facts.tsv (facts-NAME.tsv) and judgements.jsonl in a folder are ' +
    'used ' +
    'for the metrics of versions and of TEMPO. Scores are broken down by relation and condition ' +
    'of the questions, and by their fields "class" and "domain".\n' +
    'Latency is of one question at a time, after one warm-up. Kept runs of other code, options ' +
    'or sets are not reused.\n' +
    perturbableQuestions,
  example: 'asof compare nfcorpus/ -s bm25,dense,hybrid --out result.json',
};
