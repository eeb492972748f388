// The one time of a row that is fused into its vector (Re3 section 3.2), in search and in training.
import type { StoredPassage } from '../../records.js';
import { intervalsAt, readIndexed } from '../../statements/indexing.js';
import type { Interval } from '../../time/interval.js';
import { narrowestInterval, timeTuples, type TimeExtractor } from '../../time/timeExtractor.js';
import { boundsOnWallClock, toWallClock } from '../../time/timeZone.js';
import { noTime, timeTupleOf, type TimeTuple } from '../../time/tuple.js';
import { layOutRows, passageText } from './rows.js';

/** How the times of rows are found: by an extractor, default their content times. */
export interface RowTimeOptions {
  extractor?: TimeExtractor | undefined;
  timeZone?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The time of a row by its content times: the first, narrowed by those inside it. */
export function rowTime(content: readonly Interval[], timeZone?: string): TimeTuple {
  const time = narrowestInterval(content);
  return time && time.start < time.end ? timeTupleOf(boundsOnWallClock(time, timeZone)) : noTime;
}

/** The times of rows by an extractor that reads their texts; days are those of the time zone. */
export function extractedTimes(
  rows: readonly { text: string; publishedAt?: number | undefined }[],
  extractor: TimeExtractor,
  { timeZone, signal }: RowTimeOptions,
): Promise<TimeTuple[]> {
  return timeTuples(
    rows.map(({ text }) => text),
    {
      kind: 'passage',
      references: rows.map(({ publishedAt: at }) =>
        at === undefined ? undefined : toWallClock(at, timeZone),
      ),
      extractor,
      signal,
    },
  );
}

/** The times that a corpus fuses into whole passages, without a corpus: for training. */
export async function passageTimes(
  passages: readonly StoredPassage[],
  options: RowTimeOptions = {},
): Promise<TimeTuple[]> {
  const { extractor, timeZone, signal } = options;
  if (extractor) {
    const rows = passages.map((each) => ({ ...each, text: passageText(each) }));
    return extractedTimes(rows, extractor, options);
  }
  const rows = await layOutRows(passages, false, signal);
  const { contents } = await readIndexed(passages, rows.sentences, { timeZone }, signal);
  return passages.map((_, at) => rowTime(intervalsAt(contents, at), timeZone));
}
