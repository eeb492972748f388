// Small corpora with rows, clocks and lexical sections for the tests of lexical retrieval, and the
// rows as plain data for oracles.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { packTermRows } from '../../lib/text/termRows.js';
import { removeFolder } from '../removeFolder.js';
import { writeSegmentFile } from '../segmentFiles.js';

/**
 * A passage: its sentences' tokens, its publication day (undefined: none) and its content days
 * [start, end).
 */
export interface TestPassage {
  sentences: string[][];
  published?: number;
  content?: [number, number];
  hidden?: boolean;
}

export interface TestRow {
  segment: number;
  row: number;
  passage: number;
  part: 0 | 1 | 2;
  tokens: string[];
  source: TestPassage;
}

export const day = 86_400_000;
const absent = -0x80000000;

/** Passages in the schema's row order: those of several sentences first. */
export function rowsOf(
  passages: TestPassage[],
  segment: number,
): {
  rows: TestRow[];
  parts: { multiSentence: number; passages: number; rows: number };
  ordered: TestPassage[];
} {
  const several = passages.filter((each) => each.sentences.length !== 1);
  const ordered = [...several, ...passages.filter((each) => each.sentences.length === 1)];
  const rows: TestRow[] = ordered.map((source, passage) => {
    const part = passage < several.length ? 0 : 1;
    return { segment, row: passage, passage, part, tokens: source.sentences.flat(), source };
  });
  several.forEach((source, passage) => {
    for (const tokens of source.sentences)
      rows.push({ segment, row: rows.length, passage, part: 2, tokens, source });
  });
  return {
    rows,
    parts: { multiSentence: several.length, passages: ordered.length, rows: rows.length },
    ordered,
  };
}

export class TestFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'asof-lexical-'));
  private made = 0;
  next(): string {
    return join(this.path, `${this.made++}.segment`);
  }
  remove(): void {
    removeFolder(this.path);
  }
}

export async function lexicalSections(
  rows: TestRow[],
  parts: { multiSentence: number; passages: number; rows: number },
) {
  return binding.buildPostings({ ...packTermRows(rows.map(({ tokens }) => tokens)), parts });
}

/** Writes a segment with the rows' clocks and the lexical sections given or built. */
export async function writeRows(
  path: string,
  rows: TestRow[],
  parts: { multiSentence: number; passages: number; rows: number },
  lexical?: Awaited<ReturnType<typeof lexicalSections>>,
) {
  const offsets = new Uint32Array(rows.length + 1);
  const starts: number[] = [];
  const ends: number[] = [];
  rows.forEach(({ source }, i) => {
    if (source.content) {
      starts.push(source.content[0]);
      ends.push(source.content[1]);
    }
    offsets[i + 1] = starts.length;
  });
  await writeSegmentFile(path, [
    {
      name: 'counts',
      data: BigUint64Array.from(
        [parts.passages, parts.multiSentence, parts.rows, starts.length, 0, 256, 0, 0],
        BigInt,
      ),
    },
    { name: 'vectors.f32', data: new Float32Array(0) },
    { name: 'rows.passage', data: Uint32Array.from(rows, (row) => row.passage) },
    { name: 'clock.encoding', data: Float64Array.of(day, 0, day, 0, day, 0) },
    {
      name: 'clock.published',
      data: Int32Array.from(rows, (row) => row.source.published ?? absent),
    },
    { name: 'clock.content_offset', data: offsets },
    { name: 'clock.content_start', data: Int32Array.from(starts) },
    { name: 'clock.content_end', data: Int32Array.from(ends) },
    ...(lexical ?? (await lexicalSections(rows, parts))),
  ]);
  return binding.Segment.open(path);
}

export function bitmap(ordered: TestPassage[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(ordered.length / 8));
  ordered.forEach((passage, p) => {
    if (!passage.hidden) bits[p >> 3]! |= 1 << (p & 7);
  });
  return bits;
}
