// From a relation and the interval it names to the times that satisfy it (TIME_CONVENTIONS'
// window). One table, no scores: how well a time inside or outside a window scores is the splines'
// business.
import type { Relation, Window } from './constraint.js';
import type { Interval } from './interval.js';

/**
 * as of, until, by: up to the end of the interval. before: up to its start, the named unit
 * excluded. after: from its end. since: from its start. in, on, between, from-to: the interval.
 * around and none: no window.
 */
export function windowOf(
  relation: Relation | 'none',
  interval: Pick<Interval, 'start' | 'end'>,
): Window | undefined {
  switch (relation) {
    case 'as of':
    case 'until':
    case 'by':
      return { start: -Infinity, end: interval.end };
    case 'before':
      return { start: -Infinity, end: interval.start };
    case 'after':
      return { start: interval.end, end: Infinity };
    case 'since':
      return { start: interval.start, end: Infinity };
    case 'in':
    case 'on':
    case 'between':
    case 'from-to':
      return { start: interval.start, end: interval.end };
    case 'around':
    case 'none':
      return undefined;
  }
}
