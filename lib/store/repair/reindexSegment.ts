// A damaged segment: its readable records in new segments, with their vectors where those are
// whole, and the ids of the others.
import { join } from 'node:path';
import { canEncode, withEncode } from '../../vectors/encoder.js';
import { syncFiles } from '../format/files.js';
import {
  defaultStorage,
  newSegmentId,
  segmentFile,
  type SegmentEntry,
} from '../format/manifest.js';
import { isLive, liveIn } from '../format/tombstones.js';
import { defaultBatchSize } from '../writing/passageBatches.js';
import { readRecord, recordHash, type PreparedPassage } from '../passages/passages.js';
import { batchCharacters, buildSegment } from '../writing/segmentBuilder.js';
import type { RepairContext } from './liveness.js';
import { counted, isForeign, readableLocals, recordOf, type Source } from './source.js';
import { storedVectors } from './storedVectors.js';

/** A readable passage with its local number. */
type Salvaged = PreparedPassage & { local: number };

/** What became of the passages that tombstones let live. */
interface Tally {
  kept: string[];
  /** Of which newer segments have another version. */
  superseded: number;
  /** For which no encoder is at hand. */
  unencoded: string[];
  /** Unreadable, with an id and without one. */
  lost: string[];
  lostWithoutId: number;
}

/** The entries of the new segments; reports the losses. */
export async function reindexSegment(
  context: RepairContext,
  source: Source,
): Promise<SegmentEntry[]> {
  const { model } = context;
  const { parts, passages = 0 } = source;
  const tally: Tally = { kept: [], superseded: 0, unencoded: [], lost: [], lostWithoutId: 0 };
  const entries: SegmentEntry[] = [];
  const vectors = parts && storedVectors(parts.sections, passages, model);
  for (const batch of batches(source)) {
    const live = withoutSuperseded(context, source, batch, tally);
    if (live.length === 0) continue;
    const own = await vectors?.(live);
    const canBeKept = own !== undefined || (model.encoder && canEncode(model.encoder));
    const whole = own ? live.map((each, at) => ({ ...each, ...own[at]! })) : live;
    if (canBeKept) entries.push(await newSegment(context, whole));
    for (const { stored } of live) (canBeKept ? tally.kept : tally.unencoded).push(stored.id);
  }
  countLost(context, source, tally);
  report(context, source, tally);
  return entries;
}

/**
 * Live records of a source, each once, in batches of the size of a commit's. Where tombstones do
 * not say which version of a passage is live it is the last.
 */
function* batches(source: Source): Generator<Salvaged[]> {
  let batch: Salvaged[] = [];
  let characters = 0;
  for (const local of readableLocals(source).sort((a, b) => a - b)) {
    if (source.liveDocs && !isLive(source.liveDocs, local)) continue;
    const record = recordOf(source, local);
    const stored = readRecord(record, `passage ${local} of ${source.file}`);
    if (batch.at(-1)?.stored.id === stored.id) batch.pop();
    else if (batch.length >= defaultBatchSize || characters >= batchCharacters) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push({ stored, record, hash: recordHash(record), local });
    characters += record.length;
  }
  if (batch.length > 0) yield batch;
}

function withoutSuperseded(
  { liveness }: RepairContext,
  source: Source,
  batch: readonly Salvaged[],
  tally: Tally,
): Salvaged[] {
  if (liveness.isDecided(source)) return [...batch];
  const superseded = liveness.superseded(
    source,
    batch.map(({ stored }) => stored.id),
  );
  const live = batch.filter((_, at) => !superseded[at]);
  tally.superseded += batch.length - live.length;
  return live;
}

async function newSegment(
  context: RepairContext,
  passages: readonly Salvaged[],
): Promise<SegmentEntry> {
  const { inventory, model, to, signal } = context;
  const id = newSegmentId(context.nextSegment++);
  const storage = inventory.manifest?.storage ?? defaultStorage();
  const { schema } = inventory;
  const path = join(to.segments, segmentFile({ id }));
  const place = { path, id, storage, schema, recorded: context.recorded };
  const ascending = passages.toSorted((a, b) => (a.stored.id < b.stored.id ? -1 : 1));
  const encoder = withEncode(model.encoder ?? model, to.path);
  const { entry, file } = await buildSegment(place, ascending, encoder, signal);
  await syncFiles([file]);
  return entry;
}

/** Passages that tombstones let live and that no record is readable of. */
function countLost({ liveness }: RepairContext, source: Source, tally: Tally): void {
  const { entry, parts, liveDocs, passages = 0 } = source;
  // Nothing is known of the passages of a segment that is missing, or has another in its place.
  if (!parts || isForeign(source)) tally.lostWithoutId = entry ? entry.passages - entry.deleted : 0;
  if (!parts || isForeign(source)) return;
  const { places, ids } = parts.records;
  const withIds: string[] = [];
  for (let local = 0; local < passages; local += 1) {
    if (places.has(local) || (liveDocs && !isLive(liveDocs, local))) continue;
    const id = ids[local];
    if (id === undefined) tally.lostWithoutId += 1;
    else withIds.push(id);
  }
  const superseded = liveness.isDecided(source) ? [] : liveness.superseded(source, withIds);
  tally.lost = withIds.filter((_, at) => !superseded[at]);
  tally.superseded += withIds.length - tally.lost.length;
}

function report(
  { liveness, model, report: to }: RepairContext,
  source: Source,
  { kept, superseded, unencoded, lost, lostWithoutId }: Tally,
): void {
  const { file, fault = '', liveDocs, parts, passages = 0 } = source;
  const deleted = superseded + (liveDocs ? passages - liveIn(liveDocs) : 0);
  const unverified = parts?.records.unverified.size ?? 0;
  to.reindexed += kept.length;
  for (const id of [...lost, ...unencoded]) to.lost.push(id);
  to.lostWithoutId += lostWithoutId;
  if (unverified > 0 || liveness.isUncertain(source, deleted))
    for (const id of kept) to.uncertain.push(id);
  const outcome = [
    `${counted(kept.length, 'passage')} indexed again`,
    ...(lost.length + lostWithoutId > 0 ? [`${lost.length + lostWithoutId} lost`] : []),
    ...(parts && source.passages === undefined ? ['an unknown number lost'] : []),
    ...(unverified > 0 ? [`${unverified} without a hash to compare`] : []),
    ...(unencoded.length > 0
      ? [`${unencoded.length} need the encoder ${model.id} (--encoder)`]
      : []),
  ];
  to.damage.push({ file, fault, outcome: outcome.join(', ') });
}
