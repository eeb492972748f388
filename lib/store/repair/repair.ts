// Repair: a new corpus of all that is readable of a damaged one, which stays as it is. Whole
// segments are linked, records of the others are indexed again, and losses are reported.
import { AsOfError } from '../../errors.js';
import type { RunOptions } from '../../records.js';
import type { FileLock } from '../../../binding.js';
import type { Encoder } from '../../vectors/encoder.js';
import { commitCopy, fillCopy } from '../backup.js';
import { defaultLockTimeout } from '../corpusOptions.js';
import { hasHistory } from '../fields/types.js';
import { writingTime } from '../format/fileSystem.js';
import { corpusFolder, prepareFolder, type CorpusFolder } from '../format/folder.js';
import {
  liveCounts,
  newCorpusId,
  newManifest,
  type Manifest,
  type SegmentEntry,
} from '../format/manifest.js';
import type { OpenSegment } from '../format/openSegments.js';
import { pipelineNames } from '../writing/segmentBuilder.js';
import { waitForLock } from '../writing/writerLease.js';
import { type RepairContext, type RepairReport, Liveness } from './liveness.js';
import { encoderOf, type CorpusEncoder } from './encoders.js';
import { takeInventory } from './inventory.js';
import { keepDerived, keepSegment } from './keepSegment.js';
import { reindexSegment } from './reindexSegment.js';
import { closeSource, demote } from './source.js';

export interface RepairOptions extends RunOptions {
  /**
   * Needed where vectors are damaged, and where the manifest is lost. Default: the embedded one, if
   * the corpus was created with it.
   */
  encoder?: Encoder | undefined;
}

/**
 * Writes all that is readable of the corpus at `path` to `into`, a new or empty folder, and reports
 * the rest. The damaged corpus is only read, under its lock where that can be taken. Progress
 * counts segments.
 * @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_EXISTS, ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER,
 * ERR_CORPUS_LOCKED, ERR_CORPUS_CORRUPT if no segment is there, ERR_ENCODER_MISMATCH, ERR_STORAGE,
 * ERR_ABORTED
 */
export async function repairCorpus(
  path: string,
  into: string,
  { encoder, signal, onProgress }: RepairOptions = {},
): Promise<RepairReport> {
  const [from, to] = [corpusFolder(path), corpusFolder(into)];
  checkIsCorpus(from);
  const lock = await lockUnlessReadOnly(from, signal);
  try {
    return await fillCopy(from, to, signal, async () => {
      const onSegment = (done: number, total: number): void => onProgress?.({ done, total });
      const inventory = await takeInventory(from, signal, onSegment);
      try {
        const context: RepairContext = {
          inventory,
          liveness: new Liveness(inventory),
          model: await encoderOf(inventory, from.segments, encoder),
          from,
          to,
          report: {
            passages: 0,
            reindexed: 0,
            lost: [],
            lostWithoutId: 0,
            uncertain: [],
            damage: inventory.damage,
          },
          nextSegment: inventory.nextSegment,
          recorded: hasHistory(inventory.schema)
            ? Math.max(writingTime(), (inventory.manifest?.history?.last ?? 0) + 1)
            : undefined,
          signal,
        };
        return await repaired(context);
      } finally {
        inventory.sources.forEach(closeSource);
      }
    });
  } finally {
    lock?.release();
  }
}

async function repaired(context: RepairContext): Promise<RepairReport> {
  const { inventory, model, report, from, to } = context;
  const kept: SegmentEntry[] = [];
  const segments: SegmentEntry[] = [];
  for (const source of inventory.sources) {
    // Without a manifest a segment of another corpus may be among them.
    if (source.open && dimensionsOf(source.open) !== model.dimensions)
      demote(source, from.segments, otherVectors(model));
    if (!source.open) segments.push(...(await reindexSegment(context, source)));
    else {
      const entry = await keepSegment(context, source, source.open);
      if (entry) kept.push(entry);
      if (entry) segments.push(entry);
    }
  }
  const { id, dimensions } = model;
  const manifest: Manifest = {
    ...(inventory.manifest ?? newManifest({ id, dimensions }, pipelineNames, inventory.schema)),
    ...historyOf(context),
    id: newCorpusId(),
    generation: inventory.nextGeneration,
    segments,
    derived: await keepDerived(context, kept),
    nextSegment: context.nextSegment,
  };
  await commitCopy(to, manifest);
  report.passages = liveCounts(manifest).passages;
  return report;
}

/** Of a damaged history what was recorded before the repair may be wrong. */
function historyOf({ inventory, recorded, report }: RepairContext): Pick<Manifest, 'history'> {
  const { history } = inventory.manifest ?? {};
  if (recorded === undefined) return {};
  const isWhole = history && report.damage.length === 0;
  return { history: isWhole ? history : { last: recorded, from: recorded } };
}

const dimensionsOf = ({ native }: OpenSegment): number =>
  Number((native.read('counts') as BigUint64Array)[4]);
const otherVectors = ({ dimensions }: CorpusEncoder): AsOfError =>
  new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected vectors of ${dimensions} dimensions, found others.`,
  );

/** @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_FOREIGN */
function checkIsCorpus(folder: CorpusFolder): void {
  try {
    prepareFolder(folder, false);
  } catch (error) {
    // Segments without a manifest are to be repaired.
    if (!AsOfError.is(error) || error.code !== 'ERR_CORPUS_CORRUPT') throw error;
  }
}

async function lockUnlessReadOnly(
  folder: CorpusFolder,
  signal: AbortSignal | undefined,
): Promise<FileLock | undefined> {
  try {
    return await waitForLock(folder.lock, defaultLockTimeout, signal);
  } catch (error) {
    if (AsOfError.is(error) && error.code === 'ERR_STORAGE') return undefined;
    throw error;
  }
}
