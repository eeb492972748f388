// Format of a comparison's result, as `asof compare --out` writes it: every option, version, seed
// and the machine that its figures depend on. Names are snake_case.
import { readFile } from 'node:fs/promises';
import { AsOfError } from 'asof';
import { mustBe, throwIfAborted } from 'asof/kit';

/** Format of every comparison; `readComparison` rejects others. */
export const comparisonFormat = 'asof comparison 1';

export type MetricMeans = Record<string, { mean: number; n: number }>;

/** One system on one set. */
export interface RunSummary {
  set: string;
  system: string;
  metrics: Record<
    string,
    {
      mean: number;
      /** Number of questions in the mean. */
      n: number;
      /** 95 % bootstrap interval of the mean over questions. */
      low: number;
      high: number;
    }
  >;
  latency_ms: { p50: number; p99: number };
  groups?: { by: string; value: string; n: number; metrics: MetricMeans }[] | undefined;
  /** [k, mean over the judged questions], k rising. */
  curves?: { recall: [k: number, value: number][] } | undefined;
}

/** Tests of a difference, both paired by question. */
export const significanceTests = ['randomisation', 'bootstrap'] as const;
export type SignificanceTest = (typeof significanceTests)[number];
/** Corrections of p-values for multiple tests. */
export const corrections = ['holm', 'bonferroni', 'benjamini-hochberg', 'none'] as const;
export type Correction = (typeof corrections)[number];

/** One tested pair: `difference` is `system` minus `against`, with its 95 % interval. */
export interface Significance {
  set: string;
  metric: string;
  system: string;
  against: string;
  /** Kind of pair: with the baseline, or the best two of the set by this metric. */
  pair: 'baseline' | 'best two';
  /**
   * Mean of `system` minus mean of `against`, over the n questions with the metric in both.
   */
  difference: number;
  /** 95 % bootstrap interval of the difference over questions. */
  low: number;
  high: number;
  p: number;
  /** p after the correction over all pairs compared by this metric in this set. */
  corrected: number;
  test: SignificanceTest;
  correction: Correction;
  n: number;
}

export interface QuestionDetail {
  set: string;
  id: string;
  text: string;
  asked_at?: string | undefined;
  /** As `asof time question` prints it; absent where the question names no time. */
  constraint?:
    | {
        relation: string;
        condition: string;
        text: string | null;
        start: string | null;
        end: string | null;
        window_start: string | null;
        window_end: string | null;
        granularity: string | null;
        clock: string;
      }
    | undefined;
  answers?: string[] | undefined;
  relevant: string[];
  systems: {
    system: string;
    metrics: Record<string, number>;
    milliseconds: number;
    top: {
      id: string;
      /** From 1. */
      rank: number;
      score: number;
      scores: Record<string, number>;
      title?: string | undefined;
      /** The best sentence, else the start of the passage; truncated. */
      sentence?: string | undefined;
      /**
       * The dates of the passage, the deciding one first; null is an open end, and ends are
       * inclusive.
       */
      dates?: { start: string | null; end: string | null; granularity: string }[] | undefined;
      published_at?: string | undefined;
      relevant?: boolean | undefined;
    }[];
  }[];
}

/**
 * The result of `compare` with everything that its figures depend on; the JSON that `asof compare
 * --out` writes.
 */
export interface Comparison {
  format: typeof comparisonFormat;
  made_at: string;
  /** Of the package. */
  asof: string;
  node: string;
  machine: {
    processor: string;
    cores: number;
    memory_gib: number;
    /** The instruction set that the kernels ran on, and their threads. */
    level: string;
    threads: number;
    /**
     * Load average of the minute before the comparison; above the number of cores, latencies are
     * inflated.
     */
    load: number;
  };
  seed: number;
  /** Sample size per collection; absent for all questions. */
  sample?: number | undefined;
  /** Passages retrieved per question. */
  k: number;
  relevant_from: number;
  /** Metric names in the requested order, and the options of those with several definitions. */
  metrics: string[];
  /** The metrics of which lower values are better, such as violation@5. */
  lower_is_better: string[];
  metric_options?: Record<string, string> | undefined;
  baseline: string;
  rounds: number;
  encoder: string;
  reranker?: string | undefined;
  model?: string | undefined;
  command: string;
  seconds: number;
  /**
   * Processor time of all threads and processes; stored runs take none.
   */
  processor_seconds?: number | undefined;
  /**
   * Number of concurrent processes, if more than one: latencies are then of competing questions.
   */
  jobs?: number | undefined;
  sets: {
    name: string;
    /** Evaluated questions, and questions of the full collection; fewer for a sample. */
    queries: number;
    queries_in_set: number;
    passages: number;
    /** Digest of passages, questions and judgements, which identifies the collection. */
    sha256: string;
    /** Number of evaluated questions by group: { relation: { before: 12, none: 8 } }. */
    groups?: Record<string, Record<string, number>> | undefined;
    /** Number of perturbed questions and of all their forms. */
    perturbed?: { questions: number; forms: number } | undefined;
  }[];
  systems: {
    name: string;
    /** Every option that changes a published number. */
    options: Record<string, unknown>;
    /** The stages, in order. */
    composition: string;
  }[];
  cells: RunSummary[];
  significance: Significance[];
  /**
   * Points of degradation curves, for questions with a validity period. The questions of a point
   * differ from the original ones only in their time constraint, which preserves the answers;
   * `perturb` are the options of their forms.
   */
  perturbation?:
    | {
        set: string;
        system: string;
        metric: string;
        /**
         * 'constraint' varies the share of perturbed questions, 'distance' the distance of their
         * dates from those in passages.
         */
        kind: 'constraint' | 'distance';
        /** Of 'constraint', 0 or 1; shares in between are interpolated. */
        share?: number | undefined;
        /** Of 'distance': the lower bound of the step, in years. */
        step?: number | undefined;
        /**
         * Mean over n questions, each the mean of its forms; `forms` is their total, 0 for the
         * original questions.
         */
        mean: number;
        n: number;
        forms: number;
        /** Mean of the same questions in their original form. */
        original: number;
      }[]
    | undefined;
  perturb?: { seed: number; per_question: number } | undefined;
  questions?: QuestionDetail[] | undefined;
  /** MRAG's figure 5: the score of a passage that differs from others only in its date. */
  date_scores?:
    | {
        system: string;
        /** Temporal relation of the question, whose date is 4 June 1961. */
        relation: string;
        /** Form of the passage's date. */
        form: 'year' | 'same day' | 'another day' | 'none';
        year: number | null;
        /** Whether the year satisfies the relation; null for the question's year and undated. */
        holds: boolean | null;
        /** From 0 to 1 within a question, averaged over subjects. */
        score: number;
      }[]
    | undefined;
  /** A row of that figure in four numbers. */
  date_reasoning?:
    | {
        system: string;
        relation: string;
        /**
         * Share of pairs in which a passage whose date satisfies the relation scores above one
         * whose date does not: 1 for a system that reasons over dates, about 0.5 for one that
         * matches them.
         */
        ordered: number;
        /**
         * Mean scores of passages of the question's year, of those that satisfy the relation and of
         * those that do not.
         */
        exact: number;
        holding: number;
        failing: number;
      }[]
    | undefined;
}

export type RankedPassage = QuestionDetail['systems'][number]['top'][number];
export type PerturbationPoint = NonNullable<Comparison['perturbation']>[number];
export type DateScore = NonNullable<Comparison['date_scores']>[number];

/** Whether lower values of a metric are better: shares of unwanted passages. */
export function lowerIsBetter(metric: string): boolean {
  return ['violation', 'future', 'outdated', 'abstained'].includes(metric.split('@')[0]!);
}

/**
 * Reads a result. Errors: ERR_NOT_FOUND; ERR_INVALID_INPUT for another format or version.
 */
export async function readComparison(
  path: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Comparison> {
  mustBe('an object', { options });
  const text = await readFile(path, {
    encoding: 'utf8',
    ...(options.signal ? { signal: options.signal } : {}),
  }).catch((cause: unknown) => {
    throwIfAborted(options.signal);
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a comparison at ${path}, found no readable file. asof compare --out writes one.`,
      {
        cause,
        details: { file: path },
      },
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(path, 'JSON of asof compare --out', 'invalid JSON', cause);
  }
  const found = (value ?? {}) as Partial<Comparison>;
  if (found.format !== comparisonFormat) {
    throw invalid(
      path,
      `"format" to be ${JSON.stringify(comparisonFormat)}`,
      JSON.stringify(found.format) ?? 'none',
    );
  }
  for (const name of [
    'sets',
    'systems',
    'cells',
    'significance',
    'metrics',
    'lower_is_better',
  ] as const) {
    if (!Array.isArray(found[name]))
      throw invalid(
        path,
        `"${name}" to be a list`,
        JSON.stringify(found[name])?.slice(0, 60) ?? 'none',
      );
  }
  for (const name of ['questions', 'date_scores', 'date_reasoning'] as const) {
    if (found[name] !== undefined && !Array.isArray(found[name])) {
      throw invalid(path, `"${name}" to be a list`, JSON.stringify(found[name]).slice(0, 60));
    }
  }
  checkPerturbation(path, found.perturbation);
  return found as Comparison;
}

function checkPerturbation(path: string, points: unknown): void {
  if (points === undefined) return;
  if (!Array.isArray(points))
    throw invalid(path, '"perturbation" to be a list', JSON.stringify(points).slice(0, 60));
  for (const point of points as Partial<PerturbationPoint>[]) {
    const along =
      point?.kind === 'constraint'
        ? point.share
        : point?.kind === 'distance'
          ? point.step
          : undefined;
    const named = ['set', 'system', 'metric'].every(
      (name) => typeof point?.[name as 'set'] === 'string',
    );
    if (named && [along, point.mean, point.n, point.forms, point.original].every(Number.isFinite))
      continue;
    const expected =
      '"perturbation" to have points { set, system, metric, kind, share or step, mean, n, ' +
      'forms, original }';
    throw invalid(path, expected, JSON.stringify(point)?.slice(0, 120) ?? 'none');
  }
}

function invalid(path: string, expected: string, received: string, cause?: unknown): AsOfError {
  const message = `${path}: Expected ${expected}, received ${received}. Write it again with asof compare --out.`;
  return new AsOfError('ERR_INVALID_INPUT', message, {
    details: { file: path },
    cause,
  });
}
