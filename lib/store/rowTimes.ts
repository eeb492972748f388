// What one row of a segment says of itself: which stretch of its passage it is and which times it speaks of. For the few
// rows that are shown; searches read the columns natively.
import type { Segment } from '../../binding.js';
import { granularities, type Interval } from '../time/interval.js';
import type { Span } from '../text/sentences.js';

/** The row's stretch of its passage's text, in UTF-16 offsets. */
export function sentenceOf(segment: Segment, row: number): Span {
  const [start, end] = segment.read('rows.sentence', 2 * row, 2) as Uint32Array;
  return { start: start!, end: end! };
}

/** The row's content times, in the order that a search's `mention` counts. */
export function contentTimesOf(segment: Segment, row: number): Interval[] {
  const [from, to] = segment.read('clock.content_offset', row, 2) as Uint32Array;
  const count = to! - from!;
  if (count === 0) return [];
  // unit and origin, in milliseconds, of published, valid and content
  const [unit, origin] = (segment.read('clock.encoding', 4, 2) as Float64Array) as unknown as [number, number];
  const read = (name: string): number[] => Array.from(segment.read(name, from, count) as ArrayLike<number | bigint>, (tick) => instantOf(tick, unit, origin));
  const starts = read('clock.content_start');
  const ends = read('clock.content_end');
  const granularity = segment.read('clock.content_granularity', from, count) as Uint8Array;
  return starts.map((start, i) => ({ start, end: ends[i]!, granularity: granularities[granularity[i]!]! }));
}

/** When the row's passage was published; NaN where it does not say. */
export function publishedOf(segment: Segment, row: number): number {
  const [unit, origin] = segment.read('clock.encoding', 0, 2) as Float64Array;
  const tick = (segment.read('clock.published', row, 1) as ArrayLike<number | bigint>)[0]!;
  return instantOf(tick, unit!, origin!);
}

/** The inverse of native/index/clock_column.hpp: three tick values are none and the open ends. */
function instantOf(tick: number | bigint, unit: number, origin: number): number {
  const [absent, past, future] = typeof tick === 'bigint' ? [-(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n - 1n] : [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1];
  if (tick === absent) return NaN;
  if (tick === past) return -Infinity;
  if (tick === future) return Infinity;
  return origin + Number(tick) * unit;
}
