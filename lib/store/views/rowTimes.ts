// Text spans and times of single rows of a segment, for the rows of a result; searches read the
// columns natively.
import { binding } from '../../binding.js';
import type { Segment } from '../../../binding.js';
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import type { StoredPassage } from '../../records.js';
import { granularities, type Interval } from '../../time/interval.js';
import type { Span } from '../../text/sentences.js';
import { wrongOffsets } from '../format/openSegments.js';
import type { SnapshotSegment } from './snapshotSegment.js';

type StoredRows = Pick<SnapshotSegment, 'segment'>;
type StoredTimes = Pick<SnapshotSegment, 'segment' | 'caches'>;

/** Span of a row in its passage's text, in UTF-16 offsets. */
export function sentenceOf(stored: StoredRows, row: number): Span {
  return sentencesOfEach(stored, [row])[0]!;
}

/** Spans of rows, in one read. */
export function sentencesOfEach(stored: StoredRows, rows: readonly number[]): Span[] {
  if (rows.length === 0) return [];
  const runs = runsOf(rows);
  const offsets = stored.segment.readEach(
    'rows.sentence',
    Uint32Array.from(runs, (each) => 2 * each),
  ) as Uint32Array;
  return rows.map((_, at) => ({ start: offsets[2 * at]!, end: offsets[2 * at + 1]! }));
}

/** First row and length of each run of consecutive rows. */
function runsOf(rows: readonly number[]): number[] {
  const runs: number[] = [];
  for (const row of rows) {
    const last = runs.length - 1;
    if (last > 0 && row === runs[last - 1]! + runs[last]!) runs[last]! += 1;
    else runs.push(row, 1);
  }
  return runs;
}

/** [from, to) of each; empty for a passage of one sentence, which is its own row. */
export function sentenceRowsOfEach(
  stored: StoredRows,
  passages: readonly number[],
): [from: number, to: number][] {
  const rows = binding.rowsOfPassages(stored.segment, Uint32Array.from(passages));
  return passages.map((_, at) => [rows[3 * at + 1]!, rows[3 * at + 2]!]);
}

export function sentenceRowsOf(stored: StoredRows, passage: number): [from: number, to: number] {
  return sentenceRowsOfEach(stored, [passage])[0]!;
}

/** The row of a whole passage. */
export function wholeRowOf({ segment }: StoredRows, passage: number): number {
  return binding.rowsOfPassages(segment, Uint32Array.of(passage))[0]!;
}

/** Rows and sentences of passages. */
export function rowCounts(
  stored: StoredRows,
  passages: readonly number[],
): { rows: number; sentences: number } {
  let [rows, sentences] = [passages.length, 0];
  for (const [from, to] of sentenceRowsOfEach(stored, passages)) {
    // A passage of one sentence is its own row.
    sentences += Math.max(1, to - from);
    rows += to - from;
  }
  return { rows, sentences };
}

/** Content times of a row, in the order of a search's `mention` index. */
export function contentTimesOf(stored: StoredTimes, row: number): Interval[] {
  return contentTimesOfEach(stored, [row])[0]!;
}

/** Content times of rows, in one read. */
export function contentTimesOfEach(stored: StoredTimes, rows: readonly number[]): Interval[][] {
  if (rows.length === 0) return [];
  const { segment } = stored;
  const runs = runsOf(rows);
  const places = segment.readEach(
    'clock.content_offset',
    Uint32Array.from(runs, (each, at) => each + (at % 2)),
  ) as Uint32Array;
  const counts: number[] = [];
  const ranges = new Uint32Array(runs.length);
  for (let run = 0, at = 0; run < runs.length; run += 2, at += 1) {
    const first = at;
    for (const end = at + runs[run + 1]!; at < end; at += 1) {
      if (places[at + 1]! < places[at]!) throw wrongOffsets(segment, 'clock.content_offset');
      counts.push(places[at + 1]! - places[at]!);
    }
    ranges[run] = places[first]!;
    ranges[run + 1] = places[at]! - places[first]!;
  }
  if (counts.every((count) => count === 0)) return rows.map(() => []);
  const [unit, origin] = encodingOf(stored, 'content');
  const [starts, ends, granularity] = ['start', 'end', 'granularity'].map(
    (name) => segment.readEach(`clock.content_${name}`, ranges) as ArrayLike<number | bigint>,
  ) as [ArrayLike<number | bigint>, ArrayLike<number | bigint>, Uint8Array];
  let at = 0;
  return counts.map((count) =>
    Array.from({ length: count }, () => {
      const time = {
        start: instantOf(starts[at]!, unit, origin),
        end: instantOf(ends[at]!, unit, origin),
        granularity: granularities[granularity[at]!]!,
      };
      at += 1;
      return time;
    }),
  );
}

const clockEncoding: CacheSpec<Float64Array, Segment> = {
  name: 'clock encoding',
  create: (segment) => segment.read('clock.encoding', 0, 6) as Float64Array,
};

const clockOffsets = { published: 0, valid: 2, content: 4 } as const;

/** Unit and origin of a clock's ticks, in milliseconds; constant per segment. */
function encodingOf(
  { caches }: StoredTimes,
  clock: 'published' | 'valid' | 'content',
): [unit: number, origin: number] {
  const all = caches.get(clockEncoding);
  const at = clockOffsets[clock];
  return [all[at]!, all[at + 1]!];
}

/** Publication time of a row's passage; NaN if unknown. */
export function publishedOf(stored: StoredRows, row: number): number {
  return clocksOfEach(stored, [row])[0]!;
}

/** When the passages of rows were published and hold; absent where they do not say. */
export function passageClocks(
  stored: StoredRows,
  rows: readonly number[],
): Pick<StoredPassage, 'publishedAt' | 'validFrom' | 'validTo'>[] {
  const clocks = clocksOfEach(stored, rows);
  const known = (place: number): number | undefined =>
    Number.isFinite(clocks[place]!) ? clocks[place] : undefined;
  return rows.map((_, at) => ({
    publishedAt: known(3 * at),
    validFrom: known(3 * at + 1),
    validTo: known(3 * at + 2),
  }));
}

const clocksOfEach = ({ segment }: StoredRows, rows: readonly number[]): Float64Array =>
  binding.clocksOfRows(segment, Uint32Array.from(rows));

/** Whether the rows' passages have a validity. */
export function haveValidity(stored: StoredRows, rows: readonly number[]): boolean[] {
  const clocks = clocksOfEach(stored, rows);
  return rows.map((_, at) => !Number.isNaN(clocks[3 * at + 1]!));
}

/** From the summaries of blocks; undefined if no row has the clock. */
export function clockSpan(
  { segment }: StoredRows,
  clock: 'published' | 'valid' | 'content',
): [first: number, last: number] | undefined {
  const [unit, origin] = segment.read('clock.encoding', clockOffsets[clock], 2) as Float64Array;
  let [first, last] = [Infinity, -Infinity];
  const ticks = segment.read(`blocks.${clock}`) as ArrayLike<number | bigint>;
  for (let at = 0; at < ticks.length; at += 2) {
    if (ticks[at]! > ticks[at + 1]!) continue; // no row of the block has the clock
    first = Math.min(first, instantOf(ticks[at]!, unit!, origin!));
    last = Math.max(last, instantOf(ticks[at + 1]!, unit!, origin!));
  }
  return first > last ? undefined : [first, last];
}

/** Inverse of native/core/clock_column.hpp; three tick values encode absence and open ends. */
function instantOf(tick: number | bigint, unit: number, origin: number): number {
  const [absent, past, future] = typeof tick === 'bigint' ? longTicks : shortTicks;
  if (tick === absent) return NaN;
  if (tick === past) return -Infinity;
  if (tick === future) return Infinity;
  return origin + Number(tick) * unit;
}

const shortTicks = [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1] as const;
const longTicks = [-(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n - 1n] as const;
