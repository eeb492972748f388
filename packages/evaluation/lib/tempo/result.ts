// Result of TEMPO's evaluation, as `asof tempo eval --out` writes it.
import type { MetricMeans } from '../comparison/result.js';
import type { QueryScores } from '../measures/averages.js';

/** The format of every result of `evaluateTempo`. */
export const tempoFormat = 'asof tempo 1';

/** Means by domain, over all queries and by reasoning class. */
export interface TempoTable {
  domains: Record<string, MetricMeans>;
  /**
   * Mean of the domains' means, as in the paper's tables; n is the number of queries.
   */
  macro: MetricMeans;
  /** Mean over all queries, as in the published code. */
  micro: MetricMeans;
  classes: Record<string, MetricMeans>;
  /** Mean of the classes' means. */
  class_macro: MetricMeans;
}

/** One line of a table: a task by a system in one setting. */
export interface TempoRow extends TempoTable {
  task: 'documents' | 'steps' | 'answers';
  /** 'none' for answers without documents or from gold documents. */
  system: string;
  /** The variant, strategy or context. */
  setting: string;
  /**
   * Unit of the means; of steps, either queries with averaged steps (the paper) or steps (the
   * code).
   */
  over: 'queries' | 'steps';
  n: number;
  /** Queries with an empty variant. */
  empty?: number | undefined;
  /** Queries beyond a model's budget. */
  unjudged?: number | undefined;
  /** The values of every query or step, with `perQuery`. */
  queries?: (QueryScores & { domain: string; class: string })[] | undefined;
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
