// `asof eval`: metrics of systems over queries.
import {
  type Command,
  askOptions,
  option,
  type Invocation,
  counted,
  type Terminal,
  UsageError,
  countOption,
  listOption,
  requiredOption,
  checkOutput,
  whole,
  askValues,
  corpusChoice,
  deviceChoice,
  rerankerChoice,
  settingsChoice,
  modelChoice,
  extractorChoice,
  readingChoice,
  encoderChoice,
} from 'asof/command';
import { formsOption, perturbableQuestions, formsOf } from './options/perturbation.js';
import { evaluate, type Evaluation, type EvaluateOptions } from '../evaluate.js';
import { writeRun, readQrels, type Qrels } from '../files/trec.js';
import { averageByGroup } from '../measures/averages.js';
import type { PerturbedQuestions } from '../perturbation/perturbQuestions.js';
import { createSystem, type ReadOptions } from 'asof/papers';
import {
  AsOfError,
  type SearchableCorpus,
  type System,
  type TextModel,
  type AskOptions,
} from 'asof';
import type { TimeExtractor } from 'asof/time';
import type { Reranker, Device } from 'asof/models';
import { perturbation, perturbedOf } from './inputs/perturbation.js';
import { relevanceOf, type RelevanceReport, relevanceOption } from './inputs/relevance.js';
import {
  evaluationJson,
  renderEvaluations,
  type ReportedOptions,
  type SystemEvaluation,
} from './tables/evaluationTables.js';
import { beirQrels } from '../files/beir.js';
import { parseMetrics, type Metric } from '../measures/metricNames.js';
import type { DatedQuestion } from '../perturbation/perturbQuestion.js';
import { maxPassages } from 'asof/kit';
import { readAuxiliaryJudgements, type AuxiliaryInput } from './inputs/auxiliaryJudgements.js';
import { readPool, readQueries } from '../files/queries.js';
import { readGroups, type QueryGroups } from './inputs/queryGroups.js';
import { auxiliaryJudgementOptions } from './options/auxiliaryJudgements.js';

const rankingMetrics = ['hit@1', 'hit@5', 'recall@5', 'recall@10', 'mrr@10', 'ndcg@10'];
const answerMetrics = ['answer_recall@1', 'answer_recall@5'];
/** Metrics of table 1 of the re-implementation of MRAG. */
const evaluableMetrics = ['hit', 'mrr', 'recall'].flatMap((name) =>
  [1, 5, 10, 20].map((k) => `${name}@${k}`),
);

export const command: Command = {
  name: 'eval',
  summary: 'Runs systems over queries; scores rankings and answers, and measures latency.',
  positionals: ['DIR'],
  options: {
    queries: {
      value: 'Q.jsonl',
      required: true,
      help:
        '{id, text, asked_at?, as_recorded?, answers?, gold_evidence?} a line, a BEIR folder, ' +
        "or TempRAGEval's .csv",
    },
    qrels: { value: 'R', help: "relevance judgements, TREC form, BEIR's tsv or its folder" },
    system: {
      short: 's',
      value: 'S,...',
      multiple: true,
      help: 'systems, a row of the table each, default hybrid',
    },
    metrics: {
      value: 'M,...',
      multiple: true,
      help: `default ${rankingMetrics.join(', ')}; with answers ${answerMetrics.join(', ')}`,
    },
    k: { value: 'K', help: 'passages for each query, default the largest cutoff' },
    ...askOptions({ asRecorded: {} }),
    limit: { value: 'N', help: 'only the first N queries' },
    run: { value: 'OUT.trec', help: 'write the TREC run of the (one) system' },
    'per-query': { help: 'with --json: the values of every query too' },
    settings: settingsChoice.option,
    split: { value: 'S', group: 'evaluation', help: 'qrels of a BEIR folder, default test' },
    relevance: {
      value: 'answers',
      group: 'evaluation',
      help:
        'instead of --qrels: passages that contain an answer are relevant; averages are over the ' +
        'queries that have one',
    },
    'relevant-from': { value: 'G', group: 'evaluation', help: 'lowest relevant grade, default 1' },
    pool: {
      value: 'P.jsonl',
      group: 'evaluation',
      help:
        'candidate pool: {id} a line for all queries, {id, query} for one; other passages are ' +
        'neither retrieved nor relevant',
    },
    'group-by': {
      value: 'FIELD',
      group: 'evaluation',
      help: 'averages by a field of the query or its metadata, and their mean (macro)',
    },
    ...auxiliaryJudgementOptions,
    perturbed: {
      group: 'perturbation',
      help: 'robustness: change of each metric when only the time constraint varies',
    },
    forms: formsOption,
    ...modelChoice.options,
    ...readingChoice.options,
    ...encoderChoice.options,
    reranker: rerankerChoice.option,
    extractor: { ...extractorChoice.option, group: 'encoder' },
    weights: { ...extractorChoice.weights, group: 'encoder' },
    ...askOptions({ exactness: { group: 'encoder' } }),
    device: deviceChoice.option,
    schema: corpusChoice.schema,
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
  timeWeights?: string;
}

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const input = await readEvaluation(invocation);
  const { queries, metrics, device } = input;
  const opened = modelChoice.open(invocation);
  await using times = await extractorChoice.open(invocation, input.names);
  const reranker = await rerankerChoice.open(invocation);
  const models: Models = {
    ...opened.options,
    ...times.options,
    reranker,
  };
  const corpus = await corpusChoice.open(invocation.positionals[0]!, invocation, {
    create: false,
    device,
  });
  try {
    const relevance = await relevanceOf(corpus, queries, input, {
      signal,
      terminal,
      ...askValues(invocation, ['asRecorded']),
    });
    const options: EvaluateOptions = {
      metrics,
      relevantFrom: input.relevantFrom,
      signal,
      ...input.auxiliary.judgements,
      ...relevance.settings,
      k: input.k,
      exactness: input.exactness,
      ...askValues(invocation, ['asRecorded']),
    };
    const systems = input.names.map((name) =>
      createSystem(name, {
        corpus,
        ...settingsChoice.for(name, input.file),
        read: input.read,
        ...models,
      }),
    );
    const perturbed =
      input.forms === undefined ? undefined : await perturbedOf(queries, input.forms, options);
    const evaluations: SystemEvaluation[] = [];
    const measured: string[] = [];
    const failed: unknown[] = [];
    for (const [at, system] of systems.entries())
      try {
        evaluations.push(await evaluateSystem(system, input, { options, perturbed, terminal }));
        measured.push(input.names[at]!);
      } catch (fault) {
        if (signal.aborted || !AsOfError.is(fault)) throw fault;
        failed.push(fault);
      }
    // What was measured is kept where another system fails.
    if (evaluations.length === 0) throw failed[0];
    for (const fault of failed) terminal.say(`asof: ${(fault as AsOfError).message}`);
    if (input.output !== undefined)
      await writeRanking(input.output, evaluations[0]!.evaluation, signal, terminal);
    const reported = reportedOptions(invocation, input, relevance.options, corpus);
    await print(
      evaluations,
      { input: { ...input, names: measured }, reported, models },
      invocation,
    );
    return failed.length > 0 ? 1 : 0;
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

/** Sources of metrics that need neither relevance judgements nor answers. */
const independentSources: ReadonlySet<string> = new Set([
  'temporal judgements',
  'later versions',
  'passages and time',
  'passages and evidence',
]);

interface EvaluationInput {
  names: readonly string[];
  file: NonNullable<Awaited<ReturnType<typeof settingsChoice.of>>> | undefined;
  /** File of the TREC run. */
  output: string | undefined;
  queries: readonly DatedQuestion[];
  groups: QueryGroups | undefined;
  qrels: Qrels | undefined;
  /** Whether passages that contain an answer are the relevant ones. */
  byAnswers: boolean;
  auxiliary: AuxiliaryInput;
  metrics: readonly Metric[];
  k: number | undefined;
  relevantFrom: number;
  exactness: AskOptions['exactness'];
  device: Device | undefined;
  candidates: Awaited<ReturnType<typeof readPool>> | undefined;
  /** Perturbed forms of each query. */
  forms: number | undefined;
  read: ReadOptions;
  users: ReturnType<typeof modelChoice.users>;
}

/** @throws UsageError for options that exclude each other; the errors of the files. */
async function readEvaluation(invocation: Invocation): Promise<EvaluationInput> {
  const { signal } = invocation;
  const file = await settingsChoice.of(invocation);
  const names = settingsChoice.systems(listOption(invocation, 'system'), file);
  const output = option(invocation, 'run');
  if (output !== undefined && names.length > 1)
    throw new UsageError('--run writes one ranking: name one --system.');
  await checkOutput(output, 'run');
  const queries = await queriesOf(invocation);
  const groups =
    option(invocation, 'group-by') === undefined ? undefined : await readGroups(invocation);
  const byAnswers = relevanceOption(invocation);
  const qrels = await qrelsOf(invocation);
  const auxiliary = await readAuxiliaryJudgements(invocation);
  const metrics = metricsOf(invocation, { queries, qrels, byAnswers, auxiliary });
  const k = depthOf(invocation, metrics);
  const relevantFrom = countOption(invocation, 'relevant-from') ?? 1;
  const { exactness } = askValues(invocation, ['exactness']);
  const device = deviceChoice.of(invocation);
  const poolFile = option(invocation, 'pool');
  const candidates = poolFile === undefined ? undefined : await readPool(poolFile, signal);
  const forms = formsOf(invocation, 'perturbed');
  const read = await readingChoice.of(invocation, modelChoice.isGiven(invocation));
  const users = modelChoice.users(names, read, file, invocation);
  return {
    ...{ names, file, output, queries, groups, qrels, byAnswers, auxiliary, metrics },
    ...{ k, relevantFrom, exactness, device, candidates, forms, read, users },
  };
}

async function queriesOf(invocation: Invocation): Promise<DatedQuestion[]> {
  const path = requiredOption(invocation, 'queries');
  const limit = countOption(invocation, 'limit') ?? Infinity;
  const queries = await readQueries(path, { limit, signal: invocation.signal });
  if (queries.length === 0) throw new UsageError(`${path} has no queries.`);
  return queries;
}

async function qrelsOf(invocation: Invocation): Promise<Qrels | undefined> {
  const path = option(invocation, 'qrels');
  if (path === undefined) return undefined;
  const file = await beirQrels(path, option(invocation, 'split'));
  return readQrels(file, { signal: invocation.signal });
}

/** --metrics, by default those that the judgements and answers allow. */
function metricsOf(
  invocation: Invocation,
  input: Pick<EvaluationInput, 'queries' | 'qrels' | 'byAnswers' | 'auxiliary'>,
): Metric[] {
  const { queries, qrels, byAnswers, auxiliary } = input;
  const hasAnswers = queries.some(({ answers }) => answers!.length > 0);
  const defaults = [
    ...(byAnswers
      ? evaluableMetrics
      : [...(qrels ? rankingMetrics : []), ...(hasAnswers ? answerMetrics : [])]),
    ...auxiliary.defaultMetrics,
  ];
  const named = listOption(invocation, 'metrics');
  const metrics = parseMetrics(named ?? (defaults.length > 0 ? defaults : rankingMetrics), {
    tempo: auxiliary.tempo,
  });
  if (!qrels && !hasAnswers && !metrics.some(({ source }) => independentSources.has(source))) {
    throw new UsageError(
      'Nothing to measure by: the queries have no answers, and --qrels is not given.',
    );
  }
  return metrics;
}

/** -k; without it the largest cutoff applies, which a system must be able to return. */
function depthOf(invocation: Invocation, metrics: readonly Metric[]): number | undefined {
  const k = countOption(invocation, 'k', { most: maxPassages });
  const deepest = metrics.find(({ cutoff = 0 }) => cutoff > maxPassages);
  if (k !== undefined || !deepest) return k;
  throw new UsageError(
    `${deepest.name} needs more than the ${whole(maxPassages)} passages that a system returns: ` +
      'lower it, or give -k.',
  );
}
