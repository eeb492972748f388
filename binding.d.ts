// The contract of the native addon, written by hand and tested against its exports
// (test/boundary/contract.test.ts). Low level: meaning was checked in TypeScript before these are
// called. Layout convention of every matrix here and in native/: row-major, compact; component j of
// vector i is x[i * d + j].

// ---- process.cpp

/** The class that native errors are made of: called once by lib/binding.ts. */
export function setErrorClass(errorClass: new (code: never, message: string) => Error): void;
/** Threads that native work may use, the caller's included; default all cores, or ASOF_THREADS. */
export function threadCount(): number;

/** Instruction-set level in use: the best of this machine, or the one that ASOF_ISA names. */
export function isa(): string;

/** Cancels the tasks it was given to; they reject with ERR_ABORTED at the next tile. */
export class Cancellation {
  cancel(): void;
}

// ---- devices.cpp

/** What there is to search on besides the CPU. */
export interface DeviceList {
  /** Where asof's CUDA library is looked for. */
  library: string;
  /** What built it; null where it cannot be had. */
  build: string | null;
  /** Why there is no device, or why one of them cannot be asked; null where there is one. */
  reason: string | null;
  /** Memory in bytes; compute capability as "major.minor". */
  devices: {
    name: string;
    memory: number;
    freeMemory: number;
    computeCapability: string;
    processors: number;
  }[];
}
/** The reason why there is no CUDA device; null where there is one. Takes nothing of a device. */
export function deviceUnavailableReason(): Promise<string | null>;
/**
 * Never rejects for a library, a driver or a device that is not there: the reason says so. Asking a
 * device what is free takes some of its memory.
 */
export function listDevices(): Promise<DeviceList>;

// ---- inner_product.cpp

/**
 * out[i * n + j] = inner product of query i and row j, for nq = queries.length / dimensions and n =
 * rows.length / dimensions.
 */
export function innerProduct(
  queries: Float32Array,
  rows: Float32Array,
  dimensions: number,
  cancellation?: Cancellation,
): Promise<Float32Array>;

// ---- segments.cpp

/** Element types of sections: u64 and i64 are BigUint64Array and BigInt64Array. */
export type SectionArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

export interface SectionInfo {
  name: string;
  element: 'u8' | 'i8' | 'u16' | 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64';
  /** Elements. */
  count: number;
  /** Of its first byte in the file. */
  offset: number;
  bytes: number;
}

/**
 * An open segment file, memory-mapped. Everything but path, bytes, checksum, isOpen and close()
 * throws ERR_CLOSED after close().
 */
export class Segment {
  /**
   * `Segment.open(path)`. Reads the header and the table only. Windows removes no mapped file: a
   * temporary one is removed there once it is closed, with its folder if that is empty then.
   */
  static open(path: string, temporary?: boolean): Segment;
  constructor(path: string, temporary?: boolean);
  readonly path: string;
  /** Length of the file. */
  readonly bytes: number;
  /**
   * CRC32C of the header, which has that of the table, which has those of the sections' checksums:
   * no other content has it.
   */
  readonly checksum: number;
  readonly isOpen: boolean;
  sections(): SectionInfo[];
  /**
   * A copy of elements [from, from + count) of a section; by default all of it. Reads, and tasks
   * before their work, compare what they read for the first time with its checksums: another
   * content throws ERR_CORPUS_CORRUPT, naming the section.
   */
  read(name: string, from?: number, count?: number): SectionArray;
  /**
   * Copies of stretches of a section, one after the other: `stretches` holds the first element and
   * the count of each. Beyond the end of the section: ERR_CORPUS_CORRUPT, since who reads has the
   * places from other sections.
   */
  readEach(name: string, stretches: Uint32Array): SectionArray;
  /**
   * Compares every byte with its checksums, those too that were compared before; rejects with
   * ERR_CORPUS_CORRUPT naming the first section that differs.
   */
  verify(cancellation?: Cancellation): Promise<void>;
  /**
   * Reads the rows, passages, clocks and postings of a segment of a corpus; rejects with
   * ERR_CORPUS_CORRUPT naming the first section that contradicts another.
   */
  verifyStructure(cancellation?: Cancellation): Promise<void>;
  /** Tasks that still read the mapping keep it until they end. */
  close(): void;
}

/**
 * An empty file, open for reading and writing, which the caller syncs and closes. On Windows the
 * addon opens it by its path, elsewhere the path is for messages.
 */
export interface OutputFile {
  readonly descriptor: number;
  readonly path: string;
}

/**
 * Writes a segment file. The sections' memory is borrowed until the promise settles: do not
 * transfer their buffers or change them before.
 */
export function writeSegment(
  file: OutputFile,
  sections: { name: string; data: SectionArray }[],
  cancellation?: Cancellation,
): Promise<void>;

/**
 * An exclusive lock on a file (created if need be); throws ERR_CORPUS_LOCKED. The kernel releases
 * it with the process.
 */
export class FileLock {
  constructor(path: string);
  readonly locked: boolean;
  release(): void;
}

/**
 * CRC32C of bytes that follow others whose checksum is `before`; `portable` takes the path without
 * the processor's instruction.
 */
export function crc32c(bytes: Uint8Array, before?: number, portable?: boolean): number;

// ---- corpus_segments.cpp

/**
 * The sections clock.* and blocks.* for R rows. Times are UTC epoch milliseconds, NaN for none,
 * infinities for open ends; a row has both ends of its validity or neither. Row r's content times
 * are [contentOffset[r], contentOffset[r + 1]) of the content columns.
 */
export function packClocks(clocks: {
  published: Float64Array;
  validStart: Float64Array;
  validEnd: Float64Array;
  /** R + 1, ascending from 0. */
  contentOffset: Uint32Array;
  contentStart: Float64Array;
  contentEnd: Float64Array;
  /** Indexes into `granularities` of lib/time/interval.ts. */
  contentGranularity: Uint8Array;
}): Promise<{ name: string; data: SectionArray }[]>;

/** Type of the quantized panels stored in addition to the f32 vectors; f32: none. */
export type Storage = 'int8' | 'int4' | 'bf16' | 'f32';

/** The sections panels.* of R vectors of d components each, none for f32. Copies the vectors. */
export function packPanels(
  vectors: Float32Array,
  dimensions: number,
  storage: Storage,
  cancellation?: Cancellation,
): Promise<{ name: string; data: SectionArray }[]>;

/**
 * Which rows and passages of the sources become which of the merged segment: 0xffffffff where they
 * are dropped.
 */
export interface MergePlan {
  passages: number;
  multiSentence: number;
  rows: number;
  /** One array a source. */
  newRows: Uint32Array[];
  newPassages: Uint32Array[];
}

/**
 * The live passage of each id, 0xffffffff of one that the segment lacks; without `liveDocs` the
 * first, which is the oldest version.
 */
export function findPassages(
  segment: Segment,
  ids: readonly string[],
  liveDocs?: Uint8Array,
): Uint32Array;

/**
 * Plans a merge of segments of the corpus's schema: passages whose bit is set in `liveDocs` (null:
 * all), by ascending id; of equal ids in the order of the sources.
 */
export function planMerge(
  sources: { segment: Segment; liveDocs: Uint8Array | null }[],
  cancellation?: Cancellation,
): Promise<MergePlan>;

/**
 * Writes the merged segment; `sections` (postings) are added to those it makes itself, panels of
 * `storage` among them. Vectors stream, they are never all in memory.
 */
export function writeMerge(
  file: OutputFile,
  merge: {
    segments: Segment[];
    plan: MergePlan;
    sections: { name: string; data: SectionArray }[];
    storage: Storage;
  },
  cancellation?: Cancellation,
): Promise<void>;

// ---- flat.cpp

/**
 * Rows in memory, searched like a segment's: for rows made on the fly. Copies what it is given.
 * Times are UTC epoch ms, NaN for none.
 */
export class MemoryRows {
  constructor(rows: {
    /** P; rows [0, P) are passages. */
    passages: number;
    /** M: rows [0, M) are passages of several sentences, rows [P, R) their sentences. */
    multiSentence: number;
    /** d */
    dimensions: number;
    /** R * d */
    vectors: Float32Array;
    /** R passage numbers below P; its length says what R is. */
    rowPassage: Uint32Array;
    /** R instants. */
    published?: Float64Array;
    /** R intervals; infinities are open ends. */
    validStart?: Float64Array;
    validEnd?: Float64Array;
    /** R + 1: row r's content times are [contentOffset[r], contentOffset[r + 1]). */
    contentOffset?: Uint32Array;
    contentStart?: Float64Array;
    contentEnd?: Float64Array;
    /** Keep 64-bit milliseconds where fewer bits would do. */
    wide?: boolean;
    /** Columns of the passages' fields. */
    fields?: readonly FieldColumn[];
    /** The panels that are made of the vectors. Default 'f32': none. */
    storage?: Storage;
  });
  readonly isOpen: boolean;
  close(): void;
}

/** BM25's statistics of a scope of a collection, of which the segments hold a part. */
export interface CollectionColumns {
  rows: number;
  tokens: number;
  terms: readonly string[];
  /** Rows with each term; absent terms have none. */
  frequencies: Float64Array;
}

/**
 * A batch of queries as columns; lib/retrieval/flatScan.ts packs it. S segments, `count` queries,
 * clock codes 0 content, 1 published, 2 validity; relation codes 0 overlaps, 1 within, 2 contains.
 */
export interface FlatRequest {
  segments: readonly (Segment | MemoryRows)[];
  /**
   * One a segment: bit p % 8 of byte p >> 3 set where passage p is live, ceil(P / 8) bytes; or
   * the numbers of the live passages, whose cost is that of these few;
   * null for all.
   */
  liveDocs: readonly (Uint8Array | Uint32Array | null)[];
  /**
   * One a segment: the file whose vectors stand in for the segment's own (writeFusedVectors), null
   * for those; or null for none at all.
   */
  rowVectors: readonly (Segment | null)[] | null;
  count: number;
  dimensions: number;
  /** count * d; not read where no query has a vector. */
  vectors: Float32Array;
  /**
   * count; 0 where the query has no vector and every similarity is 0; 2 the same, and it finds only
   * rows whose lexical score is above 0 (not with a recency).
   */
  hasVector: Uint8Array;
  k: number;
  /** count: results of each query, at most k. */
  limits: Float64Array;
  /** 0 passages, 1 sentences, 2 all rows. */
  scope: 0 | 1 | 2;
  /** One result a passage: its best row. */
  pool: boolean;
  /** 0 the CPU; 1 the first CUDA device, which must be there. */
  device: 0 | 1;
  /**
   * 0 certified, 1 rescored, 2 raw: how much of the f32 vectors is read where segments have panels
   * (lib/retrieval/flatScan.ts).
   */
  exactness: 0 | 1 | 2;
  /** count each: relevance = semanticWeight * similarity + lexicalWeight * lexical. */
  semanticWeight: Float64Array;
  lexicalWeight: Float64Array;
  /**
   * count: the analysed terms of each query, empty for none, or null for none at all; k1 and b are
   * read with them. The lexical part is then BM25 over the scope, divided by its best over the rows
   * that the query may see; the result's `lexical` is BM25 itself. Segments only.
   */
  terms: readonly (readonly string[])[] | null;
  /**
   * Bitmaps of the passages that BM25's statistics count, one a segment; null for all. Absent: all.
   */
  countedDocs?: readonly (Uint8Array | null)[];
  k1: number;
  b: number;
  collection?: CollectionColumns | null;
  /** count: what BM25 is divided by where it is not its best over these rows; or 0. */
  maxLexical: Float64Array;
  /**
   * Instead of terms: count * S, query-major: a score for each of the segment's R rows, or null for
   * zeros; or null for none at all. Copied.
   */
  lexical: readonly (Float32Array | null)[] | null;
  /** count: rows published later are hidden; Infinity hides none. */
  publishedUntil: Float64Array;
  /** count: 0 none, else 1 + 3 * clock + relation. */
  windowKind: Uint8Array;
  /** 2 * count: [start, end) each. */
  window: Float64Array;
  /** count: 0 none, else a kind, counted from 1 as in `forms` (lib/time/temporalForms.ts). */
  formKind: Uint8Array;
  /**
   * 50 * count: 0 for a product or 1 for a sum; the clock (3: validity, or content of rows without
   * it, 4: or publication); the weight of a sum; 1 with the means and deviations of relevance and
   * recency where they are not those of the rows, or five zeros; then the numbers of the kind.
   */
  form: Float64Array;
}

/**
 * Query q's results are entries [offsets[q], offsets[q + 1]), by score descending, then segment,
 * passage and row ascending: the best k, and after them rows of other segments whose score equals
 * the k-th, for the caller to break ties by id. Rows whose score is NaN are excluded.
 */
export interface FlatResult {
  offsets: Uint32Array;
  segment: Uint32Array;
  row: Uint32Array;
  passage: Uint32Array;
  score: Float64Array;
  similarity: Float32Array;
  lexical: Float32Array;
  /** The c of a spline or decay; the standardised recency before its weight; NaN without a form. */
  temporal: Float64Array;
  /**
   * Which of the row's content times decided (an index in the row's own list); -1 where none did.
   */
  mention: Int32Array;
  /** One a query: rows in scope, and how many of them a mask or a bitmap hid. */
  rowsScanned: Float64Array;
  rowsMasked: Float64Array;
  /** One a query: the moments that a recency was standardised with; NaN without one. */
  relevanceMean: Float64Array;
  relevanceDeviation: Float64Array;
  recencyMean: Float64Array;
  recencyDeviation: Float64Array;
  /**
   * One a query: what was read first of most rows, 0 the f32 vectors, 1 bf16, 2 int8; 1 where the
   * result is that of the f32 vectors.
   */
  storage: Uint8Array;
  exact: Uint8Array;
  /**
   * One a query: rows that were scored by their f32 vectors after their panels had been read; 0
   * where all were scored so from the start.
   */
  rescored: Float64Array;
  /**
   * One a query: 1 where the device of the request scanned; 0 where the CPU did: queries without a
   * vector, of few passages or of over 4,096 results.
   */
  device: Uint8Array;
}

/**
 * The fused scan: exact over every row that is not hidden. Rejects with ERR_ABORTED once cancelled.
 */
export function searchFlat(request: FlatRequest, cancellation?: Cancellation): Promise<FlatResult>;
/**
 * The same over all of a few rows in memory, on the JS thread, with vectors only: count * d.
 * `numbers` are 2 + 55 * count, k, the exactness and then, each of all queries, publishedUntil,
 * windowKind, formKind, window (2) and form (50), as in FlatRequest. Returns the number of results
 * n and writes `output`, which has room for m = min(k, rows) * count of them: the rows, their
 * scores, similarities and temporal scores at 0, m, 2 m and 3 m, and from 4 m on, each of all
 * queries, the offsets of their results' ends, storage, rescored and exact.
 */
export function searchFlatSync(
  rows: MemoryRows,
  vectors: Float32Array,
  numbers: Float64Array,
  output: Float64Array,
): number;

// ---- text.cpp

/** The index terms of a text in order, with a blank between two of them. */
export function analyze(text: string): string;
/** UTF-16 offsets of the words that one of the terms stands for: starts and ends in turn. */
export function termSpans(text: string, terms: readonly string[]): Uint32Array;

// ---- timetag.cpp

/** The mentions of several texts, one after another: text i has the next `counts[i]` of them. */
export interface TaggedTimes {
  counts: Uint32Array;
  /** The mode that each text was read by: 1 news, 2 narrative, 3 question. */
  modes: Uint8Array;
  /** UTF-16 offsets into their text, half-open. */
  starts: Uint32Array;
  ends: Uint32Array;
  /** UTC epoch milliseconds, half-open; NaN where a mention has no interval. */
  intervalStarts: Float64Array;
  intervalEnds: Float64Array;
  /** Indexes into `granularities` of lib/time/interval.ts. */
  granularities: Uint8Array;
  /** 0 is none; n is `relations[n - 1]` of lib/time/constraint.ts. */
  relations: Uint8Array;
  confidences: Float32Array;
  /** 1 where a mention says its offset from UTC, so that its interval is the same in all zones. */
  offsets: Uint8Array;
  /** Mention m has the next `timexCounts[m]`, at least one, of the TIMEX3 expressions below. */
  timexCounts: Uint32Array;
  timexStarts: Uint32Array;
  timexEnds: Uint32Array;
  /** Indexes into `timexTypes` of lib/time/mention.ts. */
  timexTypes: Uint8Array;
  /** The TIMEX3 values, each followed by a line feed. */
  timexValues: string;
}

/**
 * `references[i]` is what relative words of text i refer to, NaN for none; `mode` is 0 automatic, 1
 * news, 2 narrative, 3 question. For a few short texts.
 */
export function tagTimesSync(
  texts: readonly string[],
  references: Float64Array,
  mode: number,
): TaggedTimes;
/** The same off the JS thread, on the pool's threads. */
export function tagTimes(
  texts: readonly string[],
  references: Float64Array,
  mode: number,
  cancellation?: Cancellation,
): Promise<TaggedTimes>;

/**
 * The dates that each sentence tells of: for each sentence how many, then their indexes, of distinct
 * intervals, without those that only state when the passage was published (NaN: unknown).
 * `sentences`: starts and ends, in order; `mentions`: start, end, when its interval begins and ends,
 * and 1 for a day, five numbers each, in order.
 */
export function contentMentions(
  text: string,
  sentences: Uint32Array,
  mentions: Float64Array,
  published: number,
): Uint32Array;

/** Temporal signals of a query, dates aside: native/timetag/cues/cues.hpp. */
export interface QuerySignals {
  /** Starts and ends; those that come first prevail over others that they overlap. */
  spans: Uint32Array;
  /** 0 asking, 1 asking for a period, 2 event, 3 event in a sequence, 4 word. */
  kinds: Uint8Array;
  /** The sum of 1 asking for a length, 2 timeline, 4 ordering, 8 ongoing, 16 period. */
  cues: number;
}
export function querySignals(text: string): QuerySignals;

/** Which end of a state words name: 0 none, 1 its beginning ("joined"), 2 its end ("left"). */
export function courseOf(text: string): number;

// ---- question.cpp

/** Weights of the question reader and the table of wordpieces that it looks words up in. */
export interface QuestionReader {
  readonly questionReaderHandle: unique symbol;
}
/**
 * Dates of a question with their intervals, in order: native/question/dates.hpp. Columns that
 * TaggedTimes has are as there.
 */
export interface QuestionDates {
  starts: Uint32Array;
  ends: Uint32Array;
  /** With the words of their relation. */
  wordStarts: Uint32Array;
  wordEnds: Uint32Array;
  intervalStarts: Float64Array;
  intervalEnds: Float64Array;
  granularities: Uint8Array;
  relations: Uint8Array;
  offsets: Uint8Array;
  /** The edge of the period that is meant: 0 none, 1 its start, 2 its end. */
  edges: Uint8Array;
  /** The probability that it bounds the answer; of the dates of a list the highest. */
  bounds: Float32Array;
}
/** The words of an anchor as an event. */
export interface AnchorEvent {
  /** With the words of its relation. */
  start: number;
  end: number;
  /** Whether it is a name with a verb in the past: "X joined Y". */
  isClause: boolean;
  /** Whether its subject is a pronoun or missing. */
  lacksSubject: boolean;
  /** As `courseOf`. */
  course: number;
  /** The unit of the calendar that it is the time of: 0 none, 1 year, 2 month. */
  unit: number;
  /** "X's death" as "X died". */
  clause: string;
}
/** A question as it is read: native/question/reader.hpp. Offsets are UTF-16 units, half-open. */
export interface ReadQuestion {
  dates: QuestionDates;
  /** The best class of each output, in the order of `Output`. */
  best: Uint8Array;
  /** The probability of each of `best`. */
  confidences: Float32Array;
  /** The probability of each relation. */
  relations: Float32Array;
  /** The likeliest words of an anchor, whether or not there is one: start and end. */
  anchor: Uint32Array;
  event: AnchorEvent;
  /** Words of time, order and relation: start and end of each run. */
  removed: Uint32Array;
  /** What those say: the sum of 1 "today" or "tonight", 2 "earliest", 4 "last". */
  removedCues: number;
  /** The number among those words; 1 where there is none. */
  count: number;
  /**
   * The predicate: the sum of 1 a state, 2 in the past, 4 perfect, 8 future, 16 a prediction, 32
   * "all", 64 a question or clause.
   */
  predicate: number;
}
/** Both files are read once in a process. Blocks for about ten milliseconds the first time. */
export function openQuestionReader(model: string, encoder: string): QuestionReader;
/** `reference`: when it is asked, on the wall clock of its zone. */
export function readQuestion(reader: QuestionReader, text: string, reference: number): ReadQuestion;

// ---- facts.cpp: what the ranking by series reads of passages (native/facts). Sources of times, orders
// and kinds of answers are numbered as in native/statements/passage.hpp and question.hpp.

/** Numbers of words and of texts: their terms and lower-case forms. */
export interface LexiconHandle {
  readonly lexiconHandle: unique symbol;
}
/** A passage whose words have numbers of a lexicon. */
export interface PassageHandle {
  readonly passageHandle: unique symbol;
}
/** The candidates of a question. */
export interface PoolHandle {
  readonly poolHandle: unique symbol;
}
/** How their statements match the question. */
export interface MatchesHandle {
  readonly matchesHandle: unique symbol;
}
/**
 * Numbers go to words, and to their terms and forms in turn, in the order in which they come; the
 * encoder has their tokens and rarities.
 */
export function openLexicon(encoder: StaticEncoderHandle): LexiconHandle;
/** About how much memory it takes. */
export function lexiconBytes(lexicon: LexiconHandle): number;
/** A word by its number; `length` is that of what is written, in UTF-16 units. */
export function wordOf(
  lexicon: LexiconHandle,
  word: number,
): { term: string; low: string; capital: boolean; value: boolean; length: number };
/** Texts, terms and lower-case forms, by number. */
export function textsOf(lexicon: LexiconHandle, numbers: Uint32Array): string[];
/** The number of a term or a lower-case form; -1 where no word has it. */
export function numberOf(lexicon: LexiconHandle, text: string): number;
/** The words of a text; behind a compound its parts. */
export interface ReadWords {
  /** Index terms; '' of stop words. */
  terms: string[];
  lows: string[];
  /** UTF-16 offsets, half-open. */
  starts: Uint32Array;
  ends: Uint32Array;
  /** 1 of a capital, 2 of a value, 4 of the first word, 8 of a part of the compound before. */
  flags: Uint8Array;
}
export function readWords(text: string): ReadWords;
/** Whether only blanks, brackets or small words of names stand between two words of a name. */
export function joinsName(between: string): boolean;

/** When passages were published and hold, in milliseconds; NaN first without. */
export interface PassageClocks {
  publishedAt: Float64Array;
  /** The end of the day, or of the instant. */
  publishedUntil: Float64Array;
  /** -Infinity and Infinity of an open end. */
  validFrom: Float64Array;
  validTo: Float64Array;
}
/** Texts of passages and their sentences: those of passage i end at `sentenceEnds[i]`. */
export interface PassageSources {
  texts: string[];
  titles: string[];
  sentenceEnds: Uint32Array;
  /** Spans, start and end in turn, ascending. */
  sentences: Uint32Array;
  /** Of relative dates, on the wall clock; NaN without. */
  references: Float64Array;
  /** Milliseconds; NaN without. */
  publishedAt: Float64Array;
}
export interface PassageTexts extends PassageSources, PassageClocks {}
/**
 * Adds words that the lexicon lacks. `instantsOf`, where the wall clock is not UTC: of stretches on
 * the wall clock, start and end in turn, and whether each has an offset of its own and is an instant
 * already: start and end as instants, then on the wall clock.
 */
export function readPassages(
  lexicon: LexiconHandle,
  request: PassageTexts,
  instantsOf?: (stretches: Float64Array, hasOffset: Uint8Array) => Float64Array,
): PassageHandle[];
/**
 * Of passages of a segment what was packed of them, null of those without: the section lacks it, or
 * is of another version. Adds words that the lexicon lacks.
 */
export function unpackPassages(
  lexicon: LexiconHandle,
  segment: Segment,
  passages: Uint32Array,
  clocks: PassageClocks,
): (PassageHandle | null)[];
/** Passages that are indexed. */
export interface PassagesToIndex extends PassageSources {
  /** 1 of those to pack. */
  packed: Uint8Array;
  /** Whether sentences have rows, of passages of several. */
  sentenceRows: boolean;
}
/** Passages whose times and words were found. */
export interface BatchHandle {
  readonly batchHandle: unique symbol;
}
export interface TaggedPassages {
  batch: BatchHandle;
  /** As `instantsOf` of readPassages takes them. */
  stretches: Float64Array;
  hasOffset: Uint8Array;
}
export function tagPassages(
  request: PassagesToIndex,
  cancellation?: Cancellation,
): Promise<TaggedPassages>;
export interface IndexedColumns {
  /** Content times of rows: of each passage, then of those of its sentences that have rows. */
  timeEnds: Uint32Array;
  starts: Float64Array;
  ends: Float64Array;
  granularities: Uint8Array;
  /**
   * What was read of passages, without their clocks, as bytes that do not depend on a lexicon:
   * passage p is bytes [packedEnds[p - 1], packedEnds[p]).
   */
  packedEnds: Uint32Array;
  packed: Uint8Array;
}
/** `instants` where the wall clock is not UTC. */
export function readTagged(
  batch: BatchHandle,
  instants?: Float64Array,
  cancellation?: Cancellation,
): Promise<IndexedColumns>;
/** Keywords with equivalent spellings: those of keyword k end at `ends[k]`. */
export interface KeywordForms {
  forms: string[];
  ends: Uint32Array;
  weights: Float64Array;
  /** 1 of keywords that occur within words, too; of others words are those of the text. */
  anywhere: Uint8Array;
}
/**
 * Sums of the weights of the keywords that occur in passages, title and text. Places: of each
 * passage the index of its segment and its number there.
 */
export function passageKeywordScores(
  segments: readonly Segment[],
  places: { segment: Uint32Array; passage: Uint32Array },
  keywords: KeywordForms,
  cancellation?: Cancellation,
): Promise<Float64Array>;
/** The same of texts. */
export function keywordScores(texts: string[], keywords: KeywordForms): Float64Array;
/** Whether words before a time or a name say that it only serves to compare: "higher than in ". */
export function isComparison(before: string): boolean;
/** The passage with another stated validity, as in PassageClocks. */
export function withValidity(passage: PassageHandle, from: number, to: number): PassageHandle;
/** Content words of a text. */
export interface TextColumns {
  /** Numbers of the lexicon. */
  words: Uint32Array;
  /** UTF-16 offsets. */
  starts: Uint32Array;
  /** 1 of those that may go on with a name that the word before belongs to. */
  joins: Uint8Array;
}
export interface PassageColumns {
  text: TextColumns;
  title: TextColumns;
  /**
   * Seven numbers a statement: words from and to, times from and to, span start and end, kind: 1 of
   * a whole passage, 2 of a title, whose words and span are those of the title.
   */
  statements: Uint32Array;
  /**
   * Five numbers a time: start, end, until (NaN without), offset of its mention (-1 without), source
   * (and 8 of a range).
   */
  times: Float64Array;
  titleTimes: Float64Array;
}
export function passageColumns(passage: PassageHandle): PassageColumns;
/**
 * Numbers of texts: the terms of the passages, names that their titles open with, and lower-case
 * forms of words that their texts mostly write with a capital within sentences.
 */
export function vocabularyOf(
  lexicon: LexiconHandle,
  passages: PassageHandle[],
): { terms: Uint32Array; openers: Uint32Array; names: Uint32Array };
/**
 * Names of which `initials`, in small letters, are the first letters, but of those that are words
 * of a passage. Five numbers a name: place of the initials, place of the passage, 1 where it is in
 * the title, UTF-16 offsets.
 */
export function namesOfInitials(
  lexicon: LexiconHandle,
  passages: PassageHandle[],
  initials: string[],
): Uint32Array;

/** A question; places are those of its terms. */
export interface PlainQuestion {
  terms: string[];
  lows: string[];
  weights: Float64Array;
  rarities: Float64Array;
  /** 1 of a name, 2 of a value, 4 of the noun of "which". */
  flags: Uint8Array;
  nameEnds: Uint32Array;
  names: Uint32Array;
  /** Adjacent terms, two places each. */
  pairs: Uint32Array;
  /** Forms of the terms of a neighbour. */
  anchor: string[];
  /** '' without. */
  role: string;
  wanted: number;
  order: number;
}
export function openPool(
  lexicon: LexiconHandle,
  passages: PassageHandle[],
  question: PlainQuestion,
): PoolHandle;
/**
 * For `cosinesOfTokens`: `question`, the tokens of its words, and those of each statement with its
 * title. `weighed`: numbers of the texts whose inverse document frequencies `matchStatements` takes.
 */
export function poolTexts(
  pool: PoolHandle,
  question: Uint32Array,
): { ids: Uint32Array; ends: Uint32Array; weighed: Uint32Array };
/**
 * For `cosinesOfTokens`: the tokens of the question's terms, as given, then those of each distinct
 * word of the candidates.
 */
export function poolWords(
  pool: PoolHandle,
  ids: Uint32Array,
  ends: Uint32Array,
): { ids: Uint32Array; ends: Uint32Array };
/**
 * By candidate, how much of the question its words cover (native/facts/coverage.hpp). `cosines` of
 * the question's terms with the words of `poolWords`, row by row.
 */
export function coverageOf(
  pool: PoolHandle,
  termIdf: Float64Array,
  cosines: Float64Array,
): Float64Array;
/**
 * `idf` of `weighed`, `termIdf` of the question's terms, `scores` of the candidates by the first
 * stage, `cosines` of the statements. Columns, by match: candidate, number of its statement in the
 * passage, kind as in PassageColumns, bits of the question's first 30 terms.
 */
export function matchStatements(
  pool: PoolHandle,
  idf: Float64Array,
  termIdf: Float64Array,
  scores: Float64Array,
  cosines: Float64Array,
): {
  handle: MatchesHandle;
  candidate: Uint32Array;
  statement: Uint32Array;
  kind: Uint8Array;
  matched: Int32Array;
};
/** Once, before members are made. `measured`, by match: 1 of those that are compared; or empty. */
export function compareMatches(matches: MatchesHandle, measured: Uint8Array): void;
/** In the order of `featureNames`, those of time 0. */
export function featuresOf(matches: MatchesHandle, match: number): Float64Array;
/**
 * By match, the weighted share of terms that its statement or its title has. Forms of term t are
 * those from `ends[t - 1]` (0 of the first) to `ends[t]`.
 */
export function heldShares(
  matches: MatchesHandle,
  forms: string[],
  ends: Uint32Array,
  weights: Float64Array,
): Float64Array;
/** Numbers of texts that may vary within the series of a statement. */
export function varyingOf(
  matches: MatchesHandle,
  match: number,
): { values: Uint32Array; slots: Uint32Array };
/** Whether they have mostly, or exactly, the same terms, and the same words of the title. */
export function compareStatements(
  matches: MatchesHandle,
  one: number,
  other: number,
): { isRevision: boolean; hasSameTerms: boolean; hasSameSubject: boolean };
/** Whether a match has a title, values aside. */
export function hasSubject(matches: MatchesHandle, match: number): boolean;

/** What is asked of time. Windows are start and end, NaN for none; orders as of PlainQuestion. */
export interface PlainOrder {
  /** Of the operator as it is read. */
  hasOperator: boolean;
  operatorOrder: number;
  operatorWindow: Float64Array;
  isWhen: boolean;
  isPublished: boolean;
  isNow: boolean;
  isPast: boolean;
  askedAt: number;
  /** In force. */
  order: number;
  place: number;
  window: Float64Array;
  alternatives: Float64Array;
  named: Float64Array;
  held: Float64Array;
  isEvent: boolean;
}
/** Columns of MemberColumns (lib/facts/members/members.ts), and their times, five numbers each. */
export interface MembersOf {
  match: Int32Array;
  candidate: Int32Array;
  interpretation: Uint8Array;
  times: Float64Array;
  features: Float32Array;
  rank: Int32Array;
  ranked: Int32Array[];
  restatementEnds: Uint32Array;
  restatements: Uint32Array;
  restatementsSameSeries: Uint8Array;
  clockInputs: Float64Array;
  seriesInputs: Float64Array;
  /** Milliseconds that states of the likely series last at most. */
  longest: number;
}
/** `excluded`, by match: 1 of statements that are no members; or empty. */
export function membersOf(
  matches: MatchesHandle,
  asked: PlainOrder,
  excluded: Uint8Array,
): MembersOf;
/**
 * Whether a time (start, end, until, 1 of a range) holds in a window: 0 holds, 1 ended, 2 not yet,
 * 3 unknown (the table of lib/facts/members/holding.ts). `longest`: 0 where no length of its series
 * is known.
 */
export function holdingIn(
  time: Float64Array,
  window: Float64Array,
  isEvent: boolean,
  longest: number,
): number;

// ---- reading.cpp: the extractive reader (native/reading). Texts and arrays are copied when called.

/** What a question asks by, and the passages that are read for it, best first. */
export interface PassagesToRead extends PassageSources {
  /** Start and end of the day of publication, in turn; NaN without. */
  publishedDays: Float64Array;
  /**
   * Of passages off UTC, of each time in the title and the text: start and end as instants, then on
   * the wall clock. Those of a passage end at its place in `instantEnds`.
   */
  instants: Float64Array;
  instantEnds: Uint32Array;
  /** Stems of the question's content, `stems` of them, then of other forms of its verbs. */
  words: string[];
  /** Of each the place of its stem. */
  places: Uint32Array;
  stems: number;
  /** Stems of the whole question. */
  said: string[];
  /** The stretch that is asked for, and the one that nearness is measured of; or empty. */
  time: Float64Array;
  /** Whether the time is that of asking, as the question's tense says. */
  implied: boolean;
  asksDate: boolean;
  lists: boolean;
}
export interface ReadAnswer {
  text: string;
  sentence: string;
  passage: number;
  /** That `text` is the answer. */
  probability: number;
  /** What a list has, if the question asks for one. */
  items: string[];
}
/**
 * The span that is the likeliest answer, by weights of its features and of those of the answer;
 * undefined where there is no span.
 */
export function readAnswer(
  request: PassagesToRead,
  weights: Float64Array,
  answerWeights: Float64Array,
  cancellation?: Cancellation,
): Promise<ReadAnswer | undefined>;
/** Names of features, in the order of the weights. */
export function readerFeatures(): { ofSpans: string[]; ofAnswers: string[] };

// ---- cascade.cpp

/**
 * The columns of `MemberColumns` (lib/facts/members/members.ts), the weights that their inputs
 * have, and what counts besides. Columns are as long as `candidate`, `similarity` and `coverage` as
 * candidates there are, `features` of one row a member as wide as `featureWeights`.
 */
export interface CascadeRequest {
  place: number;
  features: Float32Array;
  candidate: Int32Array;
  interpretation: Uint8Array;
  rank: Int32Array;
  /** Two. */
  ranked: readonly Int32Array[];
  restatementEnds: Uint32Array;
  restatements: Uint32Array;
  restatementsSameSeries: Uint8Array;
  hasOperator: boolean;
  isLatest: boolean;
  starts: Float64Array;
  ends: Float64Array;
  clockInputs: Float64Array;
  seriesInputs: Float64Array;
  similarity: Float64Array;
  coverage: Float64Array;
  featureWeights: Float64Array;
  clockWeights: Float64Array;
  seriesWeights: Float64Array;
  relevanceLogOdds: number;
  relevanceSimilarity: number;
  relevanceCoverage: number;
  relativeShare: number;
  relativeShift: number;
  /** By member: the probability that its statement is right. Default 1. */
  credibility?: Float64Array | undefined;
  /** By candidate: log-odds that count for its members, and for its relevance alone. Default 0. */
  judged?: Float64Array | undefined;
}
/** What the scores are made of. */
export interface CascadeShares {
  /** By candidate: log-probability in the order of the series, of which `nothing` is the rest. */
  ordered: Float64Array;
  /** By candidate: log-probability by relevance alone. */
  relevance: Float64Array;
  /**
   * By candidate: the probability that its member began and ended before that of the first and is
   * of the same series, where the latest of all is asked for; else 0.
   */
  outdated: Float64Array;
}
/** The arrays share a buffer, which is not to be transferred. */
export interface CascadeResult extends CascadeShares {
  /** Log-odds of membership, by member. */
  logOdds: Float64Array;
  /** The same relative to the best of the question. */
  relative: Float64Array;
  /** The most likely of the members that are preferred to each; -1 without one. */
  preferred: Int32Array;
  /** The member that a restatement has its log-odds from; itself otherwise. */
  source: Int32Array;
  /** The member with the greatest log-odds; -1 without members. */
  best: number;
  /** By interpretation and candidate: its most likely member, -1 without one. */
  winners: readonly Int32Array[];
  /** By interpretation and candidate: log-probability in the series, prior included. */
  parts: readonly Float64Array[];
  /** Log-probability that the series has no member. */
  nothing: number;
  /** By member: log-odds that count for relevance alone, times aside where none is asked for. */
  evidence: Float64Array;
  /** By candidate: its most relevant member, -1 without one. */
  relevant: Int32Array;
  /** Probabilities of the content clock, and that the order of the series counts. */
  clock: number;
  series: number;
  /** By candidate: log-probability that it answers. */
  scores: Float64Array;
  /** By candidate: the member that gives it most of that, and 1 where as one of the series. */
  members: Int32Array;
  isOrdered: Uint8Array;
}
/** The probability of each candidate to answer (native/facts/cascade.hpp). */
export function cascade(request: CascadeRequest): CascadeResult;
/** By candidate: log-probability that it answers if the order counts with a probability. */
export function mixCascade(shares: CascadeShares, series: number): Float64Array;

// ---- lexical.cpp: BM25 over the rows of segments. Terms come from an analyser
// (lib/text/analyzer.ts); the sections are named lexical.*
// (native/index/lexical/postings_writer.hpp). Term statistics of a scope count hidden rows too,
// until a merge drops them.

/**
 * Rows [0, multiSentence) are passages of several sentences, [multiSentence, passages) passages of
 * one, [passages, rows) sentences.
 */
export interface RowParts {
  multiSentence: number;
  passages: number;
  rows: number;
}

/** Analysed rows. */
export interface PackedTermRows {
  /** Distinct terms in UTF-8, end to end. */
  termBytes: Uint8Array;
  /** terms + 1 offsets into termBytes. */
  termOffsets: Uint32Array;
  /** rows + 1 offsets into rowTerms. */
  rowOffsets: Uint32Array;
  /** Term number of each token. */
  rowTerms: Uint32Array;
}

/** Passages that are analysed, titles and sentences once each. */
export interface TermRowsHandle {
  readonly termRowsHandle: unique symbol;
}
export function openTermRows(): TermRowsHandle;
export function addTermRows(
  rows: TermRowsHandle,
  request: PassageSources,
  cancellation?: Cancellation,
): Promise<void>;
/**
 * Rows of the passages that were added, in a segment's order: whole ones, with the terms of the
 * title and of all sentences, then sentences with those of the title.
 */
export function packTermRows(
  rows: TermRowsHandle,
  passageOfRow: Uint32Array,
): Promise<PackedTermRows>;

/** Values of one field, of each passage: a number (NaN: none), or packed rows of keywords. */
export type FieldColumn = { numbers: Float64Array } | PackedTermRows;

/** The sections of the fields of a segment's passages, for writeSegment. */
export function packFields(
  fields: readonly FieldColumn[],
  passages: number,
): { name: string; data: SectionArray }[];

/**
 * A filter of passages: of a field by its number (-1 publication, -2 start and -3 end of validity,
 * open ends none), or of filters, at most 64 levels deep. `values` of numbers ascend.
 */
export type PassageFilter =
  | { kind: 'all' | 'any' | 'none'; of: PassageFilter[] }
  | { kind: 'keywords'; field: number; values: string[] }
  | { kind: 'numbers'; field: number; values: Float64Array }
  | { kind: 'range'; field: number; from: number; to: number }
  | { kind: 'exists'; field: number };

/** Bit p % 8 of byte p >> 3 is set if passage p passes. */
export function filterPassages(
  rows: Segment | MemoryRows,
  filter: PassageFilter,
  cancellation?: Cancellation,
): Promise<Uint8Array>;

/** A field of numbers, or a time, of each of some passages; NaN where it has none. */
export function fieldNumbers(
  rows: Segment | MemoryRows,
  field: number,
  passages: Uint32Array,
  cancellation?: Cancellation,
): Promise<Float64Array>;

/**
 * The values of a field of keywords that most passages have, at most `most`, the most frequent
 * first. `liveDocs` has a bitmap of the passages that count, or null for all, for each segment.
 */
export function countValues(
  segments: readonly Segment[],
  liveDocs: readonly (Uint8Array | null)[],
  field: number,
  most: number,
  cancellation?: Cancellation,
): Promise<{ values: string[]; counts: Float64Array }>;

/** The lexical sections of analysed rows, for writeSegment. */
export function buildPostings(
  request: PackedTermRows & { parts: RowParts },
  cancellation?: Cancellation,
): Promise<{ name: string; data: SectionArray }[]>;

/**
 * The sections of a merged segment, without analysing its text again. `newRows[r]` is the row of
 * the result that row r of the source becomes, 0xffffffff where it is dropped; every row of the
 * result comes from exactly one.
 */
export function mergePostings(
  sources: { segment: Segment; newRows: Uint32Array }[],
  parts: RowParts,
  cancellation?: Cancellation,
): Promise<{ name: string; data: SectionArray }[]>;

/** Parallel arrays; query q's results are [offsets[q], offsets[q + 1]). */
export interface LexicalResult {
  offsets: Uint32Array;
  /** Index in the request's segments. */
  segment: Uint32Array;
  row: Uint32Array;
  passage: Uint32Array;
  /** Sums of contributions, each rounded to a multiple of 2^-32: the same bits by whatever path. */
  score: Float64Array;
  /**
   * One a query: the highest score of a row that nothing hides, 0 where none matches; given for k =
   * 0 too.
   */
  maxScore: Float64Array;
}

/**
 * A batch of queries; lib/retrieval/lexicalSearch.ts packs it. Columns and codes are those of
 * FlatRequest.
 */
export interface LexicalRequest {
  segments: readonly Segment[];
  /**
   * One a segment: bit p % 8 of byte p >> 3 set where passage p is live, ceil(P / 8) bytes; or
   * the numbers of the live passages, whose cost is that of these few;
   * null for all.
   */
  liveDocs: readonly (Uint8Array | Uint32Array | null)[];
  /** One list a query; a term counts as often as it is repeated. At most 16,384 each. */
  terms: readonly (readonly string[])[];
  k: number;
  /** 0 passages, 1 sentences, 2 all rows. */
  scope: 0 | 1 | 2;
  /** One result a passage: its best row. */
  pool: boolean;
  /**
   * Bitmaps of the passages that BM25's statistics count, one a segment; null for all. Absent: all.
   */
  countedDocs?: readonly (Uint8Array | null)[];
  /** Finite, at least 0. */
  k1: number;
  /** 0 to 1. */
  b: number;
  collection?: CollectionColumns | null;
  publishedUntil: Float64Array;
  windowKind: Uint8Array;
  window: Float64Array;
  /**
   * Scores every posting instead of skipping: the same results, slower. For tests and benchmarks.
   */
  exhaustive?: boolean;
}

/**
 * Per query the best k rows that hold any of its terms, by Lucene's BM25, ordered by score
 * descending, then segment, passage and row ascending; after them the rows of other segments whose
 * score equals the k-th, for the caller to break ties by id.
 */
export function searchLexical(
  request: LexicalRequest,
  cancellation?: Cancellation,
): Promise<LexicalResult>;

/** How often rows of the segment hold terms, looked up in its postings. */
export interface TermCounts {
  /** Tokens of each row. */
  lengths: Uint32Array;
  /** rows * terms: count t of row r is counts[r * terms + t]. */
  counts: Uint32Array;
}
export function countTerms(
  segment: Segment,
  rows: Uint32Array,
  terms: readonly string[],
  cancellation?: Cancellation,
): Promise<TermCounts>;

/**
 * Rows of the segment that hold each of the terms, two numbers a term: passages of several
 * sentences, and sentences. 0 of a term that it lacks. Of the passages of a bitmap; default: all.
 */
export function documentFrequencies(
  segment: Segment,
  terms: readonly string[],
  countedDocs?: Uint8Array,
): Uint32Array;

/**
 * Numbers of rows of passages of several sentences, of those of one and of sentences in the former,
 * then the terms of each. Of the passages of a bitmap; default: all.
 */
export function rowCounts(segment: Segment, countedDocs?: Uint8Array): Float64Array;

/**
 * The row of each of the passages as a whole, and the rows [from, to) of its sentences, three numbers
 * a passage; no sentences of a passage that is one.
 */
export function rowsOfPassages(segment: Segment, passages: Uint32Array): Uint32Array;
/**
 * When the passage of each row was published, and from when to when it is valid, three numbers a
 * row; NaN without, infinite where an end is open.
 */
export function clocksOfRows(segment: Segment, rows: Uint32Array): Float64Array;

/**
 * BM25 of every row in scope for one query, R values a segment: 0 outside the scope and where no
 * term occurs. What searchFlat adds.
 */
export function scoreLexical(
  request: {
    segments: readonly Segment[];
    terms: readonly string[];
    scope: 0 | 1 | 2;
    k1: number;
    b: number;
  },
  cancellation?: Cancellation,
): Promise<Float32Array[]>;

// ---- static_encoder.cpp: the embedded encoder (native/encoder). Texts are copied when called.

/** A model that is open; encoders of one file share it. */
export interface StaticEncoderHandle {
  readonly staticEncoderHandle: unique symbol;
}
/**
 * Rejects with ERR_NOT_FOUND, or ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER, ERR_CORPUS_CORRUPT for a
 * file that is no whole model of this version.
 */
export function openStaticEncoder(path: string): Promise<StaticEncoderHandle>;
/** The JSON header of the model. */
export function staticEncoderHeader(encoder: StaticEncoderHandle): string;
/** out[i * d + j]: row i is the vector of texts[i], of length 1 or all zero. */
export function encodeTexts(
  encoder: StaticEncoderHandle,
  texts: string[],
  cancellation?: Cancellation,
): Promise<Float32Array>;
/** Ids of tokens of each word: `ids[i]` for i from `ends[w - 1]` (0 of the first) to `ends[w]`. */
export function tokenizeWords(
  encoder: StaticEncoderHandle,
  words: string[],
): { ids: Uint32Array; ends: Uint32Array };
/** How rare a word in small letters is in English: about 1 ("the") to 19; 18 of one that is no token. */
export function wordRarity(encoder: StaticEncoderHandle, word: string): number;
/**
 * Cosines of the first `asked` texts with each other one, row by row, to 1e-6; 0 of one
 * without a known token. Texts are lists of tokens, as `tokenizeWords` gives those of a word.
 */
export function cosinesOfTokens(
  encoder: StaticEncoderHandle,
  ids: Uint32Array,
  ends: Uint32Array,
  asked: number,
  cancellation?: Cancellation,
): Promise<Float64Array>;
// ---- time_encoder.cpp: Re3's time encoder (section 3.3). native/encoder/time_network.hpp has the
// equations and the order of the parameters.

/** The shape of a time encoder. */
export interface TimeNetwork {
  /** film is the paper's; concatenated, direct and absolute are what it is compared with. */
  kind: 'film' | 'concatenated' | 'direct' | 'absolute';
  /** Of the vectors that dates are fused into: 1 to 16384. */
  dimensions: number;
  /** Hidden units of the year's MLP; of no meaning to direct and absolute. */
  waves: number;
  /** Hidden units of MLP_proj (film), or components that are added to a vector (the others). */
  width: number;
  meanYear: number;
  /** Above 0. */
  deviationYear: number;
}
/**
 * Columns of dates, as CalendarParts has them: mask is the sum of 1 year, 2 month, 4 day, 8 day of
 * year, which counts only together with the other three.
 */
export interface TimeColumns {
  year: Int32Array;
  month: Uint8Array;
  day: Uint8Array;
  dayOfYear: Uint16Array;
  mask: Uint8Array;
}
/** Weights with their tables; may be used by several tasks at once. */
export interface TimeEncoderHandle {
  readonly timeEncoderHandle: unique symbol;
}
/** How many parameters a network has. */
export function timeParameterCount(network: TimeNetwork): number;
export function openTimeEncoder(
  network: TimeNetwork,
  parameters: Float32Array,
): Promise<TimeEncoderHandle>;
/**
 * Rows of length 1 of `dimensions` components (film) or `dimensions` + `width`. A row without a
 * known component, or that cannot be fused, comes back bit for bit (zeros added).
 */
export function fuseTimes(
  encoder: TimeEncoderHandle,
  vectors: Float32Array,
  dates: TimeColumns,
  cancellation?: Cancellation,
): Promise<Float32Array>;
// ---- fused_vectors.cpp: the vectors of a segment's rows fused with their times.

/**
 * The one time of each of a segment's rows: its first content time, narrowed by those that follow
 * inside it, as `timeTupleOf` has it.
 */
export function contentDates(segment: Segment, cancellation?: Cancellation): Promise<TimeColumns>;
/**
 * Writes the section vectors.f32 of the segment's rows fused with one date each, block by block,
 * and `sections`, as writeSegment does. Refuses an encoder of other dimensions than the
 * segment's, and another count of dates than it has rows.
 */
export function writeFusedVectors(
  file: OutputFile,
  fusion: {
    segment: Segment;
    encoder: TimeEncoderHandle;
    dates: TimeColumns;
    sections: { name: string; data: SectionArray }[];
  },
  cancellation?: Cancellation,
): Promise<void>;

// ---- training.cpp: native/training. Arrays are copied when called. Numbers of rows and of
// triplets count from 0.

/** Rows of one encoder, gathered piece by piece. */
export interface TrainingRowsHandle {
  readonly trainingRowsHandle: unique symbol;
}
/**
 * A training at some step. One task at a time: everything else throws until its promise has
 * settled.
 */
export interface TrainingHandle {
  readonly trainingHandle: unique symbol;
}
export function trainingRows(dimensions: number): TrainingRowsHandle;
/**
 * Adds whole rows and gives how many there are; refused once a training has been started over them.
 */
export function appendTrainingRows(rows: TrainingRowsHandle, vectors: Float32Array): number;

/** The course of a training, whatever it trains. */
export interface TrainingSchedule {
  /**
   * Sizes of the groups that batches interleave, from example 0 on; examples after them are never
   * trained on.
   */
  groups: Uint32Array;
  seed: number;
  /** Examples a step: triplets for an adapter; at most 4096 for a time encoder. */
  batch: number;
  steps: number;
  warmup: number;
  rate: number;
  decay: number;
}
/** What an adapter's training is; the four columns are as long as each other. */
export interface AdapterTrainingRequest extends TrainingSchedule {
  rank: number;
  /** One A and B for both sides, or one for questions and one for passages. */
  shared: boolean;
  question: Uint32Array;
  positive: Uint32Array;
  negative: Uint32Array;
  margin: Float32Array;
}
/**
 * A low-rank adapter's training (native/training/adapter.hpp has the equations and the layout of
 * its parameters).
 */
export function startAdapterTraining(
  rows: TrainingRowsHandle,
  request: AdapterTrainingRequest,
): TrainingHandle;
/** What a time encoder's training is; question, positive and negative are as long as each other. */
export interface TimeTrainingRequest extends TrainingSchedule {
  network: TimeNetwork;
  /** One for each row. */
  dates: TimeColumns;
  question: Uint32Array;
  positive: Uint32Array;
  /** A passage of another time, or 0xffffffff. */
  negative: Uint32Array;
  temperature: number;
  margin: number;
  /** lambda_hard and lambda_tw of equation 13. */
  hard: number;
  time: number;
  /**
   * Where steps are made: 0 the CPU, 1 the first CUDA device, opened by the first runTraining,
   * which rejects where there is none.
   */
  device: 0 | 1;
}
/** A time encoder's training (native/training/time_encoder.hpp has the equations). */
export function startTimeTraining(
  rows: TrainingRowsHandle,
  request: TimeTrainingRequest,
): TrainingHandle;
/**
 * Up to `steps` further steps; `step` is how many are done, `loss` the mean over the new ones.
 * Cancelled, it rejects between two steps and keeps the first.
 */
export function runTraining(
  training: TrainingHandle,
  steps: number,
  cancellation?: Cancellation,
): Promise<{ step: number; loss: number }>;
/** Frees what a device holds of it; its state stays, and further steps copy it there again. */
export function releaseTrainingMemory(training: TrainingHandle): void;
/** The mean loss of some examples and its gradient by the parameters. */
export function trainingGradient(
  training: TrainingHandle,
  examples: Uint32Array,
): Promise<{ loss: number; gradient: Float32Array }>;
/** Everything that a training is besides its request: parameters and AdamW's two moments. */
export interface TrainingState {
  step: number;
  parameters: Float32Array;
  first: Float32Array;
  second: Float32Array;
}
export function trainingState(training: TrainingHandle): TrainingState;
/**
 * Goes on from a state of a training with an equal request: the same bits as if it had never
 * stopped, at the same level.
 */
export function restoreTraining(training: TrainingHandle, state: TrainingState): void;
/** Rows with one side's adapter (A, then B transposed), brought to length one; zero rows stay. */
export function adaptVectors(
  vectors: Float32Array,
  adapter: Float32Array,
  dimensions: number,
  cancellation?: Cancellation,
): Promise<Float32Array>;
