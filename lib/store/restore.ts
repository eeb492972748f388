// Restore: what another corpus holds as the next commit of this one. Its files come under names of
// their own and the manifest is replaced last, so that readers see the one content or the other.
import { basename, join } from 'node:path';
import { AsOfError, throwIfAborted } from '../errors.js';
import type { RunOptions } from '../records.js';
import { openFiles, transfer } from './backup.js';
import { defaultLockTimeout } from './corpusOptions.js';
import { fileNames, OpenFile, renameFile, syncFolder, syncParents } from './format/files.js';
import { checkApart, prepareFolder, type CorpusFolder } from './format/folder.js';
import {
  haveSameSettings,
  liveCounts,
  newCorpusId,
  newSegmentId,
  segmentFile,
  type Manifest,
} from './format/manifest.js';
import { ManifestFile } from './format/manifestFile.js';
import type { Snapshot } from './views/snapshot.js';
import { Writer } from './writing/writer.js';
import { waitForLock } from './writing/writerLease.js';

export interface RestoreOptions extends RunOptions {
  /** Milliseconds to wait for another writer. */
  lockTimeout?: number | undefined;
}

/**
 * Makes the newest commit of one corpus that of another, or of a new one. What is there may be
 * damaged; the other is taken as it is. Progress counts bytes.
 */
export async function restoreFrom(
  takeSnapshot: () => Snapshot,
  from: CorpusFolder,
  to: CorpusFolder,
  { signal, onProgress, lockTimeout = defaultLockTimeout }: RestoreOptions,
): Promise<{ passages: number; continued: boolean }> {
  checkApart(to, from);
  prepareTarget(to);
  const lock = await waitForLock(to.lock, lockTimeout, signal);
  try {
    const file = new ManifestFile(to);
    const replaced = readUnlessDamaged(file, to);
    const before = replaced === 'damaged' ? undefined : replaced;
    const { manifest, files } = openFiles(takeSnapshot, from);
    const next = nextManifest(manifest, before);
    try {
      const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
      let done = 0;
      for (const each of files) {
        await place(each, to, signal);
        onProgress?.({ done: (done += each.bytes), total });
      }
      throwIfAborted(signal);
      await syncFolder(to.segments);
      if (!before) await syncParents(to.segments);
      await file.write(next, replaced);
    } finally {
      for (const each of files) each.close();
      // What it replaced, or else what it added; the next writer tries again.
      await new Writer(file, to).removeOrphans().catch(() => undefined);
    }
    return { passages: liveCounts(next).passages, continued: next.id === before?.id };
  } finally {
    lock.release();
  }
}

/** Handles of a corpus of the same settings need not know that its content came from elsewhere. */
function nextManifest(manifest: Manifest, before: Manifest | undefined): Manifest {
  const generation = 1 + Math.max(manifest.generation, before?.generation ?? 0);
  const isSame = before && haveSameSettings(manifest, before);
  return { ...manifest, id: isSame ? before.id : newCorpusId(), generation };
}

/** A corpus, a damaged one, or a new folder. */
function prepareTarget(to: CorpusFolder): void {
  try {
    prepareFolder(to, true);
  } catch (error) {
    // Segments whose manifest is lost.
    if (!AsOfError.is(error) || error.code !== 'ERR_CORPUS_CORRUPT') throw error;
  }
}

/** The manifest in force, if there is one. */
function readUnlessDamaged(file: ManifestFile, to: CorpusFolder): Manifest | 'damaged' | undefined {
  try {
    return file.read();
  } catch (error) {
    const isDamage =
      AsOfError.is(error) &&
      (error.code === 'ERR_CORPUS_CORRUPT' ||
        (error.code === 'ERR_CORPUS_FOREIGN' && fileNames(to.segments) !== undefined));
    if (isDamage) return 'damaged';
    throw error;
  }
}

/** Adds a file under its own name, unless its content is there; a damaged one is replaced. */
async function place(
  file: OpenFile,
  to: CorpusFolder,
  signal: AbortSignal | undefined,
): Promise<void> {
  const path = join(to.segments, basename(file.path));
  const present = OpenFile.open(path);
  if (!present) return void (await transfer(file, path, signal));
  try {
    if (await present.hasContentOf(file, signal)) return;
  } finally {
    present.close();
  }
  const temporary = join(to.segments, segmentFile({ id: newSegmentId(0) })); // an orphan until then
  await transfer(file, temporary, signal);
  await renameFile(temporary, path);
}
