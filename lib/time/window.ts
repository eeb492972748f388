// Windows of relations: the times that satisfy a relation to an interval
// (docs/decisions/time-in-text.md).
import type { Relation, Window } from './constraint.js';
import type { Interval } from './interval.js';

/**
 * as of, until, by: up to the end of the interval. before: up to its start. after: from its end.
 * since: from its start. in, on, between, from-to: the interval. around and none: no window.
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
