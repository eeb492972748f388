// Input of metrics for one query: its ranking, answer and judgements.
import { temporalRanking, type TemporalJudgements } from '../files/judgements.js';
import type { Qrels } from '../files/trec.js';
import { gradeRanking, type GradedRanking, type RelevanceOptions } from './ranking.js';
import type { TemporalRanking } from './temporal.js';
import { versionRanking, type VersionJudgements, type VersionRanking } from './versions.js';

/** The data of one query available to metrics. */
export interface MetricInput {
  /** Present where the query has judgements. */
  judged?: GradedRanking | undefined;
  /** The ranking, best first. */
  ids?: readonly string[] | undefined;
  /** The ids judged relevant, retrieved or not; present as `judged` is. */
  relevant?: (() => ReadonlySet<string>) | undefined;
  /** Present for queries judged as temporal. */
  temporal?: TemporalRanking | undefined;
  /** Present where versions are judged. */
  versions?: VersionRanking | undefined;
  /**
   * Whether each passage is later than the question, by judgements or by publication. Best first.
   */
  future?: readonly boolean[] | undefined;
  /**
   * Whether each passage's dates contradict the question's time constraint; absent without one.
   * Best first.
   */
  contradicting?: readonly boolean[] | undefined;
  /** The retrieved passages, best first; absent for run files. */
  passages?: readonly { title?: string | undefined; text: string }[] | undefined;
  /** The expected answers, at least one; absent where the query has none. */
  answers?: readonly string[] | undefined;
  /** Sentences that support the answer, at least one; absent where the query has none. */
  goldEvidence?: readonly string[] | undefined;
  /** The system's answer, as items where it is a list; absent without an answer. */
  answer?: string | readonly string[] | undefined;
}

/** Judgements in addition to relevance judgements. */
export interface AuxiliaryJudgements {
  /** Temporal verdicts and covered periods. */
  temporal?: TemporalJudgements | undefined;
  /**
   * Superseded and later versions, and required facts; current ones are in the relevance
   * judgements.
   */
  versions?: Omit<VersionJudgements, 'current'> | undefined;
}

/** A query's ranking with all of its judgements. */
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
    // Few metrics read the set: it is built on demand.
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
