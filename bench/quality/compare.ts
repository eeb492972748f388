// Every system over every evaluation set and Cranfield in one command: makes the sets from
// ../shared/data, compares with the command line's own `compare`, and makes its report next to it
// (RESULT.html). Unknown options are passed
// on to `asof compare`. usage: node --import tsx bench/quality/compare.ts [--task
// tennis,timeqa:queries-hard,...] [--keep DIR] [--systems S,...] [--metrics M,...]
// [--sample N] [--jobs 2] [--forms 1] [--seed S] [--baseline S] [--encoder E] [--settings FILE]
// [--out RESULT.json] [--docs]
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from '../options.js';
import { describeMachine, machine } from '../machine.js';
import { evaluationSets, makeSet, requireData, workFolder } from './sets/sets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const systems = 'bm25,dense,dense+mask,dense+suffix,tempralm,reimplementation,mrag,re3,hybrid';
const metrics = 'hit@1,hit@5,mrr@10,ndcg@10,recall@10,answer_recall@5,em,f1,violation@5,future@5';
const string = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    task: {
      type: 'string',
      default: [...new Set(evaluationSets.map(({ task }) => task))].join(','),
    },
    systems: { type: 'string', default: systems },
    metrics: { type: 'string', default: metrics },
    baseline: { type: 'string', default: 'bm25' },
    jobs: { type: 'string', default: '2' },
    forms: { type: 'string', default: '1' },
    keep: string,
    sample: string,
    seed: string,
    rounds: string,
    shown: string,
    encoder: string,
    settings: string,
    out: string,
    docs: { type: 'boolean', default: false },
  },
});

requireData();
const started = performance.now();
const work = workFolder('compare', values.keep);
const { task, keep: _, out, docs, ...passed } = values;
const folders = task.split(',').map((named) => {
  const [name, queries] = named.split(':');
  return `${makeSet(work, name!)}${queries === undefined ? '' : `:${queries}`}`;
});
const result = out ?? join(work, 'comparison.json');
execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
console.log(describeMachine(machine()));
const options = Object.entries(passed).flatMap(([name, value]) => [`--${name}`, value]);
const run = (args: readonly string[]): void => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
run([
  join(root, 'dist', 'cli', 'main.js'),
  'compare',
  ...folders,
  ...options,
  '--dates',
  '--perturb',
  '--keep',
  work,
  '--out',
  result,
]);
run([
  join(root, 'dist', 'cli', 'main.js'),
  'report',
  result,
  '--out',
  result.replace(/(?:\.json)?$/, '.html'),
]);
run([
  '--import',
  'tsx',
  join(root, 'bench', 'quality', 'comparisonPage.ts'),
  result,
  ...(docs ? ['--docs'] : []),
]);
console.log(`\nin all ${((performance.now() - started) / 60_000).toFixed(1)} min`);
