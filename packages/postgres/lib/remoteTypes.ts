// What the interface of storage back ends (asof/kit) takes and returns, by name.
import type { PassageWriter, rankPlan, RemoteStorage, ScorePlan } from 'asof/kit';

export type RemoteSource = ReturnType<RemoteStorage['source']>;
export type CorpusView = Parameters<RemoteSource['count']>[0];
export type PassageFilter = NonNullable<CorpusView['filter']>;
/** A page of passages in an order. */
export type PageRequest = Parameters<RemoteStorage['list']>[0];
export type IndexedPassage = Awaited<ReturnType<PassageWriter['index']>>[number];
/** Stored passages as the writer of a batch asks for them. */
export type StoredPassages = Parameters<PassageWriter['added']>[1];
export type PlanQuery = ScorePlan['queries'][number];
type PlanStatistics = Awaited<ReturnType<RemoteSource['rank']>>['statistics'];
export type CollectionStatistics = NonNullable<PlanStatistics['collection']>;
export type QueryStatistics = PlanStatistics['queries'][number];
type PlanRanking = Awaited<ReturnType<Parameters<typeof rankPlan>[1]>>;
/** One query of a plan, as the shards rank it. */
export type QueryRanking = PlanRanking['queries'][number];
export type RankBound = Parameters<QueryRanking['best']>[1];
