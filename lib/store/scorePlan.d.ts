import type { Mask, TemporalForm } from '../time/temporalForms.js';
import type { PreparedPassage } from './passages/passages.js';
import type { ValueCount } from './fields/types.js';
/**
 * Which rows are searched, in the order of their codes: whole passages, sentences (a passage of one
 * sentence is both), or all of them.
 */
export declare const scopes: readonly ['passages', 'sentences', 'all'];
export type Scope = (typeof scopes)[number];
/** Parameters of BM25 (Robertson and Zaragoza 2009, as Lucene computes it). */
export interface Bm25Parameters {
    /** How fast repetition of a term saturates, from 0 (only presence counts). Default 0.9. */
    k1?: number;
    /** Length normalisation, 0 to 1. Default 0.4. */
    b?: number;
}
/**
 * relevance = semanticWeight * similarity + lexicalWeight * lexical; the form combines it with time
 * (lib/time/temporalForms.ts).
 */
export interface PlanQuery {
    /** Absent: every similarity is 0. */
    vector?: Float32Array;
    /** Results, at most the plan's k. Default: as many. */
    k?: number;
    /** Without a vector and a recency: only rows whose lexical score is above 0. Default false. */
    onlyMatching?: boolean;
    /** Default 1. */
    semanticWeight?: number;
    /**
     * Analyzed terms, of which a repeated one weighs as often as it is repeated: the lexical part is
     * their BM25, divided by its maximum over the rows that pass the mask.
     */
    terms?: readonly string[];
    /** Default 1 where there are lexical scores. */
    lexicalWeight?: number;
    /** Filter of rows. Instants may be infinite; a window with equal ends is that instant. */
    mask?: Mask;
    /**
     * A spline line over a window with an open end is constant: atEnd if the start is open, atStart
     * if the end is. The recency of a row with intervals counts from the end of the latest.
     */
    form?: TemporalForm;
}
/** Queries that one pass over the rows answers. */
export interface ScorePlan extends Bm25Parameters {
    queries: readonly PlanQuery[];
    /** Most results per query, from 0. */
    k: number;
    scope: Scope;
    /** One result per passage, its best row; k distinct passages. Default false. */
    pool?: boolean;
    /** Key of the derived column that has the rows' vectors. Default: their own. */
    column?: string;
}
/** BM25's statistics of all rows of a scope, of which segments may hold a part. */
export interface CollectionStatistics {
    /** Rows, and their tokens. */
    rows: number;
    tokens: number;
    /** Rows with a term; terms that it lacks have none. */
    frequencies: ReadonlyMap<string, number>;
}
/** Means and deviations over the unmasked rows: what a recency is standardised with. */
export interface RecencyMoments {
    relevanceMean: number;
    relevanceDeviation: number;
    recencyMean: number;
    recencyDeviation: number;
}
/** Of one query over all rows that it may see. Default: of those that are scanned. */
export interface QueryStatistics {
    /** The greatest BM25; 0 where no row has a term. */
    maxLexical?: number;
    /** Of a recency. */
    moments?: RecencyMoments;
}
/** What the scores of a part of the rows are computed with, to be those of all. */
export interface PlanStatistics {
    collection?: CollectionStatistics;
    /** One a query of the plan; empty: those of the rows. */
    queries: readonly QueryStatistics[];
    /** Whether all rows were ranked; an index may have missed some of the best. Default true. */
    exact?: boolean;
}
/** Rows of a corpus that is elsewhere. */
export interface RemoteRows {
    /** How many passages there are. */
    count(signal?: AbortSignal): Promise<number>;
    /** The values of a field of keywords that most passages have, the most frequent first. */
    countValues(field: string, most: number, signal?: AbortSignal): Promise<ValueCount[]>;
    /** Adds all rows that can be among the plan's results to the snapshot's segments. */
    fetch(plan: ScorePlan, signal?: AbortSignal): Promise<PlanStatistics>;
    /** All passages with their vectors, in any order; none is added. */
    all(signal?: AbortSignal): AsyncIterable<PreparedPassage>;
    /** Adds passages, unless there is none of their id. */
    fetchIds(ids: readonly string[], signal?: AbortSignal): Promise<void>;
    statistics(terms: readonly string[], scope: Scope, signal?: AbortSignal): Promise<CollectionStatistics>;
}
