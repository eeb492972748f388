// What one row of a segment says of itself: which stretch of its passage it is and which times it speaks of. For the few
// rows that are shown; searches read the columns natively.
import type { Segment } from '../../binding.js';
import { granularities, type Interval } from '../time/interval.js';
import type { Span } from '../text/sentences.js';

/** The row's stretch of its passage's text, in UTF-16 offsets. */
export function sentenceOf(segment: Segment, row: number): Span {
  return sentencesOf(segment, row, 1)[0]!;
}

/** The stretches of the rows [first, first + count). */
export function sentencesOf(segment: Segment, first: number, count: number): Span[] {
  const offsets = segment.read('rows.sentence', 2 * first, 2 * count) as Uint32Array;
  return Array.from({ length: count }, (_, i) => ({ start: offsets[2 * i]!, end: offsets[2 * i + 1]! }));
}

/** More rows than most passages have sentences. */
const atOnce = 64;

/**
 * The rows of a passage's sentences, [from, to): found by bisection, since the rows after the passages' own ascend by passage. A passage
 * of one sentence is its own row and has none here.
 */
export function sentenceRowsOf(
  { segment, passages, rows }: { segment: Segment; passages: number; rows: number },
  passage: number,
): [from: number, to: number] {
  let [low, high] = [passages, rows];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segment.read('rows.passage', middle, 1) as Uint32Array)[0]! < passage) low = middle + 1;
    else high = middle;
  }
  let to = low;
  while (to < rows) {
    const next = segment.read('rows.passage', to, Math.min(atOnce, rows - to)) as Uint32Array;
    const others = next.findIndex((each) => each !== passage);
    if (others >= 0) return [low, to + others];
    to += next.length;
  }
  return [low, to];
}

/** The row's content times, in the order that a search's `mention` counts. */
export function contentTimesOf(segment: Segment, row: number): Interval[] {
  return contentTimesOfRows(segment, row, 1)[0]!;
}

/** The content times of each of the rows [first, first + count), read at once. */
export function contentTimesOfRows(segment: Segment, first: number, count: number): Interval[][] {
  const offsets = segment.read('clock.content_offset', first, count + 1) as Uint32Array;
  const from = offsets[0]!;
  const all = offsets[count]! - from;
  if (all === 0) return Array.from({ length: count }, () => []);
  // unit and origin, in milliseconds, of published, valid and content
  const [unit, origin] = (segment.read('clock.encoding', 4, 2) as Float64Array) as unknown as [number, number];
  const starts = segment.read('clock.content_start', from, all) as ArrayLike<number | bigint>;
  const ends = segment.read('clock.content_end', from, all) as ArrayLike<number | bigint>;
  const granularity = segment.read('clock.content_granularity', from, all) as Uint8Array;
  const at = (i: number): Interval => ({
    start: instantOf(starts[i]!, unit, origin),
    end: instantOf(ends[i]!, unit, origin),
    granularity: granularities[granularity[i]!]!,
  });
  return Array.from({ length: count }, (_, row) => Array.from({ length: offsets[row + 1]! - offsets[row]! }, (_, i) => at(offsets[row]! - from + i)));
}

/** When the row's passage was published; NaN where it does not say. */
export function publishedOf(segment: Segment, row: number): number {
  const [unit, origin] = segment.read('clock.encoding', 0, 2) as Float64Array;
  const tick = (segment.read('clock.published', row, 1) as ArrayLike<number | bigint>)[0]!;
  return instantOf(tick, unit!, origin!);
}

/** Whether the row's passage says when it holds. */
export function statesValidity(segment: Segment, row: number): boolean {
  const [unit, origin] = segment.read('clock.encoding', 2, 2) as Float64Array;
  return !Number.isNaN(instantOf((segment.read('clock.valid_start', row, 1) as ArrayLike<number | bigint>)[0]!, unit!, origin!));
}

/** The inverse of native/index/clock_column.hpp: three tick values are none and the open ends. */
function instantOf(tick: number | bigint, unit: number, origin: number): number {
  const [absent, past, future] =
    typeof tick === 'bigint' ? [-(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n - 1n] : [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1];
  if (tick === absent) return NaN;
  if (tick === past) return -Infinity;
  if (tick === future) return Infinity;
  return origin + Number(tick) * unit;
}
