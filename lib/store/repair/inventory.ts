// The files of a damaged corpus: its manifest, or what follows from the others without one, its
// segments, whole or in part, and which of their passages are live.
import { join } from 'node:path';
import { binding, withCancellation } from '../../binding.js';
import { AsOfError } from '../../errors.js';
import { checkTimeZone } from '../../time/timeZone.js';
import { schemaSection } from '../fields/columns.js';
import { checkFields, declaredFields, withSeries, type PassageSchema } from '../fields/types.js';
import { fileNames, mapFile, readFile } from '../format/files.js';
import type { CorpusFolder } from '../format/folder.js';
import {
  headBytes,
  maxManifestBytes,
  readManifest,
  segmentFile,
  segmentNumber,
  segmentOfFile,
  tombstonesOfFile,
  type Manifest,
  type SegmentEntry,
  storages,
  type TimeSpan,
} from '../format/manifest.js';
import { OpenSegment } from '../format/openSegments.js';
import { withOneBitFlipped } from './bitFlip.js';
import {
  closeSource,
  counted,
  demote,
  foreignPrecedence,
  type Damage,
  type Source,
} from './source.js';
import { readTombstones } from './tombstones.js';
import type { Segment } from '../../../binding.js';
import { hashBytes } from '../passages/passages.js';
import { clockSpan } from '../views/rowTimes.js';

export interface Inventory {
  /** Undefined if it is lost: every segment that is there may be in force then. */
  manifest: Manifest | undefined;
  /** The segments in the manifest's order, or from the oldest on. */
  sources: Source[];
  /** Of the manifest, or of a segment. */
  schema: PassageSchema;
  damage: Damage[];
  /** Higher than those of all files. */
  nextSegment: number;
  nextGeneration: number;
}

/**
 * Reads and verifies all segments. The sources are open until `closeSource`.
 * @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_FOREIGN, ERR_CORPUS_CORRUPT if there is nothing to
 * repair; ERR_CORPUS_NEWER, ERR_STORAGE, ERR_ABORTED
 */
export async function takeInventory(
  folder: CorpusFolder,
  signal: AbortSignal | undefined,
  onSegment: (done: number, total: number) => void,
): Promise<Inventory> {
  const names = fileNames(folder.segments) ?? [];
  const ids = names.flatMap((name) => segmentOfFile(name) ?? []);
  const generations = names.flatMap((name) => tombstonesOfFile(name)?.generation ?? []);
  const { manifest, fault } = manifestOf(folder, ids.length);
  const entries: { id: string; entry?: SegmentEntry }[] = manifest
    ? manifest.segments.map((entry) => ({ id: entry.id, entry }))
    : ids
        .sort((a, b) => segmentNumber(a) - segmentNumber(b) || (a < b ? -1 : 1))
        .map((id) => ({ id }));
  const damage: Damage[] = [];
  const [sources, files] = [[] as Source[], entries.length];
  const outcome = manifest
    ? 'corrected'
    : `made anew from ${counted(files, 'segment')}; missing files and wrong tombstones would not show`;
  if (fault !== undefined) damage.push({ file: 'manifest', fault, outcome });
  try {
    for (const [at, each] of entries.entries()) {
      // Files of two corpora may have one number.
      const precedence = segmentNumber(each.id) + at / files;
      const source = await openSource(folder.segments, each, precedence, signal);
      sources.push(source);
      readTombstones(source, folder.segments, names, damage);
      onSegment(sources.length, files);
    }
  } catch (error) {
    sources.forEach(closeSource);
    throw error;
  }
  const nextSegment = Math.max(
    manifest?.nextSegment ?? 1,
    1 + Math.max(0, ...ids.map(segmentNumber)),
  );
  const nextGeneration = 1 + Math.max(manifest?.generation ?? 0, ...generations);
  const schema = manifest ?? schemaOf(sources);
  return { manifest, sources, schema, damage, nextSegment, nextGeneration };
}

/** The schema of a whole segment. */
function schemaOf(sources: readonly Source[]): PassageSchema {
  const whole = sources.find(({ open }) => open?.native.sections().some(isSchema))?.open?.native;
  // Whole segments of before have no columns; with none all are indexed again.
  if (!whole) return { fields: sources.some(({ open }) => open) ? {} : withSeries({}) };
  const text = Buffer.from(whole.read(schemaSection) as Uint8Array).toString();
  const { fields, timeZone, sentences } = JSON.parse(text) as PassageSchema;
  checkFields(declaredFields(fields));
  return { fields, timeZone: checkTimeZone(timeZone), sentences };
}

const isSchema = ({ name }: { name: string }): boolean => name === schemaSection;

/** The manifest, or its fault; both if it could be corrected. */
function manifestOf(
  folder: CorpusFolder,
  segments: number,
): { manifest?: Manifest; fault?: string } {
  let content: Buffer | undefined;
  try {
    content = readFile(folder.manifest, maxManifestBytes + 1);
    if (content) return { manifest: readManifest(content, folder.path) };
  } catch (error) {
    const manifest = content && correctedManifest(content, folder.path);
    if (manifest) return { manifest, fault: 'one bit is wrong' };
    if (!AsOfError.is(error) || error.code === 'ERR_CORPUS_NEWER' || segments === 0) throw error;
    return { fault: content ? 'is damaged' : 'cannot be read' };
  }
  if (segments > 0) return { fault: 'is missing' };
  throw new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected a manifest or segments in ${folder.path}, found neither. Restore a backup.`,
  );
}

/** The manifest whose file differs from it in one bit. */
function correctedManifest(content: Buffer, path: string): Manifest | undefined {
  const start = content.indexOf('\n') + 1;
  const body = content.subarray(start, -1);
  const expected = Number.parseInt(content.toString('latin1', Math.max(0, start - 9), start), 16);
  const corrected = withOneBitFlipped(body, { actual: binding.crc32c(body), expected });
  if (corrected)
    return readIfWhole(Buffer.concat([content.subarray(0, start), corrected, end]), path);
  // The first line has the checksum, and no other of its own.
  const outside = [...Array(Math.min(headBytes, content.length)).keys(), content.length - 1];
  for (const at of outside) {
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(content);
      flipped[at]! ^= 1 << bit;
      const manifest = readIfWhole(flipped, path);
      if (manifest) return manifest;
    }
  }
  return undefined;
}

const end = Buffer.from('\n');

function readIfWhole(content: Buffer, path: string): Manifest | undefined {
  try {
    return readManifest(content, path);
  } catch (error) {
    if (AsOfError.is(error)) return undefined;
    throw error;
  }
}

/** A segment, verified; in parts if it is damaged. */
async function openSource(
  folder: string,
  { id, entry }: { id: string; entry?: SegmentEntry },
  precedence: number,
  signal: AbortSignal | undefined,
): Promise<Source> {
  const file = segmentFile({ id });
  const source: Source = {
    file,
    id,
    ...(entry ? { entry } : {}),
    precedence,
    passages: entry?.passages,
    areDeletionsKnown: true,
  };
  try {
    const native = mapFile(join(folder, file));
    try {
      if (entry && (native.bytes !== entry.bytes || native.checksum !== entry.checksum)) {
        source.precedence += foreignPrecedence;
        throw new AsOfError('ERR_CORPUS_CORRUPT', 'is another file than that of the manifest');
      }
      await withCancellation(signal, (cancellation) => native.verify(cancellation));
      source.open = new OpenSegment(native, entry ?? segmentEntry(id, native));
      source.passages = source.open.entry.passages;
    } catch (error) {
      native.close();
      throw error;
    }
  } catch (error) {
    demote(source, folder, error);
  }
  return source;
}

/** @throws AsOfError ERR_CORPUS_CORRUPT if its sections contradict its counts */
function segmentEntry(id: string, segment: Segment): SegmentEntry {
  const sections = new Map(segment.sections().map(({ name, count }) => [name, count]));
  const counts = Array.from(segment.read('counts') as BigUint64Array, Number);
  const [passages = 0, multiSentence = 0, rows = 0, , dimensions = 0] = counts;
  const areSound =
    passages > 0 &&
    multiSentence <= passages &&
    passages <= rows &&
    sections.get('rows.passage') === rows &&
    sections.get('passages.hash') === hashBytes * passages &&
    sections.get('vectors.f32') === dimensions * rows;
  if (!areSound)
    throw new AsOfError('ERR_CORPUS_CORRUPT', 'Expected sections of the length that counts say.');
  const spans: SegmentEntry['spans'] = {};
  for (const clock of ['published', 'valid', 'content'] as const) {
    const span = clockSpan({ segment }, clock);
    if (span) spans[clock] = span.map((end) => (Number.isFinite(end) ? end : null)) as TimeSpan;
  }
  return {
    id,
    bytes: segment.bytes,
    checksum: segment.checksum,
    passages,
    multiSentence,
    rows,
    deleted: 0,
    deletedRows: 0,
    deletedSentences: 0,
    storage: storages.find((each) => sections.has(`panels.${each}`)) ?? 'f32',
    spans,
  };
}
