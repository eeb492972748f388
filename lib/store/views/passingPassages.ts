// Bitmaps of a segment's passages: those that pass a filter, and those recorded at a time; and the
// numbers of their bits.
import { binding, withCancellation } from '../../binding.js';
import type { PassageFilter, Segment } from '../../../binding.js';
import type { CacheRegistry, CacheSpec } from '../../runtime/cacheRegistry.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { allLive, isLive, type Ended } from '../format/tombstones.js';

/** The passages that pass a filter, of those of `among`. */
export async function passingPassages(
  segment: Segment,
  filter: PassageFilter,
  among: Uint8Array | undefined,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const bits = await withCancellation(signal, (cancellation) =>
    binding.filterPassages(segment, filter, cancellation),
  );
  if (among) for (let at = 0; at < bits.length; at += 1) bits[at]! &= among[at]!;
  return bits;
}

/**
 * Bitmaps of a segment's passages as recorded at a time, which later commits do not change: many
 * questions are about the same one. Capacity in bytes.
 */
const recordedCache: CacheSpec<GenerationalCache<Uint8Array, number>, Segment> = {
  name: 'recorded passages',
  create: () => new GenerationalCache({ capacity: 1 << 24 }),
};

interface CachingSegment {
  segment: Segment;
  passages: number;
  liveDocs?: Uint8Array;
  caches: CacheRegistry<Segment>;
}

/**
 * The passages that were recorded at `time` and had not ended, of a segment in which some `ended`;
 * `field` is the column of times of recording. Read-only.
 */
export async function recordedPassages(
  { segment, passages, liveDocs, caches }: CachingSegment,
  ended: readonly Ended[],
  { field, time }: { field: number; time: number },
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const cache = caches.get(recordedCache);
  const known = cache.get(time);
  if (known) return known;
  const live = Uint8Array.from(liveDocs ?? allLive(passages));
  for (const { passages: numbers, times } of ended)
    for (let at = 0; at < numbers.length; at += 1)
      if (times[at]! > time) live[numbers[at]! >> 3]! |= 1 << (numbers[at]! & 7);
  const filter = { kind: 'range', field, from: -Infinity, to: time } as const;
  const bits = await passingPassages(segment, filter, live, signal);
  cache.set(time, bits, bits.length);
  return bits;
}

/** The live passages of a segment, ascending. */
export function passagesOf({
  passages,
  liveDocs,
}: {
  passages: number;
  liveDocs?: Uint8Array;
}): Uint32Array {
  const live = new Uint32Array(passages);
  let count = 0;
  for (let passage = 0; passage < passages; passage += 1)
    if (!liveDocs || isLive(liveDocs, passage)) live[count++] = passage;
  return live.subarray(0, count);
}
