// Summaries of runs and questions: means with intervals, means by group, recall curves, and the top
// passages of a sample of questions.
import { createHash } from 'node:crypto';
import { formatInstant, parseQuestion } from 'asof/time';
import { toJson } from 'asof/kit';
import { averageScores, metricValues, type Average } from '../measures/averages.js';
import type { Metric } from '../measures/metricNames.js';
import type { RunRecord } from './runStore.js';
import { bootstrapMeans, percentileInterval, type ResamplingDraws } from './pairedTest.js';
import type { CollectionQuery, TestCollection } from './testCollection.js';
import type { QuestionDetail, RunSummary, MetricMeans } from './result.js';

/** Group -> value -> ids of its questions. */
export type QueryGroups = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Bootstrap samples per interval, for ends stable to about the second digit. */
const intervalRounds = 1000;

export function queryGroups(queries: readonly CollectionQuery[]): QueryGroups {
  const groups = new Map<string, Map<string, Set<string>>>();
  const add = (by: string, value: string, id: string): void => {
    const values = groups.get(by) ?? new Map<string, Set<string>>();
    groups.set(by, values.set(value, (values.get(value) ?? new Set<string>()).add(id)));
  };
  for (const query of queries) {
    const { relation, condition } = parseQuestion(query).constraint;
    add('relation', relation, query.id);
    add('condition', condition, query.id);
    for (const [by, values] of Object.entries(query.groups ?? {}))
      for (const value of values) add(by, value, query.id);
  }
  return groups;
}

export function groupCounts(groups: QueryGroups): Record<string, Record<string, number>> {
  const sizes = (values: ReadonlyMap<string, ReadonlySet<string>>): Record<string, number> =>
    Object.fromEntries([...values].map(([value, ids]) => [value, ids.size]));
  return Object.fromEntries([...groups].map(([by, values]) => [by, sizes(values)]));
}

/** A sample of queries in their order, deterministic by seed and independent of other queries. */
export function sampleQueries<T extends { id: string }>(
  queries: readonly T[],
  count: number,
  seed: number,
  set: string,
): T[] {
  if (queries.length <= count) return [...queries];
  const place = ({ id }: T): string =>
    createHash('sha256').update(`${seed} ${set} ${id}`).digest('hex');
  const kept = new Set(
    queries
      .map((query) => ({ query, at: place(query) }))
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .slice(0, count)
      .map(({ query }) => query),
  );
  return queries.filter((query) => kept.has(query));
}

export interface RunSummaryOptions {
  metrics: readonly Metric[];
  groups: QueryGroups;
  seed: number;
  draws: ResamplingDraws;
}

/** Means with 95 % intervals, means by group, latency and recall curve of one run. */
export function summarizeRun(
  set: string,
  system: string,
  record: RunRecord,
  { metrics, groups, seed, draws }: RunSummaryOptions,
): RunSummary {
  const averages = averageScores(record.queries, metrics);
  const described = metrics.flatMap(({ name }): [string, RunSummary['metrics'][string]][] => {
    const found = averages[name];
    if (!found) return [];
    const values = metricValues(record.queries, name);
    const [low, high] = percentileInterval(bootstrapMeans(values, intervalRounds, seed, draws));
    return [[name, { mean: found.mean, n: found.queries, low, high }]];
  });
  const parts = [...groups]
    .filter(([, values]) => values.size > 1)
    .flatMap(([by, values]) =>
      [...values].map(([value, ids]) => {
        const members = record.queries.filter(({ id }) => ids.has(id));
        const means = toMetricMeans(averageScores(members, metrics));
        return { by, value, n: members.length, metrics: means };
      }),
    );
  return {
    set,
    system,
    metrics: Object.fromEntries(described),
    latency_ms: record.latency_ms,
    ...(parts.length > 0 ? { groups: parts } : {}),
    ...(record.recall.length > 0 ? { curves: { recall: record.recall } } : {}),
  };
}

/** Averages in the form of results. */
export const toMetricMeans = (averages: Record<string, Average>): MetricMeans =>
  Object.fromEntries(
    Object.entries(averages).map(([name, { mean, queries }]) => [name, { mean, n: queries }]),
  );

/** The sampled questions with every system's top passages. */
export function questionDetails(
  set: TestCollection,
  shown: readonly CollectionQuery[],
  records: readonly { system: string; record: RunRecord }[],
  relevantFrom: number,
): QuestionDetail[] {
  const found = records.map(({ system, record }) => ({
    system,
    scores: new Map(record.queries.map(({ id, values }) => [id, values])),
    shown: new Map(record.shown.map((each) => [each.id, each])),
  }));
  return shown.map((query) => {
    const parsed = parseQuestion(query);
    const constraint = constraintOf(parsed);
    const relevant = [...(set.qrels.get(query.id) ?? [])]
      .filter(([, grade]) => grade >= relevantFrom)
      .map(([id]) => id);
    return {
      set: set.name,
      id: query.id,
      text: query.text,
      ...(query.askedAt === undefined
        ? {}
        : {
            asked_at:
              typeof query.askedAt === 'string' ? query.askedAt : formatInstant(parsed.askedAt),
          }),
      ...(constraint ? { constraint } : {}),
      ...(query.answers && query.answers.length > 0 ? { answers: [...query.answers] } : {}),
      relevant,
      systems: found.flatMap(({ system, scores, shown: candidates }) => {
        const { milliseconds, top } = candidates.get(query.id) ?? {};
        return milliseconds === undefined || !top
          ? []
          : [{ system, metrics: scores.get(query.id) ?? {}, milliseconds, top }];
      }),
    };
  });
}

function constraintOf(parsed: ReturnType<typeof parseQuestion>): QuestionDetail['constraint'] {
  if (parsed.constraint.relation === 'none' && parsed.constraint.condition === 'none')
    return undefined;
  const {
    relation,
    condition,
    constraint_text,
    start_iso,
    end_iso,
    window_start,
    window_end,
    granularity,
  } = toJson.timeQuestion(null, parsed);
  return {
    relation,
    condition,
    text: constraint_text,
    start: start_iso,
    end: end_iso,
    window_start,
    window_end,
    granularity,
    clock: parsed.constraint.clock,
  };
}
