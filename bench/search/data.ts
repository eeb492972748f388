// The vectors that searches are compared on: random and clustered ones made of a seed, and those of
// a corpus of TimeQA's passages by the embedded encoder or another. Files of plain float32 below a
// work folder, so that every contender reads the same bytes; the best rows of some queries next to
// them, by sums in float64. It normalises everything and times nothing.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { encodeTexts } from '../../lib/vectors/encoder.js';
import { onnxEncoder } from '../../lib/models/index.js';
import { Corpus, staticEncoder, type Encoder } from '../../lib/index.js';
import { makeSet, openSet, queriesOf } from '../quality/sets/sets.js';

export interface DataSet {
  /** "random 200000 x 384": names its folder too. */
  name: string;
  /** n */
  rows: number;
  /** d */
  dimensions: number;
  queries: number;
  rowFile: string;
  queryFile: string;
  /** Exact best rows of the first queries. */
  truth: { rows: number[]; scores: number[] }[];
}

/**
 * Kinds of made vectors, and TimeQA's passages and sentences by the embedded encoder or by an ONNX
 * model.
 */
export const kinds = ['random', 'clustered', 'timeqa', 'minilm'] as const;
export type Kind = (typeof kinds)[number];

const queryCount = 512;
const truthDepth = 100;
const clusterRows = 1000; // rows a cluster has, about
/** Distance of a row from its centre, relative to the centre; neighbours have a cosine of 0.55. */
const spread = 0.9;

/**
 * A stream of numbers that are bell-shaped about 0 with deviation 1: four bytes of a 32-bit
 * generator, added.
 */
class Bell {
  constructor(private state: number) {}
  next32(): number {
    this.state = (this.state + 0x9e3779b9) | 0; // splitmix, 32 bits
    let z = this.state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  }
  next(): number {
    const bits = this.next32();
    return (
      ((bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24) - 510) / 147.8
    );
  }
}

function normalise(rows: Float32Array, d: number): void {
  for (let at = 0; at < rows.length; at += d) {
    let squares = 0;
    for (let c = at; c < at + d; c += 1) squares += rows[c]! ** 2;
    const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let c = at; c < at + d; c += 1) rows[c]! *= factor;
  }
}

/** Gives matrices of a few thousand rows, one at a time, until there are `count`. */
function* made(
  kind: 'random' | 'clustered',
  count: number,
  d: number,
  seed: number,
  rows: number,
): Generator<Float32Array> {
  const bell = new Bell(seed);
  const centreCount = Math.max(1, Math.round(rows / clusterRows));
  const centreBell = new Bell(77);
  const centres =
    kind === 'clustered'
      ? Float32Array.from({ length: centreCount * d }, () => centreBell.next())
      : undefined;
  for (let done = 0; done < count; ) {
    const some = Math.min(4096, count - done);
    const chunk = new Float32Array(some * d);
    for (let row = 0; row < some; row += 1) {
      const centre = centres ? (bell.next32() % centreCount) * d : 0;
      for (let c = 0; c < d; c += 1)
        chunk[row * d + c] = centres ? centres[centre + c]! + spread * bell.next() : bell.next();
    }
    normalise(chunk, d);
    yield chunk;
    done += some;
  }
}

function writeMatrices(file: string, matrices: Iterable<Float32Array>): void {
  const handle = openSync(`${file}.part`, 'w');
  for (const each of matrices)
    for (let done = 0; done < each.byteLength; )
      done += writeSync(
        handle,
        new Uint8Array(
          each.buffer,
          each.byteOffset + done,
          Math.min(each.byteLength - done, 2 ** 28),
        ),
      );
  closeSync(handle);
  renameSync(`${file}.part`, file);
}

/**
 * Makes a data set below `work`, or opens an existing one. `model` is the folder of an ONNX
 * encoder, for 'minilm'.
 */
export async function dataSet(
  work: string,
  kind: Kind,
  rows: number,
  dimensions: number,
  model?: string,
): Promise<DataSet> {
  if (kind === 'random' || kind === 'clustered') {
    return finished(work, `${kind} ${rows} x ${dimensions}`, dimensions, (folder) => {
      writeMatrices(join(folder, 'rows.f32'), made(kind, rows, dimensions, 1, rows));
      writeMatrices(join(folder, 'queries.f32'), made(kind, queryCount, dimensions, 2, rows));
    });
  }
  if (kind === 'minilm' && !model)
    throw new Error('not run (--model FOLDER of an ONNX encoder was not given)');
  const given = kind === 'minilm' ? await onnxEncoder({ path: model! }) : undefined;
  try {
    const ownDimensions = (given ?? (await staticEncoder())).dimensions;
    return await finished(work, `${kind} ${ownDimensions}`, ownDimensions, (folder) =>
      takeTimeqa(work, folder, given),
    );
  } finally {
    await given?.close();
  }
}

/** The rows of a corpus that is there, with TimeQA's questions. */
export async function corpusData(work: string, path: string): Promise<DataSet> {
  const corpus = await Corpus.open(path, { readOnly: true });
  const name = `${basename(path)} of ${corpus.info().rows}`;
  return finished(work, name, corpus.encoder.dimensions, (folder) =>
    takeRows(corpus, makeSet(work, 'timeqa'), folder),
  );
}

async function takeTimeqa(work: string, folder: string, given: Encoder | undefined): Promise<void> {
  const { corpus, folder: set } = await openSet(work, 'timeqa', given ? { encoder: given } : {});
  await takeRows(corpus, set, folder);
}

/**
 * Every row of the corpus, passages and their sentences, in the order of its segments; and
 * questions.
 */
async function takeRows(corpus: Corpus, set: string, folder: string): Promise<void> {
  try {
    using snapshot = corpus.snapshot();
    writeMatrices(
      join(folder, 'rows.f32'),
      snapshot.segments.map(({ segment }) => segment.read('vectors.f32') as Float32Array),
    );
    const questions = queriesOf(set, 'queries-hard')
      .slice(0, queryCount)
      .map(({ text }) => text);
    writeMatrices(join(folder, 'queries.f32'), [
      await encodeTexts(corpus.encoder, questions, { kind: 'query' }),
    ]);
  } finally {
    await corpus.close();
  }
}

async function finished(
  work: string,
  name: string,
  dimensions: number,
  make: (folder: string) => void | Promise<void>,
): Promise<DataSet> {
  const folder = join(work, 'data', name.replaceAll(' ', '-'));
  mkdirSync(folder, { recursive: true });
  const [rowFile, queryFile, truthFile] = ['rows.f32', 'queries.f32', 'truth.json'].map((file) =>
    join(folder, file),
  ) as [string, string, string];
  if (!existsSync(rowFile) || !existsSync(queryFile)) await make(folder);
  const rows = statSync(rowFile).size / 4 / dimensions;
  const queries = statSync(queryFile).size / 4 / dimensions;
  if (!existsSync(truthFile))
    writeFileSync(truthFile, JSON.stringify(truthOf(rowFile, queryFile, rows, dimensions)));
  const truth = JSON.parse(readFileSync(truthFile, 'utf8')) as DataSet['truth'];
  return { name, rows, dimensions, queries, rowFile, queryFile, truth };
}

/** How many queries are checked: a float64 loop takes half a second a query and million rows. */
export const checkedQueries = 8;

function truthOf(rowFile: string, queryFile: string, rows: number, d: number): DataSet['truth'] {
  const queries = readRows(queryFile, 0, checkedQueries, d);
  const scores = Array.from({ length: checkedQueries }, () => new Float64Array(rows));
  for (let first = 0; first < rows; first += 4096) {
    const chunk = readRows(rowFile, first, Math.min(4096, rows - first), d);
    for (let row = 0; row * d < chunk.length; row += 1) {
      for (let q = 0; q < checkedQueries; q += 1)
        scores[q]![first + row] = inner(queries, q * d, chunk, row * d, d);
    }
  }
  return scores.map((each) => {
    const depth = Math.min(truthDepth, rows);
    const least = each.slice().sort()[rows - depth]!;
    const best: number[] = [];
    each.forEach((score, row) => void (score >= least && best.push(row)));
    best.sort((a, b) => each[b]! - each[a]! || a - b);
    return { rows: best.slice(0, depth), scores: best.slice(0, depth).map((row) => each[row]!) };
  });
}

export function inner(
  a: Float32Array,
  from: number,
  b: Float32Array,
  other: number,
  d: number,
): number {
  let sum = 0;
  for (let c = 0; c < d; c += 1) sum += a[from + c]! * b[other + c]!;
  return sum;
}

/** Some rows of a file of float32. */
export function readRows(file: string, first: number, count: number, d: number): Float32Array {
  const rows = new Float32Array(count * d);
  const bytes = new Uint8Array(rows.buffer);
  const handle = openSync(file, 'r');
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(
      handle,
      bytes,
      done,
      Math.min(bytes.length - done, 1 << 28),
      first * d * 4 + done,
    );
    if (read === 0)
      throw new Error(`Expected ${count} rows of ${d} from row ${first} in ${file}, found fewer.`);
    done += read;
  }
  closeSync(handle);
  return rows;
}
