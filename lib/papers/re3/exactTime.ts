// Ours: the times that a question is fused with, read exactly. Vectors know a day from the next by
// little, less than two ways of saying it differ; what the dates of a row say decides, wherever it
// has dates. A question whose time is not fused has no form.
import type { QueryContext } from '../../retrieval/queryContext.js';
import { maxSplineLines, type SplineFactor } from '../../time/temporalForms.js';
import { fusionIntervals } from '../../time/question/fusionTimes.js';

/**
 * What a row counts that tells of none of them, or of no time: less than one that does, and not
 * nothing, since dates are misread.
 */
const ofOtherTimes = 0.8;

/**
 * Rows whose content time meets one of the question's moments count fully, others 0.8. Of more than
 * eight moments the stretch from first to last.
 */
export function fusedTimeForm({ parsed }: Pick<QueryContext, 'parsed'>): SplineFactor {
  const moments = fusionIntervals(parsed);
  if (moments.length === 0) return { combine: 'none' };
  const [first, last] = [
    Math.min(...moments.map(({ start }) => start)),
    Math.max(...moments.map(({ end }) => end)),
  ];
  const windows =
    moments.length <= maxSplineLines
      ? moments.map(({ start, end }) => ({ start, end }))
      : [{ start: first, end: last }];
  const lines = windows.map((window) => ({ window, atStart: 1, atEnd: 1 }));
  return { combine: 'product', kind: 'spline', clock: 'content', lines, outside: ofOtherTimes };
}
