// Evaluation: two systems on judged queries, and a TREC run for other tools.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bm25, Corpus, hybrid } from 'asof';
import { evaluate, parseMetrics, writeRun, type Qrels } from '@asof/evaluation';
import { passages } from './ministers.js';

const queries = [
  { id: 'q1', text: 'Who was UK prime minister as of 6 May 2021?' },
  { id: 'q2', text: 'Who was UK prime minister on 1 May 2018?' },
  { id: 'q3', text: 'Who was UK prime minister as of January 2023?' },
];
const qrels: Qrels = new Map([
  ['q1', new Map([['johnson', 1]])],
  ['q2', new Map([['may', 1]])],
  ['q3', new Map([['sunak', 1]])],
]);

const folder = await mkdtemp(join(tmpdir(), 'asof-example-'));
const corpus = await Corpus.open(join(folder, 'ministers.asof'));
try {
  await corpus.add(passages);
  const metrics = parseMetrics('hit@1,mrr@10');
  for (const system of [bm25({ corpus }), hybrid({ corpus })]) {
    const { averages, run } = await evaluate(system, queries, { qrels, metrics });
    const values = metrics.map(({ name }) => `${name} ${averages[name]!.mean.toFixed(2)}`);
    console.log(`${system.name}: ${values.join(', ')}`);
    if (system.name === 'hybrid') await writeRun(join(folder, 'hybrid.trec'), run, 'hybrid');
  }
  const [first] = (await readFile(join(folder, 'hybrid.trec'), 'utf8')).split('\n');
  console.log(first!.split(' ').slice(0, 4).join(' '));
} finally {
  await corpus.close();
  await rm(folder, { recursive: true });
}
