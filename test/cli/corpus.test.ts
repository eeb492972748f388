// asof index, ask, eval and info on a small corpus, as a user runs them: fields of the JSON,
// faults, repeats, exit codes.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { argv, asof } from './spawn.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';

const ministers: [string, string, string][] = [
  ['Tony Blair', '1997-05-02', '2007-06-27'],
  ['Gordon Brown', '2007-06-27', '2010-05-11'],
  ['David Cameron', '2010-05-11', '2016-07-13'],
  ['Theresa May', '2016-07-13', '2019-07-24'],
  ['Boris Johnson', '2019-07-24', '2022-09-06'],
];
const passages = ministers.map(([name, from, to], index) => ({
  id: `pm${index}`,
  title: name,
  text: `${name} was Prime Minister of the United Kingdom from ${from} to ${to}. ${name} lived in Downing Street.`,
  published_at: from,
}));

describe('asof index, ask, eval, info', () => {
  const folder = temporaryFolder();
  let corpus: string;
  let file: string;
  before(async () => {
    corpus = folder.path('pm.asof');
    file = folder.path('passages.jsonl');
    writeFileSync(file, passages.map((passage) => `${JSON.stringify(passage)}\n`).join(''));
    const { code, stdout, stderr } = await asof(['index', corpus, file]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /5 added, 0 replaced, 0 unchanged in /);
  });

  it('indexes again without a change, and a changed passage replaces the old one', async () => {
    const again = await asof(['index', corpus, file, '--json']);
    const report = JSON.parse(again.stdout) as Record<string, unknown>;
    assert.deepEqual(
      [report['added'], report['replaced'], report['unchanged'], report['rejected']],
      [0, 0, 5, 0],
    );
    const changed = { ...passages[0]!, text: `${passages[0]!.text} He led the Labour Party.` };
    const replaced = await asof(['index', corpus, '-', '--json'], {
      input: JSON.stringify(changed),
    });
    assert.deepEqual((JSON.parse(replaced.stdout) as Record<string, unknown>)['replaced'], 1);
  });

  it('reads a question from standard input', async () => {
    const input = 'Who was Prime Minister\nin 2009?\n';
    const { stdout } = await asof(['ask', corpus, '-', '--json'], { input });
    const { question, answer } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([question, answer], [input.trim(), 'Gordon Brown']);
  });

  for (const [args, expected] of [
    [['ask', 'DIR', 'Who?', '--asked-at', 'soon'], /Expected --asked-at to be/],
    [['ask', 'DIR', 'Who?', '--as-recorded', '2021'], /--history of asof index/],
    [['ask', 'DIR', 'Who?', '--where', '{"a":1}'], /--field of asof index/],
    [['ask', 'DIR', ' '], /Expected the question to be/],
    [['ask', 'DIR', 'Who?', '-s', 'hybird'], /Did you mean hybrid\?/],
    [['delete', 'DIR'], /asof delete needs ids, - or --where/],
    [['delete', 'DIR', 'a', '--where', '{}'], /received both/],
  ] as [string[], RegExp][])
    it(`speaks its own words: ${args.join(' ')}`, async () => {
      const { code, stderr } = await asof(args.map((each) => (each === 'DIR' ? corpus : each)));
      assert.equal(code, 2);
      assert.match(stderr, expected);
      assert.doesNotMatch(stderr, /askedAt|asRecorded|question\.|Corpus\.open\(/);
    });

  it('leaves out what was published at other times, given in words', async () => {
    const ids = async (...options: string[]): Promise<string[]> => {
      const args = ['ask', corpus, 'Who was Prime Minister?', '-s', 'bm25', '--json', ...options];
      const { evidence } = JSON.parse((await asof(args)).stdout) as { evidence: { id: string }[] };
      return evidence.map(({ id }) => id).sort();
    };
    assert.deepEqual(await ids('--since', 'May 2010', '--until', '2016'), ['pm2', 'pm3']);
    assert.deepEqual(await ids('--since', 'yesterday'), []);
    assert.equal((await ids('--only', 'current', '--asked-at', 'yesterday')).length, 5);
  });

  it('stores valid lines, reports invalid ones by file and line, and exits with 1', async () => {
    const bad = folder.path('bad.jsonl');
    const rows = [
      '{"id":"good1","text":"Liz Truss was Prime Minister in 2022."}',
      '{"id":',
      '{"id":3,"text":"x"}',
      '{"id":"x"}',
      '{"id":"x","text":"y","published_at":"yesterday"}',
      '{"id":"x","text":"y","metadata":[]}',
      '{"id":"x","text":"y","valid_from":"2021-02-30"}',
      '{"id":"good2","text":"Rishi Sunak became Prime Minister in 2022."}',
    ];
    writeFileSync(bad, rows.join('\n'));
    const { code, stdout, stderr } = await asof(argv`
      index ${folder.path('other.asof')} ${bad} --json
    `);
    assert.equal(code, 1);
    const report = JSON.parse(stdout) as {
      added: number;
      rejected: number;
      faults: { file: string; line: number }[];
    };
    assert.deepEqual([report.added, report.rejected], [2, 6]);
    assertEach(report.faults, ({ line }) => line, [2, 3, 4, 5, 6, 7]);
    assert.deepEqual(
      [...stderr.matchAll(/bad\.jsonl:(\d+): Expected/g)].map((match) => Number(match[1])),
      [2, 3, 4, 5, 6, 7],
    );
  });

  it('stops reading a file of another format', async () => {
    const other = folder.path('other.log');
    writeFileSync(other, 'not json\n'.repeat(500));
    const { code, stderr } = await asof(['index', folder.path('none.asof'), other]);
    assert.equal(code, 1);
    assert.match(stderr, /100 invalid ones; reading stopped there\. Is it the right file\?\n$/);
  });

  it('makes nothing where a file is not there', async () => {
    const missing = folder.path('missing.asof');
    const { code, stderr } = await asof(['index', missing, file, folder.path('absent.jsonl')]);
    assert.equal(code, 1);
    assert.match(stderr, /Expected a file at .*absent\.jsonl, found none/);
    assert.ok(!existsSync(missing));
  });

  it('keeps what it stored when it is interrupted', async () => {
    const interrupted = folder.path('interrupted.asof');
    const { code, stderr } = await asof(['index', interrupted, '-'], {
      started: (child) => {
        const rows = Array.from({ length: 4000 }, (_, id) =>
          JSON.stringify({
            id: `p${id}`,
            text: `Passage ${id} is of the year ${1800 + (id % 200)}. `.repeat(4),
          }),
        );
        child.stdin!.write(rows.join('\n'), () => child.kill('SIGINT'));
      },
    });
    assert.equal(code, 130);
    assert.match(stderr, /asof: interrupted\n$/);
    const after = await asof(['index', interrupted, file, '--json']);
    assert.equal((JSON.parse(after.stdout) as { added: number }).added, 5);
  });

  it('answers with the fields that programs rely on', async () => {
    const { code, stdout } = await asof(argv`
      ask ${corpus} ${'Who was Prime Minister of the United Kingdom as of 6 May 2017?'}
      --asked-at 2018-01-01 -k 2 --json
    `);
    assert.equal(code, 0);
    const result = JSON.parse(stdout) as Record<string, unknown> & {
      evidence: Record<string, unknown>[];
      constraint: Record<string, unknown>;
      trace: unknown[];
    };
    assert.equal(
      result['question'],
      'Who was Prime Minister of the United Kingdom as of 6 May 2017?',
    );
    assert.equal(result['system'], 'hybrid');
    assert.equal(result['asked_at'], '2018-01-01T23:59:59.999Z');
    assert.deepEqual(
      [result.constraint['relation'], result.constraint['window_end']],
      ['as of', '2017-05-06'],
    );
    assert.equal(result.evidence.length, 2);
    const [first] = result.evidence;
    assert.deepEqual(
      [first!['id'], first!['rank'], typeof first!['score'], typeof first!['scores']],
      ['pm3', 1, 'number', 'object'],
    );
    assert.equal(first!['published_at'], '2016-07-13');
    assert.ok(Array.isArray(first!['dates']) && result.trace.length > 0);
  });

  it('answers for people, with what decided', async () => {
    const { code, stdout } = await asof(argv`
      ask ${corpus} ${'Who was Prime Minister of the United Kingdom as of 6 May 2017?'}
      --explain
    `);
    assert.equal(code, 0);
    assert.match(stdout, /1 Theresa May/);
    assert.match(stdout, /mentions 2016-07-13 to 2019-07-24/);
    assert.match(stdout, /score = .*[+-]\d/);
    assert.match(stdout, /\nstages\n/);
    assert.ok(
      stdout.split('\n').every((line) => line.length <= 100),
      'a line is too long',
    );
    assert.ok(!stdout.includes('\x1b'), 'colours without a terminal');
  });

  it('leaves a question unanswered that no passage answers, and says why', async () => {
    const question = 'Who was the sultan of Zanzibar in 1890?';
    const { code, stdout } = await asof(['ask', corpus, question, '--json']);
    const result = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal(code, 0);
    assert.equal(result['answer'], null);
    assert.match(String(result['unanswered']), /^No passage .*\.$/);
    const text = await asof(['ask', corpus, question]);
    assert.match(text.stdout, /^No answer: No passage .*\. The nearest passages:\n/);
  });

  it('takes no year, day number or seconds for milliseconds', async () => {
    const years = folder.path('years');
    const times = [2021, 20210506, 1620259200, 1620259200000, 0];
    const input = times
      .map(
        (published_at, at) =>
          `${JSON.stringify({ id: `p${at}`, text: 'The mill shut.', published_at })}\n`,
      )
      .join('');
    const { code, stdout, stderr } = await asof(['index', years, '-'], { input });
    assert.equal(code, 1);
    assert.match(stdout, /: 2 added/);
    const refused = stderr.match(
      /Expected "published_at" to be ISO 8601 or epoch milliseconds, received (\d+)\. Write/g,
    );
    assert.equal(refused?.length, 3, stderr);
  });

  it('refuses what cannot be asked', async () => {
    const question = 'Who?';
    const cases: [string[], number, RegExp][] = [
      [['ask', folder.path('nowhere'), question], 1, /nowhere/],
      [['ask', corpus, question, '--system', 'hybird'], 2, /hybrid.*"hybird"/],
      [['ask', corpus, question, '--asked-at', 'tomorrowish'], 2, /ISO 8601.*"tomorrowish"/],
      [['ask', corpus], 2, /needs "QUESTION"/],
      [['ask', corpus, ' '], 2, /question/],
      [
        ['ask', corpus, question, '-k', '0'],
        2,
        /-k must be a whole number from 1 to 10,000, received "0"/,
      ],
      [
        ['ask', corpus, question, '-k', '10001'],
        2,
        /-k must be a whole number from 1 to 10,000, received "10001"/,
      ],
    ];
    const outcomes = await Promise.all(cases.map(([args]) => asof(args)));
    outcomes.forEach(({ code, stdout, stderr }, index) => {
      const [args, expected, message] = cases[index]!;
      assert.deepEqual([code, stdout], [expected, ''], `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    });
  });

  describe('asof eval', () => {
    let queries: string;
    let qrels: string;
    before(() => {
      queries = folder.path('queries.jsonl');
      qrels = folder.path('qrels.tsv');
      const asked = [
        ['q1', 'Who was Prime Minister of the United Kingdom as of 2017?', 'Theresa May'],
        ['q2', 'Who was Prime Minister as of 2008?', 'Gordon Brown'],
        ['q3', 'Who?', ''],
      ];
      writeFileSync(
        queries,
        asked
          .map(([id, text, answer]) =>
            JSON.stringify({
              id,
              text,
              asked_at: '2023-01-01',
              ...(answer ? { answers: [answer] } : {}),
            }),
          )
          .join('\n'),
      );
      writeFileSync(qrels, 'q1 0 pm3 1\nq2 0 pm1 1\nq8 0 pm1 1\n');
    });

    it('prints stable JSON fields, and a run that asof metrics scores the same', async () => {
      const run = folder.path('out.trec');
      const { code, stdout } = await asof(argv`
        eval ${corpus} --queries ${queries} --qrels ${qrels} --metrics hit@1,mrr,answer_recall@5
        --run ${run} --json
      `);
      assert.equal(code, 0);
      const report = JSON.parse(stdout) as {
        system: string;
        options: { k: number };
        queries: number;
        metrics: Record<string, number>;
        latency_ms: { p50: number; p99: number };
        trace: unknown[];
        averaged_over: unknown;
      };
      assert.deepEqual([report.system, report.queries, report.options.k], ['hybrid', 3, 100]);
      assert.deepEqual(report.averaged_over, { 'hit@1': 2, mrr: 2, 'answer_recall@5': 2 });
      assert.equal(report.metrics['answer_recall@5'], 1);
      assert.ok(
        report.latency_ms.p50 > 0 &&
          report.latency_ms.p99 >= report.latency_ms.p50 &&
          report.trace.length > 0,
      );
      assert.match(readFileSync(run, 'utf8'), /^q1 Q0 pm\d 1 \S+ hybrid\n/);
      const scored = JSON.parse(
        (
          await asof(argv`
            metrics --qrels ${qrels} --run ${run} --metrics hit@1,mrr --json
          `)
        ).stdout,
      ) as {
        metrics: Record<string, number>;
      };
      assert.deepEqual(scored.metrics, {
        'hit@1': report.metrics['hit@1'],
        mrr: report.metrics['mrr'],
      });
    });

    it('puts several systems into one table', async () => {
      const { code, stdout } = await asof(argv`
        eval ${corpus} --queries ${queries} --qrels ${qrels} --system hybrid,dense
        --system hybrid --limit 2 --metrics hit@1
      `);
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^system +hit@1 +p50 +p99\nhybrid +[\d.]+ .*\ndense +[\d.]+ .*\n\n2 queries with 1 passage each; averages are over 2\n/,
      );
      assert.match(stdout, /judged but not among the queries, excluded: 1 query/);
    });

    it('refuses a bad line of queries, and two rankings in one run', async () => {
      const bad = folder.path('badQueries.jsonl');
      writeFileSync(bad, '{"id":"a","text":"Who?"}\n{"id":"b","text":"Who?","asked_at":"soon"}\n');
      const [line, runs, twice] = await Promise.all([
        asof(['eval', corpus, '--queries', bad, '--qrels', qrels]),
        asof(argv`
          eval ${corpus} --queries ${queries} --system hybrid,dense --run ${folder.path('x')}
        `),
        asof(['eval', corpus, '--queries', '-', '--qrels', qrels], {
          input: '{"id":"a","text":"x"}\n{"id":"a","text":"y"}\n',
        }),
      ]);
      assert.equal(line.code, 1);
      assert.match(line.stderr, /badQueries\.jsonl:2: Expected .*"soon"/);
      assert.deepEqual([runs.code, twice.code], [2, 1]);
      assert.match(twice.stderr, /:2: Expected each query id once/);
    });
  });

  it('says what a corpus holds and that it is intact', async () => {
    const [text, json] = await Promise.all([
      asof(['info', corpus]),
      asof(['info', corpus, '--json', '--quick']),
    ]);
    assert.deepEqual([text.code, json.code], [0, 0]);
    assert.match(text.stdout, /passages +5\b[^]*integrity +intact/);
    const info = JSON.parse(json.stdout) as Record<string, unknown>;
    assert.deepEqual([info['passages'], info['integrity']], [5, 'not checked']);
    const mill = folder.path('mill');
    const passage = {
      id: 'a',
      text: 'The mill shut in 1949.',
      published_at: '1950',
      valid_from: '1949',
      valid_to: '1951',
    };
    await asof(['index', mill, '-'], { input: `${JSON.stringify(passage)}\n` });
    const { stdout } = await asof(['info', mill, '--json']);
    assert.deepEqual((JSON.parse(stdout) as Record<string, unknown>)['spans'], {
      published: { start_iso: '1950-01-01', end_iso: '1950-01-01' },
      // both ends included, as everywhere
      valid: { start_iso: '1949-01-01', end_iso: '1951-12-31' },
      content: { start_iso: '1949-01-01', end_iso: '1949-12-31' },
    });
  });
});
