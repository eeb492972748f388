// How many of the passages that a search found tell no date and were published on some day: where
// many do, a scan by what is told cannot tell them apart. It ranks nothing.
import { contentColumnsOf, publishedOfEach, stateValidity } from '../store/rowTimes.js';
import type { Asked, Candidate } from './candidate.js';

/** Of rows that stand for their whole passages. */
export function countUndated(
  { snapshot }: Pick<Asked, 'snapshot'>,
  found: readonly Pick<Candidate, 'segment' | 'row'>[],
): number {
  let count = 0;
  for (const number of new Set(found.map(({ segment }) => segment))) {
    const rows = found.filter(({ segment }) => segment === number).map(({ row }) => row);
    const stored = snapshot.segments[number]!;
    const published = publishedOfEach(stored, rows);
    if (published.every(Number.isNaN)) continue; // as in most corpora of pages
    const [{ offsets }, holds] = [contentColumnsOf(stored, rows), stateValidity(stored, rows)];
    for (let at = 0; at < rows.length; at += 1)
      if (offsets[at] === offsets[at + 1] && !Number.isNaN(published[at]!) && !holds[at])
        count += 1;
  }
  return count;
}
