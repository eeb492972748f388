// What one row of a segment says of itself: which stretch of its passage it is and which times it speaks of. For the few
// rows that are shown; searches read the columns natively.
import { binding } from '../binding.js';
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

/** The stretches of the rows, which are read at once. */
export function sentencesOfEach(segment: Segment, rows: readonly number[]): Span[] {
  if (rows.length === 0) return [];
  const runs = runsOf(rows);
  const offsets = segment.readEach('rows.sentence', Uint32Array.from(runs, (each) => 2 * each)) as Uint32Array;
  return rows.map((_, at) => ({ start: offsets[2 * at]!, end: offsets[2 * at + 1]! }));
}

/** First and count of each run of rows that follow one another. */
function runsOf(rows: readonly number[]): number[] {
  const runs: number[] = [];
  for (const row of rows) {
    const last = runs.length - 1;
    if (last > 0 && row === runs[last - 1]! + runs[last]!) runs[last]! += 1;
    else runs.push(row, 1);
  }
  return runs;
}

/** The rows of the passages' sentences, [from, to) of each. A passage of one sentence is its own row and has none here. */
export function sentenceRowsOfEach(segment: Segment, passages: readonly number[]): [from: number, to: number][] {
  const found = binding.sentenceRows(segment, Uint32Array.from(passages));
  return passages.map((_, at) => [found[2 * at]!, found[2 * at + 1]!]);
}

export function sentenceRowsOf(segment: Segment, passage: number): [from: number, to: number] {
  return sentenceRowsOfEach(segment, [passage])[0]!;
}

/** The row's content times, in the order that a search's `mention` counts. */
export function contentTimesOf(segment: Segment, row: number): Interval[] {
  return contentTimesOfEach(segment, [row])[0]!;
}

/** The content times of each of the rows, which are read at once. */
export function contentTimesOfEach(segment: Segment, rows: readonly number[]): Interval[][] {
  if (rows.length === 0) return [];
  const runs = runsOf(rows);
  const offsets = segment.readEach('clock.content_offset', Uint32Array.from(runs, (each, at) => each + (at % 2))) as Uint32Array;
  const told = new Uint32Array(runs.length);
  for (let run = 0, at = 0; run < runs.length; run += 2) {
    const count = runs[run + 1]!;
    told[run] = offsets[at]!;
    told[run + 1] = offsets[at + count]! - offsets[at]!;
    at += count + 1;
  }
  if (told.every((each, at) => at % 2 === 0 || each === 0)) return rows.map(() => []);
  const starts = segment.readEach('clock.content_start', told) as ArrayLike<number | bigint>;
  const ends = segment.readEach('clock.content_end', told) as ArrayLike<number | bigint>;
  const granularity = segment.readEach('clock.content_granularity', told) as Uint8Array;
  const [unit, origin] = encodingOf(segment, 'content');
  const all: Interval[][] = [];
  for (let run = 0, at = 0, i = 0; run < runs.length; run += 2, at += 1) {
    for (let end = at + runs[run + 1]!; at < end; at += 1) {
      const times: Interval[] = [];
      for (let left = offsets[at + 1]! - offsets[at]!; left > 0; left -= 1, i += 1) {
        const [start, end] = [instantOf(starts[i]!, unit, origin), instantOf(ends[i]!, unit, origin)];
        times.push({ start, end, granularity: granularities[granularity[i]!]! });
      }
      all.push(times);
    }
  }
  return all;
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
