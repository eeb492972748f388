// Agreement with trec_eval on all of its own test files that come with expected output: which
// measures and files are compared, how many values, and the largest difference at the digits it
// prints. What we do not measure is listed, not passed over.
// node --import tsx bench/quality/eval/trecEval.ts [FOLDER]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readQrels, readRun, scoreRun, type ScoreRunOptions } from '../../../lib/eval/index.js';
import { ourMetric } from './trecNames.js';

const folder = process.argv[2] ?? '../../shared/data/trec_eval_test';

/** Which flags of trec_eval gave which file: its own Makefile says. */
const cases: {
  out: string;
  qrels: string;
  run: string;
  flags: string;
  options: ScoreRunOptions;
}[] = [
  { out: 'out.test', qrels: 'qrels.test', run: 'results.test', flags: '', options: {} },
  {
    out: 'out.test.a',
    qrels: 'qrels.test',
    run: 'results.test',
    flags: '-m all_trec',
    options: {},
  },
  {
    out: 'out.test.aq',
    qrels: 'qrels.test',
    run: 'results.test',
    flags: '-m all_trec -q',
    options: {},
  },
  {
    out: 'out.test.aqc',
    qrels: 'qrels.test',
    run: 'results.trunc',
    flags: '-m all_trec -q -c',
    options: { complete: true },
  },
  {
    out: 'out.test.aqcM',
    qrels: 'qrels.test',
    run: 'results.trunc',
    flags: '-m all_trec -q -c -M100',
    options: { complete: true, depth: 100 },
  },
  {
    out: 'out.test.aql',
    qrels: 'qrels.rel_level',
    run: 'results.test',
    flags: '-m all_trec -q -l2',
    options: { relevantFrom: 2 },
  },
  {
    out: 'out.test.meas_params',
    qrels: 'qrels.test',
    run: 'results.test',
    flags: '-q, chosen cutoffs',
    options: {},
  },
];

const measured = new Set<string>();
const others = new Set<string>();
let values = 0;
let differing = 0;
let largest = 0;
for (const { out, qrels, run, flags, options } of cases) {
  const expected = readFileSync(join(folder, out), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t').map((field) => field.trim()));
  const read = expected.flatMap(([name, query, printed]) => {
    const metric = ourMetric(name!);
    if (!metric) others.add(name!);
    else measured.add(name!.replace(/_\d+$/, '_k'));
    return metric ? [{ metric, query: query!, printed: printed! }] : [];
  });
  const unique = [...new Map(read.map(({ metric }) => [metric.name, metric])).values()];
  const scores = scoreRun(
    (await readRun(join(folder, run))).run,
    await readQrels(join(folder, qrels)),
    unique,
    options,
  );
  const byId = new Map(scores.queries.map((each) => [each.id, each.values]));
  let worst = 0;
  let apart = 0;
  for (const { metric, query, printed } of read) {
    const value =
      query === 'all' ? scores.averages[metric.name]?.mean : byId.get(query)?.[metric.name];
    const difference =
      value === undefined ? Infinity : Math.abs(Number(value.toFixed(4)) - Number(printed));
    worst = Math.max(worst, difference);
    if (difference > 0) apart += 1;
  }
  console.log(
    `${out.padEnd(22)} ${`${run}, ${qrels}`.padEnd(32)} ${flags.padEnd(24)} ${unique.length} measures, ${read.length} values, ` +
      `${apart} differ, largest difference ${worst}`,
  );
  values += read.length;
  differing += apart;
  largest = Math.max(largest, worst);
}
const names = [...measured].join(', ');
console.log(
  `\n${values} values of ${measured.size} families (${names}): ${differing} differ, largest difference ${largest} at four digits`,
);
const families = [...new Set([...others].map((name) => name.replace(/_?[\d.,=-]+$/, '')))];
console.log(`in the files and no measure of ours: ${families.join(', ')}`);
process.exitCode = differing === 0 ? 0 : 1;
