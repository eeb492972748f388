// TEMPO's tasks over domains and systems, into one result that names every option its figures
// depend on: what `asof tempo eval` prints. Names are snake_case, as everywhere on the command
// line. A domain's corpus is open while its tasks run, and no longer.
import { invalidArgument, throwIfAborted } from '../../errors.js';
import type { Progress, TimeInput } from '../../records.js';
import type { Corpus } from '../../store/corpus.js';
import { createSystem, systemNames, type SystemOptions } from '../../papers/registry.js';
import type { Settings } from '../../systems/settings.js';
import { checkPassageCount, type System } from '../../systems/system.js';
import type { TextModel } from '../../text/textModel.js';
import { formatDay, parseAskedAt } from '../../time/instant.js';
import type { QueryVariant } from '../../time/question/variants.js';
import { sampleQueries } from '../comparison/summaries.js';
import { evaluationDepth, removeExcluded } from '../evaluate.js';
import type { Run } from '../files/trec.js';
import type { RelevanceJudge } from '../judges/judgement.js';
import type { QueryScores } from '../measures/averages.js';
import type { Metric } from '../measures/metricNames.js';
import type { TempoDefinition } from '../measures/temporal.js';
import { breakdownClass, type ClassForm } from './names.js';
import type { StepStrategy, VariantReading } from './queries.js';
import { answerMeasures, scoreAnswers, type AnswerContext } from './rag.js';
import type { TempoData, TempoDomain, TempoQuery } from './read.js';
import { reformulate } from './reformulate.js';
import {
  excludedIds,
  scoreDocuments,
  scoreSteps,
  type Exclusion,
  type TempoRetrievalOptions,
} from './retrieval.js';
import {
  classCounts,
  tempoTable,
  type TableMetric,
  type TempoQueryScores,
  type TempoTable,
} from './tables.js';

/** Stands in every result of `evaluateTempo`. */
export const tempoFormat = 'asof tempo 1';

export interface TempoOptions extends Pick<SystemOptions, 'model' | 'reranker'> {
  /** Names that `createSystem` takes. */
  systems: readonly string[];
  /** Options of systems by name, as a settings file has them. */
  settings?: Readonly<Record<string, Settings>>;
  /** Opens a domain's corpus, indexed; it is closed here. */
  open(domain: TempoDomain): Promise<Corpus>;
  metrics: readonly Metric[];
  /** Query -> documents in these variants. Default baseline; none leaves the task out. */
  variants?: readonly QueryVariant[];
  /** Default 'annotation'. */
  variantBy?: VariantReading;
  /** Query -> step -> documents by these strategies. Default none. */
  strategies?: readonly StepStrategy[];
  /** Answers from these contexts, `retrieved` by every system. Default none. */
  contexts?: readonly AnswerContext[];
  /** How many retrieved documents an answer is made of. Default 10. */
  contextDepth?: number;
  /** Of measures of time and of answers. Needed for either. */
  judge?: RelevanceJudge;
  /** Writes the answers. Default: rules read them off the documents. */
  answerModel?: TextModel;
  /** Puts what would help to answer after every query, in all retrieval. Default: nobody. */
  reformulator?: TextModel;
  /** Default paper. */
  tempo?: TempoDefinition;
  /** Default 'listed'. */
  excluded?: Exclusion;
  /** Default 'reported': the ten of the paper's tables. */
  classes?: ClassForm;
  /** What "now" is for every query. Default: now, so that figures move with the day. */
  askedAt?: TimeInput;
  /** Passages to ask for. Default: the largest cutoff of the metrics. */
  k?: number;
  /** Queries of each domain, a sample by the seed. Default all. */
  sample?: number;
  /** Default 1. */
  seed?: number;
  signal?: AbortSignal;
  /** Whether rows have the values of every query. Default false. */
  perQuery?: boolean;
  /** Receives every ranking of query -> documents, without what is excluded. */
  onRun?: (
    run: Run,
    of: { domain: string; system: string; variant: QueryVariant },
  ) => Promise<void> | void;
  /** Queries and steps asked in all tasks together. */
  onProgress?: (progress: Progress & { domain: string; task: string }) => void;
}

/** One line of a table: a task by a system in one setting. */
export interface TempoRow extends TempoTable {
  task: 'documents' | 'steps' | 'answers';
  /** Of answers from no or gold documents: none. */
  system: string;
  /** The variant, strategy or context. */
  setting: string;
  /**
   * What the means are over: of steps, a query's steps first (the paper) or all steps alike (the
   * code).
   */
  over: 'queries' | 'steps';
  n: number;
  /** Queries that the variant left no word of. */
  empty?: number;
  /** Queries that a model's budget left. */
  unjudged?: number;
  /** The values of every query or step, where they were asked for. */
  queries?: TempoQueryScores[];
}

/** TEMPO's tables: the JSON that `asof tempo eval --out` writes. */
export interface TempoResult {
  format: typeof tempoFormat;
  folder: string;
  domains: { name: string; queries: number; steps: number; documents: number }[];
  /** Queries of each class. */
  classes: Record<string, number>;
  metrics: string[];
  answer_measures: readonly string[];
  options: Record<string, unknown>;
  systems: { name: string; options: Record<string, unknown> }[];
  rows: TempoRow[];
}

interface RowScores {
  row: Pick<TempoRow, 'task' | 'system' | 'setting' | 'over'>;
  metrics: readonly TableMetric[];
  scored: TempoQueryScores[];
  empty: number;
  unjudged: number;
}

/**
 * Runs the tasks. Domains are done one after another, each with all its systems. Errors:
 * ERR_INVALID_ARGUMENT for an unknown system, and for measures or contexts that lack their judge;
 * what systems, models and judges throw; ERR_ABORTED.
 */
export async function evaluateTempo(data: TempoData, options: TempoOptions): Promise<TempoResult> {
  checkOptions(options);
  const { systems, metrics, sample, seed = 1, classes = 'reported', signal } = options;
  const domains =
    sample === undefined
      ? data.domains
      : data.domains.map((domain) => ({
          ...domain,
          queries: sampleQueries(domain.queries, sample, seed, domain.name),
        }));
  const rows = new Map<string, RowScores>();
  const described: TempoResult['systems'] = [];
  const counts: TempoResult['domains'] = [];
  const progress = progressOf(domains, options);
  for (const domain of domains) {
    throwIfAborted(signal);
    const corpus = await options.open(domain);
    try {
      counts.push({
        name: domain.name,
        queries: domain.queries.length,
        documents: corpus.info().passages,
        steps: domain.queries.reduce((sum, { steps }) => sum + steps.length, 0),
      });
      const add = collector(rows, domain, classes);
      const texts =
        options.reformulator &&
        (await reformulate(options.reformulator, domain.queries, signal ? { signal } : {}));
      const retrieval = {
        metrics,
        ...(signal ? { signal } : {}),
        ...(texts ? { texts } : {}),
        ...(options.k === undefined ? {} : { k: options.k }),
        ...(options.excluded ? { excluded: options.excluded } : {}),
        ...askedAtOf(options),
      };
      await answerWithout(domain, corpus, options, { add, progress });
      for (const name of systems) {
        const system = systemOf(name, corpus, options);
        if (!described.some((each) => each.name === name))
          described.push({ name, options: { ...system.options } });
        await tasksOf(system, domain, corpus, options, retrieval, { add, progress });
      }
    } finally {
      await corpus.close();
    }
  }
  return {
    format: tempoFormat,
    folder: data.folder,
    domains: counts,
    classes: classCounts({ ...data, domains }, classes),
    metrics: metrics.map(({ name }) => name),
    answer_measures: (options.contexts ?? []).length > 0 ? answerMeasures : [],
    options: optionsOf(options, metrics),
    systems: described,
    rows: [...rows.values()].map(({ row, metrics: of, scored, empty, unjudged }) => ({
      ...row,
      n: scored.length,
      ...(empty > 0 ? { empty } : {}),
      ...(unjudged > 0 ? { unjudged } : {}),
      ...tempoTable(scored, of),
      ...(options.perQuery ? { queries: scored } : {}),
    })),
  };
}

type Add = (
  row: RowScores['row'],
  of: readonly TableMetric[],
  scores: readonly (QueryScores & { query?: string })[],
  more?: { empty?: number; unjudged?: number },
) => void;

interface TaskContext {
  add: Add;
  progress: ReturnType<typeof progressOf>;
}

async function tasksOf(
  system: System,
  domain: TempoDomain,
  corpus: Corpus,
  options: TempoOptions,
  retrieval: TempoRetrievalOptions,
  { add, progress }: TaskContext,
): Promise<void> {
  const {
    variants = ['baseline'],
    strategies = [],
    contexts = [],
    variantBy,
    judge,
    tempo,
  } = options;
  const { metrics } = retrieval;
  const documents = (id: string) => corpus.get(id);
  const judging = judge ? { judge: { judge, documents, ...(tempo ? { tempo } : {}) } } : {};
  for (const variant of variants) {
    const onProgress = progress(domain, 'documents', domain.queries.length);
    const scores = await scoreDocuments(system, domain, {
      ...retrieval,
      variant,
      onProgress,
      ...(variantBy ? { variantBy } : {}),
      ...judging,
    });
    await options.onRun?.(scores.run, { domain: domain.name, system: system.name, variant });
    add(
      { task: 'documents', system: system.name, setting: variant, over: 'queries' },
      metrics,
      scores.queries,
      scores,
    );
  }
  const onSteps = metrics.filter(({ source }) => source === 'judgements');
  for (const strategy of onSteps.length > 0 ? strategies : []) {
    const onProgress = progress(domain, 'steps', stepsAsked(domain, strategy));
    const { queries, steps } = await scoreSteps(system, domain, strategy, {
      ...retrieval,
      metrics: onSteps,
      onProgress,
    });
    const row = { task: 'steps', system: system.name, setting: strategy } as const;
    add({ ...row, over: 'queries' }, onSteps, queries);
    add({ ...row, over: 'steps' }, onSteps, steps);
  }
  if (contexts.includes('retrieved')) {
    const k = options.contextDepth ?? 10;
    const retrieved = async (query: TempoQuery) => {
      const excluded = excludedIds(query, options.excluded);
      const text = retrieval.texts?.get(query.id) ?? query.text;
      const { evidence } = await system.run(
        { text, ...askedAtOf(options) },
        { k: k + excluded.length, ...signalOf(options) },
      );
      return removeExcluded({ ...query, excluded }, evidence, k);
    };
    await answer('retrieved', system.name, domain, retrieved, options, { add, progress });
  }
}

/** The contexts that no system retrieves. */
async function answerWithout(
  domain: TempoDomain,
  corpus: Corpus,
  options: TempoOptions,
  collecting: TaskContext,
): Promise<void> {
  const { contexts = [] } = options;
  if (contexts.includes('none'))
    await answer('none', '', domain, async () => [], options, collecting);
  const gold = async ({ relevant }: TempoQuery) =>
    relevant.map((id) => corpus.get(id)).filter((passage) => passage !== undefined);
  if (contexts.includes('oracle')) await answer('oracle', '', domain, gold, options, collecting);
}

async function answer(
  context: AnswerContext,
  system: string,
  domain: TempoDomain,
  contextOf: Parameters<typeof scoreAnswers>[1],
  options: TempoOptions,
  { add, progress }: TaskContext,
): Promise<void> {
  const { judge, answerModel: model } = options;
  const onProgress = progress(domain, 'answers', domain.queries.length);
  const answering = {
    judge: judge!,
    onProgress,
    ...(model ? { model } : {}),
    ...askedAtOf(options),
    ...signalOf(options),
  };
  const { queries, left } = await scoreAnswers(domain.queries, contextOf, answering);
  add(
    { task: 'answers', system, setting: context, over: 'queries' },
    answerMeasures.map((name) => ({ name })),
    queries,
    { unjudged: left },
  );
}

const askedAtOf = ({ askedAt }: TempoOptions): { askedAt?: TimeInput } =>
  askedAt === undefined ? {} : { askedAt };

const signalOf = ({ signal }: TempoOptions): { signal?: AbortSignal } => (signal ? { signal } : {});

const stepsAsked = ({ queries }: TempoDomain, strategy: StepStrategy): number =>
  queries.reduce(
    (sum, { steps }) => sum + (strategy === 'query+all' ? Math.min(1, steps.length) : steps.length),
    0,
  );

function collector(rows: Map<string, RowScores>, domain: TempoDomain, classes: ClassForm): Add {
  const classOfQuery = new Map(
    domain.queries.map(({ id, annotation }) => [
      id,
      breakdownClass(annotation?.primaryClass, classes),
    ]),
  );
  return (row, metrics, scores, { empty = 0, unjudged = 0 } = {}) => {
    const key = JSON.stringify(row);
    const known = rows.get(key) ?? { row, metrics, scored: [], empty: 0, unjudged: 0 };
    known.scored.push(
      ...scores.map(({ id, values, query }) => ({
        id,
        values,
        domain: domain.name,
        class: classOfQuery.get(query ?? id)!,
      })),
    );
    known.empty += empty;
    known.unjudged += unjudged;
    rows.set(key, known);
  };
}

function systemOf(
  name: string,
  corpus: Corpus,
  { settings, model, reranker }: TempoOptions,
): System {
  const given = { ...(model ? { model } : {}), ...(reranker ? { reranker } : {}) };
  return createSystem(name, {
    corpus,
    ...(settings?.[name] ? { settings: settings[name] } : {}),
    ...given,
  });
}

/** Everything that a figure depends on, beside the data and the systems' own options. */
function optionsOf(options: TempoOptions, metrics: readonly Metric[]): Record<string, unknown> {
  const {
    variants = ['baseline'],
    variantBy = 'annotation',
    strategies = [],
    contexts = [],
    contextDepth = 10,
    tempo = 'paper',
  } = options;
  const {
    excluded = 'listed',
    classes = 'reported',
    k = evaluationDepth(metrics),
    sample,
    seed = 1,
  } = options;
  return {
    k,
    tempo,
    excluded,
    classes,
    asked_at: formatDay(parseAskedAt(options.askedAt)),
    ...(variants.some((each) => each !== 'baseline') ? { variant_by: variantBy } : {}),
    ...(strategies.length > 0 ? { strategies } : {}),
    ...(contexts.includes('retrieved') ? { context_depth: contextDepth } : {}),
    ...(options.judge ? { judge: options.judge.id } : {}),
    ...(contexts.length > 0 ? { answers_by: options.answerModel?.id ?? 'rules' } : {}),
    ...(options.reformulator ? { reformulated_by: options.reformulator.id } : {}),
    ...(sample === undefined ? {} : { sample, seed }),
  };
}

function progressOf(
  domains: readonly TempoDomain[],
  { systems, variants = ['baseline'], strategies = [], contexts = [], onProgress }: TempoOptions,
) {
  const retrieved = contexts.includes('retrieved') ? systems.length : 0;
  const total = domains.reduce((sum, domain) => {
    const steps = strategies.reduce((all, strategy) => all + stepsAsked(domain, strategy), 0);
    const answers = contexts.filter((each) => each !== 'retrieved').length + retrieved;
    return (
      sum +
      systems.length * (variants.length * domain.queries.length + steps) +
      answers * domain.queries.length
    );
  }, 0);
  let before = 0;
  let current = 0;
  return (domain: TempoDomain, task: string, size: number) => {
    before += current;
    current = size;
    return ({ done }: Progress): void =>
      onProgress?.({ done: before + done, total, domain: domain.name, task });
  };
}

function checkOptions(options: TempoOptions): void {
  const {
    systems,
    metrics,
    open,
    contexts = [],
    strategies = [],
    judge,
    contextDepth = 10,
    sample,
  } = options ?? {};
  if (!Array.isArray(systems) || systems.length === 0)
    throw invalidArgument('systems', `some of ${systemNames.join(', ')}`, systems);
  const unknown = systems.find((name) => !systemNames.includes(name as string)) as unknown;
  if (unknown !== undefined)
    throw invalidArgument('systems', `some of ${systemNames.join(', ')}`, unknown);
  if (!Array.isArray(metrics) || metrics.length === 0)
    throw invalidArgument('metrics', "one at least, as parseMetrics('ndcg@10') reads", metrics);
  checkPassageCount(options.k ?? evaluationDepth(metrics));
  if (strategies.length > 0 && !metrics.some(({ source }) => source === 'judgements')) {
    const names = metrics.map(({ name }) => name).join(', ');
    throw invalidArgument(
      'metrics',
      'one at least on relevance judgements, which steps are scored by',
      names,
    );
  }
  if (typeof open !== 'function')
    throw invalidArgument('open', 'a function that opens the corpus of a domain', open);
  if (contexts.length > 0 && !judge)
    throw invalidArgument(
      'judge',
      'a judge of answers',
      judge,
      'Give ruleJudge() or a modelJudge(model).',
    );
  for (const [name, value] of Object.entries({ contextDepth, sample: sample ?? 1 })) {
    if (!(Number.isInteger(value) && value >= 1))
      throw invalidArgument(name, 'a whole number from 1', value);
  }
}
