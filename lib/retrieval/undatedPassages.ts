// Count of undated hits with a publication date: a scan by content time cannot order them.
import { contentColumnsOf, publishedOfEach, haveValidity } from '../store/rowTimes.js';
import type { Candidate } from './candidate.js';
import type { QueryContext } from './queryContext.js';

/** @param hits rows of whole passages */
export function countUndated(
  { snapshot }: Pick<QueryContext, 'snapshot'>,
  hits: readonly Pick<Candidate, 'segment' | 'row'>[],
): number {
  let count = 0;
  for (const number of new Set(hits.map(({ segment }) => segment))) {
    const rows = hits.filter(({ segment }) => segment === number).map(({ row }) => row);
    const stored = snapshot.segments[number]!;
    const published = publishedOfEach(stored, rows);
    if (published.every(Number.isNaN)) continue; // as in most corpora of web pages
    const [{ offsets }, valid] = [contentColumnsOf(stored, rows), haveValidity(stored, rows)];
    for (let at = 0; at < rows.length; at += 1)
      if (offsets[at] === offsets[at + 1] && !Number.isNaN(published[at]!) && !valid[at])
        count += 1;
  }
  return count;
}
