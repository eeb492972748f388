// Similarity of common words by the vectors of models/word-vectors.bin, a table keyed by index
// term. No names, no numbers, no grammar.
import { binding } from '../binding.js';
import { AsOfError, type ErrorCode } from '../errors.js';
import { lazily, type CacheRegistry, type CacheSpec } from '../runtime/cacheRegistry.js';
import { headerBytes, modelSections, readModelFile } from './modelFile.js';
import { installedFile } from '../runtime/installation.js';

const embedded = installedFile('models/word-vectors.bin');
const magic = 'ASOFWRD\0';
const version = 1;

export interface WordVectors {
  readonly id: string;
  readonly terms: number;
  has(term: string): boolean;
  /** Whether it has one of many. */
  hasAny(terms: readonly string[]): boolean;
  /** Cosine, -1 to 1, mostly above 0; undefined for a term outside the table. */
  similarity(term: string, other: string): number | undefined;
}

const embeddedTable: CacheSpec<() => Promise<WordVectors>> = {
  name: 'word vectors',
  create: () => lazily(readWordVectors),
};

/** The embedded table, read once per owner of caches. Errors: as readWordVectors. */
export const wordVectors = (caches: CacheRegistry): Promise<WordVectors> =>
  caches.get(embeddedTable)();

/**
 * The embedded table, or another file of its format (models/README.md).
 * @throws AsOfError ERR_NOT_FOUND; ERR_STORAGE; ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER or
 * ERR_CORPUS_CORRUPT for an invalid file
 */
export async function readWordVectors(path: string = embedded): Promise<WordVectors> {
  const file = await readModelFile(path, 'a table of word vectors');
  const { id, count, terms, scales, rows, dimensions } = sections(path, file);
  // Most questions ask for no similarity, nor for many terms.
  let numbers: Map<string, number> | undefined;
  const numberOf = (term: string): number | undefined => {
    numbers ??= new Map(
      terms
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((term, number) => [term, number]),
    );
    return numbers.get(term);
  };
  const cosine = (a: number, b: number): number => {
    let sum = 0;
    for (let j = 0; j < dimensions; j += 1)
      sum += rows[a * dimensions + j]! * rows[b * dimensions + j]!;
    return Math.max(-1, Math.min(1, sum * scales[a]! * scales[b]!));
  };
  return {
    id,
    terms: count,
    has: (term) => hasLine(terms, term),
    hasAny: (sought) => sought.some((term) => numberOf(term) !== undefined),
    similarity(term, other) {
      const [a, b] = [numberOf(term), numberOf(other)];
      return a === undefined || b === undefined ? undefined : cosine(a, b);
    },
  };
}

/** Whether lines in ascending order have one, by halving: decoding all of them takes longer. */
function hasLine(lines: Buffer, line: string): boolean {
  const sought = Buffer.from(`${line}\n`);
  for (let [low, high] = [0, lines.length]; low < high; ) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : lines.lastIndexOf('\n', middle - 1) + 1;
    const end = Math.min(start + sought.length, lines.length);
    const order = lines.compare(sought, 0, sought.length, start, end);
    if (order === 0) return true;
    if (order > 0) high = start;
    else low = lines.indexOf('\n', middle) + 1;
  }
  return false;
}

interface Sections {
  id: string;
  count: number;
  /** In ascending order, each ended by a line feed. */
  terms: Buffer;
  dimensions: number;
  scales: Float32Array;
  rows: Int8Array;
}

/** Sections of the file (layout: models/README.md). */
function sections(path: string, file: Buffer): Sections {
  const remedy = 'Install the package again, or build the table (models/README.md).';
  const wrong = (code: ErrorCode, what: string): AsOfError =>
    new AsOfError(
      code,
      `Expected ${path} to be a table of word vectors, received ${what}. ${remedy}`,
    );
  if (file.toString('latin1', 0, magic.length) !== magic)
    throw wrong('ERR_CORPUS_FOREIGN', 'another kind of file');
  if (file.length < headerBytes) throw wrong('ERR_CORPUS_CORRUPT', `${file.length} bytes`);
  if (file.readUInt32LE(8) > version)
    throw wrong('ERR_CORPUS_NEWER', `one of version ${file.readUInt32LE(8)}`);
  if (file.readBigUInt64LE(16) !== BigInt(file.length))
    throw wrong('ERR_CORPUS_CORRUPT', `${file.length} bytes of ${file.readBigUInt64LE(16)}`);
  if (binding.crc32c(file.subarray(16)) !== file.readUInt32LE(12))
    throw wrong('ERR_CORPUS_CORRUPT', 'bytes that do not fit their checksum');
  const {
    counts: [count, dimensions, headerLength, termsLength],
    next,
  } = modelSections(file);
  const header = JSON.parse(next(headerLength).toString()) as { id: string };
  const terms = next(termsLength);
  // Copies: sections are aligned in the file, but not in Node's buffer.
  const scales = new Float32Array(new Uint8Array(next(4 * count)).buffer);
  const rows = new Int8Array(new Uint8Array(next(count * dimensions)).buffer);
  return { id: header.id, count, terms, dimensions, scales, rows };
}
