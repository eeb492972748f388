// How often rows of the corpus hold a question's terms, read off the postings: what analysing their texts would tell, at a fraction of
// its cost. For stages that read the few rows that were found; it scores nothing.
import { binding, withCancellation } from '../binding.js';
import type { TermCounts } from '../../binding.js';
import type { Snapshot } from '../store/snapshot.js';
import type { Candidate } from './candidate.js';

/** Of the rows in the order given, each behind its title: lengths in terms, and how often row r holds term t, counts[r * terms.length + t]. */
export async function countTerms(
  { segments }: Pick<Snapshot, 'segments'>,
  rows: readonly Pick<Candidate, 'segment' | 'row'>[],
  terms: readonly string[],
  signal?: AbortSignal,
): Promise<TermCounts> {
  const places = new Map<number, number[]>();
  for (const [at, { segment }] of rows.entries()) {
    const own = places.get(segment);
    if (own) own.push(at);
    else places.set(segment, [at]);
  }
  const all: TermCounts = { lengths: new Uint32Array(rows.length), counts: new Uint32Array(rows.length * terms.length) };
  await Promise.all(Array.from(places, async ([segment, own]) => {
    const numbers = Uint32Array.from(own, (at) => rows[at]!.row);
    const file = segments[segment]!.segment;
    const { lengths, counts } = await withCancellation(signal, (cancellation) => binding.countTerms(file, numbers, terms, cancellation));
    own.forEach((at, i) => {
      all.lengths[at] = lengths[i]!;
      all.counts.set(counts.subarray(i * terms.length, (i + 1) * terms.length), at * terms.length);
    });
  }));
  return all;
}
