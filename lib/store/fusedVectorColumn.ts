// Derived column of Re3's fused vectors (section 3.3): each row's vector fused with the row's
// content time. Rows without a time keep their vectors bit for bit.
import { binding, withCancellation } from '../binding.js';
import type { Segment, TimeColumns } from '../../binding.js';
import { CacheRegistry } from '../runtime/cacheRegistry.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { narrowestInterval } from '../time/timeExtractor.js';
import { boundsOnWallClock } from '../time/timeZone.js';
import { noTime, timeTupleOf, type TimeTuple } from '../time/tuple.js';
import { nativeTimeEncoder, timeColumns, type TimeEncoder } from '../vectors/timeEncoder.js';
import { derivedColumnKey, type DerivedColumnSpec } from './derivedColumn.js';
import { contentTimesOfEach } from './rowTimes.js';

/**
 * Version of the selection of a row's time (native/index/segment/fused_vectors.hpp), part of the
 * key.
 */
const timeSelection = 'content-narrowed-1';

/**
 * The spec of the column, keyed by the weights, their encoder, and the selection of times. Days are
 * those of the corpus's time zone, default UTC. @throws AsOfError ERR_INVALID_ARGUMENT for a value
 * that is no time encoder
 */
export function fusedVectorColumn(times: TimeEncoder, timeZone?: string): DerivedColumnSpec {
  const handle = nativeTimeEncoder(times);
  const zone = timeZone === undefined ? [] : [timeZone];
  return {
    key: derivedColumnKey('fused', times.id, timeSelection, ...zone),
    async write(segment, file, sections, signal) {
      const dates =
        timeZone === undefined
          ? await withCancellation(signal, (cancellation) =>
              binding.contentDates(segment, cancellation),
            )
          : await datesInZone(segment, timeZone, signal);
      await withCancellation(signal, (cancellation) =>
        binding.writeFusedVectors(
          file,
          { segment, encoder: handle, dates, sections },
          cancellation,
        ),
      );
    },
  };
}

const rowsAtOnce = 2048;

/** `binding.contentDates` of days that are not of UTC. */
async function datesInZone(
  segment: Segment,
  timeZone: string,
  signal: AbortSignal,
): Promise<TimeColumns> {
  const caches = new CacheRegistry(segment);
  const rows = Number((segment.read('counts', 2, 1) as BigUint64Array)[0]);
  const tuples: TimeTuple[] = [];
  for (let from = 0; from < rows; from += rowsAtOnce) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const length = Math.min(rowsAtOnce, rows - from);
    const block = Array.from({ length }, (_, at) => from + at);
    for (const times of contentTimesOfEach({ segment, caches }, block)) {
      const time = narrowestInterval(times);
      tuples.push(
        time && time.start < time.end ? timeTupleOf(boundsOnWallClock(time, timeZone)) : noTime,
      );
    }
  }
  return timeColumns(tuples);
}
