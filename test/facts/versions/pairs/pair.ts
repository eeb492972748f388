// How an adversarial pair is written down and judged, for the test and the bench that count them.
// It holds no pair.
import { voteOnVersions } from '../../../../lib/facts/versions/byRules.js';

/** A pair on two days, the same title on both where one is given. */
export type Pair = readonly [
  kind: string,
  question: string,
  older: string,
  newer: string,
  expected: 'conflict' | 'none',
  title?: string,
];

/**
 * Whether the older statement is outdated by the newer one. Of two statements nothing but
 * themselves can be learned.
 */
export async function outdates([, text, older, newer, , title]: Pair): Promise<boolean> {
  const titled = title === undefined ? {} : { title };
  const votes = await voteOnVersions({ text, askedAt: '2025-06-30' }, [
    { id: 'older', text: older, publishedAt: '2025-03-01', ...titled },
    { id: 'newer', text: newer, publishedAt: '2025-03-10', ...titled },
  ]);
  return votes[0]!.vote < 0;
}

export interface Tally {
  pairs: number;
  /** Of the pairs that are no conflict, and what of the others. */
  wronglyDropped: Pair[];
  missed: Pair[];
  conflicts: number;
  /** Dropped rightly among all dropped, and among all conflicts. */
  precision: number;
  recall: number;
}

export async function tally(pairs: readonly Pair[]): Promise<Tally> {
  const wronglyDropped: Pair[] = [];
  const missed: Pair[] = [];
  for (const pair of pairs) {
    const dropped = await outdates(pair);
    if (dropped && pair[4] === 'none') wronglyDropped.push(pair);
    if (!dropped && pair[4] === 'conflict') missed.push(pair);
  }
  const conflicts = pairs.filter((pair) => pair[4] === 'conflict').length;
  const found = conflicts - missed.length;
  const dropped = found + wronglyDropped.length;
  return {
    pairs: pairs.length,
    wronglyDropped,
    missed,
    conflicts,
    precision: dropped === 0 ? 1 : found / dropped,
    recall: found / conflicts,
  };
}
