// Input of metrics for one query: its ranking and answer with all judgements of it.
import { temporalRanking, type TemporalJudgements } from '../files/judgements.js';
import type { Qrels } from '../files/trec.js';
import { gradeRanking, type GradedRanking, type RelevanceOptions } from './ranking.js';
import type { TemporalRanking } from './temporal.js';
import { versionRanking, type VersionJudgements, type VersionRanking } from './versions.js';

/** What a metric may read of one query. */
export interface MetricInput {
  /** Present where the query has judgements. */
  judged?: GradedRanking;
  /** The ranking, best first. */
  ids?: readonly string[];
  /** The ids judged relevant, retrieved or not; present as `judged` is. */
  relevant?: () => ReadonlySet<string>;
  /** Present for queries judged as temporal. */
  temporal?: TemporalRanking;
  /** Present where versions are judged. */
  versions?: VersionRanking;
  /**
   * Whether each passage is from later than the question: by judgements, or by when it was
   * published. Best first.
   */
  future?: readonly boolean[];
  /**
   * Whether each passage's dates contradict the question's time; present where it has one to
   * contradict. Best first.
   */
  contradicting?: readonly boolean[];
  /** The passages shown, best first; absent where only a run file is known. */
  passages?: readonly { title?: string; text: string }[];
  /** The expected answers, at least one; absent where the query has none. */
  answers?: readonly string[];
  /** Sentences that support the answer, at least one; absent where the query has none. */
  goldEvidence?: readonly string[];
  /** The system's answer, as items where it is a list; absent without an answer. */
  answer?: string | readonly string[];
}

/** What queries are judged by, besides their relevance judgements. */
export interface AuxiliaryJudgements {
  /** Verdicts on time and periods. */
  temporal?: TemporalJudgements;
  /**
   * Versions superseded, from later, and facts to find; the relevance judgements say which are
   * current.
   */
  versions?: Omit<VersionJudgements, 'current'>;
}

/** A query's ranking, seen through all that is known of it. */
export function rankingInput(
  query: string,
  ranked: readonly string[],
  qrels: Qrels | undefined,
  options: RelevanceOptions & AuxiliaryJudgements = {},
): MetricInput {
  const ids = options.depth === undefined ? ranked : ranked.slice(0, options.depth);
  const judgements = qrels?.get(query);
  const temporal = temporalRanking(ids, options.temporal?.get(query));
  const versions =
    options.versions &&
    versionRanking(query, ids, {
      current: qrels ?? new Map<string, Map<string, number>>(),
      ...options.versions,
    });
  const relevantFrom = options.relevantFrom ?? 1;
  return {
    ids,
    ...(judgements ? { judged: gradeRanking(ids, judgements, options) } : {}),
    // Few metrics read the set itself: it is made for those that do.
    ...(judgements
      ? {
          relevant: () =>
            new Set([...judgements].filter(([, grade]) => grade >= relevantFrom).map(([id]) => id)),
        }
      : {}),
    ...(temporal ? { temporal } : {}),
    ...(versions ? { versions } : {}),
    ...(versions?.future ? { future: versions.future } : {}),
  };
}
