// Options of TEMPO's evaluation: validation, and their record in the result.
import { invalidArgument, mustBeWhole, parseAskedAt, maxPassages } from 'asof/kit';
import type { Progress, TimeInput, Corpus, TextModel } from 'asof';
import { formatDay } from 'asof/time';
import { evaluationDepth } from '../evaluate.js';
import type { Run } from '../files/trec.js';
import type { RelevanceJudge } from '../judges/judgement.js';
import { checkMetrics, type Metric } from '../measures/metricNames.js';
import type { TempoDefinition } from '../measures/temporal.js';
import { checkSystemNames, type EvaluatedSystemOptions } from '../systems.js';
import type { TempoDomain } from './data.js';
import type { ClassForm } from './names.js';
import type { StepStrategy, VariantReading } from './queries.js';
import type { AnswerContext } from './rag.js';
import type { Exclusion } from './retrieval.js';
import type { QueryVariant } from './variants.js';

export interface TempoOptions extends Omit<EvaluatedSystemOptions, 'read'> {
  /** Names that `createSystem` takes. */
  systems: readonly string[];
  /** Opens a domain's indexed corpus, which the evaluation closes. */
  open(domain: TempoDomain): Promise<Corpus>;
  metrics: readonly Metric[];
  /** Query -> documents in these variants. Default baseline; an empty list skips the task. */
  variants?: readonly QueryVariant[] | undefined;
  /** Default 'annotation'. */
  variantBy?: VariantReading | undefined;
  /** Query -> step -> documents by these strategies. Default none. */
  strategies?: readonly StepStrategy[] | undefined;
  /** Answers from these contexts, `retrieved` by every system. Default none. */
  contexts?: readonly AnswerContext[] | undefined;
  /** Number of retrieved documents per answer. Default 10. */
  contextDepth?: number | undefined;
  /** Judge of temporal measures and of answers, required for either. */
  judge?: RelevanceJudge | undefined;
  /** Generates the answers. Default: extraction by rules. */
  answerModel?: TextModel | undefined;
  /** Model whose reasoning is appended to every query. Default: none. */
  reformulator?: TextModel | undefined;
  /** Default paper; `code` also changes the defaults of `excluded` and `k`, and rounds. */
  tempo?: TempoDefinition | undefined;
  /** Default 'listed'; by the code's definition 'negatives', of steps 'listed'. */
  excluded?: Exclusion | undefined;
  /** Default 'reported': the ten of the paper's tables. */
  classes?: ClassForm | undefined;
  /** Asking time of every query. Default: now, so that figures depend on the day. */
  askedAt?: TimeInput | undefined;
  /** Passages to retrieve. Default: the largest cutoff of the metrics; 1000 by the code. */
  k?: number | undefined;
  /** Number of queries per domain, sampled by the seed. Default all. */
  sample?: number | undefined;
  /** Default 1. */
  seed?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Whether rows have the values of every query. Default false. */
  perQuery?: boolean | undefined;
  /**
   * Receives every ranking without excluded documents: by query id those of a variant, by step id
   * those of a strategy.
   */
  onRun?:
    | ((
        run: Run,
        of: {
          domain: string;
          system: string;
          variant?: QueryVariant | undefined;
          strategy?: StepStrategy | undefined;
        },
      ) => Promise<void> | void)
    | undefined;
  /** Queries and steps over all tasks. */
  onProgress?: ((progress: Progress & { domain: string; task: string }) => void) | undefined;
}

/** Depth and exclusions, which the published code sets: 1000 documents, no hard negatives. */
export function retrievalDefaults({ tempo, k, excluded }: TempoOptions): {
  k?: number;
  excluded: Exclusion;
  /** Of the steps task. */
  excludedOfSteps: Exclusion;
} {
  const code = tempo === 'code';
  const depth = k ?? (code ? 1000 : undefined);
  return {
    ...(depth === undefined ? {} : { k: depth }),
    excluded: excluded ?? (code ? 'negatives' : 'listed'),
    excludedOfSteps: excluded ?? 'listed',
  };
}

/** Everything that figures depend on, except the data and the systems' own options. */
export function optionsRecord(
  options: TempoOptions,
  metrics: readonly Metric[],
): Record<string, unknown> {
  const {
    variants = ['baseline'],
    variantBy = 'annotation',
    strategies = [],
    contexts = [],
    contextDepth = 10,
    tempo = 'paper',
  } = options;
  const { classes = 'reported', sample, seed = 1 } = options;
  const { k = evaluationDepth(metrics), excluded, excludedOfSteps } = retrievalDefaults(options);
  return {
    k,
    tempo,
    excluded,
    classes,
    asked_at: formatDay(parseAskedAt(options.askedAt)),
    ...(variants.some((each) => each !== 'baseline') ? { variant_by: variantBy } : {}),
    ...(strategies.length > 0 ? { strategies } : {}),
    ...(strategies.length > 0 && excludedOfSteps !== excluded
      ? { excluded_of_steps: excludedOfSteps }
      : {}),
    ...(contexts.includes('retrieved') ? { context_depth: contextDepth } : {}),
    ...(options.judge ? { judge: options.judge.id } : {}),
    ...(contexts.length > 0 ? { answers_by: options.answerModel?.id ?? 'rules' } : {}),
    ...(options.reformulator ? { reformulated_by: options.reformulator.id } : {}),
    ...(sample === undefined ? {} : { sample, seed }),
  };
}

export function checkTempoOptions(options: TempoOptions): void {
  const {
    systems,
    metrics,
    open,
    contexts = [],
    strategies = [],
    judge,
    contextDepth = 10,
    sample,
    reranker,
  } = options ?? {};
  checkSystemNames(systems, reranker);
  checkMetrics(metrics);
  mustBeWhole({ k: options.k ?? evaluationDepth(metrics) }, 1, maxPassages);
  if (strategies.length > 0 && !metrics.some(({ source }) => source === 'judgements')) {
    const names = metrics.map(({ name }) => name).join(', ');
    const expected = 'at least one on relevance judgements, by which steps are scored';
    throw invalidArgument('metrics', expected, names);
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
  mustBeWhole({ contextDepth, sample: sample ?? 1 }, 1);
}
