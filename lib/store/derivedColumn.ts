// Files computed from segments, such as their vectors fused with time: made when they are first
// needed, once a segment, saved beside it where the corpus may be written, and mapped as long as
// the segment is. They can always be made again, so one that is missing, cut short or of something
// else is made anew and never makes a corpus unreadable. What is computed is the recipe's business.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding, withCancellation } from '../binding.js';
import type { SectionArray, Segment } from '../../binding.js';
import { AsOfError, throwIfAborted } from '../errors.js';
import type { Progress } from '../records.js';
import type { CorpusFolder } from './folder.js';
import type { DerivedEntry, Manifest, SegmentEntry } from './manifest.js';
import type { Snapshot } from './snapshot.js';
import type { WriterLease } from './writerLease.js';
import type { Writer } from './writer.js';

/** How a file is computed from a segment. */
export interface DerivedColumnSpec {
  /**
   * What the file is computed with, to the last weight: 16 hexadecimal digits (derivedColumnKey).
   * Files of one segment and key are interchangeable.
   */
  key: string;
  /**
   * Writes the file with these sections among its own, as the addon's writers do: whole and synced,
   * or not at all.
   */
  write(
    segment: Segment,
    path: string,
    sections: { name: string; data: SectionArray }[],
    signal: AbortSignal,
  ): Promise<void>;
}

/** What a recipe does, to be told apart from every other that does it differently. */
export const derivedColumnKey = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

const headerSection = 'derived.header';

/**
 * Whose the file is: read before its sections are used, since files are moved and restored by
 * people.
 */
interface Header {
  key: string;
  segment: number;
  rows: number;
}

interface Place {
  folder: CorpusFolder;
  writes: WriterLease;
  readOnly: boolean;
  /** The manifest as it is now. */
  manifest: () => Manifest;
}

/**
 * The recipe's file of each of the snapshot's segments, in their order. What is missing is
 * computed, a segment after the other, and saved where the corpus may be written and nobody else
 * writes it; else it lies in the system's temporary folder, unlinked, until the segment is closed.
 * Progress counts rows of what had to be computed. Questions that come meanwhile wait for it and
 * find it made.
 */
export async function derivedColumnFiles(
  place: Place,
  snapshot: Snapshot,
  recipe: DerivedColumnSpec,
  options: {
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: Progress) => void) | undefined;
  } = {},
): Promise<{ files: Segment[]; computed: number }> {
  const { signal, onProgress } = options;
  const missing = (): number[] =>
    snapshot.segments.flatMap(({ derived }, index) => (derived.has(recipe.key) ? [] : [index]));
  let computed = 0;
  if (missing().length > 0) openSaved(place, snapshot, recipe.key, missing());
  if (missing().length > 0) {
    await place.writes.tryWrite(signal, place.readOnly, async (writer, either) => {
      openSaved(place, snapshot, recipe.key, missing());
      const left = missing();
      const total = left.reduce((sum, index) => sum + snapshot.segments[index]!.rows, 0);
      for (const index of left) {
        const { segment, derived, rows } = snapshot.segments[index]!;
        const file = await compute(
          place,
          recipe,
          segment,
          snapshot.manifest.segments[index]!,
          writer,
          either,
        );
        if (either.aborted) file.close();
        throwIfAborted(either);
        derived.set(recipe.key, file);
        computed += rows;
        onProgress?.({ done: computed, total });
      }
    });
  }
  return { files: snapshot.segments.map(({ derived }) => derived.get(recipe.key)!), computed };
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
    const entry = saved.find((each) => each.key === key && each.segment === source.number);
    const opened = entry && openDerived(folder, entry, source);
    if (opened) snapshot.segments[index]!.derived.set(key, opened);
  }
}

async function compute(
  { folder }: Place,
  recipe: DerivedColumnSpec,
  segment: Segment,
  source: SegmentEntry,
  writer: Writer | undefined,
  signal: AbortSignal,
): Promise<Segment> {
  const { key } = recipe;
  const { number, rows } = source;
  const sections = [
    {
      name: headerSection,
      data: new TextEncoder().encode(
        JSON.stringify({ key, segment: number, rows } satisfies Header),
      ),
    },
  ];
  const file = `${String(number).padStart(6, '0')}-${key}.vec`;
  // A segment that was merged away meanwhile lives as long as its readers: nothing of it is saved.
  if (writer?.manifest().segments.some((each) => each.number === number)) {
    const path = join(folder.segments, file);
    rmSync(path, { force: true }); // no manifest names it, or it could not be opened
    await recipe.write(segment, path, sections, signal);
    await writer.addDerived({ key, segment: number, file, bytes: statSync(path).size });
    return binding.Segment.open(path);
  }
  const own = mkdtempSync(join(tmpdir(), 'asof-'));
  try {
    await recipe.write(segment, join(own, file), sections, signal);
    throwIfAborted(signal);
    return binding.Segment.open(join(own, file)); // a mapping outlives the file's name
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/**
 * The file of a manifest's entry, mapped; undefined where it is not there, not whole, or not what
 * the entry says.
 */
function openDerived(
  folder: CorpusFolder,
  entry: DerivedEntry,
  source: SegmentEntry,
): Segment | undefined {
  let file: Segment | undefined;
  try {
    file = binding.Segment.open(join(folder.segments, entry.file));
    const header = JSON.parse(new TextDecoder().decode(file.read(headerSection))) as Header;
    if (
      header.key === entry.key &&
      header.segment === entry.segment &&
      header.rows === source.rows &&
      file.bytes === entry.bytes
    )
      return file;
  } catch (error) {
    if (!AsOfError.is(error) && !(error instanceof SyntaxError)) throw error;
  }
  file?.close();
  return undefined;
}

/**
 * Compares a saved file's checksums; throws ERR_CORPUS_CORRUPT. One that is not there is no damage:
 * it is made again.
 */
export async function verifyDerivedColumn(
  folder: CorpusFolder,
  { file }: DerivedEntry,
  signal: AbortSignal | undefined,
): Promise<void> {
  let opened: Segment | undefined;
  try {
    opened = binding.Segment.open(join(folder.segments, file));
    await withCancellation(signal, (cancellation) => opened!.verify(cancellation));
  } catch (cause) {
    if (!AsOfError.is(cause) || cause.code === 'ERR_ABORTED') throw cause;
    if (cause.code === 'ERR_NOT_FOUND') return;
    const found = cause.message.replace(/ (?:Restore|Check) [^.]*\.$/, '');
    throw new AsOfError(
      'ERR_CORPUS_CORRUPT',
      `${found} It was computed and can be again: compact the corpus, or remove the file.`,
      { cause },
    );
  } finally {
    opened?.close();
  }
}
