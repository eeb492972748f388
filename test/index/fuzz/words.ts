// What a fuzzed scan with terms must fulfil: to the bit it finds what a scan of f32 rows finds that
// is given BM25's scores of all rows, divided by their best. The case's rows get words for it, in
// stretches and of few scores, and are written as segments. Values that are not finite are
// omitted for additive forms, which would have no score at all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import { addon } from '../../addon.js';
import type { FlatResult, Segment, Storage } from '../../../binding.js';
import { scanFlat, type ScanOptions, type ScanQuery } from '../../../lib/retrieval/flatScan.js';
import { scoreLexical, searchLexical } from '../../../lib/retrieval/lexicalSearch.js';
import { packTermRows } from '../../../lib/text/termRows.js';
import type { OracleSegment } from '../../oracle/scan.js';
import { columnsOf, type Draw, drawOf, scanQuery, visibleOf } from '../flat.corpus.js';
import type { ScanCase } from './cases.js';
import { sameBits } from './checks.js';
import { writeSegmentFile } from '../../segmentFiles.js';

type WordedQuery = ScanQuery & { terms: string[]; lexicalWeight: number };

interface WordedSegment {
  rows: Segment;
  visible?: Uint8Array;
}

/**
 * The words of every row: one of few words in stretches of rows of which some have any, and others
 * that no question asks for.
 */
function drawWords(draw: Draw, { rows }: OracleSegment): string[][] {
  const [vocabulary, share, stretch] = [
    draw.pick([1, 2, 5, 40]),
    draw.pick([1, 0.5, 0.05, 0.004]),
    draw.pick([1, 1, 30, 300]),
  ];
  const alike = draw.chance(0.3); // rows of one length: many scores tie
  let worded = false;
  return rows.map((_, r) => {
    if (r % stretch === 0) worded = draw.chance(share);
    const queryTerms = Array.from(
      { length: worded ? (alike ? 1 : draw.integer(1, 4)) : 0 },
      () => `w${draw.integer(0, vocabulary - 1)}`,
    );
    return [
      ...queryTerms,
      ...Array.from({ length: alike ? 2 : draw.integer(0, 6) }, () => `x${draw.integer(0, 9)}`),
    ];
  });
}

/**
 * Questions of a batch often share their terms, and may be one question at several times. Words
 * that no row has are among them, and weights beyond what floats hold.
 */
function drawQueries(draw: Draw, given: ScanCase): WordedQuery[] {
  const word = (): string =>
    draw.chance(0.9) ? `w${draw.integer(0, 5)}` : draw.pick(['nowhere', 'x1', 'x2']);
  const questions = Array.from({ length: draw.pick([1, 1, 2]) }, () =>
    Array.from({ length: draw.integer(1, 4) }, word),
  );
  const weights = [
    [0.4, 0.6],
    [0.4, 0.6],
    [0.35, 0.05],
    [1, 0.01],
    [0.01, 1],
    [1, 0],
    [0, 1],
    [1, -0.5],
    [-1, 0.5],
    [1, 1e40],
    [1, 1e300],
    [1, 1e-300],
    [1e-11, 1],
    [1e11, 1e25],
  ] as const;
  const shared = draw.chance(0.7) ? draw.pick(weights) : undefined;
  const drawn = given.queries.map((query) => {
    const { lexical: _, ...plain } = scanQuery(query);
    const [semanticWeight, lexicalWeight] = shared ?? draw.pick(weights);
    return { ...plain, semanticWeight, lexicalWeight, terms: draw.pick(questions) };
  });
  const [{ vector, semanticWeight, lexicalWeight, terms } = drawn[0]!] = drawn;
  if (!vector || draw.chance(0.6)) return drawn;
  const { k } = given.options;
  return drawn.slice(0, draw.integer(1, 5)).map((query) => {
    const one = { ...query, vector, semanticWeight, lexicalWeight, terms };
    return draw.chance(0.5) ? { ...one, k: draw.integer(0, k) } : one;
  });
}

/** Whether checkWords has something to say of the case. */
export function suitsWords({ segments, queries, odd }: ScanCase): boolean {
  const rows = segments.reduce((sum, each) => sum + each.rows.length, 0);
  return rows > 0 && rows <= 8_000 && !(odd && queries.some(({ form }) => form.combine === 'sum'));
}

async function write(
  path: string,
  segment: OracleSegment,
  words: string[][],
  dimensions: number,
  storage: Storage,
): Promise<WordedSegment> {
  const { ids, multiSentence, rows } = segment;
  const { vectors, rowPassage, ...clocks } = columnsOf(segment);
  const contents = clocks.contentStart.length;
  await writeSegmentFile(path, [
    {
      name: 'counts',
      data: BigUint64Array.from(
        [ids.length, multiSentence, rows.length, contents, dimensions, 256, 0, 0],
        BigInt,
      ),
    },
    { name: 'rows.passage', data: rowPassage },
    { name: 'vectors.f32', data: vectors },
    ...(await binding.packClocks({ ...clocks, contentGranularity: new Uint8Array(contents) })),
    ...(await binding.buildPostings({
      ...packTermRows(words),
      parts: { multiSentence, passages: ids.length, rows: rows.length },
    })),
    ...(await binding.packPanels(vectors, dimensions, storage)),
  ]);
  const visible = visibleOf(segment);
  return { rows: binding.Segment.open(path), ...(visible ? { liveDocs: visible } : {}) };
}

/**
 * What the query finds alone with BM25 scored apart; undefined where its words weigh more than any
 * number.
 */
async function apart(
  segments: WordedSegment[],
  query: WordedQuery,
  options: ScanOptions,
): Promise<FlatResult | undefined> {
  const { terms, ...rest } = query;
  const best = (
    await searchLexical(segments, [{ terms, mask: rest.mask ?? {} }], { ...options, k: 0 })
  ).maxScore[0]!;
  if (!(best > 0)) return scanFlat(segments, [rest], options);
  const lexicalWeight = rest.lexicalWeight / best;
  if (!Number.isFinite(lexicalWeight)) return undefined;
  return scanFlat(
    segments,
    [{ ...rest, lexical: await scoreLexical(segments, terms, options), lexicalWeight }],
    options,
  );
}

export async function checkWords(given: ScanCase, seed: number, number: number): Promise<void> {
  const draw = drawOf(seed + 6, number + 2); // other numbers than the case's own
  const segments = given.segments.filter(({ rows }) => rows.length > 0);
  const words = segments.map((each) => drawWords(draw, each));
  const queries = drawQueries(draw, given);
  const { k, scope = 'all', pool = false } = given.options;
  const options = { k, scope, pool, k1: draw.pick([0.9, 0, 1.2, 1e30]), b: draw.pick([0.4, 0, 1]) };
  const folder = mkdtempSync(join(tmpdir(), 'asof-fuzz-words-'));
  const opened: WordedSegment[][] = [];
  try {
    addon.setThreadCount(given.threads);
    for (const [at, storages] of given.storages.entries()) {
      const path = (s: number): string => join(folder, `${at}-${s}.segment`);
      const written = segments.map((each, s) =>
        write(path(s), each, words[s]!, given.dimensions, storages[s % storages.length]!),
      );
      opened.push(await Promise.all(written));
    }
    const expected = await Promise.all(
      queries.slice(0, 8).map((query) => apart(opened[0]!, query, options)),
    );
    for (const [at, storages] of given.storages.entries()) {
      for (const batch of [queries, queries, queries.slice(0, 1)]) {
        const found = await scanFlat(opened[at]!, batch, options);
        for (const [q, own] of expected.slice(0, batch.length).entries()) {
          if (own)
            sameBits(
              found,
              q,
              own,
              `${storages.join(', ')}, by the words ${queries[q]!.terms.join(' ')}: query ${q} of ${batch.length}`,
            );
        }
      }
    }
  } finally {
    for (const { rows } of opened.flat()) rows.close();
    rmSync(folder, { recursive: true, force: true });
    addon.setThreadCount(0);
  }
}
