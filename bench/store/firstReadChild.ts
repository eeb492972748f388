// Child of firstRead.ts over the code of TREE: `firstReadChild.ts TREE index|read FOLDER ROWS`
// makes a corpus of random vectors, or opens one and prints what its first and further reads take.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Encoder, Passage } from '../../lib/index.js';

/** Milliseconds, and the bytes of the segments. */
export interface FirstRead {
  bytes: number;
  firstSearch: number;
  /** Processor time, of all threads. */
  firstProcessor: number;
  /** Longest turn of the event loop during the first search. */
  held: number;
  furtherSearch: number;
  furtherProcessor: number;
  firstGet: number;
  furtherGet: number;
}

const dimensions = 384;
const [tree, mode, path, count] = process.argv.slice(2) as [string, string, string, string];
const rows = Number(count);
const load = <T>(file: string): Promise<T> =>
  import(pathToFileURL(join(tree, 'lib', file)).href) as Promise<T>;
const { Corpus } = await load<typeof import('../../lib/store/corpus.js')>('store/corpus.ts');
const { scanFlat } =
  await load<typeof import('../../lib/retrieval/flatScan.js')>('retrieval/flatScan.ts');

/** A random vector for each text, the same for the same text. */
function vectorsOf(texts: readonly string[]): Float32Array {
  const vectors = new Float32Array(texts.length * dimensions);
  texts.forEach((text, i) => {
    let state = 1;
    for (let at = 0; at < text.length; at += 1)
      state = (Math.imul(state, 31) + text.charCodeAt(at)) | 0;
    state ||= 1;
    const vector = vectors.subarray(i * dimensions, (i + 1) * dimensions);
    let squares = 0;
    for (let c = 0; c < dimensions; c += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      vector[c] = state / 2 ** 31;
      squares += vector[c]! ** 2;
    }
    const length = Math.sqrt(squares);
    for (let c = 0; c < dimensions; c += 1) vector[c]! /= length;
  });
  return vectors;
}

const encoder: Encoder = {
  id: 'random-384',
  dimensions,
  encode: (texts) => Promise.resolve(vectorsOf(texts)),
};

const idOf = (i: number): string => `station-${i}`;

function* passages(): Generator<Passage> {
  for (let i = 0; i < rows; i += 1)
    yield {
      id: idOf(i),
      text: `Station ${i % 5_000} of the ${i % 97} line had ${i % 1_013} visitors on ${1 + (i % 28)} May ${1950 + (i % 70)}.`,
    };
}

if (mode === 'index') {
  const corpus = await Corpus.open(path, { encoder });
  await corpus.add(passages(), { batchSize: 50_000 });
  await corpus.compact();
  await corpus.close();
} else {
  console.log(JSON.stringify(await read()));
}

async function read(): Promise<FirstRead> {
  const corpus = await Corpus.open(path, { encoder, readOnly: true });
  using snapshot = corpus.snapshot();
  const files = snapshot.segments.map(({ segment }) => segment);
  const bytes = files.reduce((sum, file) => sum + statSync(file.path).size, 0);
  let at = 0;
  const get = (): void => void corpus.get(idOf(Math.imul((at += 1), 7_919) % rows));
  const [firstGet] = [timed(get)];
  const furtherGet = median(Array.from({ length: 500 }, () => timed(get)));
  const queries = vectorsOf(Array.from({ length: 21 }, (_, i) => `question ${i}`));
  const search = async (i: number): Promise<[wall: number, processor: number]> => {
    const vector = queries.subarray(i * dimensions, (i + 1) * dimensions);
    const [from, used] = [performance.now(), process.cpuUsage()];
    await scanFlat(
      files.map((segment) => ({ rows: segment })),
      [{ vector, semanticWeight: 1, lexicalWeight: 0, form: { combine: 'none' } }],
      { k: 10 },
    );
    const { user, system } = process.cpuUsage(used);
    return [performance.now() - from, (user + system) / 1000];
  };
  await wait(20);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await wait(20);
  const [firstSearch, firstProcessor] = await search(0);
  await wait(5);
  delay.disable();
  const further: [wall: number, processor: number][] = [];
  for (let i = 1; i <= 20; i += 1) further.push(await search(i));
  const held = delay.max / 1e6;
  return {
    bytes,
    firstSearch,
    firstProcessor,
    held,
    furtherSearch: median(further.map(([wall]) => wall)),
    furtherProcessor: median(further.map(([, processor]) => processor)),
    firstGet,
    furtherGet,
  };
}

function timed(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
