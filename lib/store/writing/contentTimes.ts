// Content times of passages as segments store them, and the one time of a row that is fused into
// its vector (Re3 section 3.2), in search and in training.
import type { StoredPassage } from '../../records.js';
import { inTurns } from '../../runtime/eventLoop.js';
import { contentSteps } from '../../time/contentClock.js';
import type { Interval } from '../../time/interval.js';
import type { Mention } from '../../time/mention.js';
import { tagTimes } from '../../time/tagger.js';
import { narrowestInterval, timeTuples, type TimeExtractor } from '../../time/timeExtractor.js';
import { boundsOnWallClock, toWallClock } from '../../time/timeZone.js';
import { noTime, timeTupleOf, type TimeTuple } from '../../time/tuple.js';
import { layOutRows, passageText, unionSteps, type Rows } from './rows.js';

/** Texts per call of the tagger, and the UTF-16 units at which a call ends before. */
const taggerBatch = { texts: 256, units: 1 << 18 };

/**
 * Content times of the rows [multiSentence, rows): of a sentence its own and its title's, of a
 * whole passage those of all of its sentences. A passage is tagged as one text with its title, so
 * that a date without a year takes the last one mentioned.
 */
export async function contentTimes(
  rows: Rows,
  passages: readonly StoredPassage[],
  timeZone: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Interval[][]> {
  const texts = passages.map(passageText);
  const mentions: Mention[][] = [];
  for (let from = 0; from < texts.length; ) {
    let to = from;
    for (let units = 0; to < texts.length && to - from < taggerBatch.texts; to += 1) {
      if (to > from && units + texts[to]!.length > taggerBatch.units) break;
      units += texts[to]!.length;
    }
    const references = passages.slice(from, to).map(({ publishedAt }) => publishedAt);
    const tagged = await tagTimes(texts.slice(from, to), { references, timeZone, signal });
    for (const each of tagged) mentions.push(each.mentions);
    from = to;
  }
  const rowsOf: number[][] = passages.map(() => []);
  for (let row = rows.multiSentence; row < rows.rows; row += 1)
    rowsOf[rows.rowPassage[row]!]!.push(row);
  const contents: Interval[][] = new Array<Interval[]>(rows.rows - rows.multiSentence);
  for (const [p, { text, publishedAt }] of passages.entries()) {
    const prefix = texts[p]!.length - text.length;
    const spans = rows.sentences[p]!.map(({ start, end }) => ({
      start: prefix + start,
      end: prefix + end,
    }));
    const clocks = contentSteps(
      texts[p]!,
      [{ start: 0, end: prefix }, ...spans],
      mentions[p]!,
      publishedAt,
    );
    const [title, ...sentences] = await inTurns(clocks, signal);
    const own = rowsOf[p]!;
    const isWhole = own.length < sentences.length;
    for (const [nth, row] of own.entries()) {
      const lists = isWhole ? [title!, ...sentences] : [title!, sentences[nth]!];
      contents[row - rows.multiSentence] = await inTurns(unionSteps(lists), signal);
    }
  }
  return contents;
}

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
  const contents = await contentTimes(rows, passages, timeZone, signal);
  return contents.map((content) => rowTime(content, timeZone));
}
