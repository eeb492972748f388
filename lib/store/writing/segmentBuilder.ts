// Construction of a segment file from a batch of passages: rows, content times, vectors, postings,
// clocks. The file is an orphan until the manifest names it.
import { binding, withCancellation } from '../../binding.js';
import type { PackedTermRows, SectionArray } from '../../../binding.js';
import { throwIfAborted } from '../../errors.js';
import type { StoredPassage } from '../../records.js';
import { fieldSections } from '../fields/columns.js';
import type { PassageSchema } from '../fields/types.js';
import type { NewFile } from '../format/files.js';
import {
  readIndexed,
  timeLists,
  type IndexedPassages,
  type IndexingOptions,
} from '../../statements/indexing.js';
import { batchesOf, sourcesOf } from '../../statements/sources.js';
import { writeSegment, type Seal } from '../format/openSegments.js';
import { hashBytes, withKeptRows, type PreparedPassage } from '../passages/passages.js';
import { englishAnalyzer } from '../../text/analyzer.js';
import { encodeTexts, type Encoder } from '../../vectors/encoder.js';
import type { SegmentEntry, Storage, TimeSpan } from '../format/manifest.js';
import type { Tombstones } from '../format/tombstones.js';
import { endedIn } from '../views/history.js';
import { inTurns, yieldToEventLoop, type Steps } from '../../runtime/eventLoop.js';
import type { Interval } from '../../time/interval.js';
import { clockColumns, layOutRows, unionIntervals, type ClockColumns, type Rows } from './rows.js';

/** Characters of records at which the passages of a segment end, regardless of their number. */
export const batchCharacters = 4 << 20;
/** Rows per block summary: block_rows of native/index/rows/block.hpp. */
const blockRows = 256;
/** Texts per call of the encoder: enough for its batches, few enough for prompt aborts. */
const encoderBatch = 2048;

/** Versions of splitter, tagger and analyzer, recorded in the manifest. */
export const pipelineNames = {
  sentences: 'uax29-en-2',
  times: 'asof-times-1',
  terms: englishAnalyzer().id,
};

/** What a segment is made of: its storage, schema and, of corpora with history, time of writing. */
interface SegmentShape {
  storage: Storage;
  schema: PassageSchema;
  recorded?: number | undefined;
  /** Whether what ranking reads of passages is stored. Default true. */
  packs?: boolean | undefined;
}

/** Writes the segment of passages in ascending order of id; it is yet to be synced. */
export async function buildSegment(
  { path, id, ...shape }: SegmentShape & { path: string; id: string },
  prepared: readonly PreparedPassage[],
  encoder: Encoder,
  signal: AbortSignal | undefined,
): Promise<{ entry: SegmentEntry; file: NewFile; tombstones?: Tombstones }> {
  const { sections, tombstones, ...content } = await segmentContent(
    shape,
    prepared,
    encoder,
    signal,
  );
  const { file, seal } = await writeSegment(path, signal, (output, cancellation) =>
    binding.writeSegment(output, sections, cancellation),
  );
  const entry = { id, ...seal, ...content };
  return { entry, file, ...(tombstones && { tombstones }) };
}

/** Sections of a segment of passages in ascending order of id, and what a manifest says of it. */
export async function segmentContent(
  { storage, schema, recorded, packs = true }: SegmentShape,
  batch: readonly PreparedPassage[],
  encoder: Encoder,
  signal: AbortSignal | undefined,
): Promise<
  Omit<SegmentEntry, 'id' | 'tombstones' | keyof Seal> & {
    sections: { name: string; data: SectionArray }[];
    tombstones?: Tombstones;
  }
> {
  const prepared = withKeptRows(batch);
  const passages = prepared.map(({ stored }) => stored);
  const known = prepared.map(({ sentences }) => sentences);
  const rows = await layOutRows(passages, schema.sentences ?? true, signal, known);
  throwIfAborted(signal);
  const [{ columns, statements }, vectors, postings] = await Promise.all([
    rowTimes(rows, prepared, { packs, timeZone: schema.timeZone }, signal),
    rowVectors(encoder, rows, prepared, signal),
    buildPostings(rows, passages, signal),
  ]);
  const ids = await inTurns(textSections(passages.map(({ id }) => id)), signal);
  const records = await inTurns(textSections(prepared.map(({ record }) => record)), signal);
  const ended = Float64Array.from(prepared, ({ version }) => version?.endedAt ?? NaN);
  const { sections: endedSections, ...history } = endedIn(ended);
  const counts = [
    rows.passages,
    rows.multiSentence,
    rows.rows,
    columns.contentStart.length,
    encoder.dimensions,
    blockRows,
    0,
    0,
  ];
  const sections: { name: string; data: SectionArray }[] = [
    { name: 'counts', data: BigUint64Array.from(counts, BigInt) },
    { name: 'rows.passage', data: rows.rowPassage },
    { name: 'rows.sentence', data: rows.rowSentence },
    { name: 'passages.id_offset', data: ids.offsets },
    { name: 'passages.id', data: ids.bytes },
    { name: 'passages.record_offset', data: records.offsets },
    { name: 'passages.record', data: records.bytes },
    { name: 'passages.hash', data: hashes(prepared) },
    ...(statements
      ? [
          { name: 'passages.statement_offset', data: statements.offsets },
          { name: 'passages.statement', data: statements.bytes },
        ]
      : []),
    ...fieldSections(
      schema,
      passages,
      prepared.map(({ version }) => version?.recordedAt ?? recorded),
    ),
    ...endedSections,
    ...(await binding.packClocks(columns)),
    ...postings,
    { name: 'vectors.f32', data: vectors },
    ...(await binding.packPanels(vectors, encoder.dimensions, storage)),
  ];
  return {
    sections,
    passages: rows.passages,
    multiSentence: rows.multiSentence,
    rows: rows.rows,
    ...history,
    ...rowsOfEnded(rows, ended),
    storage,
    spans: spansOf(columns),
  };
}

function rowsOfEnded(
  { rowPassage, multiSentence }: Rows,
  ended: Float64Array,
): Pick<SegmentEntry, 'deletedRows' | 'deletedSentences'> {
  let [deletedRows, deletedSentences] = [0, 0];
  for (const [row, passage] of rowPassage.entries()) {
    if (Number.isNaN(ended[passage]!)) continue;
    deletedRows += 1;
    if (row >= multiSentence) deletedSentences += 1;
  }
  return { deletedRows, deletedSentences };
}

/** The clocks of rows, and what ranking reads of passages if it is packed; read where missing. */
export async function rowTimes(
  rows: Rows,
  prepared: readonly PreparedPassage[],
  options: Pick<IndexingOptions, 'packs' | 'timeZone'>,
  signal: AbortSignal | undefined,
): Promise<{ columns: ClockColumns; statements?: IndexedPassages['statements'] }> {
  const passages = prepared.map(({ stored }) => stored);
  const sentenceRows = rows.multiSentence > 0;
  const isKept = prepared.every((each) => each.contents && (each.statements || !options.packs));
  const { contents, statements } = isKept
    ? {
        contents: timeLists(prepared.flatMap(ownTimes)),
        statements: options.packs ? statementSections(prepared) : undefined,
      }
    : await readIndexed(passages, rows.sentences, { ...options, sentenceRows }, signal);
  const columns = await inTurns(clockColumns(rows, passages, contents), signal);
  return { columns, statements };
}

/** The statements of passages that bring them, as `readIndexed` gives them. */
function statementSections(prepared: readonly PreparedPassage[]): IndexedPassages['statements'] {
  const each = prepared.map(({ statements }) => statements!);
  let end = 0n;
  const ends = each.map(({ length }) => (end += BigInt(length)));
  return { offsets: BigUint64Array.of(0n, ...ends), bytes: Buffer.concat(each) };
}

/** Times of a passage that brings those of its rows. */
const ownTimes = ({ contents = [] }: PreparedPassage): (readonly Interval[])[] =>
  contents.length > 1 ? [unionIntervals(contents), ...contents] : [...contents];

/**
 * R * d components: those that passages bring, and the others encoded in batches, between which an
 * abort takes effect.
 */
export async function rowVectors(
  encoder: Encoder,
  rows: Rows,
  prepared: readonly PreparedPassage[],
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const { dimensions } = encoder;
  const vectors = new Float32Array(rows.rows * dimensions);
  const toEncode: number[] = [];
  const sentencesBefore = new Uint32Array(rows.passages);
  for (let row = 0; row < rows.rows; row += 1) {
    const p = rows.rowPassage[row]!;
    const { vector, sentenceVectors } = prepared[p]!;
    const from = row < rows.passages ? 0 : dimensions * sentencesBefore[p]!++;
    const own = row < rows.passages ? vector : sentenceVectors;
    if (own) vectors.set(own.subarray(from, from + dimensions), row * dimensions);
    else toEncode.push(row);
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
  }
  for (let from = 0; from < toEncode.length; from += encoderBatch) {
    const batch = toEncode.slice(from, from + encoderBatch);
    const encoded = await encodeTexts(
      encoder,
      batch.map((row) => rows.texts[row]!),
      { kind: 'passage', signal },
    );
    batch.forEach((row, nth) =>
      vectors.set(encoded.subarray(nth * dimensions, (nth + 1) * dimensions), row * dimensions),
    );
  }
  return vectors;
}

/** The sections lexical.* of all rows. */
async function buildPostings(
  rows: Rows,
  passages: readonly StoredPassage[],
  signal: AbortSignal | undefined,
): Promise<{ name: string; data: SectionArray }[]> {
  const packed = await termRows(rows, passages, signal);
  const parts = { multiSentence: rows.multiSentence, passages: rows.passages, rows: rows.rows };
  return withCancellation(signal, (cancellation) =>
    binding.buildPostings({ ...packed, parts }, cancellation),
  );
}

/** The terms of all rows. */
export async function termRows(
  rows: Rows,
  passages: readonly StoredPassage[],
  signal: AbortSignal | undefined,
): Promise<PackedTermRows> {
  const terms = binding.openTermRows();
  for (const batch of batchesOf(passages, rows.sentences))
    await withCancellation(signal, (cancellation) =>
      binding.addTermRows(terms, sourcesOf(batch.passages, batch.sentences), cancellation),
    );
  return binding.packTermRows(terms, rows.rowPassage);
}

/** Texts end to end in UTF-8, and where each begins. */
function* textSections(
  texts: readonly string[],
): Steps<{ offsets: BigUint64Array; bytes: Uint8Array }> {
  const offsets = new BigUint64Array(texts.length + 1);
  let end = 0;
  for (const [at, text] of texts.entries()) {
    offsets[at + 1] = BigInt((end += Buffer.byteLength(text, 'utf8')));
    yield;
  }
  const bytes = Buffer.from(new ArrayBuffer(end));
  for (const [at, text] of texts.entries()) {
    bytes.write(text, Number(offsets[at]), 'utf8');
    yield;
  }
  return { offsets, bytes };
}

function hashes(prepared: readonly PreparedPassage[]): Uint8Array {
  const all = new Uint8Array(hashBytes * prepared.length);
  prepared.forEach(({ hash }, at) => all.set(hash, hashBytes * at));
  return all;
}

function spansOf(columns: ClockColumns): SegmentEntry['spans'] {
  const spans: SegmentEntry['spans'] = {};
  const published = span(columns.published, columns.published);
  const valid = span(columns.validStart, columns.validEnd);
  const content = span(columns.contentStart, columns.contentEnd);
  if (published) spans.published = published;
  if (valid) spans.valid = valid;
  if (content) spans.content = content;
  return spans;
}

function span(starts: Float64Array, ends: Float64Array): TimeSpan | undefined {
  let [low, high] = [NaN, NaN];
  for (const start of starts) if (!(start >= low)) low = Number.isNaN(start) ? low : start;
  for (const end of ends) if (!(end <= high)) high = Number.isNaN(end) ? high : end;
  if (Number.isNaN(low)) return undefined;
  return [Number.isFinite(low) ? low : null, Number.isFinite(high) ? high : null];
}
