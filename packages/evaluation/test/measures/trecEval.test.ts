// Agreement with trec_eval to its printed digits, on its own test inputs and expected outputs.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scoreRun, type ScoreRunOptions } from '../../lib/measures/averages.js';
import type { Metric } from '../../lib/measures/metricNames.js';
import { readQrels, readRun } from '../../lib/files/trec.js';
import { ourMetric } from './trecNames.js';

const folder = fileURLToPath(new URL('../../../../../shared/data/trec_eval_test', import.meta.url));

interface Expected {
  query: string;
  metric: Metric;
  printed: string;
}

function expectations(file: string): { values: Expected[]; queryCount: number } {
  const values: Expected[] = [];
  let queryCount = 0; // where the file prints it
  for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) {
    const [name, query, printed] = line.split('\t').map((field) => field.trim()) as [
      string,
      string,
      string,
    ];
    if (name === 'num_q' && query === 'all') queryCount = Number(printed);
    const metric = ourMetric(name);
    if (metric) values.push({ query, metric, printed });
  }
  return { values, queryCount };
}

// Which flags of trec_eval gave which file: its own Makefile says.
const cases: {
  out: string;
  qrels: string;
  run: string;
  options: ScoreRunOptions;
  atLeast: number;
}[] = [
  { out: 'out.test', qrels: 'qrels.test', run: 'results.test', options: {}, atLeast: 13 },
  { out: 'out.test.a', qrels: 'qrels.test', run: 'results.test', options: {}, atLeast: 44 },
  { out: 'out.test.aq', qrels: 'qrels.test', run: 'results.test', options: {}, atLeast: 176 },
  {
    out: 'out.test.aqc',
    qrels: 'qrels.test',
    run: 'results.trunc',
    options: { complete: true },
    atLeast: 176,
  },
  {
    out: 'out.test.aqcM',
    qrels: 'qrels.test',
    run: 'results.trunc',
    options: { complete: true, depth: 100 },
    atLeast: 176,
  },
  {
    out: 'out.test.aql',
    qrels: 'qrels.rel_level',
    run: 'results.test',
    options: { relevantFrom: 2 },
    atLeast: 176,
  },
  {
    out: 'out.test.meas_params',
    qrels: 'qrels.test',
    run: 'results.test',
    options: {},
    atLeast: 44,
  },
];

describe('agreement with trec_eval', () => {
  before(function () {
    if (existsSync(folder)) return;
    console.log('      skipped: ../shared/data/trec_eval_test is not there');
    this.skip();
  });

  for (const { out, qrels, run, options, atLeast } of cases) {
    it(`prints the digits of ${out}`, async () => {
      const { values, queryCount } = expectations(out);
      assert.ok(values.length >= atLeast, `only ${values.length} values of ${out} are compared`);
      const ranked = await readRun(join(folder, run));
      const scores = scoreRun(
        ranked.run,
        await readQrels(join(folder, qrels)),
        values.map((each) => each.metric),
        options,
      );
      if (queryCount) assert.equal(scores.queries.length, queryCount);
      const differing = values.filter(({ query, metric, printed }) => {
        const value =
          query === 'all'
            ? scores.averages[metric.name]!.mean
            : scores.queries.find((each) => each.id === query)!.values[metric.name]!;
        return value.toFixed(4) !== printed;
      });
      assert.deepEqual(
        differing.map(({ query, metric, printed }) => `${metric.name} ${query} ${printed}`),
        [],
      );
    });
  }

  it('reads the tag and ignores what follows it', async () => {
    assert.equal((await readRun(join(folder, 'results.trunc'))).tag, 'STANDARD');
  });
});
