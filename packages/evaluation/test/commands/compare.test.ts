// asof compare as a user runs it: its table, its result, corpora and cells that are kept, and what
// it says of sets that it cannot take.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from '../../lib/index.js';
import type { Robustness } from '../../lib/measures/robustness.js';
import { asof, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

interface Perturbed {
  forms: number;
  metrics: Record<string, Robustness>;
}

const lines = (records: readonly unknown[]): string =>
  records.map((each) => `${JSON.stringify(each)}\n`).join('');

describe('asof compare', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let set: string;
  before(() => {
    set = folder.path('harbour');
    mkdirSync(set);
    const years = [2011, 2013, 2015, 2017, 2019];
    const masters = years.map((year, at) => ({
      id: `h${year}`,
      text: `In ${year} Captain ${'ABCDE'[at]}rden was harbour master of Quellby.`,
    }));
    writeFileSync(
      join(set, 'passages.jsonl'),
      lines([...masters, { id: 'x', text: 'Quellby has a harbour and two lighthouses.' }]),
    );
    const asked = years.map((year) => ({
      id: `q${year}`,
      text: `Who was harbour master of Quellby in ${year}?`,
      class: 'people',
    }));
    writeFileSync(join(set, 'queries.jsonl'), lines(asked));
    writeFileSync(
      join(set, 'queries-few.jsonl'),
      lines(asked.slice(0, 2).map((each) => ({ ...each, asked_at: '2020-01-01' }))),
    );
    writeFileSync(join(set, 'qrels.tsv'), years.map((year) => `q${year} 0 h${year} 1\n`).join(''));
  });

  it('prints a table for each set, writes the result, and keeps corpora and runs', async () => {
    const out = folder.path('result.json');
    const args = argv`
      compare ${set} --systems bm25,hybrid --metrics hit@1,mrr@5 --rounds 200 --baseline bm25
      --out ${out}
    `;
    const { code, stdout, stderr } = await asof(args);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(
      stdout,
      /^harbour few: 2 questions over 6 passages\n {2,}hit@1 {2,}mrr@5 {2,}p50 {2,}p99\nbm25 \(baseline\) +1\.0000/,
    );
    assert.match(stdout, /\nharbour: 5 questions over 6 passages\n/);
    assert.match(stdout, /significantly better or worse than bm25/);
    assert.match(
      stdout,
      /seed 1, 5 passages for each question, relevant from grade 1, encoder asof-static-256-v1/,
    );
    const result = JSON.parse(readFileSync(out, 'utf8')) as Comparison;
    assert.deepEqual(
      result.sets.map(({ name, queries }) => [name, queries]),
      [
        ['harbour few', 2],
        ['harbour', 5],
      ],
    );
    assert.equal(result.cells.length, 4);
    assert.match(
      result.command,
      /^asof compare .*harbour --systems bm25,hybrid --metrics hit@1,mrr@5 --rounds 200 --baseline bm25 --out /,
    );
    assert.ok(result.questions!.length > 0);
    assert.ok(
      existsSync(folder.path('result.kept', 'cells')) &&
        existsSync(folder.path('result.kept', 'corpora')),
    );
    const again = await asof([...args, '--json']);
    const same = JSON.parse(again.stdout) as Comparison;
    assert.deepEqual(same.cells, result.cells); // latencies too: nothing was asked again
    const bare = await asof([...args, '--json', '--shown', '0']);
    assert.deepEqual((JSON.parse(bare.stdout) as Comparison).questions, []);
  });

  it('measures the same by several processes at once, and says so', async () => {
    const args = argv`
      compare ${set} -s bm25,dense,hybrid --metrics hit@1,mrr@5 --rounds 200 --json
    `;
    const [one, two] = [await asof(args), await asof([...args, '--jobs', '2'])];
    assert.deepEqual([two.code, two.stderr], [0, '']);
    const [alone, shared] = [one, two].map(({ stdout }) => JSON.parse(stdout) as Comparison);
    const figures = ({ cells, significance }: Comparison) => [
      cells.map(({ latency_ms: _, ...cell }) => cell),
      significance,
    ];
    assert.deepEqual(figures(shared!), figures(alone!));
    assert.deepEqual([alone!.jobs, shared!.jobs], [undefined, 2]);
    const bad = folder.path('bad');
    mkdirSync(bad);
    for (const file of ['queries.jsonl', 'qrels.tsv'])
      writeFileSync(join(bad, file), readFileSync(join(set, file)));
    writeFileSync(join(bad, 'passages.jsonl'), '{"id":"a"}\n');
    const fault = await asof(['compare', bad, '-s', 'bm25', '--jobs', '2']);
    assert.deepEqual([fault.code, /bad.passages\.jsonl:1: /.test(fault.stderr)], [1, true]);
  });

  it('takes one file of questions and a sample of them', async () => {
    const sampled = ['--sample', '3', '--seed', '2', '--metrics', 'hit@1', '--json'];
    const { code, stdout } = await asof(argv`compare --set ${set}:queries -s bm25 ${sampled}`);
    assert.equal(code, 0);
    const { sets, sample, seed, significance } = JSON.parse(stdout) as Comparison;
    assert.deepEqual(
      [
        sets.map(({ name, queries, queries_in_set }) => [name, queries, queries_in_set]),
        sample,
        seed,
        significance,
      ],
      [[['harbour', 3, 5]], 3, 2, []],
    );
  });

  it('reports robustness under other time constraints, as asof eval does', async () => {
    const dated = folder.path('dated');
    mkdirSync(dated);
    const spans = [
      [1901, 1915],
      [1915, 1930],
      [1930, 1951],
    ];
    const textOf = (from: number, to: number): string =>
      `From ${from} to ${to} the lock of Ardenholt was kept by Ines Numb${from}.`;
    writeFileSync(
      join(dated, 'passages.jsonl'),
      lines(spans.map(([from, to]) => ({ id: `l${from}`, text: textOf(from!, to!) }))),
    );
    const text = 'Who kept the lock of Ardenholt?';
    const asked = spans.map(([from, to]) => ({
      id: `q${from}`,
      text,
      valid_from: `${from}`,
      valid_to: `${to! - 1}`,
    }));
    writeFileSync(join(dated, 'queries.jsonl'), lines(asked));
    writeFileSync(
      join(dated, 'qrels.tsv'),
      spans.map(([from]) => `q${from} 0 l${from} 1\n`).join(''),
    );
    const measured = ['--metrics', 'hit@1,violation@1', '--forms', '2'];
    const { code, stdout } = await asof(argv`
      compare ${dated} -s bm25,mrag --rounds 100 ${measured} --perturb
    `);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /\ndated, 3 questions with other time constraints in 6 forms: original, perturbed, change\n +hit@1\nbm25 +0\.33 /,
    );
    assert.match(stdout, /\nhit@1 by years from the dates in passages\n/);
    const corpus = folder.path('dated.asof');
    await asof(['index', corpus, join(dated, 'passages.jsonl')]);
    const given = (of: string): string[] => argv`
      --queries ${join(of, 'queries.jsonl')} --qrels ${join(of, 'qrels.tsv')}
    `;
    const evaluated = ['eval', corpus, ...given(dated), '-s', 'mrag', ...measured, '--perturbed'];
    const spoken = await asof(evaluated);
    assert.match(
      spoken.stdout,
      /\n3 questions with other time constraints in 6 forms, seed 1.*\n.*original +perturbed +change\nmrag +hit@1 +0\./,
    );
    const { perturbed } = JSON.parse((await asof([...evaluated, '--json'])).stdout) as {
      perturbed: Perturbed;
    };
    const { original, perturbed: after, change } = perturbed.metrics['hit@1']!;
    assert.deepEqual([perturbed.forms, change], [6, after - original]);
    const none = await asof(['eval', corpus, ...given(set), '--perturbed']);
    assert.deepEqual(
      [none.code, /None of the queries can be perturbed\. .*valid_from/.test(none.stderr)],
      [2, true],
    );
    const alone = await asof(['compare', dated, '--forms', '2']);
    assert.deepEqual([alone.code, /--forms needs --perturb/.test(alone.stderr)], [2, true]);
  });

  it('takes the judged questions of a BEIR folder', async () => {
    const beir = folder.path('piers');
    mkdirSync(join(beir, 'qrels'), { recursive: true });
    writeFileSync(
      join(beir, 'corpus.jsonl'),
      lines([
        { _id: 'a', title: '', text: 'The pier was built in 1902.' },
        { _id: 'b', text: 'A kiosk.' },
        { _id: 'blank', title: '', text: ' ' },
      ]),
    );
    writeFileSync(
      join(beir, 'queries.jsonl'),
      lines([
        { _id: '1', text: 'When was the pier built?', metadata: { kind: 'history' } },
        { _id: '2', text: 'Who sells tea?', metadata: { kind: 'trade' } },
        { _id: '3', text: 'What is a kiosk?', metadata: { kind: 'trade' } },
      ]),
    );
    writeFileSync(
      join(beir, 'qrels', 'test.tsv'),
      'query-id\tcorpus-id\tscore\n1\ta\t1\n3\tb\t1\n',
    );
    const { code, stdout, stderr } = await asof(argv`
      compare ${beir} -s bm25 --metrics hit@1 --group-by kind --json
    `);
    assert.equal(code, 0);
    assert.match(stderr, /1 passages of piers-\w+ have neither text nor title: omitted/);
    const { sets, cells } = JSON.parse(stdout) as Comparison;
    assert.deepEqual(
      sets.map(({ name, queries, passages, groups }) => [name, queries, passages, groups!['kind']]),
      [['piers', 2, 2, { history: 1, trade: 1 }]],
    );
    const corpus = folder.path('piers.asof');
    await asof(['index', corpus, beir]);
    const given = ['--queries', beir, '--qrels', beir, '--metrics', 'hit@1', '--group-by', 'kind'];
    const evaluated = await asof(argv`
      eval ${corpus} ${given} -s bm25 --run ${folder.path('piers.trec')}
    `);
    assert.match(
      evaluated.stdout,
      /\nbm25\nkind +hit@1\nhistory +1\.0000\ntrade +1\.0000\nmean over 2 \(macro\) +1\.0000\n/,
    );
    const measured = await asof(argv`
      metrics ${given} --run ${folder.path('piers.trec')} --json
    `);
    const json = JSON.parse(
      (await asof(['eval', corpus, ...given, '-s', 'bm25', '--json'])).stdout,
    ) as Record<string, unknown>;
    assert.deepEqual(
      json['groups'],
      (JSON.parse(measured.stdout) as Record<string, unknown>)['groups'],
    );
    assert.equal((json['options'] as Record<string, unknown>)['group_by'], 'kind');
    assert.equal(cells[0]!.metrics['hit@1']!.mean, 1);
  });

  it('names the missing file of a folder, and the known systems', async () => {
    const bare = folder.path('bare');
    mkdirSync(bare);
    writeFileSync(join(bare, 'passages.jsonl'), lines([{ id: 'a', text: 'A pier.' }]));
    const cases: [string[], number, RegExp][] = [
      [
        ['compare'],
        2,
        /Name a set: --set FOLDER, with passages\.jsonl, qrels\.tsv and queries\.jsonl/,
      ],
      [['compare', folder.path('none')], 1, /Expected a folder of a set at .*none, found none/],
      [
        ['compare', bare],
        1,
        /Expected qrels\.tsv in the set .*bare, found none\. A comparison needs relevance judgements/,
      ],
      [
        ['compare', `${set}:queries-many`],
        1,
        /Expected queries-many\.jsonl .*It has queries-few\.jsonl, queries\.jsonl/,
      ],
      [
        ['compare', set, '-s', 'hybird'],
        2,
        /--systems must be one of mrag.* received "hybird"\. Did you mean hybrid\?/,
      ],
      [
        ['compare', set, '-s', 'bm25', '--baseline', 'dense'],
        2,
        /one of the compared systems, bm25/,
      ],
      [
        ['compare', set, '-s', 'bm25', '--group-by', 'clas'],
        2,
        /No question has the field "clas" of --group-by/,
      ],
      [
        ['compare', set, '-s', 'bm25', '--keep', join(set, 'qrels.tsv')],
        1,
        /Expected to write .*qrels\.tsv, the system refused/,
      ],
      [
        ['compare', set, '-k', '10001', '--out', folder.path('no.json')],
        2,
        /-k must be a whole number from 1 to 10,000, received "10001"/,
      ],
      [
        ['compare', set, '--metrics', 'hit@20000', '--keep', folder.path('none')],
        2,
        /Expected k to be a whole number from 1 to 10,000/,
      ],
      [
        ['compare', set, '--rounds', '10', '--jobs', '2', '--keep', folder.path('none')],
        2,
        /Expected rounds to be .* from 100/,
      ],
      [['compare', set, '--metrics', 'ndgc'], 2, /Expected metrics out of/],
    ];
    for (const [args, code, message] of cases) {
      const outcome = await asof(args);
      assert.match(outcome.stderr, message);
      assert.equal(outcome.code, code, args.join(' '));
      assert.equal(outcome.stderr.trimEnd().split('\n').length, 1);
    }
    assert.ok(!existsSync(folder.path('no.kept')));
    // nothing was indexed before it was refused
    assert.deepEqual(readdirSync(folder.path('none')), []);
  });
});
