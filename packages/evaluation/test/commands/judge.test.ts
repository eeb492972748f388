// asof judge as a user runs it: from files and from a corpus, by rules and by a model behind a
// server, with its cache and budget.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asof, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

const lines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/**
 * A chat server that takes every question for one of change, and every document for evidence of the
 * first period.
 */
function willingServer(): { server: Server; asked: () => number } {
  let asked = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      asked += 1;
      const answer = body.includes('You sort questions')
        ? { keywords: [], focus: 'change_over_time' }
        : { reason: 'so', periods: [1], verdict: 1 };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          choices: [{ message: { content: JSON.stringify(answer) }, finish_reason: 'stop' }],
        }),
      );
    });
  });
  return { server, asked: () => asked };
}

describe('asof judge', () => {
  const folder = temporaryFolder();
  let given: string[];
  let out: string;
  let documents: string;
  const at = (name: string): string => folder.path(name);
  const write = (name: string, text: string): string => (writeFileSync(at(name), text), at(name));
  const written = (): Record<string, unknown>[] =>
    readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  before(() => {
    out = at('J.jsonl');
    documents = write(
      'documents.jsonl',
      lines([
        { id: 'old', text: 'In 2010 a rail ticket in Norland cost 20 crowns.' },
        {
          id: 'new',
          text: 'Norland rail fares are currently 40 crowns.',
          published_at: '2023-04-01',
        },
        { id: 'gate', text: 'A sluice gate holds water.' },
        { id: 'unasked', text: 'Nothing of this is in the run.' },
      ]),
    );
    const queries = write(
      'queries.jsonl',
      lines([
        {
          id: 'fares',
          text: 'How have rail fares in Norland changed since 2010?',
          asked_at: '2024-06-01',
          answers: ['They doubled to 40 crowns'],
        },
        {
          id: 'gate',
          text: 'What is a sluice gate?',
          query_guidance: { is_temporal_query: false, key_time_anchors: null },
        },
      ]),
    );
    const run = write('run.trec', 'fares Q0 old 1 2 t\nfares Q0 new 2 1 t\ngate Q0 gate 1 1 t\n');
    given = ['judge', '--queries', queries, '--run', run, '--out', out];
  });

  it('writes judgements by rules, from files and from a corpus alike', async () => {
    const fromFiles = await asof([...given, '--documents', documents]);
    assert.deepEqual([fromFiles.code, fromFiles.stderr], [0, '']);
    assert.match(
      fromFiles.stdout,
      /2 queries \(1 temporal, 1 over several periods\), 2 documents by rules/,
    );
    const [query, old, recent, gate, ...more] = written();
    assert.deepEqual(
      [
        query!['query_id'],
        query!['temporal'],
        query!['cross_period'],
        query!['periods'],
        query!['by'],
      ],
      ['fares', true, true, ['2010', 'later / recent period'], 'rules'],
    );
    assert.deepEqual([old!['doc_id'], old!['verdict'], old!['periods']], ['old', 1, ['2010']]);
    assert.deepEqual(
      [recent!['doc_id'], recent!['verdict'], recent!['periods']],
      ['new', 1, ['later / recent period']],
    );
    assert.deepEqual([gate!['query_id'], gate!['temporal'], more.length], ['gate', false, 0]);
    const text = readFileSync(out, 'utf8');
    assert.equal((await asof(['index', at('corpus'), documents])).code, 0);
    assert.equal((await asof([...given, '--corpus', at('corpus')])).code, 0);
    assert.equal(readFileSync(out, 'utf8'), text);
  });

  it('writes the flags of the published code, judges answers, and reports agreement', async () => {
    const answers = write(
      'answers.jsonl',
      lines([
        { id: 'fares', answer: 'They doubled.' },
        { id: 'gate', answer: 'A gate.' },
      ]),
    );
    const human = write(
      'human.jsonl',
      lines([
        {
          query_id: 'fares',
          temporal: true,
          cross_period: true,
          periods: ['2010', 'later / recent period'],
        },
        { query_id: 'fares', doc_id: 'old', verdict: 1, periods: ['2010'] },
        { query_id: 'fares', doc_id: 'new', verdict: 0 },
      ]),
    );
    const more = argv`
      --documents ${documents} --tempo code --answers ${answers} --against ${human} --json
    `;
    const { code, stdout, stderr } = await asof([...given, ...more]);
    assert.deepEqual([code, stderr], [0, '']);
    const printed = JSON.parse(stdout) as {
      agreement: { verdict: Record<string, unknown>; coverage: Record<string, unknown> };
    };
    assert.deepEqual(
      [
        printed.agreement.verdict['pairs'],
        printed.agreement.verdict['agreed'],
        printed.agreement.verdict['kappa'],
      ],
      [2, 0.5, 0],
    );
    assert.deepEqual(printed.agreement.coverage['confusion'], [
      [2, 0],
      [1, 1],
    ]);
    const [query, old, recent] = written();
    assert.equal(query!['answer_coverage'], 33);
    assert.deepEqual(
      [old, recent].map((each) => [each!['covers_baseline'], each!['covers_comparison']]),
      [
        [true, false],
        [false, true],
      ],
    );
  });

  it('asks a model within a budget and goes on from its cache', async () => {
    const { server, asked } = willingServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const cache = at('cache');
      const model = argv`
        --documents ${documents} --model willing --base-url http://127.0.0.1:${port}/v1
        --cache ${cache}
      `;
      const short = await asof([...given, ...model, '--budget', '2']);
      assert.equal(short.code, 1);
      assert.match(short.stderr, /--budget exhausted with 2 queries left/);
      assert.equal(readFileSync(out, 'utf8'), '');
      const whole = await asof([...given, ...model]);
      assert.deepEqual([whole.code, whole.stderr], [0, '']);
      assert.match(
        whole.stdout,
        /3 documents by openai-compatible:willing, 3 calls of the model\n/,
      );
      assert.match(whole.stdout, /document helps\s+2\s+100\.0\s+-\s+2\s+0\s+0\s+0/);
      assert.equal(asked(), 5);
      const again = await asof([...given, ...model, '--json']);
      assert.deepEqual([(JSON.parse(again.stdout) as { calls: number }).calls, asked()], [0, 5]);
      assert.equal(readdirSync(cache).length, 1);
    } finally {
      server.close();
    }
  });

  it('judges the quality of annotated questions as a whole', async () => {
    const plan = [
      { step: 1, action: 'rail fares of 2010' },
      { step: 2, action: 'rail fares today' },
    ];
    const planned = write(
      'planned.jsonl',
      lines([
        {
          id: 'fares',
          text: 'How have rail fares in Norland changed since 2010?',
          asked_at: '2024-06-01',
          query_guidance: { retrieval_plan: plan },
        },
        { id: 'gate', text: 'When was the sluice gate of Norland built?' },
        { id: 'bare', text: 'Who?' },
      ]),
    );
    const qrels = write(
      'evidence.tsv',
      'fares 0 old 1\nfares 0 new 1\ngate 0 gate 1\ngate 0 old 0\n',
    );
    const quality = argv`
      judge --queries ${planned} --data-quality --qrels ${qrels} --out ${out}
    `;
    const { code, stdout, stderr } = await asof([...quality, '--documents', documents]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /2 questions by rules: mean quality \d+\.\d of 100, from \d+ to \d+\n/);
    const [fares, gate, ...more] = written();
    assert.deepEqual([fares!['query_id'], gate!['query_id'], more.length], ['fares', 'gate', 0]);
    assert.ok(Number(fares!['data_quality']) > Number(gate!['data_quality']));
    assert.match(String(fares!['reason']), /temporal coverage 100, .*plan alignment/);
    const cases: [string[], RegExp, number][] = [
      [['--documents', documents, '--depth', '3'], /--depth is not for --data-quality/, 2],
      [
        ['--documents', write('few.jsonl', lines([{ id: 'old', text: 'x' }]))],
        /a document "new", which --qrels has for question "fares"/,
        1,
      ],
    ];
    for (const [extra, words, exit] of cases) {
      const refused = await asof([...quality, ...extra]);
      assert.match(refused.stderr, words);
      assert.equal(refused.code, exit);
    }
  });

  it('refuses what does not go together or is not there', async () => {
    const refused = async (more: string[], words: RegExp, exit: number): Promise<void> => {
      const { code, stderr } = await asof([...given, ...more]);
      assert.match(stderr, words);
      assert.equal(code, exit);
    };
    await refused([], /--corpus DIR or --documents/, 2);
    await refused(['--documents', documents, '--budget', '3'], /--budget needs a model/, 2);
    await refused(['--documents', documents, '--tempo', 'papre'], /Did you mean paper/, 2);
    await refused(
      ['--documents', write('few.jsonl', lines([{ id: 'old', text: 'x' }]))],
      /a document "new"/,
      1,
    );
    await refused(
      ['--documents', documents, '--against', write('bad.jsonl', '{"query_id":"a"}\n')],
      /bad\.jsonl:1: /,
      1,
    );
  });
});
