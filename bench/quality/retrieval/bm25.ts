// BM25 against bm25s (method lucene) on Cranfield, same tokens on both sides: nDCG@10, largest
// difference of a score, agreement of ranks. Then hit and nDCG on the evaluation sets against the
// figures of a plain BM25. It asserts nothing: tests do. usage: node --import tsx
// bench/quality/retrieval/bm25.ts [--keep DIR]     DIR: where the sets are made and kept; a
// temporary folder otherwise
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { searchLexical } from '../../../lib/retrieval/lexicalSearch.js';
import { scoreRun } from '../../../packages/evaluation/lib/measures/averages.js';
import { parseMetrics } from '../../../packages/evaluation/lib/measures/metricNames.js';
import { readQrels, type Qrels, type Run } from '../../../packages/evaluation/lib/files/trec.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { bm25s, lexicalIndex, packed, type LexicalIndex } from './lexicalIndex.js';
import { makeSet, passagesOf, queriesOf, requireData, workFolder } from '../sets/sets.js';

interface Document {
  id: string;
  title?: string;
  text: string;
}

const analyzer = englishAnalyzer();
const byId = (a: Document, b: Document): number => (a.id < b.id ? -1 : 1);
const documents = (folder: string): Document[] => passagesOf(folder).sort(byId);
const termsOf = ({ title, text }: Document): string[] =>
  analyzer.analyze(title ? `${title}. ${text}` : text);

async function runOf(
  index: LexicalIndex,
  passages: readonly Document[],
  queries: readonly { id: string; terms: string[] }[],
  k: number,
): Promise<Run> {
  const found = await searchLexical([{ rows: index.segment }], queries, { k, scope: 'passages' });
  return new Map(
    queries.map(({ id }, q) => {
      const rows = [...found.row.subarray(found.offsets[q], found.offsets[q + 1])];
      return [
        id,
        rows.map((row, i) => ({
          id: passages[row]!.id,
          score: found.score[found.offsets[q]! + i]!,
        })),
      ];
    }),
  );
}

function measured(run: Run, qrels: Qrels, metrics: string): Record<string, number> {
  const { averages } = scoreRun(run, qrels, parseMetrics(metrics));
  return Object.fromEntries(Object.entries(averages).map(([name, { mean }]) => [name, mean]));
}

async function cranfield(folder: string): Promise<void> {
  const passages = documents(folder);
  const rows = passages.map(termsOf);
  const queries = queriesOf(folder, 'queries').map(({ id, text }) => ({
    id,
    terms: analyzer.analyze(text),
  }));
  const qrels = await readQrels(join(folder, 'qrels.tsv'));
  const index = await lexicalIndex(packed(rows));
  const ours = await runOf(index, passages, queries, passages.length);
  console.log(
    `cranfield: ${passages.length} documents, ${queries.length} queries, k1 0.9, b 0.4, terms by ${analyzer.id}`,
  );
  console.log('  ours   ', figures(measured(ours, qrels, 'ndcg@10,map,recall@100')));
  const peer = bm25s({
    rows,
    queries: queries.map(({ terms }) => terms),
    k1: 0.9,
    b: 0.4,
    k: 100,
    all: true,
  });
  index.close();
  if (!peer) return;
  const numbers = new Map(passages.map(({ id }, row) => [id, row]));
  const theirs: Run = new Map();
  let largest = 0,
    sameTop = 0,
    agreeing = 0;
  queries.forEach(({ id }, q) => {
    const scores = peer.scores![q]!;
    const ranked = scores
      .map((score, row) => ({ id: passages[row]!.id, score, row }))
      .filter(({ score }) => score > 0);
    ranked.sort((a, b) => b.score - a.score || a.row - b.row);
    theirs.set(id, ranked);
    const mine = ours.get(id)!;
    for (const { id: document, score } of mine)
      largest = Math.max(largest, Math.abs(score - scores[numbers.get(document)!]!));
    sameTop += mine.slice(0, 100).filter((each, i) => each.id === ranked[i]?.id).length;
    agreeing += Math.min(100, mine.length);
  });
  console.log(
    `  bm25s ${peer.version}`,
    figures(measured(theirs, qrels, 'ndcg@10,map,recall@100')),
  );
  console.log(
    `  largest difference of a score ${largest.toExponential(2)} (bm25s adds in float32); same document at the same rank, top 100: ` +
      `${agreeing === 0 ? 0 : ((100 * sameTop) / agreeing).toFixed(2)} %`,
  );
}

const figures = (values: Record<string, number>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value.toFixed(4)}`)
    .join('  ');

/**
 * The figures that a plain BM25 (k1 0.9, b 0.4, Porter, title and text) is known to reach on these
 * sets.
 */
const expected: [set: string, queries: string, suffix: boolean, known: Record<string, number>][] = [
  ['tennis', 'queries-same-year', false, {}],
  ['tennis', 'queries-next-year', false, { 'hit@1': 0.0 }],
  ['tennis', 'queries-anytime', false, { 'hit@1': 0.02 }],
  ['tennis', 'queries-same-year', true, { 'hit@1': 0.42 }],
  ['tennis', 'queries-next-year', true, { 'hit@1': 0.0 }],
  ['tennis', 'queries-anytime', true, { 'hit@1': 0.21 }],
  ['nobel', 'queries', false, { 'hit@1': 0.17, 'ndcg@10': 0.39 }],
  ['nobel', 'queries-born', false, {}],
  ['timeqa', 'queries-easy', false, { 'hit@1': 0.36, 'hit@5': 0.72 }],
  ['timeqa', 'queries-hard', false, { 'hit@1': 0.19, 'hit@5': 0.51 }],
];

async function sets(work: string): Promise<void> {
  const indexes = new Map<string, { passages: Document[]; index: LexicalIndex; qrels: Qrels }>();
  console.log(
    `\n${'set'.padEnd(34)}queries  ${['hit@1', 'hit@5', 'ndcg@10'].map((name) => `${name} (known)`.padEnd(17)).join('')}`,
  );
  for (const [set, name, suffix, known] of expected) {
    const at = makeSet(work, set);
    let entry = indexes.get(set);
    if (!entry) {
      const passages = documents(at);
      entry = {
        passages,
        index: await lexicalIndex(packed(passages.map(termsOf))),
        qrels: await readQrels(join(at, 'qrels.tsv')),
      };
      indexes.set(set, entry);
    }
    const queries = queriesOf(at, name).map(({ id, text, askedAt }) => ({
      id,
      terms: analyzer.analyze(suffix ? `${text} ${askedAt ?? ''}` : text),
    }));
    const values = measured(
      await runOf(entry.index, entry.passages, queries, 100),
      entry.qrels,
      'hit@1,hit@5,ndcg@10',
    );
    const cells = Object.entries(values).map(([metric, value]) =>
      `${value.toFixed(3)}${known[metric] === undefined ? '' : ` (${known[metric].toFixed(2)})`}`.padEnd(
        17,
      ),
    );
    console.log(
      `${`${set} ${name}${suffix ? ' + suffix' : ''}`.padEnd(34)}${String(queries.length).padEnd(9)}${cells.join('')}`,
    );
  }
  for (const { index } of indexes.values()) index.close();
}

requireData();
const { values: options } = parseArgs({ options: { keep: { type: 'string' } } });
const work = workFolder('sets', options.keep);
await cranfield(makeSet(work, 'cranfield'));
await sets(work);
