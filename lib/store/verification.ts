// Verification of a corpus: every checksum, and the references between segments, ids and records.
import { withCancellation } from '../binding.js';
import { createHash } from 'node:crypto';
import { AsOfError, throwIfAborted } from '../errors.js';
import type { Progress } from '../records.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { hashBytes } from './catalog.js';
import { verifyDerivedColumn } from './derivedColumn.js';
import type { CorpusFolder } from './folder.js';
import { liveCounts } from './manifest.js';
import type { Snapshot } from './snapshot.js';

/** Passages from one progress report to the next. */
const progressInterval = 512;

/**
 * Verifies a snapshot. Progress counts segments, derived columns and passages.
 * @throws AsOfError ERR_CORPUS_CORRUPT, naming the first damaged part; ERR_ABORTED
 */
export async function verifyCorpus(
  snapshot: Snapshot,
  folder: CorpusFolder,
  options: {
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: Progress) => void) | undefined;
  },
): Promise<void> {
  const { signal, onProgress } = options;
  const { manifest, segments } = snapshot;
  const live = liveCounts(manifest);
  const total = segments.length + manifest.derived.length + live.passages;
  let done = 0;
  await snapshot.verifyCatalog(signal); // before LMDB reads all of it
  for (const { segment } of segments) {
    await withCancellation(signal, (cancellation) => segment.verify(cancellation));
    onProgress?.({ done: (done += 1), total });
  }
  for (const entry of manifest.derived) {
    await verifyDerivedColumn(folder, entry, signal);
    onProgress?.({ done: (done += 1), total });
  }
  const counts = snapshot.catalogCounts();
  agree('passages', live.passages, 'records', counts.passages);
  agree('passages', live.passages, 'ids', counts.ids);
  for (const [index, { passages, liveDocs }] of segments.entries()) {
    const entry = manifest.segments[index]!;
    let liveInSegment = 0;
    for (let passage = 0; passage < passages; passage += 1) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      if (passage % progressInterval === 0) {
        throwIfAborted(signal);
        onProgress?.({ done, total });
      }
      if (liveDocs && !(liveDocs[passage >> 3]! & (1 << (passage % 8)))) continue;
      checkPassage(snapshot, index, passage, entry.file);
      liveInSegment += 1;
      done += 1;
    }
    agree(
      `live passages of ${entry.file} in the manifest`,
      entry.passages - entry.deleted,
      'in its bitmap',
      liveInSegment,
    );
  }
  onProgress?.({ done: total, total });
}

function checkPassage(snapshot: Snapshot, segment: number, passage: number, file: string): void {
  const id = snapshot.id(segment, passage);
  const key = Buffer.from(id, 'utf8');
  const stored = snapshot.stored(key);
  const where = `passage ${passage} of ${file}`;
  if (!stored) throw corrupt(`the id ${JSON.stringify(id)} of ${where} in the catalog`, 'none');
  const place = snapshot.find(key);
  if (place?.segment !== segment || place.passage !== passage) {
    throw corrupt(`the id ${JSON.stringify(id)} to refer to ${where}`, 'another passage');
  }
  const hash =
    stored.record === undefined
      ? undefined
      : createHash('sha256').update(stored.record).digest().subarray(0, hashBytes);
  if (!hash?.equals(stored.hash))
    throw corrupt(
      `the record of ${where} with the hash that it was stored with`,
      hash ? 'another' : 'none',
    );
}

function agree(what: string, expected: number, other: string, found: number): void {
  if (expected !== found) throw corrupt(`as many ${other} as ${what} (${expected})`, String(found));
}

function corrupt(expected: string, found: string): AsOfError {
  return new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected ${expected}, found ${found}. Restore the corpus from a backup, or index it again.`,
  );
}
