// Verification of a corpus: every checksum, every section against the others, and the ids and
// records of all passages. The manifest and tombstones are checked whenever they are read.
import { withCancellation } from '../binding.js';
import { throwIfAborted } from '../errors.js';
import type { RunOptions } from '../records.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { verifyDerivedColumn } from './derived/derivedColumn.js';
import { corrupt } from './format/files.js';
import type { CorpusFolder } from './format/folder.js';
import { historyFault } from './views/history.js';
import { liveCounts, segmentFile } from './format/manifest.js';
import { recordHash } from './passages/passages.js';
import type { Snapshot } from './views/snapshot.js';
import type { PassagePlace } from './views/snapshotSegment.js';
import { isLive } from './format/tombstones.js';

/** Passages from one progress report to the next. */
const progressInterval = 512;

/**
 * Verifies a snapshot. Progress counts segments, derived columns and passages.
 * @throws AsOfError ERR_CORPUS_CORRUPT, naming the first damaged part; ERR_ABORTED
 */
export async function verifyCorpus(
  snapshot: Snapshot,
  folder: CorpusFolder,
  { signal, onProgress }: RunOptions,
): Promise<void> {
  const { manifest, segments } = snapshot;
  const live = liveCounts(manifest);
  const total = segments.length + manifest.derived.length + live.passages;
  let done = 0;
  for (const { segment } of segments) {
    await withCancellation(signal, (cancellation) => segment.verify(cancellation));
    await withCancellation(signal, (cancellation) => segment.verifyStructure(cancellation));
    onProgress?.({ done: (done += 1), total });
  }
  for (const entry of manifest.derived) {
    await verifyDerivedColumn(folder, entry, signal);
    onProgress?.({ done: (done += 1), total });
  }
  for (const [index, { passages, liveDocs }] of segments.entries()) {
    const file = segmentFile(manifest.segments[index]!);
    const fault = manifest.history && historyFault(snapshot, index);
    if (fault) throw corrupt(`${fault} (${file})`, 'others');
    for (let passage = 0; passage < passages; passage += 1) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      if (passage % progressInterval === 0) {
        throwIfAborted(signal);
        onProgress?.({ done, total });
      }
      checkRecord(snapshot, { segment: index, passage }, file);
      if (liveDocs && !isLive(liveDocs, passage)) continue;
      checkId(snapshot, { segment: index, passage }, file);
      done += 1;
    }
  }
  onProgress?.({ done: total, total });
}

function checkRecord(snapshot: Snapshot, place: PassagePlace, file: string): void {
  const { segment, passage } = place;
  const where = `the record of passage ${passage} of ${file}`;
  if (!recordHash(snapshot.record(place)).equals(snapshot.hash(place)))
    throw corrupt(`${where} with the hash that it was stored with`, 'another');
  const { id } = snapshot.passage(segment, passage);
  if (id !== snapshot.id(segment, passage)) throw corrupt(`${where} with its id`, 'another');
}

/** An id leads to its passage, and to no other that is live. */
function checkId(snapshot: Snapshot, { segment, passage }: PassagePlace, file: string): void {
  const id = snapshot.id(segment, passage);
  const place = snapshot.find(id);
  if (place?.segment === segment && place.passage === passage) return;
  throw corrupt(
    `the id ${JSON.stringify(id)} to lead to passage ${passage} of ${file}`,
    place ? 'another passage' : 'none',
  );
}
