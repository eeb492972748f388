// The contract of the native addon, written by hand and tested against its exports (test/boundary/contract.test.ts).
// Low level: meaning was checked in TypeScript before these are called. Layout convention of every matrix here and in
// native/: row-major, compact; component j of vector i is x[i * d + j].

// ---- process.cpp

/** The class that native errors are made of: called once by lib/binding.ts. */
export function setErrorClass(errorClass: new (code: never, message: string) => Error): void;
/** Threads that native work may use, the caller's included; default all cores, or ASOF_THREADS. */
export function threadCount(): number;
/** 0 restores the default. */
export function setThreadCount(count: number): void;

/** Cancels the tasks it was given to; they reject with ERR_ABORTED at the next tile. */
export class Cancellation {
  cancel(): void;
}

// ---- kernels.cpp: the kernel families as tasks. Arrays are copied when called; results are new arrays. NaN and infinities
// are values like others unless a family's contract (native/kernels/<family>/contract.hpp) says otherwise.

/** The instruction-set level in use: the best this machine runs, or the one that ASOF_ISA or setIsa names. */
export function isa(): string;
/** The levels this machine runs, worst first: "reference" (plain scalar code), then "x86-64-v2", "x86-64-v3", "x86-64-v4", or "neon". */
export function isaLevels(): string[];
/** Sets the level for work that starts from now on, in the whole process; '' restores the default. For tests and benchmarks. */
export function setIsa(name: string): void;

/** out[i * n + j] = inner product of query i and row j, for nq = queries.length / dimensions and n = rows.length / dimensions. */
export function innerProduct(queries: Float32Array, rows: Float32Array, dimensions: number, cancellation?: Cancellation): Promise<Float32Array>;

// ---- segments.cpp

/** Element types of sections: u64 and i64 are BigUint64Array and BigInt64Array. */
export type SectionArray =
  | Uint8Array | Int8Array | Uint16Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array | Float32Array | Float64Array;

export interface SectionInfo {
  name: string;
  element: 'u8' | 'i8' | 'u16' | 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64';
  /** Elements. */
  count: number;
  /** Of its first byte in the file. */
  offset: number;
  bytes: number;
}

/** An open segment file, memory-mapped. Everything but path, bytes, isOpen and close() throws ERR_CLOSED after close(). */
export class Segment {
  /** `Segment.open(path)`. Reads the header and the table only. */
  static open(path: string): Segment;
  constructor(path: string);
  readonly path: string;
  /** Length of the file. */
  readonly bytes: number;
  readonly isOpen: boolean;
  sections(): SectionInfo[];
  /** A copy of elements [from, from + count) of a section; by default all of it. */
  read(name: string, from?: number, count?: number): SectionArray;
  /** Compares every section's checksum; rejects with ERR_CORPUS_CORRUPT naming the section that differs. */
  verify(cancellation?: Cancellation): Promise<void>;
  /** Tasks that still read the mapping keep it until they end. */
  close(): void;
}

/**
 * Writes and fsyncs a new segment file; an existing one is refused. The sections' memory is borrowed until the promise
 * settles: do not transfer their buffers or change them before.
 */
export function writeSegment(path: string, sections: { name: string; data: SectionArray }[], cancellation?: Cancellation): Promise<void>;

/** An exclusive lock on a file (created if need be); throws ERR_CORPUS_LOCKED. The kernel releases it with the process. */
export class FileLock {
  constructor(path: string);
  readonly held: boolean;
  release(): void;
}

/** CRC32C of bytes that follow others whose checksum is `before`; `portable` takes the path without the processor's instruction. */
export function crc32c(bytes: Uint8Array, before?: number, portable?: boolean): number;
