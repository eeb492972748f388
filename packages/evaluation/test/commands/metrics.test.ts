// asof metrics and what every command shares: help, exit codes, one-line errors, suggestions, quiet
// broken pipes, SIGINT.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { asof, commandLine, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

describe('asof metrics', () => {
  const folder = temporaryFolder();
  let qrels: string;
  let run: string;
  before(() => {
    qrels = folder.path('qrels.tsv');
    run = folder.path('run.trec');
    writeFileSync(qrels, 'query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t1\nq2\tc\t2\nq3\ta\t1\n');
    writeFileSync(
      run,
      'q1 Q0 a 1 3 mine\nq1 Q0 x 2 2 mine\nq1 Q0 b 3 1 mine\nq2 Q0 x 1 1 mine\nq2 Q0 c 2 0.5 ' +
        'mine\nq9 Q0 c 1 1 mine\n',
    );
  });

  it('prints a table and says over which queries the averages are', async () => {
    const { code, stdout, stderr } = await asof(argv`
      metrics --qrels ${qrels} --run ${run} --metrics mrr,map,hit@1 --per-query
    `);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.equal(
      stdout,
      [
        'query     mrr     map   hit@1',
        'q1     1.0000  0.8333  1.0000',
        'q2     0.5000  0.5000  0.0000',
        '',
        'metric    mine  queries',
        'mrr     0.7500        2',
        'map     0.6667        2',
        'hit@1   0.5000        2',
        '',
        'Averaged over the 2 judged queries in the run.',
        'Judged but not in the run, excluded: 1 query (--complete counts zero for them).',
        'In the run without judgements, excluded: 1 query.',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON with its options, the run from standard input', async () => {
    const input = 'q2 Q0 x 1 1 t\nq2 Q0 c 2 0.5 t\n';
    const { code, stdout } = await asof(
      argv`
        metrics --qrels ${qrels} --run - --metrics mrr --metrics ndcg --complete --depth 2 --json
      `,
      { input },
    );
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), {
      run: 't',
      options: { complete: true, depth: 2, relevant_from: 1 },
      queries: 3,
      missing: 2,
      unjudged: 0,
      metrics: { mrr: 0.5 / 3, ndcg: 1 / Math.log2(3) / 3 },
      averaged_over: { mrr: 3, ndcg: 3 },
    });
  });

  it('says that a file of judgements or a run is empty', async () => {
    const empty = folder.path('empty');
    writeFileSync(empty, '');
    const [judged, ran] = await Promise.all([
      asof(['metrics', '--qrels', empty, '--run', run]),
      asof(['metrics', '--qrels', qrels, '--run', empty]),
    ]);
    assert.deepEqual([judged.code, ran.code], [1, 1]);
    assert.match(
      judged.stderr,
      /empty: Expected judgements, received none\. Is it the right file\?\n$/,
    );
    assert.match(
      ran.stderr,
      /empty: Expected the lines of a run, received none\. Is it the right file\?\n$/,
    );
  });

  it("computes TEMPO's metrics as its paper or its code, and reports which", async () => {
    const judgements = folder.path('judgements.jsonl');
    const lines = [
      { query_id: 'q1', temporal: true, cross_period: true },
      { query_id: 'q1', doc_id: 'x', verdict: 1, covers_baseline: true },
      { query_id: 'q1', doc_id: 'b', verdict: 0, covers_comparison: true },
      { query_id: 'q2', temporal: true },
      { query_id: 'q9', temporal: false },
    ];
    writeFileSync(judgements, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const args = argv`
      metrics --judgements ${judgements} --qrels ${qrels} --run ${run}
      --metrics tp@5,tr@5,tc@2,tc@3,ndcg_fc@3 --json
    `;
    const [paper, code, alone, table] = await Promise.all([
      asof(args),
      asof([...args, '--tempo', 'code']),
      asof(argv`metrics --judgements ${judgements} --run ${run} --metrics tr@5,map --json`),
      asof(args.slice(0, -1)),
    ]);
    const gain = (1 + 1 / 2) / (1 + 1 / Math.log2(3));
    const of = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual(of(paper)['metrics'], {
      'tp@5': 0.5,
      'tr@5': (1 / 5 + 0) / 2,
      'tc@2': 0.5,
      'tc@3': 1,
      'ndcg_fc@3': gain,
    });
    assert.deepEqual(of(paper)['averaged_over'], {
      'tp@5': 1,
      'tr@5': 2,
      'tc@2': 1,
      'tc@3': 1,
      'ndcg_fc@3': 1,
    });
    assert.deepEqual(of(paper)['options'], {
      complete: false,
      depth: null,
      relevant_from: 1,
      tempo: 'paper',
    });
    assert.deepEqual(of(code)['metrics'], {
      'tp@5': 0.25,
      'tr@5': 0.16667,
      'tc@2': 0.5,
      'tc@3': 1,
      'ndcg_fc@3': Number(gain.toFixed(5)),
    });
    assert.deepEqual(
      of(alone)['averaged_over'],
      { 'tr@5': 2 },
      'what reads relevance applies to none of these queries',
    );
    assert.match(
      table.stdout,
      /\ntc@3 +1\.0000 +1\n[^]*TEMPO's metrics as its paper defines them\.\n$/,
    );
  });

  it('averages over --queries and by a field of theirs, with metrics of versions', async () => {
    const path = (name: string, content: string): string => {
      writeFileSync(folder.path(name), content);
      return folder.path(name);
    };
    const asked = [
      { id: 'q1', domain: 'law' },
      { id: 'q2', domain: 'law' },
      { id: 'q3', metadata: { domain: 'quant' } },
      { id: 'q4' },
    ];
    const queries = path(
      'queries.jsonl',
      asked.map((query) => `${JSON.stringify(query)}\n`).join(''),
    );
    const outdated = path('outdated.tsv', 'q2 0 x 1\nq3 0 x 1\n');
    const names = 'mrr,current@1,clean@5,future@5';
    const args = argv`
      metrics --qrels ${qrels} --run ${run} --queries ${queries} --outdated ${outdated}
      --metrics ${names}
    `;
    const [json, table] = await Promise.all([
      asof([...args, '--group-by', 'domain', '--json']),
      asof([...args, '--group-by', 'domain']),
    ]);
    assert.match(json.stderr, /omitted, as they need --future: future@5/);
    const {
      metrics,
      averaged_over: over,
      macro,
      groups,
    } = JSON.parse(json.stdout) as Record<string, unknown>;
    assert.deepEqual(
      [metrics, over],
      [
        { mrr: 0.5, 'current@1': 1 / 4, 'clean@5': 1 / 4 },
        { mrr: 3, 'current@1': 4, 'clean@5': 4 },
      ],
    );
    assert.deepEqual(macro, { mrr: 0.375, 'current@1': 0.25, 'clean@5': 0.25 });
    assert.deepEqual(groups, [
      {
        value: 'law',
        metrics: { mrr: 0.75, 'current@1': 0.5, 'clean@5': 0.5 },
        averaged_over: { mrr: 2, 'current@1': 2, 'clean@5': 2 },
      },
      {
        value: 'quant',
        metrics: { mrr: 0, 'current@1': 0, 'clean@5': 0 },
        averaged_over: { mrr: 1, 'current@1': 1, 'clean@5': 1 },
      },
    ]);
    assert.match(
      table.stdout,
      /mean over 2 \(macro\) +0\.3750[^]*Averaged over the 4 queries of --queries/,
    );
  });

  it('reads a BEIR folder for judgements, which bench-data beir writes', async () => {
    writeFileSync(
      folder.path('passages.jsonl'),
      '{"id":"a","text":"x","published_at":"2020-01-01"}\n',
    );
    writeFileSync(
      folder.path('asked.jsonl'),
      '{"id":"q1","text":"Who?","asked_at":"2021-01-01","answers":["x"]}\n',
    );
    const beir = folder.path('beir');
    const [passages, asked] = ['passages', 'asked'].map((name) => folder.path(`${name}.jsonl`)) as [
      string,
      string,
    ];
    const parts = argv`
      --passages ${passages} --queries ${asked} --qrels ${qrels} --to ${beir} --split dev
    `;
    const written = await asof(['bench-data', 'beir', ...parts, '--json']);
    assert.deepEqual(JSON.parse(written.stdout), {
      folder: beir,
      passages: 1,
      queries: 1,
      judged: 3,
      split: 'dev',
    });
    const [folderRead, fileRead, absent] = await Promise.all([
      asof(['metrics', '--qrels', beir, '--split', 'dev', '--run', run]),
      asof(['metrics', '--qrels', qrels, '--run', run]),
      asof(['metrics', '--qrels', beir, '--run', run]),
    ]);
    assert.equal(folderRead.stdout, fileRead.stdout);
    assert.match(absent.stderr, /found the splits dev/);
    const corpus = folder.path('corpus.asof');
    assert.equal((await asof(['index', corpus, beir])).code, 0);
    const given = argv`
      --queries ${beir} --qrels ${beir} --split dev --system bm25 --metrics hit@1
    `;
    const measured = await asof(['eval', corpus, ...given, '--json']);
    assert.equal((JSON.parse(measured.stdout) as { queries: number }).queries, 1, measured.stderr);
  });

  it('names metrics that need a system and fails where nothing is judged', async () => {
    const { code, stderr } = await asof(
      ['metrics', '--qrels', qrels, '--run', '-', '--metrics', 'mrr,em'],
      { input: 'q9 Q0 x 1 1 t\n' },
    );
    assert.equal(code, 1);
    assert.match(stderr, /need asof eval: em/);
    assert.match(stderr, /none of the run's 1 queries has judgements/);
  });

  it('ends with 2 and a hint on bad usage', async () => {
    const cases: [string[], RegExp][] = [
      [
        ['metrcs'],
        /^asof: asof has no command metrcs\. Did you mean metrics\? See asof --help\.\n$/,
      ],
      [
        ['metrics', '--qrls', qrels],
        /^asof: asof metrics has no option --qrls\. Did you mean --qrels\? See asof metrics --help\.\n$/,
      ],
      [['metrics', '--qrels', qrels], /--run RUN\.trec is needed/],
      [['metrics', '--qrels', qrels, '--run'], /--run needs a value/],
      [
        ['metrics', '--qrels', qrels, '--run', run, '--depth', '0'],
        /--depth must be a whole number from 1 to 999,999,999, received "0"/,
      ],
      [
        ['metrics', '--qrels', qrels, '--run', run, '--tempo', 'papers'],
        /--tempo must be one of paper, code, received "papers"/,
      ],
      [['metrics', '--qrels', qrels, '--run', run, '--facts', qrels], /--facts needs --outdated/],
      [
        ['metrics', '--qrels', qrels, '--run', run, '--group-by', 'x'],
        /--group-by needs --queries/,
      ],
      [['metrics', '--run', run], /--qrels R is needed/],
      [['metrics', '--qrels', qrels, '--run', run, '--complete=yes'], /--complete takes no value/],
      [['metrics', '--qrels', qrels, '--run', run, '--run', run], /--run may be given once/],
      [['metrics', 'x', '--qrels', qrels, '--run', run], /takes no arguments, received also "x"/],
      [
        ['metrics', '--qrels', qrels, '--run', run, '--metrics', 'ndgc@10'],
        /hit@k.*received "ndgc@10"/,
      ],
    ];
    const outcomes = await Promise.all(cases.map(([args]) => asof(args)));
    outcomes.forEach(({ code, stdout, stderr }, index) => {
      assert.match(stderr, cases[index]![1]);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.deepEqual([code, stdout], [2, '']);
    });
  });

  it('ends with 1 and file and line on bad input, without a stack unless asked', async () => {
    const bad = folder.path('bad.trec');
    writeFileSync(bad, 'q1 Q0 a 1 1 t\nq1 Q0 b 2 one t\n');
    const { code, stderr } = await asof(['metrics', '--qrels', qrels, '--run', bad]);
    assert.deepEqual(
      [code, stderr],
      [1, `asof: ${bad}:2: Expected a finite number as score, received "one".\n`],
    );
    const absent = await asof(['metrics', '--qrels', qrels, '--run', folder.path('absent')], {
      env: { ASOF_DEBUG: '1' },
    });
    assert.equal(absent.code, 1);
    assert.match(absent.stderr, /\n {4}at /);
  });

  it('prints help for all and for one', async () => {
    const [all, one, none, version] = await Promise.all([
      asof(['--help']),
      asof(['metrics', '--help']),
      asof([]),
      asof(['--version']),
    ]);
    assert.match(all.stdout, /usage: asof COMMAND/);
    assert.match(one.stdout, /usage: asof metrics --qrels R --run RUN\.trec \[options\]/);
    assert.deepEqual([all.code, one.code, none.code, version.code], [0, 0, 2, 0]);
    assert.match(version.stdout, /^asof \d+\.\d+\.\d+\n$/);
  });

  it('says in one line that its output cannot be written', async function () {
    if (process.platform !== 'linux') this.skip();
    const args = [...commandLine, 'metrics', '--qrels', qrels, '--run', run];
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, args, {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^asof: Expected to write the output, the system refused: ENOSPC.*Check its space\.\n$/,
    );
  });

  it('is quiet when its reader goes away', async () => {
    const { stderr } = await asof(['metrics', '--qrels', qrels, '--run', run], {
      started: (child) => child.stdout!.destroy(),
    });
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
