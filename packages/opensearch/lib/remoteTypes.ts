// What the interface of storage back ends (asof/kit) takes and returns, by name.
import type { bm25Weights, PassageWriter, rankPlan, RemoteStorage, ScorePlan } from 'asof/kit';

/** Of a write, in passages. */
export interface Counts {
  added: number;
  replaced: number;
  unchanged: number;
}
export type Source = ReturnType<RemoteStorage['source']>;
export type CorpusView = Parameters<Source['count']>[0];
export type PassageFilter = NonNullable<CorpusView['filter']>;
export type PageRequest = Parameters<RemoteStorage['list']>[0];
/** Stored passages as the writer of a batch asks for them. */
export type StoredPassages = Parameters<PassageWriter['added']>[1];
export type PlanQuery = ScorePlan['queries'][number];
export type Bm25Weights = ReturnType<typeof bm25Weights>;
export type CollectionStatistics = Parameters<typeof bm25Weights>[2];
type PlanRanking = Awaited<ReturnType<Parameters<typeof rankPlan>[1]>>;
export type QueryRanking = PlanRanking['queries'][number];
export type QueryStatistics = Awaited<ReturnType<QueryRanking['statistics']>>;
export type RankBound = Parameters<QueryRanking['best']>[1];
export type RankedPassage = Awaited<ReturnType<QueryRanking['best']>>[number][number];
