// Rows of the study: real passages of JSON-lines files, laid out, tagged, analysed and encoded as a
// corpus does it. More rows than there are come from copies, whose vectors are perturbed and whose
// times are shifted. Publication and validity are invented.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync } from 'node:zlib';
import type { StoredPassage } from '../../../lib/records.js';
import { contentTimes } from '../../../lib/store/writing/contentTimes.js';
import { clockColumns, layOutRows } from '../../../lib/store/writing/rows.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { encodeTexts } from '../../../lib/vectors/encoder.js';
import { staticEncoder } from '../../../lib/vectors/staticEncoder.js';

export interface StudyRows {
  rows: number;
  dimensions: number;
  passages: StoredPassage[];
  rowPassage: Uint32Array;
  /** 0 a passage of several sentences, 1 of one, 2 a sentence. */
  part: Uint8Array;
  published: Float64Array;
  validStart: Float64Array;
  validEnd: Float64Array;
  contentOffset: Uint32Array;
  contentStart: Float64Array;
  contentEnd: Float64Array;
  vectors: Float32Array;
  /** Distinct terms of each row with their counts, and tokens. */
  terms: string[][];
  counts: Uint16Array[];
  lengths: Uint32Array;
  /** Seconds: layout and tagging, encoding, analysis. */
  seconds: Record<string, number>;
}

function jsonLines(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return jsonLines(path);
    const isText = /(corpus|passages|discussions|dev)\.jsonl(\.gz)?$/.test(name);
    if (!isText || /qa\.dev|dependence|timelines/.test(name)) return [];
    const bytes = readFileSync(path);
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n');
  });
}

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

function readPassages(folder: string): StoredPassage[] {
  const next = random(7);
  const passages: StoredPassage[] = [];
  for (const line of jsonLines(folder)) {
    const record = JSON.parse(line) as { title?: string; text?: string };
    if (!record.text) continue;
    // Long documents become passages of some eight sentences, as chunk() makes them.
    const pieces = record.text.match(/[\s\S]{1,1200}(?:[.\n]|$)/g) ?? [record.text];
    for (const text of pieces) {
      const publishedAt = Date.UTC(2000, 0, 1) + Math.floor(next() * 25 * 365 * 86_400) * 1000;
      const validity =
        next() < 0.2
          ? { validFrom: publishedAt, validTo: publishedAt + Math.floor(next() * 1e11) }
          : {};
      passages.push({
        id: `p${String(passages.length).padStart(7, '0')}`,
        ...(record.title ? { title: record.title } : {}),
        text,
        publishedAt,
        ...validity,
      });
    }
  }
  return passages;
}

const now = (): number => performance.now() / 1000;

const analyzer = englishAnalyzer();
function analyze(text: string): { length: number; counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const all = analyzer.analyze(text);
  for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { length: all.length, counts };
}

/** Adds noise, to another vector of length 1. */
function perturb(vector: Float32Array, next: () => number): void {
  let sum = 0;
  for (let i = 0; i < vector.length; i += 1) {
    vector[i]! += (next() + next() + next() - 1.5) * 0.03;
    sum += vector[i]! ** 2;
  }
  for (let i = 0; i < vector.length; i += 1) vector[i]! /= Math.sqrt(sum);
}

async function build(folder: string, wanted: number): Promise<StudyRows> {
  const passages = readPassages(folder);
  let start = now();
  const rows = await layOutRows(passages, true);
  const contents = await contentTimes(rows, passages, undefined, undefined);
  const clocks = clockColumns(rows, passages, contents);
  const seconds: Record<string, number> = { times: now() - start };
  start = now();
  const encoder = await staticEncoder();
  const d = encoder.dimensions;
  const own = new Float32Array(rows.rows * d);
  for (let from = 0; from < rows.rows; from += 2048) {
    const texts = rows.texts.slice(from, from + 2048);
    own.set(await encodeTexts(encoder, texts, { kind: 'passage' }), from * d);
  }
  seconds['vectors'] = now() - start;
  start = now();
  const analyzed = rows.texts.map(analyze);
  seconds['terms'] = now() - start;
  const n = wanted;
  const next = random(11);
  const result: StudyRows = {
    rows: n,
    dimensions: d,
    passages,
    rowPassage: new Uint32Array(n),
    part: new Uint8Array(n),
    published: new Float64Array(n),
    validStart: new Float64Array(n),
    validEnd: new Float64Array(n),
    contentOffset: new Uint32Array(n + 1),
    contentStart: new Float64Array(0),
    contentEnd: new Float64Array(0),
    vectors: new Float32Array(n * d),
    terms: [],
    counts: [],
    lengths: new Uint32Array(n),
    seconds: Object.fromEntries(
      Object.entries(seconds).map(([name, each]) => [name, (each * n) / rows.rows]),
    ),
  };
  const starts: number[] = [];
  const ends: number[] = [];
  for (let row = 0; row < n; row += 1) {
    const copy = Math.floor(row / rows.rows);
    const from = row % rows.rows;
    const shift = copy * 30 * 86_400_000;
    result.rowPassage[row] = rows.rowPassage[from]! + copy * rows.passages;
    result.part[row] = from < rows.multiSentence ? 0 : from < rows.passages ? 1 : 2;
    result.published[row] = clocks.published[from]! + shift;
    result.validStart[row] = clocks.validStart[from]! + shift;
    result.validEnd[row] = clocks.validEnd[from]! + shift;
    for (let i = clocks.contentOffset[from]!; i < clocks.contentOffset[from + 1]!; i += 1) {
      starts.push(clocks.contentStart[i]! + shift);
      ends.push(clocks.contentEnd[i]! + shift);
    }
    result.contentOffset[row + 1] = starts.length;
    const vector = own.slice(from * d, from * d + d);
    if (copy > 0) perturb(vector, next);
    result.vectors.set(vector, row * d);
    const { length, counts } = analyzed[from]!;
    result.terms.push([...counts.keys()]);
    result.counts.push(Uint16Array.from(counts.values()));
    result.lengths[row] = length;
  }
  result.contentStart = Float64Array.from(starts);
  result.contentEnd = Float64Array.from(ends);
  return result;
}

/** The rows, built once a folder of passages and number. */
export async function studyRows(folder: string, n: number, cache: string): Promise<StudyRows> {
  const path = join(cache, `rows-${n}`);
  if (n <= 200_000 && existsSync(path)) return deserialize(readFileSync(path)) as StudyRows;
  const rows = await build(folder, n);
  mkdirSync(cache, { recursive: true });
  if (n <= 200_000) writeFileSync(path, serialize(rows));
  return rows;
}
