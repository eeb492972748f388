// asof metrics and what every command shares: help, exit codes, one-line errors, suggestions, quiet broken pipes, SIGINT.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asof } from './spawn.js';

describe('asof metrics', () => {
  let folder: string;
  let qrels: string;
  let run: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-cli-metrics-'));
    qrels = join(folder, 'qrels.tsv');
    run = join(folder, 'run.trec');
    writeFileSync(qrels, 'query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t1\nq2\tc\t2\nq3\ta\t1\n');
    writeFileSync(run, 'q1 Q0 a 1 3 mine\nq1 Q0 x 2 2 mine\nq1 Q0 b 3 1 mine\nq2 Q0 x 1 1 mine\nq2 Q0 c 2 0.5 mine\nq9 Q0 c 1 1 mine\n');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('prints a table and says over which queries the averages are', async () => {
    const { code, stdout, stderr } = await asof(['metrics', '--qrels', qrels, '--run', run, '--metrics', 'mrr,map,hit@1', '--per-query']);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.equal(stdout, [
      'query     mrr     map   hit@1', 'q1     1.0000  0.8333  1.0000', 'q2     0.5000  0.5000  0.0000', '',
      'metric    mine  queries', 'mrr     0.7500        2', 'map     0.6667        2', 'hit@1   0.5000        2', '',
      'Averaged over the 2 judged queries that the run has.',
      'Judged but not in the run, left out: 1 query (--complete counts zero for them).',
      'In the run without judgements, left out: 1 query.', '',
    ].join('\n'));
  });

  it('prints JSON with its options, the run from standard input', async () => {
    const input = 'q2 Q0 x 1 1 t\nq2 Q0 c 2 0.5 t\n';
    const { code, stdout } = await asof(
      ['metrics', '--qrels', qrels, '--run', '-', '--metrics', 'mrr', '--metrics', 'ndcg', '--complete', '--depth', '2', '--json'],
      { input },
    );
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), {
      run: 't', options: { complete: true, depth: 2, relevant_from: 1 }, queries: 3, missing: 2, unjudged: 0,
      metrics: { mrr: 0.5 / 3, ndcg: 1 / Math.log2(3) / 3 },
    });
  });

  it('names metrics that need a system and fails where nothing is judged', async () => {
    const { code, stderr } = await asof(['metrics', '--qrels', qrels, '--run', '-', '--metrics', 'mrr,em'], { input: 'q9 Q0 x 1 1 t\n' });
    assert.equal(code, 1);
    assert.match(stderr, /need asof eval: em/);
    assert.match(stderr, /none of the run's 1 queries has judgements/);
  });

  it('ends with 2 and a hint on bad usage', async () => {
    const cases: [string[], RegExp][] = [
      [['metrcs'], /^asof: asof has no command metrcs\. Did you mean metrics\? See asof --help\.\n$/],
      [['metrics', '--qrls', qrels], /^asof: asof metrics has no option --qrls\. Did you mean --qrels\? See asof metrics --help\.\n$/],
      [['metrics', '--qrels', qrels], /--run RUN\.trec is needed/],
      [['metrics', '--qrels', qrels, '--run'], /--run needs a value/],
      [['metrics', '--qrels', qrels, '--run', run, '--depth', '0'], /--depth must be a whole number from 1 to 999,999,999, received "0"/],
      [['metrics', '--qrels', qrels, '--run', run, '--complete=yes'], /--complete takes no value/],
      [['metrics', '--qrels', qrels, '--run', run, '--run', run], /--run may be given once/],
      [['metrics', 'x', '--qrels', qrels, '--run', run], /takes no arguments, received also "x"/],
      [['metrics', '--qrels', qrels, '--run', run, '--metrics', 'ndgc@10'], /hit@k.*received "ndgc@10"/],
    ];
    const outcomes = await Promise.all(cases.map(([args]) => asof(args)));
    outcomes.forEach(({ code, stdout, stderr }, index) => {
      assert.match(stderr, cases[index]![1]);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.deepEqual([code, stdout], [2, '']);
    });
  });

  it('ends with 1 and file and line on bad input, without a stack unless asked', async () => {
    const bad = join(folder, 'bad.trec');
    writeFileSync(bad, 'q1 Q0 a 1 1 t\nq1 Q0 b 2 one t\n');
    const { code, stderr } = await asof(['metrics', '--qrels', qrels, '--run', bad]);
    assert.deepEqual([code, stderr], [1, `asof: ${bad}:2: Expected a finite number as score, received "one".\n`]);
    const absent = await asof(['metrics', '--qrels', qrels, '--run', join(folder, 'absent')], { env: { ASOF_DEBUG: '1' } });
    assert.equal(absent.code, 1);
    assert.match(absent.stderr, /\n {4}at /);
  });

  it('prints help for all and for one', async () => {
    const [all, one, none, version] = await Promise.all([asof(['--help']), asof(['metrics', '--help']), asof([]), asof(['--version'])]);
    assert.match(all!.stdout, /usage: asof COMMAND/);
    assert.match(one!.stdout, /usage: asof metrics --qrels R --run RUN\.trec \[options\]/);
    assert.deepEqual([all!.code, one!.code, none!.code, version!.code], [0, 0, 2, 0]);
    assert.match(version!.stdout, /^asof \d+\.\d+\.\d+\n$/);
  });

  it('is quiet when its reader goes away', async () => {
    const { stderr } = await asof(['metrics', '--qrels', qrels, '--run', run], { started: (child) => child.stdout!.destroy() });
    assert.equal(stderr, '');
  });

  it('ends with 130 when interrupted while it waits for input', async () => {
    const { code, stderr } = await asof(['metrics', '--qrels', qrels, '--run', '-'], {
      started: (child) => {
        // More than a pipe holds: written means that the command is up and reading.
        child.stdin!.write('# waiting\n'.repeat(100_000), () => child.kill('SIGINT'));
      },
    });
    assert.deepEqual([code, stderr], [130, 'asof: interrupted\n']);
  });
});
