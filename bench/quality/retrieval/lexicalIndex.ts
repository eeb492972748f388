// A segment of rows given as tokens, and bm25s over the same tokens: what the quality and speed
// comparisons of BM25 stand on. The rows are passages of one sentence without clocks; a corpus that
// is more than that is the store's work.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Segment } from '../../../binding.js';
import { binding } from '../../../lib/binding.js';
import { TermRows, type PackedTermRows } from '../../../lib/text/termRows.js';
import { writeSegmentFile } from '../../../test/segmentFiles.js';

export interface LexicalIndex {
  segment: Segment;
  buildSeconds: number;
  /** Of the lexical sections. */
  bytes: number;
  close(): void;
}

export function packed(rows: Iterable<readonly string[]>): PackedTermRows {
  const terms = new TermRows();
  for (const row of rows) terms.add(row);
  return terms.pack();
}

export async function lexicalIndex(rows: PackedTermRows): Promise<LexicalIndex> {
  const count = rows.rowOffsets.length - 1;
  const started = performance.now();
  const sections = await binding.buildPostings({
    ...rows,
    parts: { multiSentence: 0, passages: count, rows: count },
  });
  const buildSeconds = (performance.now() - started) / 1000;
  const folder = mkdtempSync(join(tmpdir(), 'asof-bm25-'));
  await writeSegmentFile(join(folder, 'rows.segment'), [
    { name: 'counts', data: BigUint64Array.from([count, 0, count, 0, 0, 256, 0, 0], BigInt) },
    { name: 'vectors.f32', data: new Float32Array(0) },
    { name: 'rows.passage', data: Uint32Array.from({ length: count }, (_, row) => row) },
    ...sections,
  ]);
  const segment = binding.Segment.open(join(folder, 'rows.segment'));
  const close = (): void => {
    segment.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    segment,
    buildSeconds,
    bytes: sections.reduce((sum, { data }) => sum + data.byteLength, 0),
    close,
  };
}

export interface PeerRequest {
  rows: readonly (readonly string[])[];
  queries: readonly (readonly string[])[];
  k1: number;
  b: number;
  k: number;
  all?: boolean;
  rounds?: number;
  backend?: 'numba';
}

export interface PeerAnswer {
  version: string;
  index_s: number;
  query_s: number[];
  top: [number, number][][];
  scores?: number[][];
}

/**
 * Runs bm25s in a virtual environment of its own (.cache/bm25s, made with python3 and pip at the
 * first call); undefined where that fails.
 */
export function bm25s(request: PeerRequest): PeerAnswer | undefined {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const environment = join(root, '.cache', 'bm25s');
  const python = join(environment, 'bin', 'python');
  const folder = mkdtempSync(join(tmpdir(), 'asof-bm25s-'));
  try {
    if (!existsSync(python))
      execFileSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
    const packages = ['bm25s==0.3.16', ...(request.backend ? ['numba'] : [])];
    execFileSync(
      python,
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    writeFileSync(join(folder, 'in.json'), JSON.stringify(request));
    execFileSync(
      python,
      [
        fileURLToPath(new URL('bm25s_peer.py', import.meta.url)),
        join(folder, 'in.json'),
        join(folder, 'out.json'),
      ],
      {
        stdio: 'inherit',
      },
    );
    return JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8')) as PeerAnswer;
  } catch (error) {
    console.log(
      `bm25s could not be run, its columns are omitted: ${(error as Error).message.split('\n')[0]}`,
    );
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
