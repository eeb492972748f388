// Questions for a forecast: its time is that for which a value is stated, which may lie after the
// time of asking. Only the publication of a forecast is bounded by the time of asking.
import type { Instant } from '../interval.js';
import type { Bound } from './bounds.js';
import { future, isForecast, prediction } from './tense.js';

/**
 * Whether a day or time of content is that of a forecast: one after the day of asking or after the
 * publication that the question names, one not over at asking in the future tense, and any with a
 * word for predictions.
 */
export const isForecastAt = (
  skeleton: string,
  { content, published }: BoundsByClock,
  askedAt: Instant,
): boolean =>
  content.some(
    (bound) =>
      bound.relation === 'at' &&
      bound.clock === 'content' &&
      (bound.interval.start > askedAt ||
        prediction.test(skeleton) ||
        (bound.interval.end > askedAt && future.test(skeleton)) ||
        published.some((known) => isAhead(known, bound))),
  );

export interface BoundsByClock {
  content: Bound[];
  published: Bound[];
}

/**
 * The bounds of content and those of publication: "the forecast of 1 May for 3 May". A forecast
 * "as of" an earlier time is what was published by then.
 */
export function splitByClock(skeleton: string, bounds: readonly Bound[]): BoundsByClock {
  const content: Bound[] = [];
  const published: Bound[] = [];
  for (const bound of bounds) {
    const isKnown =
      bound.relation === 'as of' &&
      isForecast(skeleton) &&
      bounds.some((other) => other.clock === 'content' && isAhead(bound, other));
    (bound.clock === 'published' || isKnown ? published : content).push(bound);
  }
  return content.length === 0 ? { content: published, published: [] } : { content, published };
}

const isAhead = (known: Bound, { relation, interval }: Bound): boolean =>
  relation !== 'as of' && interval.start >= known.interval.end;
