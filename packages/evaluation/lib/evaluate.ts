// Evaluation of a system: rankings, answers and latency, one query at a time so that each latency
// is that of one query.
import { invalidArgument, throwIfAborted, maxPassages, parseAskedAt } from 'asof/kit';
import { AsOfError, type RunOptions, type TimeInput, type TraceEntry, type AskOptions } from 'asof';
import { parseQuestion } from 'asof/time';
import { isEmptyList } from './isEmptyList.js';
import { averageScores, scoreQuery, type Average, type QueryScores } from './measures/averages.js';
import {
  type AuxiliaryJudgements,
  type MetricInput,
  rankingInput,
} from './measures/metricInput.js';
import type { RelevanceOptions } from './measures/ranking.js';
import { constraintViolations } from './measures/violations.js';
import { checkMetrics, type Metric } from './measures/metricNames.js';
import type { Qrels, Run } from './files/trec.js';

/** Interface of a system under evaluation; every system of the library implements it. */
export interface EvaluableSystem {
  readonly name: string;
  run(
    question: { text: string; askedAt?: TimeInput | undefined },
    options?: {
      signal?: AbortSignal | undefined;
      k?: number | undefined;
      candidateIds?: readonly string[] | undefined;
      exactness?: AskOptions['exactness'] | undefined;
      asRecorded?: TimeInput | undefined;
    },
  ): Promise<{
    evidence: readonly {
      id: string;
      score: number;
      title?: string | undefined;
      text: string;
      publishedAt?: number | undefined;
      validFrom?: number | undefined;
      validTo?: number | undefined;
    }[];
    answer?: { text: string; items?: readonly string[] | undefined } | undefined;
    trace?: readonly TraceEntry[] | undefined;
  }>;
}

/** A query with expected answers and evidence. */
export interface EvaluationQuery {
  id: string;
  text: string;
  askedAt?: TimeInput | undefined;
  /** Overrides that of the options. */
  asRecorded?: TimeInput | undefined;
  /** Expected answers, each correct by itself. */
  answers?: readonly string[] | undefined;
  /** Sentences that support the answer; a passage with any of them counts. */
  goldEvidence?: readonly string[] | undefined;
  /**
   * Passages removed from the ranking before it is measured, as TEMPO's excluded documents are;
   * correspondingly more are retrieved.
   */
  excluded?: readonly string[] | undefined;
}

export interface EvaluateOptions extends RunOptions, RelevanceOptions, AuxiliaryJudgements {
  /**
   * Judgements; metrics on them are averaged over the judged queries. Without `versions.future`,
   * future@k uses publication dates.
   */
  qrels?: Qrels | undefined;
  metrics: readonly Metric[];
  /**
   * The ids of a query's candidates by its id; undefined for all passages of the corpus, the
   * default.
   */
  pool?: ((queryId: string) => readonly string[] | undefined) | undefined;
  /**
   * Passages to retrieve per query. Default: the largest cutoff of the metrics, 100 for a metric
   * without one.
   */
  k?: number | undefined;
  /**
   * Use of full-precision vectors by searches over quantized ones. Default 'certified'.
   */
  exactness?: AskOptions['exactness'] | undefined;
  /**
   * The corpus as it was recorded at this time, of corpora with history. Default: the newest
   * commit.
   */
  asRecorded?: TimeInput | undefined;
}

/** A system measured on queries. */
export interface Evaluation {
  system: string;
  queries: QueryScores[];
  averages: Record<string, Average>;
  /** Time of one question, in milliseconds, by nearest rank. */
  latencyMs: { p50: number; p99: number };
  /** The rankings as returned, for `writeRun`. */
  run: Run;
  /**
   * Queries without judgements, which metrics on judgements skip. Empty without qrels.
   */
  unjudged: string[];
  /** Judged queries that were not evaluated. Empty without qrels. */
  unasked: string[];
  k: number;
  /**
   * The stages with their mean milliseconds and the notes common to all questions.
   */
  trace: TraceEntry[];
}

function checkArguments(
  system: EvaluableSystem,
  queries: readonly EvaluationQuery[],
  options: EvaluateOptions,
): void {
  if (typeof system?.run !== 'function')
    throw invalidArgument('system', 'a system with a method run', system);
  if (isEmptyList(queries)) throw invalidArgument('queries', 'at least one query', queries);
  if (typeof options !== 'object' || options === null) {
    throw invalidArgument(
      'options',
      'an object { metrics, ... }',
      options,
      "Name metrics: { metrics: parseMetrics('ndcg@10'), qrels }.",
    );
  }
  checkMetrics(options.metrics);
}

/** The default number of passages to retrieve. */
export function evaluationDepth(metrics: readonly Metric[]): number {
  return Math.max(
    ...metrics.map(
      (metric) => metric.cutoff ?? (metric.source === 'given and expected answers' ? 1 : 100),
    ),
  );
}

/**
 * Runs a system on every query and scores the results. A query without results scores zero.
 * @throws AsOfError errors of the system, with the query's id before the message;
 * ERR_INVALID_ARGUMENT without queries or metrics; ERR_ABORTED.
 */
export async function evaluate(
  system: EvaluableSystem,
  queries: readonly EvaluationQuery[],
  options: EvaluateOptions,
): Promise<Evaluation> {
  checkArguments(system, queries, options);
  const { metrics, qrels, exactness, signal } = options;
  const k = options.k ?? evaluationDepth(metrics);
  const scores: QueryScores[] = [];
  const latencies: number[] = [];
  const traces: (readonly TraceEntry[])[] = [];
  const run: Run = new Map();
  for (const query of queries) {
    throwIfAborted(signal);
    const started = performance.now();
    const candidateIds = options.pool?.(query.id);
    const asRecorded = query.asRecorded ?? options.asRecorded;
    const runOptions = {
      k: retrievalDepth(query, k),
      signal,
      candidateIds,
      exactness,
      asRecorded,
    };
    const found = await system.run(questionOf(query), runOptions).catch((fault: unknown) => {
      throw withContext(`Query ${query.id}`, fault, { query: query.id });
    });
    latencies.push(performance.now() - started);
    if (found.trace) traces.push(found.trace);
    const result = { ...found, evidence: removeExcluded(query, found.evidence, k) };
    run.set(
      query.id,
      result.evidence.map(({ id, score }) => ({ id, score })),
    );
    scores.push(scoreQuery(query.id, metrics, await metricInputOf(query, result, options)));
    options.onProgress?.({ done: scores.length, total: queries.length });
  }
  return {
    system: system.name,
    queries: scores,
    averages: averageScores(scores, metrics),
    latencyMs: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
    run,
    unjudged: qrels ? queries.map(({ id }) => id).filter((id) => !qrels.has(id)) : [],
    unasked: qrels ? [...qrels.keys()].filter((id) => !run.has(id)) : [],
    k,
    trace: meanTrace(traces),
  };
}

/** The text and asking time of a query. */
export const questionOf = ({
  text,
  askedAt,
}: Pick<EvaluationQuery, 'text' | 'askedAt'>): { text: string; askedAt?: TimeInput } =>
  askedAt === undefined ? { text } : { text, askedAt };

/** Passages to retrieve so that k remain after exclusion. */
function retrievalDepth({ excluded = [] }: EvaluationQuery, k: number): number {
  return Math.min(Math.max(k, maxPassages), k + excluded.length);
}

/** The first k passages that are not excluded. */
export function removeExcluded<P extends { id: string }>(
  { excluded = [] }: EvaluationQuery,
  passages: readonly P[],
  k: number,
): readonly P[] {
  return excluded.length === 0
    ? passages
    : passages.filter(({ id }) => !excluded.includes(id)).slice(0, k);
}

/** The input of the metrics for one query: graded ranking, passages and answer. */
async function metricInputOf(
  query: EvaluationQuery,
  { evidence, answer }: Awaited<ReturnType<EvaluableSystem['run']>>,
  options: EvaluateOptions,
): Promise<MetricInput> {
  const { metrics, qrels, signal } = options;
  const reads = (source: Metric['source']): boolean =>
    metrics.some((metric) => metric.source === source);
  const byDate =
    options.versions?.future === undefined &&
    query.askedAt !== undefined &&
    reads('later versions');
  const future = byDate ? publishedAfterQuestion(query.askedAt!, evidence) : undefined;
  const contradicting = reads('passages and time')
    ? await constraintViolations(parseQuestion(query), evidence, signal)
    : undefined;
  return {
    ...(future ? { future } : {}),
    ...rankingInput(
      query.id,
      evidence.map(({ id }) => id),
      qrels,
      options,
    ),
    ...(contradicting ? { contradicting } : {}),
    passages: evidence,
    ...(query.answers && query.answers.length > 0 ? { answers: query.answers } : {}),
    ...(query.goldEvidence && query.goldEvidence.length > 0
      ? { goldEvidence: query.goldEvidence }
      : {}),
    ...(answer ? { answer: answer.items ?? answer.text } : {}),
  };
}

/** Whether each passage was published after the asking time; undated ones were not. */
function publishedAfterQuestion(
  askedAt: TimeInput,
  passages: readonly { publishedAt?: number }[],
): boolean[] {
  const now = parseAskedAt(askedAt);
  return passages.map(({ publishedAt }) => publishedAt !== undefined && publishedAt > now);
}

/**
 * Quantile by nearest rank: the smallest value not exceeded by at least the share p of the values.
 */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]!;
}

/** The error with its context before the message; ERR_ABORTED and foreign errors are unchanged. */
export function withContext(
  context: string,
  fault: unknown,
  details: Record<string, unknown> = {},
): unknown {
  if (!AsOfError.is(fault) || fault.code === 'ERR_ABORTED') return fault;
  return new AsOfError(fault.code, `${context}: ${fault.message}`, {
    cause: fault,
    details: { ...fault.details, ...details },
  });
}

function meanTrace(traces: readonly (readonly TraceEntry[])[]): TraceEntry[] {
  // A stage may occur several times in a system: the key includes its occurrence.
  const stages = new Map<string, TraceEntry[]>();
  for (const trace of traces) {
    const times = new Map<string, number>();
    for (const entry of trace) {
      const time = (times.get(entry.stage) ?? 0) + 1;
      times.set(entry.stage, time);
      const key = `${time} ${entry.stage}`;
      const entries = stages.get(key);
      if (entries) entries.push(entry);
      else stages.set(key, [entry]);
    }
  }
  return [...stages.values()].map((entries) => {
    const milliseconds =
      entries.reduce((sum, entry) => sum + entry.milliseconds, 0) / entries.length;
    const { stage } = entries[0]!;
    const notes = commonNotes(entries);
    return Object.keys(notes).length > 0 ? { stage, milliseconds, notes } : { stage, milliseconds };
  });
}

function commonNotes(entries: readonly TraceEntry[]): Record<string, unknown> {
  const first = Object.entries(entries[0]?.notes ?? {});
  return Object.fromEntries(
    first.filter(([key, value]) => {
      const written = JSON.stringify(value);
      return entries.every((entry) => JSON.stringify(entry.notes?.[key]) === written);
    }),
  );
}
