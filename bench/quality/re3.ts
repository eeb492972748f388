// Re3 part by part (the ablation of its figure 2 and table 10), beside the systems that its tables compare it with: `node --import tsx
// bench/quality/re3.ts [--task nws,covid,hoh,timeqa,nobel,cranfield] [--sample N] [--weights FILE] [--keep DIR] [--no-others] [--only WORDS]`.
// Where a set knows which versions are outdated, current@1 and clean@5 are those of ../shared/tools/score_versions.py on what was left after
// dropping. It tunes nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  bm25, dense, evaluate, hybrid, mrag, parseMetrics, re3, tempralm, timeEncoder, writeRun,
  type Corpus, type EvaluationQuery, type Qrels, type Run, type System,
} from '../../lib/index.js';
import { describeMachine, machine } from '../machine.js';
import { dataIsHere, openSet, queriesOf, shared } from './sets.js';

interface Task {
  queries: string[];
  metrics: string;
  /** What its paper has for Re3, on its own form of the set. */
  paper?: string;
}

const versions = 'hit@1,hit@5,mrr@10';
const tasks: Record<string, Task> = {
  nws: {
    queries: ['queries', 'queries-pairs'], metrics: versions,
    paper: 'table 2, NOAA: recall@5 0.9625, MRR 0.5929, accuracy 0.8732 (BM25 0.3938)',
  },
  covid: { queries: ['queries'], metrics: versions, paper: 'table 2, COVID: recall@5 0.9525, MRR 0.7215, accuracy 0.9112 (BM25 0.4812)' },
  hoh: { queries: ['queries'], metrics: versions, paper: 'table 1: recall@5 0.7900, MRR 0.5600, accuracy 0.6339 (BM25 0.5825)' },
  timeqa: { queries: ['queries-easy', 'queries-hard'], metrics: versions, paper: 'table 1: recall@5 0.9280, MRR 0.6891 (BM25 0.3843)' },
  nobel: { queries: ['queries'], metrics: 'hit@1,hit@5,recall@10', paper: 'table 1: recall@5 0.9453, MRR 0.7243 (BM25 0.5720)' },
  cranfield: { queries: ['queries'], metrics: 'hit@1,ndcg@10,recall@10' },
};

/** Section 3.1: cosine alone. */
const paper = { semantic: 1, lexical: 0 };

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: 'nws,covid,hoh,timeqa,nobel' },
    sample: { type: 'string' },
    weights: { type: 'string' },
    keep: { type: 'string' },
    'no-others': { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
if (!dataIsHere) {
  console.log('not run: the evaluation data (../shared) is not on this machine');
  process.exit(0);
}
const work = values.keep ?? mkdtempSync(join(tmpdir(), 'asof-re3-'));
mkdirSync(work, { recursive: true });
const weights = values.weights === undefined ? {} : { weights: values.weights };
console.log(describeMachine(machine()));

for (const name of values.task.split(',')) {
  const task = tasks[name];
  if (!task) throw new Error(`Expected --task to name some of ${Object.keys(tasks).join(', ')}, received ${name}.`);
  const { corpus, qrels, folder } = await openSet(work, name);
  const started = performance.now();
  const rows = await corpus.fuse(await timeEncoder(corpus.encoder, values.weights));
  if (rows > 0) console.log(`\nfused ${rows} rows of ${name} in ${((performance.now() - started) / 1000).toFixed(2)} s`);
  for (const file of task.queries) {
    const queries = queriesOf(folder, file, Number(values.sample ?? Infinity));
    console.log(`\n## ${name}, ${file}, ${queries.length} questions${task.paper ? `\npaper, ${task.paper}` : ''}`);
    const systems = systemsOf(corpus).filter(([label]) => label.includes(values.only ?? ''));
    for (const [label, system] of systems) await measure(label, system, { queries, qrels, folder, task, file });
  }
  await corpus.close();
}
if (!values.keep) rmSync(work, { recursive: true, force: true });

function systemsOf(corpus: Corpus): [string, System][] {
  const others: [string, System][] = [
    ['bm25', bm25({ corpus })],
    ['dense', dense({ corpus })],
    ['dense+mask', dense({ corpus, mask: true })],
    ['dense+suffix', dense({ corpus, suffix: true })],
    ['tempralm', tempralm({ corpus })],
    ['mrag', mrag({ corpus })],
    ['hybrid', hybrid({ corpus })],
  ];
  return [
    ...(values['no-others'] ? [] : others),
    ['paper: neither', re3({ corpus, relevance: paper, weights: false, versions: false })],
    ['paper: encoder alone', re3({ corpus, relevance: paper, ...weights, versions: false })],
    ['paper: encoder alone, every row', re3({ corpus, relevance: paper, ...weights, versions: false, units: 'all' })],
    ['paper: filter alone', re3({ corpus, relevance: paper, weights: false })],
    ['paper: both', re3({ corpus, relevance: paper, ...weights })],
    ['bm25 and the filter', re3({ corpus, relevance: { semantic: 0, lexical: 1 } })],
    ['re3: neither', re3({ corpus, weights: false, versions: false })],
    ['re3: encoder alone', re3({ corpus, ...weights, versions: false })],
    ['re3: filter alone', re3({ corpus, weights: false })],
    ['re3', re3({ corpus, ...weights })],
  ];
}

interface Asked {
  queries: readonly EvaluationQuery[];
  qrels: Qrels;
  folder: string;
  task: Task;
  file: string;
}

async function measure(label: string, system: System, { queries, qrels, folder, task, file }: Asked): Promise<void> {
  let [relevant, lost] = [0, 0];
  const counted: System = {
    ...system,
    run: async (question, options) => {
      const result = await system.run(question, options);
      const judged = qrels.get(byText.get(`${question.text} ${String(question.askedAt)}`)!);
      const found = (id: string): boolean => (judged?.get(id) ?? 0) > 0;
      lost += result.dropped?.filter(({ id }) => found(id)).length ?? 0;
      relevant += result.evidence.filter(({ id }) => found(id)).length;
      return result;
    },
  };
  const byText = new Map(queries.map(({ id, text, askedAt }) => [`${text} ${String(askedAt)}`, id]));
  const metrics = parseMetrics(task.metrics);
  const { averages, run, latencyMs } = await evaluate(counted, queries, { metrics, qrels });
  const figures = metrics.map(({ name }) => `${name} ${averages[name]!.mean.toFixed(3)}`);
  const share = relevant + lost > 0 ? (100 * lost) / (relevant + lost) : 0;
  const dropped = lost > 0 ? `  ${share.toFixed(2)} % of relevant dropped` : '';
  figures.push(...(await versionFigures(folder, file, run, queries)));
  console.log(`${label.padEnd(31)} ${figures.join('  ')}  p50 ${latencyMs.p50.toFixed(1)} ms${dropped}`);
}

/** What score_versions.py says of the run, where the set knows its versions. */
async function versionFigures(folder: string, file: string, run: Run, queries: readonly EvaluationQuery[]): Promise<string[]> {
  if (!existsSync(join(folder, 'outdated.tsv'))) return [];
  const [ranked, asked] = [join(work, 'run.trec'), join(work, 'asked.jsonl')];
  await writeRun(ranked, run, 'asof');
  writeFileSync(asked, `${queries.map(({ id }) => JSON.stringify({ id })).join('\n')}\n`);
  const more = (['future', 'facts'] as const).flatMap((kind) => {
    const path = join(folder, kind === 'future' ? 'future.tsv' : `facts-${file.replace('queries-', '')}.tsv`);
    return existsSync(path) ? [`--${kind}`, path] : [];
  });
  const judged = ['--run', ranked, '--queries', asked, '--qrels', join(folder, 'qrels.tsv'), '--outdated', join(folder, 'outdated.tsv'), ...more];
  const printed = execFileSync('python3', [join(shared, 'tools', 'score_versions.py'), ...judged], { encoding: 'utf8' });
  const { 'current@1': current, 'clean@5': clean, 'all@5': all } = JSON.parse(printed) as Record<string, number>;
  return [`current@1 ${current!.toFixed(3)}`, `clean@5 ${clean!.toFixed(3)}`, ...(all === undefined ? [] : [`all@5 ${all.toFixed(3)}`])];
}
