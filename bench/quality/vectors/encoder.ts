// nDCG@10 of the embedded encoder, of BM25 and of both together, against the teacher's, on
// Cranfield (relevance codes 1 to 4), nobel and timeqa easy. Plain ranking: no clock is read.
// usage: node --import tsx bench/quality/vectors/encoder.ts [--keep DIR] [--model FILE.bin]
// [--teacher CACHE] DIR: where the sets are made and kept. CACHE: the teacher's vectors, as
// models/train/evaluate.py writes them (SET-passages.npy, SET-queries.npy)
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import { scoreRun } from '../../../packages/evaluation/lib/measures/averages.js';
import { parseMetrics } from '../../../packages/evaluation/lib/measures/metricNames.js';
import { readQrels, type Qrels, type Run } from '../../../packages/evaluation/lib/files/trec.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { staticEncoder } from '../../../lib/vectors/staticEncoder.js';
import { lexicalIndex, packed } from '../retrieval/lexicalIndex.js';
import { makeSet, passagesOf, queriesOf, requireData, workFolder } from '../sets/sets.js';

interface Text {
  id: string;
  title?: string;
  text: string;
}
/** Scores of every passage, one list a query. */
type Scores = Float32Array[];

const option = (name: string): string | undefined =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
const joined = ({ title, text }: Text): string => (title ? `${title}. ${text}` : text);

/** The best 100 of each query, ties by position. */
function runOf(scores: Scores, passages: readonly Text[], queries: readonly Text[]): Run {
  return new Map(
    queries.map(({ id }, q) => {
      const values = scores[q]!;
      const least = Float32Array.from(values).sort()[Math.max(0, values.length - 100)]!;
      const rows = [...values.keys()]
        .filter((row) => values[row]! >= least)
        .sort((a, b) => values[b]! - values[a]! || a - b);
      return [
        id,
        rows
          .slice(0, 100)
          .map((row, rank) => ({ id: passages[row]!.id, score: values.length - rank })),
      ];
    }),
  );
}

function normalised(values: Float32Array): Float32Array {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return values.map((value) => (value - low) / (high - low || 1));
}

/** Both scores brought to [0, 1] per query over all passages, and added. */
const added = (a: Scores, b: Scores): Scores =>
  a.map((values, q) => {
    const other = normalised(b[q]!);
    return normalised(values).map((value, row) => value + other[row]!);
  });

/** Reciprocal rank fusion (60) over the best 100 of each. */
const reciprocal = (a: Scores, b: Scores): Scores =>
  a.map((values, q) => {
    const out = new Float32Array(values.length);
    for (const list of [values, b[q]!]) {
      const best = [...list.keys()].sort((x, y) => list[y]! - list[x]! || x - y).slice(0, 100);
      best.forEach((row, rank) => (out[row]! += 1 / (61 + rank)));
    }
    return out;
  });

async function similarities(
  queries: Float32Array,
  passages: Float32Array,
  d: number,
): Promise<Scores> {
  const all = await binding.innerProduct(queries, passages, d);
  const n = passages.length / d;
  return Array.from({ length: queries.length / d }, (_, q) => all.subarray(q * n, (q + 1) * n));
}

async function lexical(queries: readonly Text[], passages: readonly Text[]): Promise<Scores> {
  const analyzer = englishAnalyzer();
  const index = await lexicalIndex(packed(passages.map((each) => analyzer.analyze(joined(each)))));
  const scores: Scores = [];
  for (const { text } of queries) {
    scores.push(
      (
        await binding.scoreLexical({
          segments: [index.segment],
          terms: analyzer.analyze(text),
          scope: 0,
          k1: 0.9,
          b: 0.4,
        })
      )[0]!,
    );
  }
  index.close();
  return scores;
}

/** A little-endian f32 matrix of NumPy's format, version 1. */
function readNpy(path: string): { values: Float32Array; columns: number } {
  const file = readFileSync(path);
  const start = 10 + file.readUInt16LE(8);
  const head = file.toString('latin1', 10, start);
  const columns = Number(/'shape': \(\d+, (\d+)\)/.exec(head)?.[1]);
  if (!head.includes("'<f4'") || !head.includes("'fortran_order': False") || !(columns > 0))
    throw new Error(`${path} is no matrix of f32`);
  return { values: new Float32Array(new Uint8Array(file.subarray(start)).buffer), columns };
}

const encoder = await staticEncoder(
  option('--model') === undefined ? {} : { model: option('--model')! },
);
const totals = new Map<string, number[]>();

async function measure(
  name: string,
  passages: readonly Text[],
  allQueries: readonly Text[],
  qrels: Qrels,
): Promise<void> {
  const known = new Set(passages.map(({ id }) => id));
  const row = [...allQueries.keys()].filter((q) =>
    [...(qrels.get(allQueries[q]!.id) ?? [])].some(([id, grade]) => grade > 0 && known.has(id)),
  );
  const queries = row.map((q) => allQueries[q]!);
  const ndcg = (scores: Scores): number =>
    scoreRun(runOf(scores, passages, queries), qrels, parseMetrics('ndcg@10')).averages['ndcg@10']!
      .mean;
  const note = (what: string, scores: Scores): string => {
    const value = ndcg(scores);
    totals.set(what, [...(totals.get(what) ?? []), value]);
    return `${what} ${value.toFixed(4)}`;
  };
  const ours = await similarities(
    await encoder.encode(
      queries.map(({ text }) => text),
      { kind: 'query' },
    ),
    await encoder.encode(passages.map(joined), { kind: 'passage' }),
    encoder.dimensions,
  );
  const terms = await lexical(queries, passages);
  const cells = [
    note('ours', ours),
    note('bm25', terms),
    note('ours+bm25 sum', added(ours, terms)),
    note('ours+bm25 rrf', reciprocal(ours, terms)),
  ];
  const cache = option('--teacher');
  if (cache !== undefined) {
    const [p, q] = [
      readNpy(join(cache, `${name}-passages.npy`)),
      readNpy(join(cache, `${name}-queries.npy`)),
    ];
    const teacher = await similarities(q.values, p.values, p.columns);
    cells.unshift(note('teacher', teacher));
    cells.push(note('teacher+bm25 sum', added(teacher, terms)));
  }
  console.log(
    `${name.padEnd(12)}${cells.join('  ')}  (${queries.length} queries, ${passages.length} passages)`,
  );
}

console.log(
  `nDCG@10, encoder ${encoder.id}, BM25 k1 0.9 b 0.4${option('--teacher') === undefined ? '; teacher not run: give --teacher' : ''}`,
);
requireData();
const work = workFolder('sets', option('--keep'));
for (const [task, queries] of [
  ['cranfield', 'queries'],
  ['nobel', 'queries'],
  ['timeqa', 'queries-easy'],
] as const) {
  const folder = makeSet(work, task);
  const name = task === 'timeqa' ? 'timeqa-easy' : task;
  await measure(
    name,
    passagesOf(folder),
    queriesOf(folder, queries),
    await readQrels(join(folder, 'qrels.tsv')),
  );
}
console.log(
  `mean        ${[...totals].map(([what, values]) => `${what} ${(values.reduce((a, b) => a + b) / values.length).toFixed(4)}`).join('  ')}`,
);
