// Derived column of Re3's fused vectors (section 3.3): each row's vector fused with the row's
// content time, or with that of an extractor. Rows without a time keep their vectors bit for bit.
import { binding, withCancellation } from '../../binding.js';
import type { Segment, TimeColumns } from '../../../binding.js';
import type { RunOptions } from '../../records.js';
import { CacheRegistry } from '../../runtime/cacheRegistry.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { checkExtractor, type TimeExtractor } from '../../time/timeExtractor.js';
import type { TimeTuple } from '../../time/tuple.js';
import { nativeTimeEncoder, timeColumns, type TimeEncoder } from '../../vectors/timeEncoder.js';
import { extractedTimes, rowTime, type RowTimeOptions } from '../writing/contentTimes.js';
import { derivedColumnKey, type DerivedColumnSpec } from './derivedColumn.js';
import { passageBytes } from '../format/openSegments.js';
import { readRecord } from '../passages/passages.js';
import { passageText, sentenceText } from '../writing/rows.js';
import { contentTimesOfEach, sentencesOfEach } from '../views/rowTimes.js';

/** Options of `Corpus.fuse`: the extractor of the rows' times, default their content times. */
export type FuseOptions = RunOptions & { extractor?: TimeExtractor | undefined };

/**
 * Versions of the selection of a row's time, part of the key: from its content times
 * (native/index/segment/fused_vectors.hpp), and by an extractor from its text.
 */
const [timeSelection, extraction] = ['content-narrowed-1', 'extracted-1'] as const;

/**
 * The spec of the column, keyed by the weights, their encoder, and the selection of times: of an
 * extractor by its id. Days are those of the corpus's time zone, default UTC.
 * @throws AsOfError ERR_INVALID_ARGUMENT for values that are no time encoder or extractor
 */
export function fusedVectorColumn(
  times: TimeEncoder,
  { timeZone, extractor }: Omit<RowTimeOptions, 'signal'> = {},
): DerivedColumnSpec {
  const handle = nativeTimeEncoder(times);
  if (extractor !== undefined) checkExtractor(extractor);
  const by = extractor ? [extraction, extractor.id] : [timeSelection];
  const zone = timeZone === undefined ? [] : [timeZone];
  return {
    key: derivedColumnKey('fused', times.id, ...by, ...zone),
    async write(segment, file, sections, signal) {
      const dates =
        timeZone === undefined && !extractor
          ? await withCancellation(signal, (cancellation) =>
              binding.contentDates(segment, cancellation),
            )
          : await datesOf(segment, { extractor, timeZone, signal });
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

/** `binding.contentDates` of days that are not of UTC, or by an extractor. */
async function datesOf(
  segment: Segment,
  options: RowTimeOptions & { signal: AbortSignal },
): Promise<TimeColumns> {
  const { extractor, timeZone, signal } = options;
  const caches = new CacheRegistry(segment);
  const [passages, , rows] = Array.from(segment.read('counts', 0, 3) as BigUint64Array, Number);
  const tuples: TimeTuple[] = [];
  for (let from = 0; from < rows!; from += rowsAtOnce) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const length = Math.min(rowsAtOnce, rows! - from);
    const block = Array.from({ length }, (_, at) => from + at);
    tuples.push(
      ...(extractor
        ? await extractedTimes(textsOf(segment, block, passages!), extractor, options)
        : contentTimesOfEach({ segment, caches }, block).map((times) => rowTime(times, timeZone))),
    );
  }
  return timeColumns(tuples);
}

/** Texts of rows as training has them: the first `passages` rows are whole passages. */
function textsOf(
  segment: Segment,
  rows: readonly number[],
  passages: number,
): { text: string; publishedAt: number | undefined }[] {
  const spans = sentencesOfEach({ segment }, rows);
  const numbers = segment.read('rows.passage', rows[0], rows.length) as Uint32Array;
  return rows.map((row, at) => {
    const bytes = passageBytes(segment, 'passages.record', numbers[at]!);
    const record = readRecord(bytes.toString('utf8'), `passage ${numbers[at]} of a segment`);
    const { start, end } = spans[at]!;
    const text =
      row < passages
        ? passageText(record)
        : sentenceText(record.title, record.text.slice(start, end));
    return { text, publishedAt: record.publishedAt };
  });
}
