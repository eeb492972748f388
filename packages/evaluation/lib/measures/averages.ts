// Scores of a run against judgements, and their averages. A metric is averaged over the queries to
// which it applies, and every average has its number of queries.
import { mustBe } from 'asof/kit';
import type { Qrels, RankedDocument, Run } from '../files/trec.js';
import { rankingInput, type AuxiliaryJudgements } from './metricInput.js';
import { mean } from './mean.js';
import type { Metric } from './metricNames.js';
import type { RelevanceOptions } from './ranking.js';
import { groupBy } from './groupBy.js';

/** One query, measured. */
export interface QueryScores {
  id: string;
  /** Metric name -> value; a metric that does not apply to the query is absent. */
  values: Record<string, number>;
}

/** A metric over queries. */
export interface Average {
  mean: number;
  /** Number of queries in the mean. */
  queries: number;
}

/** A run, measured. */
export interface RunScores {
  queries: QueryScores[];
  /** Metric name -> average; a metric that applied to no query is absent. */
  averages: Record<string, Average>;
  /** Judged queries missing from the run: skipped, or scored zero with `complete`. */
  missing: string[];
  /** Queries of the run without judgements, which are always skipped. */
  unjudged: string[];
  /** Names of metrics that need more than a run file and judgements. */
  inapplicable: string[];
}

export interface ScoreRunOptions extends RelevanceOptions, AuxiliaryJudgements {
  /**
   * Average over all judged queries, a query without results scoring zero (trec_eval -c). Default
   * false: over those in the run.
   */
  complete?: boolean | undefined;
  /**
   * The queries to score, whether judged or not, one without results scoring zero. Default: as
   * `complete` says.
   */
  queries?: readonly string[] | undefined;
}

/**
 * Scores a ranked run as trec_eval does; `depth` is its -M and `relevantFrom` its -l. Queries are
 * in the order of the judgements. With temporal judgements, queries judged by either kind are
 * scored, each metric over the queries to which it applies.
 */
export function scoreRun(
  run: Run,
  qrels: Qrels,
  metrics: readonly Metric[],
  options: ScoreRunOptions = {},
): RunScores {
  mustBe('a Map', { run, qrels });
  mustBe('an array', { metrics });
  mustBe('an object', { options });
  const scored = new Map<string, QueryScores>();
  for (const id of scoredQueryIds(qrels, options)) {
    const documents = run.get(id);
    if (documents) scored.set(id, scoreRanking(id, documents, qrels, metrics, options));
  }
  return collectScores(scored, [...run.keys()], qrels, metrics, options);
}

/** The queries that may be scored, in order. */
export function scoredQueryIds(
  qrels: Qrels,
  { queries, temporal }: ScoreRunOptions,
): readonly string[] {
  return (
    queries ?? (temporal ? [...new Set([...qrels.keys(), ...temporal.keys()])] : [...qrels.keys()])
  );
}

/** One query's ranked documents, scored. */
export function scoreRanking(
  id: string,
  documents: readonly RankedDocument[],
  qrels: Qrels,
  metrics: readonly Metric[],
  options: ScoreRunOptions,
): QueryScores {
  return scoreQuery(
    id,
    metrics,
    rankingInput(
      id,
      documents.map((document) => document.id),
      qrels,
      options,
    ),
  );
}

/**
 * Ordered and averaged scores of a run's queries, including missing queries if these count.
 */
export function collectScores(
  scored: ReadonlyMap<string, QueryScores>,
  inRun: readonly string[],
  qrels: Qrels,
  metrics: readonly Metric[],
  options: ScoreRunOptions,
): RunScores {
  const wanted = scoredQueryIds(qrels, options);
  const zero = options.complete === true || options.queries !== undefined;
  const queries = wanted.flatMap((id) => {
    const found = scored.get(id);
    return found ? [found] : zero ? [scoreRanking(id, [], qrels, metrics, options)] : [];
  });
  const known = new Set(wanted);
  const sources = sourcesOf(qrels, options);
  return {
    queries,
    averages: averageScores(queries, metrics),
    missing: wanted.filter((id) => !scored.has(id)),
    unjudged: inRun.filter((id) => !known.has(id)),
    inapplicable: metrics
      .filter((metric) => !sources.has(metric.source))
      .map((metric) => metric.name),
  };
}

function sourcesOf(qrels: Qrels, { temporal, versions }: ScoreRunOptions): Set<Metric['source']> {
  return new Set<Metric['source']>([
    'judgements',
    ...(temporal ? (['temporal judgements'] as const) : []),
    ...(temporal && qrels.size > 0 ? (['temporal judgements and judgements'] as const) : []),
    ...(versions ? (['versions'] as const) : []),
    ...(versions?.future ? (['later versions'] as const) : []),
    ...(versions?.facts ? (['facts'] as const) : []),
  ]);
}

/** Every metric of one query. */
export function scoreQuery(
  id: string,
  metrics: readonly Metric[],
  evidence: Parameters<Metric['of']>[0],
): QueryScores {
  const values: Record<string, number> = {};
  for (const metric of metrics) {
    const value = metric.of(evidence);
    if (value !== undefined) values[metric.name] = value;
  }
  return { id, values };
}

/** The values of a metric, of the queries to which it applies. */
export const metricValues = (queries: readonly QueryScores[], metric: string): number[] =>
  queries.flatMap(({ values }) => values[metric] ?? []);

const identity = (value: number): number => value;

/** The arithmetic mean of each metric over the queries that have it. */
export function averageScores(
  queries: readonly QueryScores[],
  metrics: readonly Metric[],
): Record<string, Average> {
  const averages: Record<string, Average> = {};
  for (const { name, rounded = identity } of metrics) {
    const values = metricValues(queries, name);
    if (values.length === 0) continue;
    averages[name] = {
      mean: rounded(mean(values)),
      queries: values.length,
    };
  }
  return averages;
}

/** Averages of groups of queries, and over groups. */
export interface GroupedAverages {
  /** Group -> averages over its queries. */
  groups: Map<string, Record<string, Average>>;
  /** The mean of the groups' means, each weighted equally; `queries` is their total. */
  macro: Record<string, Average & { groups: number }>;
}

/**
 * Averages by group, such as TEMPO's domains; queries without a group are excluded.
 */
export function averageByGroup(
  queries: readonly QueryScores[],
  metrics: readonly Metric[],
  groupOf: (query: string) => string | undefined,
): GroupedAverages {
  const groups = new Map(
    [...groupBy(queries, ({ id }) => groupOf(id))].map(([group, members]) => [
      group,
      averageScores(members, metrics),
    ]),
  );
  const macro: GroupedAverages['macro'] = {};
  for (const { name, rounded = identity } of metrics) {
    const means = [...groups.values()].flatMap((averages) => averages[name] ?? []);
    if (means.length === 0) continue;
    macro[name] = {
      mean: rounded(mean(means.map((each) => each.mean))),
      queries: means.reduce((total, { queries: n }) => total + n, 0),
      groups: means.length,
    };
  }
  return { groups, macro };
}
