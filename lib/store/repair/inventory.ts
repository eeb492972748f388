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
  tombstoneFile,
} from '../format/manifest.js';
import { OpenSegment } from '../format/openSegments.js';
import {
  closeSource,
  counted,
  demote,
  foreignPrecedence,
  type Damage,
  type Source,
  isForeign,
} from './source.js';
import type { Segment } from '../../../binding.js';
import { hashBytes } from '../passages/passages.js';
import { clockSpan } from '../views/rowTimes.js';
import {
  liveIn,
  maxTombstoneBytes,
  parseTombstones,
  readTombstones as readNewest,
  type Tombstones,
} from '../format/tombstones.js';

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

/** Reversed polynomial of CRC32C. */
const polynomial = 0x82f63b78;

const shifted = (syndrome: number): number =>
  (syndrome & 1) === 0 ? syndrome >>> 1 : (syndrome >>> 1) ^ polynomial;
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let syndrome = byte;
  for (let bit = 0; bit < 8; bit += 1) syndrome = shifted(syndrome);
  return syndrome;
});

/**
 * The bytes with the one bit flipped after which their checksum is the `expected` one; undefined if
 * there is none. Of n bytes with more damage than that, 2 n in a billion are miscorrected: for
 * files of kilobytes whose other invariants are checked as well.
 */
export function withOneBitFlipped(
  bytes: Uint8Array,
  { actual, expected }: { actual: number; expected: number },
): Uint8Array | undefined {
  const difference = (actual ^ expected) >>> 0;
  // Of each bit of a byte that is followed by `bytes.length - 1 - at` others.
  const syndromes = Uint32Array.from({ length: 8 }, (_, bit) => table[1 << bit]!);
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const bit = syndromes.indexOf(difference);
    if (bit >= 0) return bytes.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte));
    for (let i = 0; i < 8; i += 1)
      syndromes[i] = (syndromes[i]! >>> 8) ^ table[syndromes[i]! & 255]!;
  }
  return undefined;
}

/**
 * Sets the live passages of a source. Without a manifest nothing vouches for tombstones but their
 * form. `names` are the files of the folder.
 */
function readTombstones(
  source: Source,
  folder: string,
  names: readonly string[],
  damage: Damage[],
): void {
  const { entry, id, passages } = source;
  if (isForeign(source)) source.areDeletionsKnown = false;
  if (isForeign(source) || (entry && !entry.tombstones)) return;
  let faulty = entry && readNamed(source, entry, folder, damage);
  if (entry && !faulty) return;
  const files = names
    .flatMap((file) => {
      const { segment, generation = 0 } = tombstonesOfFile(file) ?? {};
      return segment === id ? [{ file, generation }] : [];
    })
    .sort((a, b) => b.generation - a.generation);
  for (const { file } of files) {
    if (file === faulty?.file) continue;
    const content = contentOf(join(folder, file), passages ?? 0);
    const older = content && parseTombstones(content, passages ?? 0);
    const isPlausible = older && isPartial(older, passages ?? 0) && isOlder(older, entry);
    if (isPlausible) setTombstones(source, older);
    if (isPlausible) break;
    faulty ??= { file, fault: 'is damaged' };
  }
  if (!faulty) return;
  source.areDeletionsKnown = false;
  const outcome = source.liveDocs
    ? 'older ones are in their place'
    : `all of ${source.file} are live`;
  damage.push({ ...faulty, outcome });
}

/** Reads the tombstones that the manifest names; their fault otherwise. */
function readNamed(
  source: Source,
  entry: SegmentEntry,
  folder: string,
  damage: Damage[],
): { file: string; fault: string } | undefined {
  const file = tombstoneFile(entry);
  try {
    setTombstones(source, readNewest(entry, folder)!);
    return undefined;
  } catch (error) {
    if (!AsOfError.is(error)) throw error;
    if (error.code === 'ERR_NOT_FOUND') return { file, fault: 'is missing' };
  }
  const content = contentOf(join(folder, file), entry.passages);
  const sums = content && { actual: binding.crc32c(content), expected: entry.tombstones!.checksum };
  const bytes = content && withOneBitFlipped(content, sums!);
  const corrected = bytes && parseTombstones(bytes, entry.passages);
  if (!corrected || liveIn(corrected.live) !== entry.passages - entry.deleted)
    return { file, fault: 'is damaged' };
  setTombstones(source, corrected);
  damage.push({ file, fault: 'one bit is wrong', outcome: 'corrected' });
  return undefined;
}

function setTombstones(source: Source, { live, ended }: Tombstones): void {
  source.liveDocs = live;
  source.ended = ended;
}

/** The content of a file, as much as tombstones have; undefined if it cannot be read. */
function contentOf(path: string, passages: number): Buffer | undefined {
  try {
    return readFile(path, maxTombstoneBytes(passages) + 1);
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    // A sector that the disk does not read is damage, a lack of descriptors is none.
    if (AsOfError.is(error) && !/^E[MN]FILE$/.test(String(cause?.code))) return undefined;
    throw error;
  }
}

/** Whether some passages are live and some are not. */
function isPartial({ live }: Tombstones, passages: number): boolean {
  const count = liveIn(live);
  return count > 0 && count < passages;
}

const isOlder = ({ live }: Tombstones, entry: SegmentEntry | undefined): boolean =>
  entry === undefined || liveIn(live) > entry.passages - entry.deleted;
