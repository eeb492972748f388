// The passages of a fuzzed case in a corpus on disk, a segment an add, some of them deleted:
// searchVectors finds what the oracle does, for every storage and batch size.
// Sentences, words and what is not finite are left to scans of rows in memory (checks.ts).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '../../../binding.js';
import { Corpus, searchVectors, type Encoder, type Passage } from '../../../lib/index.js';
import {
  scanOracle,
  type OracleQuery,
  type OracleRow,
  type OracleSegment,
} from '../../oracle/scan.js';
import { vectorTimes, type ScanCase } from './cases.js';
import { tolerance } from './checks.js';

/**
 * Passages as a corpus may hold them: of length 1, with texts that speak of no time; what holds
 * always says nothing of when.
 */
function storable({ passage, vector: given, published, validity }: OracleRow): OracleRow {
  const length = Math.hypot(...given);
  const vector = given.map((value) => (length > 0 ? Math.fround(value / length) : 0));
  const held =
    validity && (Number.isFinite(validity[0]) || Number.isFinite(validity[1]))
      ? validity
      : undefined;
  return {
    passage,
    vector,
    ...(published === undefined ? {} : { published }),
    ...(held ? { validity: held } : {}),
  };
}

/** A number in letters, which nobody reads as a year. */
const textOf = (at: number): string =>
  `Row ${[...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
const numberOf = (text: string): number =>
  Number([...text.slice('Row '.length)].map((letter) => 'abcdefghij'.indexOf(letter)).join(''));

function passageOf(id: string, at: number, { published, validity }: OracleRow): Passage {
  return {
    id,
    text: textOf(at),
    ...(published === undefined ? {} : { publishedAt: published }),
    ...(validity && Number.isFinite(validity[0]) ? { validFrom: validity[0] } : {}),
    ...(validity && Number.isFinite(validity[1]) ? { validTo: validity[1] } : {}),
  };
}

/** Whether checkCorpus has something to say of the case. */
export function suitsCorpus({ segments, queries, odd, dimensions, options }: ScanCase): boolean {
  const rows = segments.reduce((sum, { ids }) => sum + ids.length, 0);
  return (
    queries.every(({ vector }) => vector) &&
    !odd &&
    rows > 0 &&
    rows <= 3_000 &&
    rows * dimensions <= 300_000 &&
    options.k <= 1_000
  );
}

/** As a search scales its queries. */
function unit(vector: readonly number[]): number[] {
  const norm = Math.hypot(...vector);
  return [...Float32Array.from(vector, (value) => value / norm)];
}

export async function checkCorpus(given: ScanCase, number: number): Promise<void> {
  const storage = (['int8', 'int4', 'bf16', 'f32'] satisfies Storage[])[
    Math.floor(number / 4) % 4
  ]!;
  const segments = given.segments.map(
    (each): OracleSegment => ({ ...each, rows: each.rows.slice(0, each.ids.length).map(storable) }),
  );
  const all = segments.flatMap(({ ids, rows, visible }) =>
    rows.map((row, p) => ({ id: ids[p]!, row, shown: visible?.[p] ?? true })),
  );
  const vectors = all.map(({ row }) => row.vector);
  const encoder: Encoder = {
    id: 'rows',
    dimensions: given.dimensions,
    encode: async (texts) => Float32Array.from(texts.flatMap((text) => vectors[numberOf(text)]!)),
  };
  const folder = mkdtempSync(join(tmpdir(), 'asof-fuzz-'));
  try {
    await using corpus = await Corpus.open(join(folder, 'corpus'), { encoder, storage });
    for (let s = 0, at = 0; s < segments.length; s += 1) {
      const { ids, rows } = segments[s]!;
      await corpus.add(rows.map((row, p) => passageOf(ids[p]!, at + p, row)));
      at += ids.length;
    }
    await corpus.delete(all.filter(({ shown }) => !shown).map(({ id }) => id));
    if (number % 3 === 0) await corpus.compact();
    const { k } = given.options;
    const directed = given.queries.filter(({ vector }) => vector!.some((each) => each !== 0));
    if (directed.length === 0) return;
    const queries = directed.map(
      ({ vector, mask, form }): OracleQuery => ({
        vector: unit(vector!),
        form,
        ...(mask ? { mask } : {}),
        semanticWeight: 1,
        lexicalWeight: 0,
      }),
    );
    const queryVectors = Float32Array.from(queries.flatMap(({ vector }) => vector!));
    const found = await searchVectors(corpus, queryVectors, k, { each: queries.map(vectorTimes) });
    assert.equal(found.length, queries.length);
    for (let q = 0; q < found.length; q += Math.ceil(found.length / 8)) {
      const query = queries[q]!;
      // What was deleted is in no segment that was compacted, and hidden in the others: the oracle
      // scans as if it were not there.
      const there = segments.map((each) => ({
        ...each,
        visible: each.visible ?? each.ids.map(() => true),
      }));
      const { ranking } = scanOracle(there, query, { scope: 'passages', pool: false });
      const allowed = tolerance({ ...given, segments, whole: false }, query, ranking);
      const where = `corpus of ${storage}: query ${q}`;
      const hits = found[q]!;
      const scores = new Map(ranking.map(({ id, score }) => [id, score]));
      assert.equal(hits.length, Math.min(k, ranking.length), `${where}: results`);
      assert.equal(
        new Set(hits.map(({ id }) => id)).size,
        hits.length,
        `${where}: a passage twice`,
      );
      hits.forEach(({ id, score }, i) => {
        const wanted = ranking[i]!;
        const own = scores.get(id);
        assert.ok(
          own !== undefined && Math.abs(own - score) <= allowed,
          `${where}: ${id} scores ${own}, received ${score}`,
        );
        assert.ok(
          Math.abs(wanted.score - score) <= allowed,
          `${where}: place ${i} scores ${wanted.score}, received ${score}`,
        );
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
