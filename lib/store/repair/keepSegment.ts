// A whole segment of a damaged corpus: linked into the new one, with its tombstones.
import { join } from 'node:path';
import { binding } from '../../binding.js';
import { AsOfError } from '../../errors.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { transfer } from '../backup.js';
import { verifyDerivedColumn } from '../derived/derivedColumn.js';
import { hasHistory } from '../fields/types.js';
import { fileBytes, NewFile, OpenFile, syncFiles } from '../format/files.js';
import {
  derivedFile,
  tombstoneFile,
  type DerivedEntry,
  type SegmentEntry,
} from '../format/manifest.js';
import type { OpenSegment } from '../format/openSegments.js';
import { rowCounts } from '../views/rowTimes.js';
import {
  allLive,
  isLive,
  noneEnded,
  tombstoneBytes,
  withoutPassages,
} from '../format/tombstones.js';
import type { RepairContext } from './liveness.js';
import { faultOf, type Source } from './source.js';

/** Passages that are looked up at a time. */
const batchSize = 4096;

/** The entry of the segment in the new manifest; undefined if no passage of it is live. */
export async function keepSegment(
  context: RepairContext,
  source: Source,
  open: OpenSegment,
): Promise<SegmentEntry | undefined> {
  const { inventory, liveness, report, to } = context;
  const bits = withoutPassages(
    source.liveDocs ?? allLive(open.entry.passages),
    open.ended().passages,
  );
  const ids = liveness.isDecided(source) ? [] : await dropSuperseded(context, source, open, bits);
  const locals = Array.from({ length: open.entry.passages }, (_, local) => local);
  const dead = locals.filter((local) => !isLive(bits, local));
  if (dead.length === locals.length && !hasHistory(inventory.schema)) return undefined;
  if (liveness.isUncertain(source, dead.length)) for (const id of ids) report.uncertain.push(id);
  await linkFile(context, source.file);
  const { rows, sentences } = rowCounts({ segment: open.native }, dead);
  const { tombstones: _, ...entry } = {
    ...open.entry,
    deleted: dead.length,
    deletedRows: rows,
    deletedSentences: sentences,
  };
  if (dead.length === 0) return entry;
  const bytes = tombstoneBytes({ live: bits, ended: source.ended ?? noneEnded });
  const tombstones = { generation: inventory.nextGeneration, checksum: binding.crc32c(bytes) };
  const path = join(to.segments, tombstoneFile({ ...entry, tombstones }));
  await syncFiles([await NewFile.write(path, bytes)]);
  return { ...entry, tombstones };
}

/**
 * Clears the bits of passages of which newer segments, or later places of this one, have another
 * version; returns the ids of the others.
 */
async function dropSuperseded(
  { liveness, signal }: RepairContext,
  source: Source,
  open: OpenSegment,
  bits: Uint8Array,
): Promise<string[]> {
  const live: string[] = [];
  for (let start = 0; start < open.entry.passages; start += batchSize) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const length = Math.min(batchSize, open.entry.passages - start);
    const locals = Array.from({ length }, (_, i) => start + i);
    const ids = open.ids(locals);
    const next = start + length < open.entry.passages ? open.id(start + length) : undefined;
    const superseded = liveness.superseded(source, ids);
    for (const [at, local] of locals.entries()) {
      if (superseded[at] || ids[at] === (ids[at + 1] ?? next))
        bits[local >> 3]! &= ~(1 << (local & 7));
      else if (isLive(bits, local)) live.push(ids[at]!);
    }
  }
  return live;
}

/** Derived columns of kept segments that are whole; the others are computed again when needed. */
export async function keepDerived(
  context: RepairContext,
  kept: readonly SegmentEntry[],
): Promise<DerivedEntry[]> {
  const { inventory, from, report, signal } = context;
  const ids = new Set(kept.map(({ id }) => id));
  const whole: DerivedEntry[] = [];
  for (const entry of inventory.manifest?.derived ?? []) {
    const file = derivedFile(entry);
    if (!ids.has(entry.segment) || fileBytes(join(from.segments, file)) === 0) continue;
    try {
      await verifyDerivedColumn(from, entry, signal);
      await linkFile(context, file);
      whole.push(entry);
    } catch (error) {
      if (!AsOfError.is(error) || error.code !== 'ERR_CORPUS_CORRUPT') throw error;
      report.damage.push({ file, fault: faultOf(error), outcome: 'dropped, computed when needed' });
    }
  }
  return whole;
}

async function linkFile({ from, to, signal }: RepairContext, name: string): Promise<void> {
  const file = OpenFile.open(join(from.segments, name));
  if (!file) throw new AsOfError('ERR_NOT_FOUND', `Expected a file at ${name}, found none.`);
  try {
    await transfer(file, join(to.segments, name), signal);
  } finally {
    file.close();
  }
}
