// What the interface of storage back ends (asof/kit) takes and returns, by name.
import type { PassageWriter, RemoteSource, RemoteStorage, ScorePlan } from 'asof/kit';

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
