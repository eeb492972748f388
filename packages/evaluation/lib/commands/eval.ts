// `asof eval`: metrics of systems over queries.
import {
  type Command,
  asRecordedOption,
  deviceOption,
  encoderOptions,
  rerankerOption,
  exactnessOption,
  extractorOption,
  modelOptions,
  schemaOption,
  readingOptions,
  settingsOption,
  option,
  type Invocation,
  openCorpus,
  openReranker,
  openModel,
  openExtractor,
  asRecordedOf,
  settingsFor,
  counted,
  type Terminal,
} from 'asof/command';
import { auxiliaryJudgementOptions } from './options/auxiliaryJudgements.js';
import { formsOption, perturbableQuestions } from './options/perturbation.js';
import { evaluate, type Evaluation, type EvaluateOptions } from '../evaluate.js';
import { writeRun } from '../files/trec.js';
import { averageByGroup } from '../measures/averages.js';
import type { PerturbedQuestions } from '../perturbation/perturbQuestions.js';
import { createSystem } from 'asof/papers';
import type { SearchableCorpus, System, TextModel } from 'asof';
import type { TimeExtractor } from 'asof/time';
import type { Reranker } from 'asof/models';
import { readEvaluation, type EvaluationInput } from './inputs/evaluation.js';
import { perturbation, perturbedOf } from './inputs/perturbation.js';
import { relevanceOf, type RelevanceReport } from './inputs/relevance.js';
import {
  evaluationJson,
  renderEvaluations,
  type ReportedOptions,
  type SystemEvaluation,
} from './tables/evaluationTables.js';

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

/** The models that systems of an evaluation use. */
interface Models {
  model?: TextModel;
  reranker?: Reranker;
  extractor?: TimeExtractor;
}

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const input = await readEvaluation(invocation);
  const { queries, metrics, device } = input;
  await using opened = await openModel(invocation, command);
  await using times = await openExtractor(invocation, command, input.names);
  const reranker = await openReranker(invocation);
  const models: Models = {
    ...opened.options,
    ...times.options,
    reranker,
  };
  const corpus = await openCorpus(invocation.positionals[0]!, invocation, {
    create: false,
    device,
  });
  try {
    const relevance = await relevanceOf(corpus, queries, input, {
      signal,
      terminal,
      ...asRecordedOf(invocation),
    });
    const options: EvaluateOptions = {
      metrics,
      relevantFrom: input.relevantFrom,
      signal,
      ...input.auxiliary.judgements,
      ...relevance.settings,
      k: input.k,
      exactness: input.exactness,
      ...asRecordedOf(invocation),
    };
    const systems = input.names.map((name) =>
      createSystem(name, { corpus, ...settingsFor(name, input.file), read: input.read, ...models }),
    );
    const perturbed =
      input.forms === undefined
        ? undefined
        : await perturbedOf(queries, input.forms, options, command);
    const evaluations: SystemEvaluation[] = [];
    for (const system of systems)
      evaluations.push(await evaluateSystem(system, input, { options, perturbed, terminal }));
    if (input.output !== undefined)
      await writeRanking(input.output, evaluations[0]!.evaluation, signal, terminal);
    const reported = reportedOptions(invocation, input, relevance.options, corpus);
    await print(evaluations, { input, reported, models }, invocation);
    return 0;
  } finally {
    await corpus.close();
  }
}

async function evaluateSystem(
  system: System,
  { queries, metrics, groups, forms }: EvaluationInput,
  {
    options,
    perturbed,
    terminal,
  }: { options: EvaluateOptions; perturbed: PerturbedQuestions | undefined; terminal: Terminal },
): Promise<SystemEvaluation> {
  const bar = terminal.progress(system.name, 'queries');
  const evaluation = await evaluate(system, queries, {
    ...options,
    onProgress: bar.update,
  }).finally(() => bar.end());
  const byGroup = groups?.groupOf && averageByGroup(evaluation.queries, metrics, groups.groupOf);
  const change =
    perturbed && (await perturbation({ system, evaluation }, perturbed, forms!, options));
  return {
    system,
    evaluation,
    ...(byGroup ? { byGroup } : {}),
    ...(change ? { perturbed: change } : {}),
  };
}

async function writeRanking(
  path: string,
  evaluation: Evaluation,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  const name = evaluation.system.replace(/\s+/g, '_');
  const lowered = await writeRun(path, evaluation.run, name, { signal });
  if (lowered > 0) {
    terminal.say(
      `asof: ${path}: ${counted(lowered, 'score', 'scores')} lowered to the next single-precision ` +
        'number, so that equal scores keep this ranking',
    );
  }
}

function reportedOptions(
  invocation: Invocation,
  { groups, auxiliary, exactness, device }: EvaluationInput,
  relevance: RelevanceReport,
  corpus: SearchableCorpus,
): ReportedOptions {
  return {
    ...relevance,
    ...(groups?.by === undefined ? {} : { group_by: groups.by }),
    ...auxiliary.reported,
    ...(option(invocation, 'encoder') === undefined ? {} : { encoder: corpus.encoder.id }),
    ...(exactness ? { exactness } : {}),
    ...(device ? { device } : {}),
  };
}

async function print(
  evaluations: readonly SystemEvaluation[],
  {
    input,
    reported,
    models,
  }: { input: EvaluationInput; reported: ReportedOptions; models: Models },
  { terminal, flags }: Invocation,
): Promise<void> {
  const { names, metrics, relevantFrom, users } = input;
  const { model, reranker } = models;
  if (terminal.json) {
    const reports = evaluations.map((each, at) => {
      const name = names[at]!;
      const own: ReportedOptions = {
        ...(model && users.model.includes(name) ? { model: model.id } : {}),
        ...(reranker && users.reranker.includes(name) ? { reranker: reranker.id } : {}),
      };
      const options = { relevant_from: relevantFrom, ...reported, ...own };
      return evaluationJson(each, options, flags.has('per-query'));
    });
    return terminal.printJson(reports.length === 1 ? reports[0] : reports);
  }
  const all: ReportedOptions = {
    ...reported,
    ...(model ? { model: model.id } : {}),
    ...(reranker ? { reranker: reranker.id } : {}),
  };
  const metricNames = metrics.map(({ name }) => name);
  return terminal.print(
    renderEvaluations(evaluations, metricNames, { reported: all, users }, terminal),
  );
}
