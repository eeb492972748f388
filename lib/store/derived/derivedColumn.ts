// Derived columns: derived files, such as vectors fused with time, computed from segments on first
// use, once per segment; saved in writable corpora and mapped as long as their segment. Missing or
// damaged files are recomputed.
import { join } from 'node:path';
import { withCancellation } from '../../binding.js';
import type { OutputFile, SectionArray, Segment } from '../../../binding.js';
import { AsOfError, throwIfAborted } from '../../errors.js';
import type { RunOptions } from '../../records.js';
import type { CorpusFolder } from '../format/folder.js';
import { mapFile, mapTemporaryFile } from '../format/files.js';
import {
  derivedFile,
  type DerivedEntry,
  type Manifest,
  type SegmentEntry,
} from '../format/manifest.js';
import type { Snapshot } from '../views/snapshot.js';
import type { WriterLease } from '../writing/writerLease.js';
import type { Writer } from '../writing/writer.js';
import { createHash } from '../../runtime/digest.js';

/** Computation of a derived column from a segment. */
export interface DerivedColumnSpec {
  /**
   * Hash of everything that the file depends on, weights included: 16 hexadecimal digits
   * (derivedColumnKey). Files of one segment and key are interchangeable.
   */
  key: string;
  /** Writes the file, with these sections in addition to its own. */
  write(
    segment: Segment,
    file: OutputFile,
    sections: { name: string; data: SectionArray }[],
    signal: AbortSignal,
  ): Promise<void>;
}

/** Key of a computation, distinct from that of every other. */
export const derivedColumnKey = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

const headerSection = 'derived.header';

/** Origin of a file, verified before its sections are used, since users move and restore files. */
interface Header {
  key: string;
  segment: string;
  rows: number;
}

interface Place {
  folder: CorpusFolder;
  writes: WriterLease;
  readOnly: boolean;
  /** Reads the current manifest. */
  manifest: () => Manifest;
}

/**
 * The derived column of each of the snapshot's segments, in order. Missing columns are computed one
 * segment after another and saved if the corpus is writable and unlocked; otherwise they are
 * unlinked files in the system's temporary folder until the segment is closed. Progress counts
 * computed rows. Concurrent calls wait for the computation and share its result.
 */
export async function derivedColumnFiles(
  place: Place,
  snapshot: Snapshot,
  spec: DerivedColumnSpec,
  { signal, onProgress }: RunOptions = {},
): Promise<{ files: Segment[]; computed: number }> {
  const missing = (): number[] =>
    snapshot.segments.flatMap(({ derived }, index) => (derived.has(spec.key) ? [] : [index]));
  let computed = 0;
  if (missing().length > 0) openSaved(place, snapshot, spec.key, missing());
  if (missing().length > 0) {
    await place.writes.tryWrite(signal, place.readOnly, async (writer, linked) => {
      openSaved(place, snapshot, spec.key, missing());
      const todo = missing();
      const total = todo.reduce((sum, index) => sum + snapshot.segments[index]!.rows, 0);
      for (const index of todo) {
        const { segment, derived, rows } = snapshot.segments[index]!;
        const source = { segment, entry: snapshot.manifest.segments[index]! };
        const file = await compute(spec, source, writer, linked);
        if (linked.aborted) file.close();
        throwIfAborted(linked);
        derived.set(spec.key, file);
        computed += rows;
        onProgress?.({ done: computed, total });
      }
    });
  }
  return { files: snapshot.segments.map(({ derived }) => derived.get(spec.key)!), computed };
}

/** The same of a snapshot of fetched rows, in temporary files. */
export async function temporaryColumns(
  snapshot: Snapshot,
  spec: DerivedColumnSpec,
  { signal = new AbortController().signal }: { signal?: AbortSignal | undefined } = {},
): Promise<{ files: Segment[]; computed: number }> {
  let computed = 0;
  for (const [index, { segment, derived, rows }] of snapshot.segments.entries()) {
    if (derived.has(spec.key)) continue;
    const { id } = snapshot.manifest.segments[index]!;
    derived.set(spec.key, await temporaryColumn(spec, { segment, id, rows }, signal));
    computed += rows;
  }
  return { files: snapshot.segments.map(({ derived }) => derived.get(spec.key)!), computed };
}

function openSaved(
  { folder, manifest }: Place,
  snapshot: Snapshot,
  key: string,
  indexes: readonly number[],
): void {
  const { derived: saved } = manifest();
  for (const index of indexes) {
    const source = snapshot.manifest.segments[index]!;
    const entry = saved.find((each) => each.key === key && each.segment === source.id);
    const opened = entry && openDerived(folder, entry, source);
    if (opened) snapshot.segments[index]!.derived.set(key, opened);
  }
}

async function compute(
  spec: DerivedColumnSpec,
  source: { segment: Segment; entry: SegmentEntry },
  writer: Writer | undefined,
  signal: AbortSignal,
): Promise<Segment> {
  const { id, rows } = source.entry;
  const place = { segment: source.segment, id, rows };
  // A segment that was merged away in the meantime lives as long as its readers: its columns are
  // not saved.
  if (!writer?.manifest().segments.some((each) => each.id === id))
    return temporaryColumn(spec, place, signal);
  const write = writeOf(spec, place, signal);
  return mapFile(await writer.addDerived({ key: spec.key, segment: id }, write));
}

interface ColumnPlace {
  segment: Segment;
  id: string;
  rows: number;
}

const temporaryColumn = (
  spec: DerivedColumnSpec,
  place: ColumnPlace,
  signal: AbortSignal,
): Promise<Segment> => mapTemporaryFile(writeOf(spec, place, signal));

function writeOf(
  spec: DerivedColumnSpec,
  { segment, id, rows }: ColumnPlace,
  signal: AbortSignal,
): (output: OutputFile) => Promise<void> {
  const header: Header = { key: spec.key, segment: id, rows };
  const data = new TextEncoder().encode(JSON.stringify(header));
  return (output) => spec.write(segment, output, [{ name: headerSection, data }], signal);
}

/** The file of a manifest entry, mapped; undefined if missing, damaged or of another origin. */
function openDerived(
  folder: CorpusFolder,
  entry: DerivedEntry,
  source: SegmentEntry,
): Segment | undefined {
  let file: Segment | undefined;
  try {
    file = mapFile(join(folder.segments, derivedFile(entry)));
    const header = JSON.parse(new TextDecoder().decode(file.read(headerSection))) as Header;
    if (
      header.key === entry.key &&
      header.segment === entry.segment &&
      header.rows === source.rows &&
      file.bytes === entry.bytes
    )
      return file;
  } catch (error) {
    const isDamage = AsOfError.is(error)
      ? error.code !== 'ERR_STORAGE'
      : error instanceof SyntaxError;
    if (!isDamage) throw error;
  }
  file?.close();
  return undefined;
}

/**
 * Verifies a saved file's checksums; throws ERR_CORPUS_CORRUPT. A missing file is no damage, since
 * it is recomputed.
 */
export async function verifyDerivedColumn(
  folder: CorpusFolder,
  entry: DerivedEntry,
  signal: AbortSignal | undefined,
): Promise<void> {
  let opened: Segment | undefined;
  try {
    opened = mapFile(join(folder.segments, derivedFile(entry)));
    await withCancellation(signal, (cancellation) => opened!.verify(cancellation));
  } catch (cause) {
    if (!AsOfError.is(cause) || /^ERR_(?:ABORTED|STORAGE)$/.test(cause.code)) throw cause;
    if (cause.code === 'ERR_NOT_FOUND') return;
    const fault = cause.message.replace(/ (?:Restore|Check) [^.]*\.$/, '');
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `${fault} The column can be recomputed: compact the corpus, or remove the file.`,
      { cause },
    );
  } finally {
    opened?.close();
  }
}
