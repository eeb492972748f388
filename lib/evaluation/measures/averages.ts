// Averages of metrics over queries, and a run of any system scored against judgements. The rule: a metric is averaged over
// the queries that have what it reads, and every average says over how many. Nothing is filled in unasked.
import { judge, type JudgeOptions } from './ranking.js';
import type { Metric } from './metricNames.js';
import type { Qrels, Run } from '../files/trec.js';

export interface QueryScores {
  id: string;
  /** Metric name -> value; a metric that does not apply to the query is absent. */
  values: Record<string, number>;
}

export interface Average {
  mean: number;
  /** How many queries the mean is over. */
  queries: number;
}

export interface RunScores {
  queries: QueryScores[];
  /** Metric name -> average; a metric that applied to no query is absent. */
  averages: Record<string, Average>;
  /** Judged queries that the run lacks: left out, or scored zero where `complete`. */
  missing: string[];
  /** Queries of the run that have no judgements: always left out. */
  unjudged: string[];
  /** Names of metrics that need more than a run file and judgements. */
  inapplicable: string[];
}

export interface ScoreRunOptions extends JudgeOptions {
  /** Average over all judged queries, a query without results scoring zero (trec_eval -c). Default false: over those in the run. */
  complete?: boolean;
}

/** Scores a ranked run as trec_eval does; `depth` is its -M and `relevantFrom` its -l. Queries come in the judgements' order. */
export function scoreRun(run: Run, qrels: Qrels, metrics: readonly Metric[], options: ScoreRunOptions = {}): RunScores {
  const missing = [...qrels.keys()].filter((id) => !run.has(id));
  const counted = [...qrels.keys()].filter((id) => options.complete === true || run.has(id));
  const queries = counted.map((id) => {
    const ids = (run.get(id) ?? []).map((document) => document.id);
    return scoreQuery(id, metrics, { judged: judge(ids, qrels.get(id)!, options) });
  });
  return {
    queries,
    averages: average(queries, metrics),
    missing,
    unjudged: [...run.keys()].filter((id) => !qrels.has(id)),
    inapplicable: metrics.filter((metric) => metric.source !== 'judgements').map((metric) => metric.name),
  };
}

/** Every metric of one query. */
export function scoreQuery(id: string, metrics: readonly Metric[], evidence: Parameters<Metric['of']>[0]): QueryScores {
  const values: Record<string, number> = {};
  for (const metric of metrics) {
    const value = metric.of(evidence);
    if (value !== undefined) values[metric.name] = value;
  }
  return { id, values };
}

/** The arithmetic mean of each metric over the queries that have it. */
export function average(queries: readonly QueryScores[], metrics: readonly Metric[]): Record<string, Average> {
  const averages: Record<string, Average> = {};
  for (const { name } of metrics) {
    const values = queries.map((query) => query.values[name]).filter((value) => value !== undefined);
    if (values.length > 0) averages[name] = { mean: values.reduce((sum, value) => sum + value, 0) / values.length, queries: values.length };
  }
  return averages;
}
