// Batches over f32 rows with on-the-fly panels: results have the bits of single queries for all
// kinds of rows and queries.
import assert from 'node:assert/strict';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { FlatResult, MemoryRows } from '../../binding.js';
import { scanFlat, type ScanOptions, type ScanQuery } from '../../lib/retrieval/flatScan.js';
import { atEveryExtension, normals, random } from '../kernels/levels.js';

const dimensions = 70;
const [rows, passages, multiSentence] = [24 * 256 + 77, 3_000, 700];

type Kind = 'normal' | 'odd' | 'far from its integers' | 'alike';

/** 70 components, of which the first outweighs the others where integers are to say little. */
function vectorsOf(kind: Kind, count: number, seed: number): Float32Array {
  const made = normals(count * dimensions, seed);
  const next = random(seed);
  for (let row = 0; row < count; row += 1) {
    const own = made.subarray(row * dimensions, (row + 1) * dimensions);
    if (kind === 'far from its integers') own[0] = 400 + next();
    if (kind === 'alike' && row % 3 > 0)
      own.set(made.subarray((row % 3) * dimensions, ((row % 3) + 1) * dimensions));
    if (kind !== 'odd') continue;
    if (row % 50 === 0) own.fill(0);
    if (row % 71 === 0) own[row % dimensions] = [NaN, Infinity, -Infinity, 2 ** 61, 3e38][row % 5]!;
    if (row % 37 === 0) own.forEach((value, at) => (own[at] = value * 2 ** ((row % 90) - 60)));
  }
  return made;
}

function memory(kind: Kind, seed: number): MemoryRows {
  const passageOf = (row: number): number =>
    row < passages
      ? row
      : multiSentence +
        Math.floor(((row - passages) * (passages - multiSentence)) / (rows - passages));
  const rowPassage = Uint32Array.from({ length: rows }, (_, row) => passageOf(row));
  return new binding.MemoryRows({
    passages,
    multiSentence,
    dimensions,
    vectors: vectorsOf(kind, rows, seed),
    storage: 'f32',
    rowPassage,
  });
}

function part(result: FlatResult, q: number): unknown {
  const [from, to] = [result.offsets[q]!, result.offsets[q + 1]!];
  const columns = ['segment', 'row', 'passage', 'score', 'similarity'] as const;
  const { storage, exact, rescored } = result;
  return {
    columns: columns.map((column) => [...result[column].slice(from, to)]),
    reading: [storage[q], exact[q], rescored[q]],
  };
}

describe('a batch over f32 rows', () => {
  after(() => addon.setThreadCount(0));

  atEveryExtension(() => {
    for (const kind of ['normal', 'odd', 'far from its integers', 'alike'] as const) {
      it(`finds among rows that are ${kind} what each query finds alone`, async () => {
        const segments = [{ rows: memory(kind, 3) }, { rows: memory(kind, 4) }];
        const vectors = vectorsOf(kind === 'odd' ? 'normal' : kind, 40, 9);
        const queries: ScanQuery[] = Array.from({ length: 40 }, (_, q) => ({
          vector: vectors.slice(q * dimensions, (q + 1) * dimensions),
          semanticWeight: q % 9 === 8 ? -1 : 1 + q / 7,
        }));
        const forms: ScanOptions[] = [
          { k: 30 },
          { k: 30, pool: true },
          { k: 7, scope: 'sentences' },
          { k: 12, scope: 'passages' },
          { k: 3_000 },
        ];
        for (const options of forms) {
          for (const threads of [1, 2]) {
            addon.setThreadCount(threads);
            const batch = await scanFlat(segments, queries, options);
            for (const q of [0, 1, 8, 17, 39]) {
              assert.deepEqual(
                part(batch, q),
                part(await scanFlat(segments, [queries[q]!], options), 0),
                `query ${q}, ${JSON.stringify(options)}`,
              );
            }
          }
        }
        for (const { rows: each } of segments) each.close();
      });
    }
  });
});
