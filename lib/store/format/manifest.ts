// The manifest: the segments, derived columns and settings of a corpus at one commit, as a file of
// one line that has its checksum and JSON. Every change writes a new one with the next generation.
import { binding } from '../../binding.js';
import { AsOfError } from '../../errors.js';
import {
  checkFields,
  declaredFields,
  hasHistory,
  recordedAt,
  recordedField,
  seriesField,
  type Fields,
} from '../fields/types.js';
import { checkTimeZone } from '../../time/timeZone.js';
import { corrupt } from './files.js';
import { fileSystem } from './fileSystem.js';
import type { Device } from '../../vectors/device.js';

/** Version of the corpus format. */
const formatVersion = 3;

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
  /**
   * Its number, which rises over the life of a corpus, and 64 random bits, by which no two segments
   * of any corpora have the same; names its file (`segmentFile`).
   */
  id: string;
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
  /** 16 hexadecimal digits; with the segment's id it names the file (`derivedFile`). */
  key: string;
  segment: string;
  bytes: number;
}

export interface Manifest {
  product: 'asof corpus';
  format: number;
  /** 128 random bits of its creation, in hexadecimal digits: a copy is another corpus. */
  id: string;
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
const hexadecimal = (checksum: number): string => checksum.toString(16).padStart(8, '0');

export const newCorpusId = (): string => fileSystem.randomId(16);
export const newSegmentId = (number: number): string =>
  `${numbered(number)}-${fileSystem.randomId(8)}`;
const segmentId = /^\d{6,16}-[0-9a-f]{16}$/;
/** Of two segments of a corpus the one of the higher number was written later. */
export const segmentNumber = (id: string): number => Number(id.slice(0, id.indexOf('-')));

/** Identity of a segment's content in any folder: the key of its caches. */
export const segmentIdentity = ({ id, checksum }: Pick<SegmentEntry, 'id' | 'checksum'>): string =>
  `${id}.${checksum}`;

/**
 * Names of files in the folder of segments, made from ids that are checked, so that none leads
 * elsewhere. No two contents have the same, so that whatever folder takes the place of this one no
 * file is taken for another.
 */
export const segmentFile = ({ id }: Pick<SegmentEntry, 'id'>): string => `${id}.seg`;
export const tombstoneFile = ({
  id,
  tombstones,
}: Pick<SegmentEntry, 'id' | 'tombstones'>): string =>
  `${id}-${numbered(tombstones!.generation)}-${hexadecimal(tombstones!.checksum)}.del`;
export const derivedFile = ({ segment, key }: Pick<DerivedEntry, 'segment' | 'key'>): string =>
  `${segment}-${key}.vec`;

/** Whether a file has the name of one of them; others in the folder are not the store's. */
export const isSegmentsFile = (name: string): boolean =>
  /^\d{6,16}-[0-9a-f]{16}(?:\.seg|-\d{6,16}-[0-9a-f]{8}\.del|-[0-9a-f]{16}\.vec)$/.test(name);

/** The id in the name of a segment's file; undefined of others. */
export const segmentOfFile = (name: string): string | undefined =>
  /^(\d{6,16}-[0-9a-f]{16})\.seg$/.exec(name)?.[1];

/** The segment and the generation in the name of a file of tombstones; undefined of others. */
export function tombstonesOfFile(
  name: string,
): { segment: string; generation: number } | undefined {
  const [, segment, generation] =
    /^(\d{6,16}-[0-9a-f]{16})-(\d{6,16})-[0-9a-f]{8}\.del$/.exec(name) ?? [];
  return segment === undefined ? undefined : { segment, generation: Number(generation) };
}

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
    id: newCorpusId(),
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

/** Bytes in which a manifest's first line, with its checksum, and the corpus's id have ended. */
export const headBytes = 160;

/** The manifest's file: product, format, generation and checksum in a line, then JSON. */
export function manifestText(manifest: Manifest): string {
  const body = JSON.stringify(manifest);
  return `${head(manifest.format, manifest.generation, body)}${body}\n`;
}

const head = (format: number, generation: number, body: string): string =>
  `asof corpus ${format} ${generation} ${checksumOf(body)}\n`;
const checksumOf = (text: string): string => hexadecimal(binding.crc32c(Buffer.from(text)));

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
  if (format < formatVersion) {
    throw new AsOfError(
      'ERR_CORPUS_FOREIGN',
      `Expected a corpus of format ${formatVersion} at ${path}, found one of format ${format}, ` +
        'which this version does not read. Index its passages again, into another folder.',
    );
  }
  if (format > formatVersion) {
    throw new AsOfError(
      'ERR_CORPUS_NEWER',
      `Expected a corpus of format ${formatVersion} at ${path}, ` +
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
  corrupt(`an undamaged manifest of ${path}`, `one that ${fault}`);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isWithin = (value: number, most: number): boolean => isCount(value) && value <= most;

function areFields(fields: Fields): boolean {
  try {
    const declared = declaredFields(fields);
    checkFields(declared);
    const { [recordedAt]: recorded = 'time', [seriesField]: series = 'keyword' } = fields;
    return recorded === 'time' && series === 'keyword';
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
    typeof manifest.id === 'string' &&
    /^[0-9a-f]{32}$/.test(manifest.id) &&
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
  const ids = new Set<string>();
  for (const segment of segments) {
    const fault = segmentFault(segment, manifest);
    if (fault) return `${fault} (segment ${String(segment?.id).slice(0, 40)})`;
    if (ids.has(segment.id)) return `names segment ${segment.id} twice`;
    ids.add(segment.id);
  }
  const columns = new Set<string>();
  for (const each of derived) {
    const isSound =
      typeof each?.key === 'string' &&
      /^[0-9a-f]{16}$/.test(each.key) &&
      ids.has(each.segment) &&
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
  const { id, bytes, checksum, passages, multiSentence, rows } = segment;
  const { storage, spans, tombstones } = segment;
  const { deleted, deletedRows, deletedSentences } = segment;
  if (typeof id !== 'string' || !segmentId.test(id)) return 'has a wrong id';
  const isNumbered = isWithin(segmentNumber(id), nextSegment - 1);
  if (!isNumbered || !isCount(bytes) || !isWithin(checksum, mostChecksum))
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

/** What corpora have to have in common for one question to read both. */
export function settingsOf(manifest: Manifest): Record<string, unknown> {
  const { encoder, fields, timeZone = 'UTC', sentences = true, pipeline } = manifest;
  return { encoder, fields, timeZone, sentences, pipeline };
}

/** Whether handles of one can go on with the other: fields may change under them. */
export function haveSameSettings(a: Manifest, b: Manifest): boolean {
  const [one, other] = [a, b].map((each) =>
    JSON.stringify({ ...settingsOf(each), fields: hasHistory(each) }),
  );
  return one === other;
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
