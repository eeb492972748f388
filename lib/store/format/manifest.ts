// The manifest: the segments, derived columns and settings of a corpus at one commit, as a file of
// one line that has its checksum and JSON. Every change writes a new one with the next generation.
import { binding } from '../../binding.js';
import { AsOfError } from '../../errors.js';
import {
  checkFields,
  declaredFields,
  recordedAt,
  recordedField,
  type Fields,
} from '../fields/types.js';
import { checkTimeZone } from '../../time/timeZone.js';
import type { Device } from '../../vectors/device.js';

/** Version of the corpus format. */
const formatVersion = 2;

/**
 * [first, last] instants in UTC epoch milliseconds; null for an open end, since JSON has no
 * infinity.
 */
export type TimeSpan = [number | null, number | null];

/**
 * Types of the quantized copy of a corpus's vectors, from which scans compute bounds; 'f32' is no
 * copy.
 */
export const storages = ['int4', 'int8', 'bf16', 'f32'] as const;
/** Type of the quantized copy of the vectors (`CorpusOptions.storage`). */
export type Storage = (typeof storages)[number];
/** int4, of which one question reads half; a device multiplies int8. */
export const defaultStorage = (device: Device = 'cpu'): Storage =>
  device === 'cpu' ? 'int4' : 'int8';

export interface SegmentEntry {
  /** Unique over the life of a corpus; names its file (`segmentFile`). */
  number: number;
  bytes: number;
  /** `Segment.checksum` of the file, by which the manifest vouches for all of its content. */
  checksum: number;
  /** P, deleted ones included until a merge drops them. */
  passages: number;
  /** M: passages of several sentences. */
  multiSentence: number;
  /** R */
  rows: number;
  /** Passages deleted or replaced since the segment was written, and their rows and sentences. */
  deleted: number;
  deletedRows: number;
  deletedSentences: number;
  /**
   * The file of live passages (`tombstoneFile`): the generation that wrote it, CRC32C. Absent if
   * none is deleted.
   */
  tombstones?: { generation: number; checksum: number };
  storage: Storage;
  /** Time spans of its clocks, deleted passages included; absent if no row has the clock. */
  spans: { published?: TimeSpan; valid?: TimeSpan; content?: TimeSpan };
}

/** A derived column of a segment; `key` is the hash of everything that it depends on. */
export interface DerivedEntry {
  /** 16 hexadecimal digits; with the segment's number it names the file (`derivedFile`). */
  key: string;
  segment: number;
  bytes: number;
}

export interface Manifest {
  product: 'asof corpus';
  format: number;
  /** Rises by one with every commit. */
  generation: number;
  encoder: { id: string; dimensions: number };
  /** Storage type of new segments. */
  storage: Storage;
  /** Time zone of days, an IANA name; absent for UTC. */
  timeZone?: string;
  /** Where sentences have no rows, from creation on; else absent. */
  sentences?: false;
  /**
   * Versions of the splitter, tagger and analyzer that produced the rows; merges keep rows
   * unchanged.
   */
  pipeline: { sentences: string; times: string; terms: string };
  /** In the order of the segments' columns. */
  fields: Fields;
  /**
   * Of corpora that keep ended versions of passages: the time of the last write, and from when on
   * they are kept (absent: all), in UTC epoch milliseconds.
   */
  history?: { last: number; from?: number };
  segments: SegmentEntry[];
  derived: DerivedEntry[];
  nextSegment: number;
}

const numbered = (number: number): string => String(number).padStart(6, '0');

/** Names of files in the folder of segments, made from numbers, so that none leads elsewhere. */
export const segmentFile = ({ number }: Pick<SegmentEntry, 'number'>): string =>
  `${numbered(number)}.seg`;
export const tombstoneFile = ({
  number,
  tombstones,
}: Pick<SegmentEntry, 'number' | 'tombstones'>): string =>
  `${numbered(number)}-${numbered(tombstones!.generation)}.del`;
export const derivedFile = ({ segment, key }: Pick<DerivedEntry, 'segment' | 'key'>): string =>
  `${numbered(segment)}-${key}.vec`;

/** Whether a file has the name of one of them; others in the folder are not the store's. */
export const isSegmentsFile = (name: string): boolean =>
  /^\d{6,}(?:\.seg|-\d{6,}\.del|-[0-9a-f]{16}\.vec)$/.test(name);

/** All files that a manifest names. */
export const filesOf = ({ segments, derived }: Manifest): string[] => [
  ...segments.map(segmentFile),
  ...segments.filter(({ tombstones }) => tombstones).map(tombstoneFile),
  ...derived.map(derivedFile),
];

export function newManifest(
  encoder: Manifest['encoder'],
  pipeline: Manifest['pipeline'],
  options: {
    storage?: Storage | undefined;
    device?: Device | undefined;
    fields?: Fields;
    timeZone?: string | undefined;
    sentences?: boolean | undefined;
    history?: boolean | object | undefined;
  } = {},
): Manifest {
  const { id, dimensions } = encoder;
  const { storage = defaultStorage(options.device), sentences = true, history = false } = options;
  const fields = history ? { ...options.fields, [recordedAt]: 'time' as const } : options.fields;
  const timeZone = checkTimeZone(options.timeZone);
  return {
    product: 'asof corpus',
    format: formatVersion,
    generation: 0,
    encoder: { id, dimensions },
    storage,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(sentences ? {} : { sentences }),
    pipeline,
    fields: fields ?? {},
    ...(history ? { history: { last: 0 } } : {}),
    segments: [],
    derived: [],
    nextSegment: 1,
  };
}

/** Bytes of a manifest's file, at most: of some 100,000 segments and columns. */
export const maxManifestBytes = 2 ** 25;

/** Bytes from which on a manifest's first line has ended. */
export const headBytes = 80;

/** The manifest's file: product, format, generation and checksum in a line, then JSON. */
export function manifestText(manifest: Manifest): string {
  const body = JSON.stringify(manifest);
  return `${head(manifest.format, manifest.generation, body)}${body}\n`;
}

const head = (format: number, generation: number, body: string): string =>
  `asof corpus ${format} ${generation} ${checksumOf(body)}\n`;
const checksumOf = (text: string): string =>
  binding.crc32c(Buffer.from(text)).toString(16).padStart(8, '0');

/**
 * The manifest of its file's content; `path` is that of the corpus.
 * @throws AsOfError ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER, ERR_CORPUS_CORRUPT
 */
export function readManifest(content: Buffer, path: string): Manifest {
  if (content.length > maxManifestBytes) throw corruptManifest(path, 'is longer than any');
  const text = content.toString('utf8');
  const found = /^asof corpus (\d{1,9}) \d{1,16} [0-9a-f]{8}\n/.exec(text.slice(0, headBytes));
  if (!found) {
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected an asof corpus at ${path}, found a manifest that is none of its. ` +
        'Check the path, or restore the corpus from a backup.',
    );
  }
  const format = Number(found[1]);
  if (format > formatVersion) {
    throw new AsOfError(
      'ERR_CORPUS_NEWER',
      `Expected a corpus of format ${formatVersion} or older at ${path}, ` +
        `found format ${format}. Upgrade asof to read it.`,
    );
  }
  const body = text.slice(found[0].length, -1);
  let manifest: Manifest | undefined;
  try {
    manifest = JSON.parse(body) as Manifest;
  } catch {
    // Reported below.
  }
  const fault = manifest === undefined ? 'is no JSON' : faultOf(manifest);
  const isWhole = !fault && text === manifestText(manifest!);
  if (isWhole) return manifest!;
  throw corruptManifest(path, fault ?? 'differs from its checksum');
}

const corruptManifest = (path: string, fault: string): AsOfError =>
  new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected an undamaged manifest of ${path}, found one that ${fault}. ` +
      'Restore the corpus from a backup, or run asof repair.',
  );

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isWithin = (value: number, most: number): boolean => isCount(value) && value <= most;

function areFields(fields: Fields): boolean {
  try {
    checkFields(declaredFields(fields));
    return true;
  } catch {
    return false;
  }
}

function isHistory({ history, fields }: Manifest): boolean {
  if (history === undefined) return recordedField(fields) < 0;
  return (
    typeof history === 'object' &&
    history !== null &&
    isCount(history.last) &&
    (history.from === undefined || isCount(history.from)) &&
    recordedField(fields) >= 0
  );
}

/** What contradicts itself in a manifest; undefined if nothing does. */
function faultOf(manifest: Manifest): string | undefined {
  const { generation, encoder, pipeline, storage, segments, derived, nextSegment } = manifest;
  const { timeZone } = manifest;
  const isComplete =
    manifest.product === 'asof corpus' &&
    [generation, nextSegment, encoder?.dimensions].every(isCount) &&
    typeof encoder.id === 'string' &&
    typeof pipeline === 'object' &&
    areFields(manifest.fields) &&
    storages.includes(storage) &&
    (timeZone === undefined || typeof timeZone === 'string') &&
    (manifest.sentences ?? false) === false &&
    isHistory(manifest) &&
    Array.isArray(segments) &&
    Array.isArray(derived);
  if (!isComplete) return 'lacks parts';
  const numbers = new Set<number>();
  for (const segment of segments) {
    const fault = segmentFault(segment, manifest);
    if (fault) return `${fault} (segment ${segment?.number})`;
    if (numbers.has(segment.number)) return `names segment ${segment.number} twice`;
    numbers.add(segment.number);
  }
  const columns = new Set<string>();
  for (const each of derived) {
    const isSound =
      typeof each?.key === 'string' &&
      /^[0-9a-f]{16}$/.test(each.key) &&
      numbers.has(each.segment) &&
      isCount(each.bytes);
    if (!isSound || columns.has(derivedFile(each))) return 'has a derived column of no segment';
    columns.add(derivedFile(each));
  }
  return undefined;
}

const mostRows = 0xfffffffe;
const mostChecksum = 0xffffffff;

function segmentFault(
  segment: SegmentEntry,
  { generation, nextSegment, sentences, history }: Manifest,
): string | undefined {
  if (typeof segment !== 'object' || segment === null) return 'has a segment that is none';
  const { number, bytes, checksum, passages, multiSentence, rows } = segment;
  const { storage, spans, tombstones } = segment;
  const { deleted, deletedRows, deletedSentences } = segment;
  if (!isWithin(number, nextSegment - 1) || !isCount(bytes) || !isWithin(checksum, mostChecksum))
    return 'has a wrong number';
  const areCounts =
    isWithin(rows, sentences === false ? passages : mostRows) &&
    isWithin(passages, rows) &&
    isWithin(multiSentence, sentences === false ? 0 : passages) &&
    isWithin(deletedRows, rows) &&
    isWithin(deletedSentences, rows - multiSentence) &&
    // A segment without live passages is dropped, unless they have a history.
    isWithin(deleted, history ? passages : passages - 1);
  if (!areCounts) return 'has counts that contradict each other';
  const hasTombstones =
    tombstones !== undefined &&
    isWithin(tombstones.generation, generation) &&
    isWithin(tombstones.checksum, mostChecksum);
  if (hasTombstones !== deleted > 0) return 'has tombstones that contradict their number';
  if (!storages.includes(storage) || typeof spans !== 'object' || spans === null)
    return 'lacks parts';
  const isSpan = (span: unknown): boolean =>
    Array.isArray(span) &&
    span.length === 2 &&
    span.every((end) => end === null || Number.isFinite(end));
  return Object.values(spans).every(isSpan) ? undefined : 'has a span that is none';
}

/** Whether sentences have rows of their own. */
export const hasSentenceRows = ({ sentences }: Pick<Manifest, 'sentences'>): boolean =>
  sentences !== false;

/** Passages, rows and sentences that are not deleted. */
export function liveCounts(manifest: Manifest): {
  passages: number;
  rows: number;
  sentences: number;
} {
  let [passages, rows, sentences] = [0, 0, 0];
  for (const segment of manifest.segments) {
    passages += segment.passages - segment.deleted;
    rows += segment.rows - segment.deletedRows;
    sentences += segment.rows - segment.multiSentence - segment.deletedSentences;
  }
  return { passages, rows, sentences };
}
