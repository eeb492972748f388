import type { Instant, Interval } from './interval.js';
/** Which of several answers in time is expected. */
export declare const conditions: readonly ['none', 'first', 'earliest', 'last', 'latest'];
/** See `conditions`. */
export type Condition = (typeof conditions)[number];
/** Which member of a series or which of several events a question asks for. */
export declare const orders: readonly ['none', 'first', 'latest', 'now', 'next', 'previous', 'nth'];
/** Relation of the answer's time to the time in the question. */
export declare const relations: readonly ['as of', 'from-to', 'until', 'before', 'after', 'around', 'between', 'by', 'in', 'on', 'since'];
/** See `relations`. */
export type Relation = (typeof relations)[number];
/**
 * Clock of a passage that the constraint applies to: content, unless the question says published,
 * reported, issued or forecast.
 */
export type Clock = 'content' | 'published' | 'validity';
/** Times that satisfy a relation, half-open; an open end is infinite. */
export interface Window {
    start: Instant;
    end: Instant;
}
/** A temporal constraint. */
export interface Constraint {
    condition: Condition;
    relation: Relation | 'none';
    /** Interval of the literal time mention; absent if there is none. */
    interval?: Interval | undefined;
    /**
     * Intervals of a list with gaps between them ("on May 7 and on May 12"), any of which satisfies;
     * `interval` is then their hull.
     */
    alternatives?: Interval[] | undefined;
    /** Times that satisfy the relation; absent without a time mention, and for `around`. */
    window?: Window | undefined;
    /**
     * Words of the constraint in the question. Absent without a constraint, and where none of its
     * words says it.
     */
    text?: string | undefined;
    clock: Clock;
    /**
     * Whether the answer must satisfy it; false for a date that only describes an entity ("the tower
     * raised in 1772").
     */
    binds: boolean;
}
/** A parsed question: main content and temporal constraint (MRAG section 4). */
export interface ParsedQuestion {
    text: string;
    /** The question without the words of the constraint. The condition's word stays in it. */
    mainContent: string;
    /** The primary constraint, whose words the main content lacks. */
    constraint: Constraint;
    /** All constraints in order of appearance, `constraint` included; several of them may bind. */
    constraints: Constraint[];
    /** Reference time of "now". */
    askedAt: Instant;
    /** Time zone of its days, an IANA name; absent for UTC. */
    timeZone?: string | undefined;
    /** What it asks for in the order of time; absent where it was not read from words. */
    asked?: {
        /** A time, a duration, or anything else. */
        asks: 'when' | 'how-long' | 'thing';
        /** Which member of a series or which of several events. */
        order: (typeof orders)[number];
        /** Of order `nth`: 1 is the first, -1 the last. */
        n?: number | undefined;
        /** Words of an event, a name or a value that bounds or orders the answer; no date. */
        anchor?: {
            text: string;
            kind: 'none' | 'event' | 'name' | 'value';
        } | undefined;
        /** Distance from the anchor, negative for before: "two years after the merger". */
        shift?: {
            count: number;
            unit: string;
        } | undefined;
    } | undefined;
    /**
     * The event that stands in place of a date, where a system found its time; constraints and main
     * content are then those of `resolved.asked`.
     */
    resolved?: {
        /** Words of the question: "when the wall fell". */
        phrase: string;
        interval: Interval;
        /** Id of the passage that states it. */
        passage: string;
        /** Weighted share of the event's words that the passage's statement has, 0 to 1. */
        confidence: number;
        /** The question as it was asked again: "who led it on 9 November 1989?" */
        asked: string;
    } | undefined;
}
/**
 * as of, until, by: up to the end of the interval. before: up to its start. after: from its end.
 * since: from its start. in, on, between, from-to: the interval. around and none: no window.
 */
export declare function windowOf(relation: Relation | 'none', interval: Pick<Interval, 'start' | 'end'>): Window | undefined;
