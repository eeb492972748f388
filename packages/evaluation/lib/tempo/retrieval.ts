// TEMPO's retrieval tasks on one domain: query to documents, and query to step to documents
// (section 2), scored without excluded documents.
import { invalidArgument } from 'asof/kit';
import type { RunOptions, TimeInput } from 'asof';
import { evaluate, type EvaluableSystem, type EvaluationQuery } from '../evaluate.js';
import type { Qrels, Run } from '../files/trec.js';
import { toTemporalJudgements } from '../judges/agreement.js';
import { judgeRun } from '../judges/judgeRun.js';
import type { RelevanceJudge } from '../judges/judgement.js';
import { scoreRanking, scoreRun, type QueryScores } from '../measures/averages.js';
import type { Metric } from '../measures/metricNames.js';
import type { TempoDefinition } from '../measures/temporal.js';
import { guidanceOf } from './annotation.js';
import { stepTexts, tempoVariant, type StepStrategy, type VariantReading } from './queries.js';
import type { TempoDomain, TempoQuery } from './data.js';
import type { QueryVariant } from './variants.js';

/**
 * Documents removed from rankings: the excluded ones, also the hard negatives (as in a version of
 * the published code), or none.
 */
export const exclusions = ['listed', 'negatives', 'none'] as const;
export type Exclusion = (typeof exclusions)[number];

/**
 * Ids removed from a query's rankings before scoring, by `exclusion`.
 */
export function excludedIds(query: TempoQuery, exclusion: Exclusion = 'listed'): readonly string[] {
  const { excluded, negatives } = query;
  if (!exclusions.includes(exclusion))
    throw invalidArgument('excluded', exclusions.join(', '), exclusion);
  return exclusion === 'none'
    ? []
    : exclusion === 'listed'
      ? excluded
      : [...new Set([...excluded, ...negatives])];
}

export interface TempoRetrievalOptions extends RunOptions {
  /** Metrics on judgements and passages; temporal ones require `judge`. */
  metrics: readonly Metric[];
  /**
   * Passages to retrieve. Default: the largest cutoff of the metrics, 100 for a metric without one.
   */
  k?: number;
  /** Default 'listed'. */
  excluded?: Exclusion;
  /** Reworded texts by query id. Default: the queries' own. */
  texts?: ReadonlyMap<string, string>;
  /**
   * Asking time of every query, which the data lacks. Default: now, so that figures depend on the
   * day.
   */
  askedAt?: TimeInput;
}

export interface TempoDocumentOptions extends TempoRetrievalOptions {
  /** Default 'baseline'. */
  variant?: QueryVariant;
  /** Default 'annotation'. */
  variantBy?: VariantReading;
  /**
   * Judges the rankings for tp@k, tr@k, tc@k and ndcg_fc@k, by original queries and annotations.
   */
  judge?: {
    judge: RelevanceJudge;
    documents: Parameters<typeof judgeRun>[3];
    tempo?: TempoDefinition;
  };
}

/**
 * Query -> documents: evaluates every query of the domain against its gold documents.
 * @throws AsOfError as `evaluate` and `judgeRun`.
 * @example const { queries } = await scoreDocuments(system, domain, { metrics:
 * parseMetrics('ndcg@10') });
 */
export async function scoreDocuments(
  system: EvaluableSystem,
  domain: TempoDomain,
  options: TempoDocumentOptions,
): Promise<{
  /** In the domain's order. */
  queries: QueryScores[];
  run: Run;
  /** Queries with an empty variant, which retrieve nothing. */
  empty: number;
  /** Queries beyond the judge's budget, excluded from temporal measures. */
  unjudged: number;
}> {
  const { variant = 'baseline', variantBy, metrics } = options;
  const asked = domain.queries.map(
    (query): EvaluationQuery => ({
      id: query.id,
      text: tempoVariant({ ...query, text: textOf(query, options) }, variant, variantBy),
      excluded: excludedIds(query, options.excluded),
      answers: query.answers,
      ...askedAtOf(options),
    }),
  );
  const qrels = qrelsOf(domain.queries);
  const { scores, run, empty } = await retrieve(system, asked, qrels, options);
  const judged = await judgedScores(domain.queries, run, qrels, options);
  const queries = scores.map(({ id, values }) => ({
    id,
    values: { ...values, ...judged.values.get(id) },
  }));
  const order = (values: Record<string, number>): Record<string, number> =>
    Object.fromEntries(
      metrics.flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]])),
    );
  return {
    queries: queries.map(({ id, values }) => ({ id, values: order(values) })),
    run,
    empty,
    unjudged: judged.left,
  };
}

/** Query -> step -> documents, by metrics on relevance judgements. Errors: as `evaluate`. */
export async function scoreSteps(
  system: EvaluableSystem,
  domain: TempoDomain,
  strategy: StepStrategy,
  options: TempoRetrievalOptions,
): Promise<{
  /**
   * Means over each query's steps, whose average is the paper's macro average. Queries without
   * steps are excluded.
   */
  queries: QueryScores[];
  /** Scores by step, as averaged by the published code; `query` is the step's query. */
  steps: (QueryScores & { query: string })[];
  /** The ranking of each step, by its id. */
  run: Run;
}> {
  const { metrics } = options;
  const planned = domain.queries
    .filter(({ steps }) => steps.length > 0)
    .map((query) => {
      const texts = stepTexts(textOf(query, options), query.steps, strategy);
      return { query, entries: query.steps.map((step, at) => ({ step, text: texts[at]! })) };
    });
  const qrels = qrelsOf(planned.flatMap(({ query }) => query.steps));
  // Steps with the same text share a ranking.
  const asked = planned.flatMap(({ query, entries }) => {
    const excluded = excludedIds(query, options.excluded);
    const first = entries.filter(
      ({ text }, at) => entries.findIndex((other) => other.text === text) === at,
    );
    return first.map(
      ({ step, text }): EvaluationQuery => ({ id: step.id, text, excluded, ...askedAtOf(options) }),
    );
  });
  const retrieved =
    asked.length === 0 ? (new Map() as Run) : (await retrieve(system, asked, qrels, options)).run;
  const run: Run = new Map();
  const steps = planned.flatMap(({ query, entries }) =>
    entries.map(({ step, text }) => {
      const source = entries.find((each) => each.text === text)!.step.id;
      const ranked = retrieved.get(source) ?? [];
      run.set(step.id, ranked);
      return { ...scoreRanking(step.id, ranked, qrels, metrics, {}), query: query.id };
    }),
  );
  return {
    queries: planned.map(({ query }) =>
      meanOfSteps(
        query.id,
        steps.filter((step) => step.query === query.id),
        metrics,
      ),
    ),
    steps,
    run,
  };
}

/** Judgements of queries or steps; a test split has none. */
const qrelsOf = (judged: readonly { id: string; relevant: readonly string[] }[]): Qrels =>
  new Map(
    judged
      .filter(({ relevant }) => relevant.length > 0)
      .map(({ id, relevant }) => [id, new Map(relevant.map((each) => [each, 1]))]),
  );

function meanOfSteps(
  id: string,
  steps: readonly QueryScores[],
  metrics: readonly Metric[],
): QueryScores {
  const mean = (name: string): number =>
    steps.reduce((sum, { values }) => sum + (values[name] ?? 0), 0) / steps.length;
  const having = metrics.filter(({ name }) => steps.some(({ values }) => name in values));
  return { id, values: Object.fromEntries(having.map(({ name }) => [name, mean(name)])) };
}

export const askedAtOf = ({
  askedAt,
}: {
  askedAt?: TimeInput | undefined;
}): { askedAt?: TimeInput } => (askedAt === undefined ? {} : { askedAt });

const textOf = (query: TempoQuery, { texts }: TempoRetrievalOptions): string =>
  texts?.get(query.id) ?? query.text;

/** Evaluates the queries; empty ones get no results. */
async function retrieve(
  system: EvaluableSystem,
  asked: readonly EvaluationQuery[],
  qrels: Qrels,
  { metrics, k, signal, onProgress }: TempoRetrievalOptions,
): Promise<{ scores: QueryScores[]; run: Run; empty: number }> {
  const worded = asked.filter(({ text }) => text.trim() !== '');
  const { queries, run } =
    worded.length === 0
      ? { queries: [] as QueryScores[], run: new Map() as Run }
      : await evaluate(system, worded, { metrics, qrels, k, signal, onProgress });
  const known = new Map(queries.map((each) => [each.id, each]));
  const scores = asked.map(({ id }) => known.get(id) ?? scoreRanking(id, [], qrels, metrics, {}));
  return { scores, run, empty: asked.length - worded.length };
}

/** The temporal measures, if any are among the metrics. */
async function judgedScores(
  queries: readonly TempoQuery[],
  run: Run,
  qrels: Qrels,
  options: TempoDocumentOptions,
): Promise<{ values: Map<string, Record<string, number>>; left: number }> {
  const { metrics, judge: given, signal } = options;
  const onTime = metrics.filter(({ source }) => source.startsWith('temporal judgements'));
  if (onTime.length === 0) return { values: new Map(), left: 0 };
  if (!given) {
    throw invalidArgument(
      'judge',
      `a judge of documents, which ${onTime[0]!.name} reads`,
      given,
      'Give ruleJudge() or a modelJudge(model).',
    );
  }
  const { judge, documents, tempo = 'paper' } = given;
  const questions = queries.map(({ id, text, annotation }) => ({
    id,
    text,
    ...askedAtOf(options),
    ...(annotation ? { guidance: guidanceOf(annotation) } : {}),
  }));
  const depth = Math.max(...onTime.map(({ cutoff }) => cutoff!));
  const judged = await judgeRun(judge, questions, run, documents, {
    depth,
    tempo,
    signal,
  });
  const temporal = toTemporalJudgements(judged.queries);
  const scored = scoreRun(run, qrels, onTime, { temporal, queries: queries.map(({ id }) => id) });
  return {
    values: new Map(scored.queries.map(({ id, values }) => [id, values])),
    left: judged.left,
  };
}
