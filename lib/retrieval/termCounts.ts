// Term counts of rows, from the postings: cheaper than analysing their texts again.
import { binding, withCancellation } from '../binding.js';
import type { TermCounts } from '../../binding.js';
import { sentenceRowsOfEach } from '../store/views/rowTimes.js';
import type { Snapshot } from '../store/views/snapshot.js';
import type { Candidate } from './candidate.js';

/**
 * Of rows with their titles, in input order: counts[r * terms.length + t] occurrences of term t in
 * row r, and lengths in terms.
 */
export async function countTerms(
  { segments }: Pick<Snapshot, 'segments'>,
  rows: readonly Pick<Candidate, 'segment' | 'row'>[],
  terms: readonly string[],
  signal?: AbortSignal,
): Promise<TermCounts> {
  const countIn = (segment: number, numbers: Uint32Array): Promise<TermCounts> =>
    withCancellation(signal, (cancellation) =>
      binding.countTerms(segments[segment]!.segment, numbers, terms, cancellation),
    );
  const places = new Map<number, number[]>();
  const numbers = new Uint32Array(rows.length);
  rows.forEach(({ segment, row }, at) => {
    numbers[at] = row;
    const group = places.get(segment);
    if (group) group.push(at);
    else places.set(segment, [at]);
  });
  if (places.size === 1) return countIn(rows[0]!.segment, numbers);
  const all: TermCounts = {
    lengths: new Uint32Array(rows.length),
    counts: new Uint32Array(rows.length * terms.length),
  };
  await Promise.all(
    Array.from(places, async ([segment, group]) => {
      const { lengths, counts } = await countIn(
        segment,
        Uint32Array.from(group, (at) => numbers[at]!),
      );
      group.forEach((at, i) => {
        all.lengths[at] = lengths[i]!;
        all.counts.set(
          counts.subarray(i * terms.length, (i + 1) * terms.length),
          at * terms.length,
        );
      });
    }),
  );
  return all;
}

/** For each candidate the terms in the title or any sentence of its passage. */
export async function containedTerms(
  snapshot: Pick<Snapshot, 'segments'>,
  candidates: readonly Pick<Candidate, 'segment' | 'passage' | 'row'>[],
  terms: readonly string[],
  signal?: AbortSignal,
): Promise<string[][]> {
  const rows: Pick<Candidate, 'segment' | 'row'>[] = [];
  const ends = candidates.map(({ segment, passage, row }) => {
    const stored = snapshot.segments[segment]!;
    // The row of a whole passage has the terms of all of its sentences.
    const isWhole = row < stored.passages;
    const [from, to] = isWhole ? [row, row + 1] : sentenceRowsOfEach(stored, [passage])[0]!;
    for (let each = from; each < to; each += 1) rows.push({ segment, row: each });
    return rows.length;
  });
  const { counts } = await countTerms(snapshot, rows, terms, signal);
  return ends.map((end, at) =>
    terms.filter((_, term) => {
      for (let row = ends[at - 1] ?? 0; row < end; row += 1)
        if (counts[row * terms.length + term]! > 0) return true;
      return false;
    }),
  );
}
