// Backup: the newest commit in another folder, by hard links where possible. Links are safe since
// no file of a corpus is ever written again: each is replaced or removed by its name.
import { basename, join } from 'node:path';
import type { RunOptions } from '../records.js';
import {
  corrupt,
  fileBytes,
  fileNames,
  NewFile,
  OpenFile,
  removeFile,
  syncFiles,
  syncFolder,
  syncParents,
} from './format/files.js';
import { prepareCopy, type CorpusFolder } from './format/folder.js';
import {
  derivedFile,
  filesOf,
  liveCounts,
  newCorpusId,
  segmentFile,
  type DerivedEntry,
  type Manifest,
} from './format/manifest.js';
import { ManifestFile } from './format/manifestFile.js';
import type { Snapshot } from './views/snapshot.js';
import { waitForLock } from './writing/writerLease.js';

export interface BackupCounts {
  /** Live passages. */
  passages: number;
  /** Files of the backup, and how many of them are hard links. */
  files: number;
  linked: number;
  bytes: number;
}

/** Copies the commit of a snapshot, or a newer one. Progress counts bytes. */
export async function backUp(
  takeSnapshot: () => Snapshot,
  from: CorpusFolder,
  to: CorpusFolder,
  { signal, onProgress }: RunOptions,
): Promise<BackupCounts> {
  return fillCopy(from, to, signal, async () => {
    const { manifest, files } = openFiles(takeSnapshot, from);
    try {
      const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
      let [linked, done] = [0, 0];
      const onBytes = (count: number): void => onProgress?.({ done: (done += count), total });
      for (const file of files) {
        const path = join(to.segments, basename(file.path));
        if (await transfer(file, path, signal, onBytes)) linked += 1;
      }
      await commitCopy(to, { ...manifest, id: newCorpusId() });
      return {
        passages: liveCounts(manifest).passages,
        files: files.length + 1,
        linked,
        bytes: total + fileBytes(to.manifest),
      };
    } finally {
      for (const file of files) file.close();
    }
  });
}

/**
 * Runs work that fills the folder of a copy, under the lock of that folder. If it fails its files
 * are removed, the manifest first: what is half done never opens as a corpus.
 */
export async function fillCopy<Result>(
  from: CorpusFolder,
  to: CorpusFolder,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  prepareCopy(to, from);
  const lock = await waitForLock(to.lock, 0, signal);
  try {
    prepareCopy(to, from); // another copy may have come first
    try {
      return await work();
    } catch (error) {
      await removeCopy(to);
      throw error;
    }
  } finally {
    lock.release();
  }
}

async function removeCopy({ path, manifest, segments }: CorpusFolder): Promise<void> {
  for (const file of [manifest, `${manifest}.next`]) removeFile(file);
  try {
    await syncFolder(path);
    // Where it cannot be removed, the files that it names stay, too.
    if (fileNames(path)?.some((name) => join(path, name) === manifest)) return;
    for (const name of fileNames(segments) ?? []) removeFile(join(segments, name));
  } catch {
    // The manifest may come back in a power cut: the files that it names stay.
  }
}

/** Makes the names of a copy's files and folders durable, and then its manifest. */
export async function commitCopy(to: CorpusFolder, manifest: Manifest): Promise<void> {
  await syncFolder(to.segments);
  await syncParents(to.segments);
  await new ManifestFile(to).write(manifest, undefined);
}

/** Links a file to a new path, or copies its bytes; whether it is a link. */
export async function transfer(
  file: OpenFile,
  path: string,
  signal: AbortSignal | undefined,
  onBytes: (count: number) => void = () => {},
): Promise<boolean> {
  if (file.linkTo(path)) {
    onBytes(file.bytes);
    return true;
  }
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of file.pieces(signal)) {
      yield piece;
      onBytes(piece.length);
    }
  };
  await syncFiles([await NewFile.write(path, pieces())]);
  return false;
}

/**
 * All files of the newest commit, open: from then on a merge can remove their names, but nothing of
 * them. Derived columns that are missing or incomplete are dropped, since they are recomputed.
 */
export function openFiles(
  takeSnapshot: () => Snapshot,
  { segments: folder }: CorpusFolder,
): { manifest: Manifest; files: OpenFile[] } {
  for (let before = -1; ; ) {
    using snapshot = takeSnapshot();
    const { manifest } = snapshot;
    const files = openAll(filesOf(manifest).map((name) => join(folder, name)));
    const found = new Map(files.map((file) => [basename(file.path), file]));
    const isWhole = (entry: DerivedEntry): boolean =>
      found.get(derivedFile(entry))?.bytes === entry.bytes;
    const whole = { ...manifest, derived: manifest.derived.filter(isWhole) };
    const named = new Set(filesOf(whole));
    const fault = faultOf(whole, folder, found);
    for (const [name, file] of found) if (fault || !named.has(name)) file.close();
    if (!fault)
      return { manifest: whole, files: files.filter((file) => named.has(basename(file.path))) };
    // A merge removes files whose manifest it has replaced; there is a newer commit then.
    if (manifest.generation === before) throw corrupt(...fault);
    before = manifest.generation;
  }
}

/** What a commit lacks of the files that it names; undefined if they are there, and as long. */
function faultOf(
  manifest: Manifest,
  folder: string,
  found: ReadonlyMap<string, Pick<OpenFile, 'bytes'>>,
): [expected: string, found: string] | undefined {
  const missing = filesOf(manifest).find((name) => !found.has(name));
  if (missing !== undefined) return [`the file ${missing}`, `none in ${folder}`];
  const cut = manifest.segments.find(
    (entry) => found.get(segmentFile(entry))!.bytes !== entry.bytes,
  );
  if (!cut) return undefined;
  const name = segmentFile(cut);
  return [`${cut.bytes} bytes of ${name}`, `${found.get(name)!.bytes} in ${folder}`];
}

/** Those of the files that are there. */
function openAll(paths: readonly string[]): OpenFile[] {
  const files: OpenFile[] = [];
  try {
    for (const path of paths) {
      const file = OpenFile.open(path);
      if (file) files.push(file);
    }
    return files;
  } catch (error) {
    for (const file of files) file.close();
    throw error;
  }
}
