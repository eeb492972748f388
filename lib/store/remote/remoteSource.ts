// What a storage back end reads of a corpus that is not in a folder: candidates of questions, and
// passages.
import type { PassageFilter } from '../../../binding.js';
import { newManifest, type Manifest } from '../format/manifest.js';
import type { PreparedPassage } from '../passages/passages.js';
import type { ValueCount } from '../fields/types.js';
import type { CollectionStatistics, PlanStatistics, ScorePlan, Scope } from '../scorePlan.js';

/**
 * What a corpus is created with and says of its passages from then on, as JSON: the storage keeps
 * it. `fields` are in the order of a filter's numbers.
 */
export type RemoteSettings = Pick<
  Manifest,
  'encoder' | 'fields' | 'timeZone' | 'sentences' | 'pipeline'
>;

/** The manifest of a corpus of these settings, without segments. */
export const manifestOf = (settings: RemoteSettings): Manifest => ({
  ...newManifest(settings.encoder, settings.pipeline),
  ...settings,
});

/** The passages that a question sees: those that pass the filter and have one of the ids. */
export interface RemoteView {
  /** Default: all. */
  filter?: PassageFilter;
  /** Whether BM25's statistics count those alone that pass the filter. Default false. */
  countsPassing?: boolean;
  /** Default: all. */
  ids?: readonly string[];
}

/**
 * Vectors of a derived column, such as those fused with time: of each passage by its id that of the
 * whole, then those of its sentences if it has several, of the encoder's dimensions each.
 */
export type DerivedVectors = (
  passages: readonly PreparedPassage[],
) => Promise<ReadonlyMap<string, readonly Float32Array[]>>;

/** Candidates of a plan, and what the scores of their rows are computed with. */
export interface RankedPlan {
  /**
   * All passages of the view with rows that may be among its results, and any others, in any order.
   */
  ids: readonly string[];
  /** Those of the ids that the engine has read with their scores. Default: none. */
  passages?: readonly PreparedPassage[] | undefined;
  statistics: PlanStatistics;
  /** Whether all rows of the view were ranked; false of an index that may miss some of the best. */
  exact: boolean;
}

/** Reads of a storage for a question or a call. Each rejects with ERR_ABORTED on its signal. */
export interface RemoteSource {
  /** Names of the parts that it does without, to which one is added when it cannot be reached. */
  readonly missing?: readonly string[] | undefined;
  /** Passages in the view. */
  count(view: RemoteView, signal?: AbortSignal): Promise<number>;
  /**
   * Values of a field of keywords with how many passages of the view have them: at most `most`, the
   * most frequent first, equally frequent ones in the order of their code points.
   */
  countValues(
    field: string,
    most: number,
    view: RemoteView,
    signal?: AbortSignal,
  ): Promise<ValueCount[]>;
  /**
   * Candidates of a plan. Their rows are scored here with the statistics: those of all rows of the
   * view.
   */
  rank(plan: ScorePlan, view: RemoteView, signal?: AbortSignal): Promise<RankedPlan>;
  /** BM25's statistics of the terms. */
  statistics(
    terms: readonly string[],
    scope: Scope,
    view: RemoteView,
    signal?: AbortSignal,
  ): Promise<CollectionStatistics>;
  /** All passages of the view with their vectors and content times, each once, in any order. */
  all(view: RemoteView, signal?: AbortSignal): AsyncIterable<PreparedPassage>;
  /** The same of those of the ids that there are. */
  read(ids: readonly string[], signal?: AbortSignal): Promise<PreparedPassage[]>;
  /**
   * Stores the vectors of the derived column `key` of all rows that lack it, where plans name it.
   * @returns rows computed
   */
  derive(key: string, vectorsOf: DerivedVectors, signal?: AbortSignal): Promise<number>;
}
