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
  return sentencesOfEach(segment, Array.from({ length: count }, (_, i) => first + i));
}

/** The stretches of the rows, which ascend: what lies between the first and the last is read at once. */
export function sentencesOfEach(segment: Segment, rows: readonly number[]): Span[] {
  if (rows.length === 0) return [];
  const first = rows[0]!;
  const offsets = segment.read('rows.sentence', 2 * first, 2 * (rows.at(-1)! - first + 1)) as Uint32Array;
  return rows.map((row) => ({ start: offsets[2 * (row - first)]!, end: offsets[2 * (row - first) + 1]! }));
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
  return contentTimesOfEach(segment, Array.from({ length: count }, (_, i) => first + i));
}

/** The content times of each of the rows, which ascend: what lies between the first and the last is read at once. */
export function contentTimesOfEach(segment: Segment, rows: readonly number[]): Interval[][] {
  if (rows.length === 0) return [];
  const first = rows[0]!;
  const count = rows.at(-1)! - first + 1;
  const offsets = segment.read('clock.content_offset', first, count + 1) as Uint32Array;
  const from = offsets[0]!;
  const all = offsets[count]! - from;
  if (all === 0) return rows.map(() => []);
  const [unit, origin] = encodingOf(segment, 'content');
  const starts = segment.read('clock.content_start', from, all) as ArrayLike<number | bigint>;
  const ends = segment.read('clock.content_end', from, all) as ArrayLike<number | bigint>;
  const granularity = segment.read('clock.content_granularity', from, all) as Uint8Array;
  return rows.map((row) => {
    const times: Interval[] = [];
    for (let i = offsets[row - first]! - from; i < offsets[row - first + 1]! - from; i += 1) {
      const [start, end] = [instantOf(starts[i]!, unit, origin), instantOf(ends[i]!, unit, origin)];
      times.push({ start, end, granularity: granularities[granularity[i]!]! });
    }
    return times;
  });
}

const encodings = new WeakMap<Segment, Float64Array>();

/** Unit and origin of a clock's ticks, in milliseconds; a segment's never change. */
function encodingOf(segment: Segment, clock: 'published' | 'valid' | 'content'): [unit: number, origin: number] {
  let all = encodings.get(segment);
  if (!all) encodings.set(segment, (all = segment.read('clock.encoding', 0, 6) as Float64Array));
  const at = { published: 0, valid: 2, content: 4 }[clock];
  return [all[at]!, all[at + 1]!];
}

/** When the row's passage was published; NaN where it does not say. */
export function publishedOf(segment: Segment, row: number): number {
  const tick = (segment.read('clock.published', row, 1) as ArrayLike<number | bigint>)[0]!;
  return instantOf(tick, ...encodingOf(segment, 'published'));
}

/** Whether the row's passage says when it holds. */
export function statesValidity(segment: Segment, row: number): boolean {
  const tick = (segment.read('clock.valid_start', row, 1) as ArrayLike<number | bigint>)[0]!;
  return !Number.isNaN(instantOf(tick, ...encodingOf(segment, 'valid')));
}

/** The inverse of native/index/clock_column.hpp: three tick values are none and the open ends. */
function instantOf(tick: number | bigint, unit: number, origin: number): number {
  const [absent, past, future] = typeof tick === 'bigint' ? longTicks : shortTicks;
  if (tick === absent) return NaN;
  if (tick === past) return -Infinity;
  if (tick === future) return Infinity;
  return origin + Number(tick) * unit;
}

const shortTicks = [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1] as const;
const longTicks = [-(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n - 1n] as const;
