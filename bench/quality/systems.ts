// Quality of every system on the evaluation sets, against what the papers print: `node --import tsx
// bench/quality/systems.ts [--task tennis,nobel,timeqa] [--queries queries-hard,...] [--sample N]
// [--system S,...] [--encoder onnx:FOLDER] [--keep DIR] [--readme] [--encoders]`;
// --encoder adds a row for each system that reads vectors, over a corpus of that encoder; --readme
// writes the README's table anew, --encoders that of models/README.md, of all that the kept folder
// holds; the README's of what this very commit measured on all questions, in one run or several. It
// makes the sets from ../shared/data, indexes each with the command line's own `index` and asks
// with its own `eval`, so that the figures are those a user gets. It measures and judges nothing
// else.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from '../options.js';
import { describeMachine, machine } from '../machine.js';
import { encoderTable, keepFigure, readFigures } from './encoderTable.js';
import { makeSet, queriesOf, requireData, workFolder } from './sets/sets.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

interface Task {
  queries: string[];
  metrics: string;
  systems: string[];
  /** What the paper of the task reports for its own system, with the measure it used. */
  paper?: Record<string, string>;
}

const baselines = ['bm25', 'bm25+mask', 'bm25+suffix', 'dense', 'dense+mask', 'dense+suffix'];
const tasks: Record<string, Task> = {
  tennis: {
    queries: ['queries-same-year', 'queries-next-year', 'queries-anytime'],
    metrics: 'hit@1,hit@5,mrr@10',
    systems: [...baselines, 'tempralm', 'hybrid'],
    paper: {
      'queries-same-year':
        'TempRALM table 2, TPQ-2019: recall@1 0.63, recall@5 0.75 (Atlas 0.54, 0.63)',
      'queries-next-year':
        'TempRALM table 2, TPQ-2020: recall@1 0.64, recall@5 0.75 (Atlas 0.24, 0.63)',
    },
  },
  nobel: {
    queries: ['queries', 'queries-born'],
    metrics: 'hit@1,hit@5,ndcg@10,recall@10',
    systems: ['bm25', 'dense', 'reimplementation', 'mrag', 'hybrid'],
  },
  timeqa: {
    queries: ['queries-easy', 'queries-hard'],
    metrics: 'hit@1,hit@5,ndcg@10,answer_recall@5',
    systems: ['bm25', 'dense', 'reimplementation', 'mrag', 'hybrid'],
    paper: {
      'queries-hard':
        'MRAG table 2 (TempRAGEval-TimeQA perturbed, over all of Wikipedia, so for scale ' +
        'only): evidence recall@1 and @5 MRAG 0.37, 0.74, ' +
        'Contriever and Gemma 0.26, 0.67, Contriever 0.10, 0.29, BM25 0.04, 0.14',
    },
  },
  nws: {
    queries: ['queries', 'queries-pairs'],
    metrics: 'hit@1,hit@5,mrr@10',
    systems: ['bm25', 'bm25+mask', 'dense+mask', 'tempralm', 'hybrid'],
  },
  covid: {
    queries: ['queries'],
    metrics: 'hit@1,hit@5,mrr@10',
    systems: ['bm25', 'bm25+mask', 'dense+mask', 'tempralm', 'hybrid'],
  },
  // No time in it: a control that a time-aware ranking must not lose.
  cranfield: {
    queries: ['queries'],
    metrics: 'ndcg@10,recall@10',
    systems: ['bm25', 'dense', 'mrag', 'tempralm', 'hybrid'],
  },
  hoh: {
    queries: ['queries'],
    metrics: 'hit@1,hit@5,mrr@10',
    systems: ['bm25', 'dense', 'tempralm', 'hybrid'],
  },
};

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: 'tennis,nobel,timeqa,cranfield' },
    keep: { type: 'string' },
    system: { type: 'string' },
    encoder: { type: 'string' },
    sample: { type: 'string' },
    queries: { type: 'string' },
    readme: { type: 'boolean', default: false },
    encoders: { type: 'boolean', default: false },
  },
});

requireData();

/** The embedded encoder's corpora and, where another is given, that one's. */
const contenders = [{ encoder: [] as string[], corpus: '', label: '' }];
if (values.encoder !== undefined) {
  const named = basename(values.encoder);
  contenders.push({
    encoder: ['--encoder', values.encoder],
    corpus: `.${named}`,
    label: ` by ${named}`,
  });
}

const measured = new Map<string, Map<string, Record<string, number>>>(); // set -> system -> metric

const work = workFolder('quality', values.keep);
const kept = join(work, 'encoder-figures.json');
const on = machine();
const asof = (...args: string[]): string =>
  execFileSync(process.execPath, [join(root, 'dist', 'cli', 'main.js'), ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
console.log(describeMachine(on));
for (const name of values.task.split(',')) {
  const task = tasks[name];
  if (!task)
    throw new Error(
      `Expected --task to name some of ${Object.keys(tasks).join(', ')}, received ${name}.`,
    );
  const set = makeSet(work, name);
  console.log(`\n## ${name}`);
  for (const { encoder, corpus, label } of contenders) {
    const started = performance.now();
    asof(
      'index',
      join(work, `${name}${corpus}.asof`),
      join(set, 'passages.jsonl'),
      ...encoder,
      '--json',
    );
    console.log(`indexed${label} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  for (const queries of task.queries.filter(
    (file) => values.queries?.split(',').includes(file) ?? true,
  )) {
    console.log(
      `\n### ${queries}${task.paper?.[queries] ? `\npaper: ${task.paper[queries]}` : ''}`,
    );
    for (const system of values.system?.split(',') ?? task.systems) {
      for (const contender of contenders.filter(
        ({ label }) => label === '' || !system.startsWith('bm25'),
      ))
        measure(name, queries, system, contender);
    }
    besideDense(`${name}/${queries}`);
  }
}
if (values.readme) writeReadme();
if (values.encoders) {
  rewrite(
    join('models', 'README.md'),
    '<!-- bench/quality/systems.ts --encoders -->',
    encoderTable(readFigures(kept), contenders.at(-1)!.label),
  );
}

function measure(
  name: string,
  queries: string,
  system: string,
  { encoder, corpus, label }: (typeof contenders)[number],
): void {
  const set = join(work, 'sets', name);
  const judged = [
    '--queries',
    sampled(set, queries),
    '--qrels',
    join(set, 'qrels.tsv'),
    '--metrics',
    tasks[name]!.metrics,
  ];
  const printed = asof(
    'eval',
    join(work, `${name}${corpus}.asof`),
    ...encoder,
    ...judged,
    '--system',
    system,
    '--json',
  );
  const report = JSON.parse(printed) as {
    metrics: Record<string, number>;
    latency_ms: { p50: number; p99: number };
    queries: number;
  };
  const figures = Object.entries(report.metrics).map(
    ([metric, value]) => `${metric} ${value.toFixed(3)}`,
  );
  const ofSet = measured.get(`${name}/${queries}`) ?? new Map<string, Record<string, number>>();
  measured.set(`${name}/${queries}`, ofSet.set(`${system}${label}`, report.metrics));
  const value = report.metrics['hit@1'] ?? report.metrics['ndcg@10']!;
  keepFigure(kept, `${name}/${queries}`, `${system}${label}`, {
    value,
    questions: report.queries,
    commit: on.commit,
    ...(values.sample === undefined ? {} : { sample: true }),
  });
  const { p50, p99 } = report.latency_ms;
  console.log(
    `${`${system}${label}`.padEnd(13)} ${figures.join('  ')}  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  (${report.queries} questions)`,
  );
}

/**
 * The file of a set's questions, or of the spread-out sample of them that is asked: the same ones
 * in every run.
 */
function sampled(set: string, queries: string): string {
  const all = join(set, `${queries}.jsonl`);
  if (values.sample === undefined) return all;
  const chosen = new Set(queriesOf(set, queries, Number(values.sample)).map(({ id }) => id));
  const file = join(set, `${queries}.sample.jsonl`);
  const lines = readFileSync(all, 'utf8').trim().split('\n');
  writeFileSync(
    file,
    `${lines.filter((line) => chosen.has((JSON.parse(line) as { id: string }).id)).join('\n')}\n`,
  );
  return file;
}

/**
 * What MRAG gains over nearest passages by the same encoder, against what its paper says of the
 * same comparison.
 */
function besideDense(set: string): void {
  const [ours, dense] = ['mrag', 'dense'].map((system) => measured.get(set)?.get(system));
  if (!ours || !dense || ours['hit@1'] === undefined) return;
  const gain = (metric: string): string =>
    `${metric} ${((ours[metric]! - dense[metric]!) * 100).toFixed(1)}`;
  console.log(
    `mrag - dense in points: ${gain('hit@1')}, ${gain('hit@5')}. Both on one encoder without a reranker: it compares with the paper's gain over ` +
      `plain`,
  );
  console.log(
    'Contriever, 27 at 1 and 46 at 5 (evidence recall, TempRAGEval-TimeQA), whose MRAG ranks ' +
      'with Gemma; over Contriever and Gemma that is 11 ' +
      'and 7.7.',
  );
}

/**
 * The README's table: hit@1 by set and system, as runs at this commit have kept it, and what the
 * paper of the set reports.
 */
function writeReadme(): void {
  const sets: [string, string, string][] = [
    ['tennis/queries-same-year', 'tennis, asked in the year of the final', 'TempRALM 0.63'],
    ['tennis/queries-next-year', 'tennis, asked on 1 January after', 'TempRALM 0.64'],
    ['tennis/queries-anytime', 'tennis, asked on any day since 1985', ''],
    ['nobel/queries', 'laureates in and between years', ''],
    ['nobel/queries-born', 'laureates by decade of birth', ''],
    ['timeqa/queries-easy', "TimeQA, the fact's own dates", ''],
    ['timeqa/queries-hard', 'TimeQA, dates perturbed', 'MRAG 0.37, another corpus'],
    ['nws/queries', 'forecasts, issued anew', ''],
    ['covid/queries', 'case counts, restated', ''],
    ['hoh/queries', 'facts revised in Wikipedia', ''],
  ];
  // hybrid's ranker was trained on questions of these collections.
  const systems = ['bm25', 'dense', 'tempralm', 'mrag'];
  const figures = readFigures(kept);
  const cell = (set: string, system: string): string => {
    const figure = figures[set]?.[system];
    return figure?.commit === on.commit && !figure.sample ? figure.value.toFixed(2) : 'not run';
  };
  const lines = sets.map(([set, label, paper]) =>
    row([label, ...systems.map((system) => cell(set, system)), paper]),
  );
  rewrite('README.md', '<!-- bench/quality/systems.ts --readme -->', [
    row(['hit@1', ...systems, 'its paper']),
    row(['---', ...systems.map(() => '---'), '---']),
    ...lines,
  ]);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Puts lines between a file's mark and the end of what was generated there. */
function rewrite(name: string, open: string, lines: readonly string[]): void {
  const path = join(root, name);
  const text = readFileSync(path, 'utf8');
  const from = text.indexOf(open) + open.length;
  const to = text.indexOf('<!-- end -->', from);
  if (from < open.length || to === -1) throw new Error(`${name} has lost the marks of its table`);
  writeFileSync(path, `${text.slice(0, from)}\n${lines.join('\n')}\n${text.slice(to)}`);
}
