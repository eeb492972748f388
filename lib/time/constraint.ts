// What a question asks of time: its constraint. Plain data; `question.ts` reads it from text.
import type { Instant, Interval } from './interval.js';

/** Which of several answers a question asks for. */
export const conditions = ['none', 'first', 'earliest', 'last', 'latest'] as const;
/** See `conditions`. */
export type Condition = (typeof conditions)[number];

/** How the time of an answer must relate to the time that a question names. */
export const relations = [
  'as of',
  'from-to',
  'until',
  'before',
  'after',
  'around',
  'between',
  'by',
  'in',
  'on',
  'since',
] as const;
/** See `relations`. */
export type Relation = (typeof relations)[number];

/**
 * Which of a passage's clocks the constraint speaks of: content unless the question says published,
 * reported, issued or forecast.
 */
export type Clock = 'content' | 'published' | 'validity';

/** The times that satisfy a relation, half-open; an open end is infinite. */
export interface Window {
  start: Instant;
  end: Instant;
}

/** What a question asks of time. */
export interface Constraint {
  condition: Condition;
  relation: Relation | 'none';
  /** The literal time mention; absent where the question names none. */
  interval?: Interval;
  /**
   * The stretches of a list with gaps between them ("on May 7 and on May 12"), which serve as well
   * as each other; `interval` is then their hull.
   */
  alternatives?: Interval[];
  /**
   * The times that satisfy the relation; absent where the question names none, and for `around`.
   */
  window?: Window;
  /**
   * The words of the question that say the constraint. Absent where there is none, and where
   * "current" in the main content implies one.
   */
  text?: string;
  clock: Clock;
  /**
   * Whether the answer must satisfy it; false for a date that only describes what is asked about
   * ("the tower raised in 1772").
   */
  binds: boolean;
}

/** A question taken apart (MRAG section 4: main content and temporal constraint). */
export interface ParsedQuestion {
  text: string;
  /** The question without the words of the constraint. The condition's word stays in it. */
  mainContent: string;
  /** The constraint that was taken out of the main content: the first to bind the answer. */
  constraint: Constraint;
  /**
   * Every constraint found, in order of appearance, `constraint` among them; several of them may
   * bind.
   */
  constraints: Constraint[];
  /** What "now" was. */
  askedAt: Instant;
}
