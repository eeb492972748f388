// A passage as a document of the index: what is searched, in nested rows, and what is read again.
import { createHash } from 'node:crypto';
import {
  fieldValues,
  granularities,
  readRecord,
  type PassageWriter,
  type PreparedPassage,
} from 'asof/kit';
import type { StoredPassage } from 'asof';
import type { Interval } from 'asof/time';
import { fieldName, longestTerm, parts, timeText } from './mapping.js';
import type { Settings } from './options.js';

type IndexedPassage = Awaited<ReturnType<PassageWriter['index']>>[number];
type Row = IndexedPassage['rows'][number];

/** What a document keeps of a passage to be read again. */
export interface StoredSource {
  record: string;
  /** In base64, as vectors: of the whole, then of the sentences, little-endian floats. */
  hash: string;
  vectors: string;
  /** Content times of each sentence, or of the only row: start, end (null if open), granularity. */
  contents: (readonly [number | null, number | null, number])[][];
}

/** Longest id of a document, in bytes. */
const mostIdBytes = 500;
const hashed = 'sha256:';

/** The id of the document of a passage. */
export const documentId = (id: string): string =>
  Buffer.byteLength(id) > mostIdBytes || id.startsWith(hashed)
    ? hashed + createHash('sha256').update(id).digest('hex')
    : id;

/** The document as JSON. Text, not an object: 9 digits of a float are less than half of 17. */
export function documentJson(
  { passage, rows }: IndexedPassage,
  settings: Settings,
  recorded: number,
): string {
  const { stored, hash, record } = passage;
  const fields = fieldsOf(stored, settings);
  const spans = rows.map(({ contentStart, contentEnd }) => [...contentStart, ...contentEnd]).flat();
  const source: StoredSource = {
    record,
    hash: Buffer.from(hash).toString('base64'),
    vectors: packedVectors(rows),
    contents: rows.filter(({ part }) => part !== 'whole').map(contentsOf),
  };
  const shared = {
    published: shown(stored.publishedAt),
    valid_from: shown(stored.validFrom),
    valid_to: shown(stored.validTo),
    fields,
  };
  const whole = {
    id: stored.id,
    recorded: timeText(recorded),
    ...shared,
    ...(spans.length === 0
      ? {}
      : { content_from: shown(Math.min(...spans)), content_to: shown(Math.max(...spans)) }),
    row_count: rows.length,
    sentence_count: rows.filter(({ part }) => part !== 'whole').length,
    stored: source,
  };
  const nested = rows.map((row) => rowJson(row, shared)).join(',');
  return `${JSON.stringify(whole).slice(0, -1)},"rows":[${nested}]}`;
}

function rowJson(row: Row, shared: object): string {
  const { published, validStart, validEnd, contentStart, contentEnd } = row;
  const times = [published, validStart, validEnd, ...interleaved(contentStart, contentEnd)];
  const own = {
    part: parts[row.part],
    length: row.length,
    words: wordsOf(row),
    ...(Number.isNaN(validStart) ? {} : { valid: rangeOf(validStart, validEnd) }),
    content: Array.from(contentStart, (start, at) => rangeOf(start, contentEnd[at]!)),
    times: packedTimes(times),
    ...shared,
  };
  const vector = Array.from(row.vector, (x) => x.toPrecision(9)).join(',');
  return `${JSON.stringify(own).slice(0, -1)},"vector":[${vector}]}`;
}

/** Fields of a passage by their names in the mapping. */
export const fieldsOf = (stored: StoredPassage, settings: Settings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fieldValues(stored, settings)).map(([name, value]) => [fieldName(name), value]),
  );

/** The terms of a row, each as often as the row has it; their order is not indexed. */
const wordsOf = ({ counts }: Row): string =>
  Array.from(counts, ([term, count]) =>
    term.length > longestTerm ? '' : `${term} `.repeat(count),
  ).join('');

/** Half-open, an instant where both ends are one; an open end is absent. */
function rangeOf(start: number, end: number): object {
  if (start === end) return { gte: timeText(start), lte: timeText(start) };
  return { gte: shown(start), lt: shown(end) };
}

function interleaved(starts: Float64Array, ends: Float64Array): number[] {
  return Array.from(starts, (start, at) => [start, ends[at]!]).flat();
}

/** Doubles, big-endian, in base64. */
function packedTimes(times: readonly number[]): string {
  const bytes = Buffer.alloc(8 * times.length);
  times.forEach((time, at) => bytes.writeDoubleBE(time, 8 * at));
  return bytes.toString('base64');
}

function packedVectors(rows: readonly Row[]): string {
  const d = rows[0]!.vector.length;
  const all = new Float32Array(rows.length * d);
  rows.forEach(({ vector }, at) => all.set(vector, at * d));
  return Buffer.from(all.buffer).toString('base64');
}

const contentsOf = ({ contentStart, contentEnd, contentGranularity }: Row) =>
  Array.from(contentStart, (start, at): [number | null, number | null, number] => [
    finite(start),
    finite(contentEnd[at]!),
    contentGranularity[at]!,
  ]);

/** Absent where there is none, or an open end. */
const shown = (instant: number | undefined): string | undefined =>
  Number.isFinite(instant) ? timeText(instant!) : undefined;

const finite = (instant: number): number | null => (Number.isFinite(instant) ? instant : null);

/** The passage that a document was written of. */
export function recordOf({ stored }: { stored: Pick<StoredSource, 'record'> }): StoredPassage {
  return readRecord(stored.record, 'a document of the index');
}

/** All that a segment is made of. */
export function passageOf(
  { stored: source }: { stored: StoredSource },
  { encoder: { dimensions } }: Settings,
): PreparedPassage {
  const { record, hash, vectors, contents } = source;
  const bytes = Buffer.from(vectors, 'base64');
  const floats = new Float32Array(new Uint8Array(bytes).buffer);
  return {
    stored: recordOf({ stored: source }),
    record,
    hash: Buffer.from(hash, 'base64'),
    vector: floats.subarray(0, dimensions),
    ...(floats.length > dimensions ? { sentenceVectors: floats.subarray(dimensions) } : {}),
    contents: contents.map((each) => each.map(intervalOf)),
  };
}

const intervalOf = ([
  start,
  end,
  granularity,
]: StoredSource['contents'][number][number]): Interval => ({
  start: start ?? -Infinity,
  end: end ?? Infinity,
  granularity: granularities[granularity]!,
});
