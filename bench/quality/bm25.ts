// BM25 against bm25s (method lucene) on Cranfield, same tokens on both sides: nDCG@10, largest difference of a score, agreement of
// ranks. Then hit and nDCG on the evaluation sets beside the figures of a plain BM25. It asserts nothing: tests do.
// usage: node --import tsx bench/quality/bm25.ts [--sets DIR]     DIR: what make_eval_sets.py wrote; made in a temporary folder otherwise
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { searchLexical } from '../../lib/candidates/lexicalSearch.js';
import { scoreRun } from '../../lib/evaluation/averages.js';
import { parseMetrics } from '../../lib/evaluation/metricNames.js';
import { readQrels, type Qrels, type Run } from '../../lib/evaluation/trec.js';
import { englishAnalyser } from '../../lib/text/analyser.js';
import { bm25s, lexicalIndex, packed, type LexicalIndex } from './lexicalIndex.js';

interface Document {
  id: string;
  title?: string;
  text: string;
}
interface Query {
  id: string;
  text: string;
  asked_at?: string;
}

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
const analyser = englishAnalyser();
const readLines = <T>(path: string): T[] => readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as T);
const byId = (a: Document, b: Document): number => (a.id < b.id ? -1 : 1);
const documents = (path: string): Document[] => readLines<Document>(path).sort(byId);
const termsOf = ({ title, text }: Document): string[] => analyser.analyse(title ? `${title}. ${text}` : text);

async function runOf(
  index: LexicalIndex,
  passages: readonly Document[],
  queries: readonly { id: string; terms: string[] }[],
  k: number,
): Promise<Run> {
  const found = await searchLexical([{ rows: index.segment }], queries, { k, scope: 'passages' });
  return new Map(queries.map(({ id }, q) => {
    const rows = [...found.row.subarray(found.offsets[q]!, found.offsets[q + 1]!)];
    return [id, rows.map((row, i) => ({ id: passages[row]!.id, score: found.score[found.offsets[q]! + i]! }))];
  }));
}

function measured(run: Run, qrels: Qrels, metrics: string): Record<string, number> {
  const { averages } = scoreRun(run, qrels, parseMetrics(metrics));
  return Object.fromEntries(Object.entries(averages).map(([name, { mean }]) => [name, mean]));
}

async function cranfield(): Promise<void> {
  const folder = join(shared, 'data', 'cranfield');
  if (!existsSync(folder)) return console.log('cranfield: not run, ../shared/data/cranfield is absent');
  const passages = documents(join(folder, 'corpus.jsonl'));
  const rows = passages.map(termsOf);
  const queries = readLines<Query>(join(folder, 'queries.jsonl')).map(({ id, text }) => ({ id, terms: analyser.analyse(text) }));
  // Relevance as most users take it: codes 1 to 4 are relevant, 5 and -1 are not.
  const graded = await readQrels(join(folder, 'qrels.tsv'));
  const qrels: Qrels = new Map(
    [...graded].map(([query, judged]) => [query, new Map([...judged].map(([id, code]) => [id, code >= 1 && code <= 4 ? 1 : 0]))]),
  );
  const index = await lexicalIndex(packed(rows));
  const ours = await runOf(index, passages, queries, passages.length);
  console.log(`cranfield: ${passages.length} documents, ${queries.length} queries, k1 0.9, b 0.4, terms by ${analyser.id}`);
  console.log('  ours   ', figures(measured(ours, qrels, 'ndcg@10,map,recall@100')));
  const peer = bm25s({ rows, queries: queries.map(({ terms }) => terms), k1: 0.9, b: 0.4, k: 100, all: true });
  index.close();
  if (!peer) return;
  const numbers = new Map(passages.map(({ id }, row) => [id, row]));
  const theirs: Run = new Map();
  let largest = 0, sameTop = 0, agreeing = 0;
  queries.forEach(({ id }, q) => {
    const scores = peer.scores![q]!;
    const ranked = scores.map((score, row) => ({ id: passages[row]!.id, score, row })).filter(({ score }) => score > 0);
    ranked.sort((a, b) => b.score - a.score || a.row - b.row);
    theirs.set(id, ranked);
    const mine = ours.get(id)!;
    for (const { id: document, score } of mine) largest = Math.max(largest, Math.abs(score - scores[numbers.get(document)!]!));
    sameTop += mine.slice(0, 100).filter((each, i) => each.id === ranked[i]?.id).length;
    agreeing += Math.min(100, mine.length);
  });
  console.log(`  bm25s ${peer.version}`, figures(measured(theirs, qrels, 'ndcg@10,map,recall@100')));
  console.log(
    `  largest difference of a score ${largest.toExponential(2)} (bm25s adds in float32); same document at the same rank, top 100: ` +
    `${agreeing === 0 ? 0 : ((100 * sameTop) / agreeing).toFixed(2)} %`,
  );
}

const figures = (values: Record<string, number>): string => Object.entries(values).map(([name, value]) => `${name} ${value.toFixed(4)}`).join('  ');

/** The figures that a plain BM25 (k1 0.9, b 0.4, Porter, title and text) is known to reach on these sets. */
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

async function sets(folder: string): Promise<void> {
  const indexes = new Map<string, { passages: Document[]; index: LexicalIndex; qrels: Qrels }>();
  console.log(`\n${'set'.padEnd(34)}queries  ${['hit@1', 'hit@5', 'ndcg@10'].map((name) => `${name} (known)`.padEnd(17)).join('')}`);
  for (const [set, name, suffix, known] of expected) {
    const at = join(folder, set);
    let entry = indexes.get(set);
    if (!entry) {
      const passages = documents(join(at, 'passages.jsonl'));
      entry = { passages, index: await lexicalIndex(packed(passages.map(termsOf))), qrels: await readQrels(join(at, 'qrels.tsv')) };
      indexes.set(set, entry);
    }
    const queries = readLines<Query>(join(at, `${name}.jsonl`)).map(({ id, text, asked_at }) => ({
      id,
      terms: analyser.analyse(suffix ? `${text} ${asked_at ?? ''}` : text),
    }));
    const values = measured(await runOf(entry.index, entry.passages, queries, 100), entry.qrels, 'hit@1,hit@5,ndcg@10');
    const cells = Object.entries(values).map(([metric, value]) =>
      `${value.toFixed(3)}${known[metric] === undefined ? '' : ` (${known[metric].toFixed(2)})`}`.padEnd(17),
    );
    console.log(`${`${set} ${name}${suffix ? ' + suffix' : ''}`.padEnd(34)}${String(queries.length).padEnd(9)}${cells.join('')}`);
  }
  for (const { index } of indexes.values()) index.close();
}

function setsFolder(): string | undefined {
  const given = process.argv.indexOf('--sets');
  if (given > 0) return process.argv[given + 1];
  const tool = join(shared, 'tools', 'make_eval_sets.py');
  if (!existsSync(tool)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'asof-sets-'));
  execFileSync('python3', [tool, folder, '--tasks', 'timeqa,nobel,tennis'], { stdio: 'ignore' });
  return folder;
}

await cranfield();
const folder = setsFolder();
if (folder) await sets(folder);
else console.log('evaluation sets: not run, ../shared/tools is absent');
