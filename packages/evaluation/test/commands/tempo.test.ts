// asof tempo as a user runs it: a folder checked, its tables printed and written, annotations made,
// errors said; and a folder in asof compare.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Comparison, TempoResult } from '../../lib/index.js';
import { asof, argv } from '../../../../test/cli/spawn.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { assertEach } from '../../../../test/assertEach.js';
import { saying, startLoopback } from '../../../../test/models/loopback.js';

const [corpus, parquet] = [
  'packages/evaluation/papers/tempo/corpus',
  'packages/evaluation/test/tempo/corpusParquet',
];

describe('asof tempo', () => {
  const folder = temporaryFolder();
  const at = (name: string): string => folder.path(name);

  it('info says what a folder holds, from parquet and JSON lines alike', async () => {
    const [lines, binary] = [
      await asof(['tempo', 'info', corpus]),
      await asof(['tempo', 'info', parquet]),
    ];
    assert.deepEqual([lines.code, lines.stderr, lines.stdout], [0, '', binary.stdout]);
    assert.match(lines.stdout, /law +3 +12 +2\.33 +2\.33 +3 +1 +5\n/);
    assert.match(lines.stdout, /classes: EAL 1, .*TCP 3, .*OTH 3/);
    assert.match(
      lines.stdout,
      /1 step without gold documents excluded\nreworded queries \(--reasoning\): our_reason\n/,
    );
    const travel = await asof(['tempo', 'info', corpus, '--json', '--domains', 'travel']);
    const { classes, annotated_classes: annotated, domains } = JSON.parse(travel.stdout);
    const quality = await asof(['tempo', 'info', corpus, '--quality', '--domains', 'law']);
    assert.match(
      quality.stdout,
      /negatives +quality\nlaw .* +\d\d\.\d\n[^]*quality of 100 by rules\n/,
    );
    const legends = annotated['historical_misinterpretation_or_reenactment'];
    assert.deepEqual(
      [domains.length, domains[0].name, classes['OTH'], legends],
      [1, 'travel', 2, 1],
    );
  });

  it("eval prints TEMPO's tables and writes them whole", async () => {
    const args = argv`
      --systems bm25 --tasks documents,steps,answers --variants all --judge --asked-at 2024-06-01
    `;
    const outputs = ['--keep', at('keep'), '--out', at('result.json')];
    const { code, stdout, stderr } = await asof(['tempo', 'eval', parquet, ...args, ...outputs]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^14 queries and 25 steps of 4 domains, 48 documents\n/);
    for (const title of [
      'query -> documents: mean over domains',
      'ndcg@10 by domain',
      'ndcg@10 by class',
      'ndcg@10 by query variant',
      'mean over all steps',
      'answers: mean',
      'answer_coverage by domain',
    ])
      assert.ok(stdout.includes(title), title);
    assert.match(stdout, /tp@10 +tr@10 +tc@10 +ndcg_fc@10\n/);
    assert.match(stdout, /baseline +strip +temporal-only +normalized\nbm25 /);
    assert.match(
      stdout,
      /k 100, tempo paper, excluded listed, classes reported, asked at 2024-06-01, variant by annotation/,
    );
    assert.match(stdout, /temporal-only \(bm25\): 1/);
    const result = JSON.parse(readFileSync(at('result.json'), 'utf8')) as TempoResult;
    assert.equal(result.format, 'asof tempo 1');
    const row = (task: string, setting: string, over = 'queries') =>
      result.rows.find(
        (each) => each.task === task && each.setting === setting && each.over === over,
      )!;
    assert.ok(row('documents', 'baseline').macro['ndcg@10']!.mean > 0.9);
    assert.ok(
      row('documents', 'baseline').macro['ndcg@10']!.mean >
        row('documents', 'temporal-only').macro['ndcg@10']!.mean,
    );
    assert.deepEqual([row('steps', 'query+all').n, row('steps', 'query+all', 'steps').n], [12, 25]);
    assert.deepEqual(
      [
        row('answers', 'none').macro['answer_coverage']!.mean,
        row('answers', 'none').macro['abstained']!.mean,
      ],
      [0, 1],
    );
    const coverage = (setting: string): number =>
      row('answers', setting).macro['answer_coverage']!.mean;
    assert.ok(coverage('retrieved') > 0 && coverage('oracle') > 0);
    // The same from JSON lines, from the corpora that were kept of parquet or not.
    const again = JSON.parse(
      (await asof(['tempo', 'eval', corpus, ...args, '--json'])).stdout,
    ) as TempoResult;
    assert.deepEqual(again.rows, result.rows);
  });

  it('eval takes domains, samples, exclusions, classes and reworded queries', async () => {
    const { stdout, code } = await asof(argv`
      tempo eval ${corpus} --domains history -s bm25 --excluded negatives --sample 2
      --classes annotated --reasoning our_reason --metrics mrr,recall@2 --table recall@2
      --strategies query+all --keep ${at('keep')} --runs ${at('runs')} --out ${at('each.json')}
      --per-query
    `);
    assert.equal(code, 0);
    assert.match(
      readFileSync(join(at('runs'), 'bm25-baseline-history.trec'), 'utf8'),
      /^900\d_\d Q0 history\/\w+\.txt 1 [\d.]+ bm25\n/,
    );
    const each = (JSON.parse(readFileSync(at('each.json'), 'utf8')) as TempoResult).rows[0]!
      .queries!;
    assert.deepEqual(
      [each.length, each[0]!.domain, Object.keys(each[0]!.values)],
      [2, 'history', ['mrr', 'recall@2']],
    );
    assert.match(stdout, /^2 queries and \d steps of 1 domain, 13 documents\n/);
    assert.match(stdout, /recall@2 by class\n.*\n(?:event_analysis|time_period|origins)/);
    const onOneLine = stdout.replace(/\s+/g, ' ');
    assert.match(
      onOneLine,
      /excluded negatives, classes annotated, .*strategies query\+all, sample 2, seed 1, reasoning our_reason/,
    );
  });

  it('eval follows the published code where it is asked for', async () => {
    const args = ['--domains', 'law', '-s', 'bm25,dense', '--tasks', 'documents,steps', '--judge'];
    const of = ['--tempo', 'code', '--keep', at('keep')];
    const { stdout, code } = await asof(argv`tempo eval ${corpus} ${args} ${of} --table all`);
    assert.equal(code, 0);
    assert.match(
      stdout.replace(/\s+/g, ' '),
      /k 1000, tempo code, excluded negatives, .*strategies query\+step, excluded of steps listed/,
    );
    for (const title of ['recall@10 by domain', 'ndcg_fc@10 by domain', 'by domain, query+step'])
      assert.ok(stdout.includes(title), title);
    assert.ok(!stdout.includes('step-only'));
    const given = ['--excluded', 'listed', '--strategies', 'step-only', '-k', '20'];
    const other = (await asof(['tempo', 'eval', corpus, ...args, ...of, ...given])).stdout;
    assert.match(other.replace(/\s+/g, ' '), /k 20, tempo code, excluded listed, .*step-only/);
    assert.ok(other.includes('tc@10 by domain') && !other.includes('recall@10 by domain'));
  });

  it('eval has a model judge, answer and reformulate, kept in a cache', async () => {
    const prompts: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += piece));
      request.on('end', () => {
        prompts.push(body);
        const said = body.includes('help a search engine') ? 'Dates of laws.' : 'In 1955, I think.';
        const content = body.includes('You mark an answer')
          ? JSON.stringify({ reason: 'half', score: 50 })
          : said;
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const args = argv`
        tempo eval ${corpus} --domains law -s bm25 --contexts oracle,retrieved --model m
        --base-url ${url} --cache ${at('cache')} --model-for answers,judge,reformulation
        --keep ${at('keep')} --json
      `;
      const first = await asof(args);
      assert.deepEqual([first.code, first.stderr], [0, '']);
      const result = JSON.parse(first.stdout) as TempoResult;
      assert.equal(
        result.rows.find(({ setting }) => setting === 'oracle')!.macro['answer_coverage']!.mean,
        50,
      );
      assert.match(
        JSON.stringify(result.options),
        /"judge":"[^"]*m","answers_by":"[^"]*m","reformulated_by"/,
      );
      const asked = prompts.length;
      // reworded; answered from gold and retrieved documents; judged once, as both answers are the
      // same
      assert.equal(asked, 3 + 3 * 2 + 3);
      assert.deepEqual([(await asof(args)).stdout, prompts.length], [first.stdout, asked]);
    } finally {
      server.close();
    }
  });

  it('annotate finds hard negatives in the documents, by rules or a model', async () => {
    interface Found {
      id: string;
      llm_summary: string;
      negative_ids: string[];
    }
    const annotate = async (...args: string[]): Promise<Found[]> => {
      const of = ['--level', 'negatives', '--domains', 'law', '--out', at('negatives.jsonl')];
      const { code, stderr } = await asof(['tempo', 'annotate', corpus, ...of, ...args]);
      assert.deepEqual([code, stderr], [0, '']);
      const lines = readFileSync(at('negatives.jsonl'), 'utf8').trim().split('\n');
      return lines.map((line) => JSON.parse(line) as Found);
    };
    const examples = readFileSync(join(corpus, 'examples', 'law.jsonl'), 'utf8');
    const gold = new Map(
      examples
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; gold_ids: string[] })
        .map(({ id, gold_ids: ids }) => [id, ids] as const),
    );
    const byRules = await annotate();
    assert.deepEqual(
      byRules.map(({ id }) => id),
      [...gold.keys()],
    );
    assert.ok(byRules.some(({ negative_ids: ids }) => ids.length > 0));
    for (const { id, negative_ids: ids } of byRules)
      assert.ok(ids.every((each) => !gold.get(id)!.includes(each)));
    const server = await startLoopback();
    try {
      server.always((response, seen) => {
        const text = JSON.stringify(seen.body);
        const said = text.includes('prepare a test of search engines')
          ? { llm_summary: 'rent of flats', entities_events: ['rent'] }
          : text.includes('sort questions')
            ? { focus: 'specific_time', keywords: [] }
            : { reason: 'no time', verdict: 0 };
        saying(JSON.stringify(said))(response, seen);
      });
      const byModel = await annotate('--model', 'm', '--base-url', server.baseURL);
      for (const { id, llm_summary: search, negative_ids: ids } of byModel) {
        assert.equal(search, 'rent of flats');
        assert.ok(ids.length > 0 && ids.every((each) => !gold.get(id)!.includes(each)));
      }
    } finally {
      server.close();
    }
  });

  it('annotate writes lines that a folder takes, and says how far they agree', async () => {
    const { code, stdout } = await asof(argv`
      tempo annotate ${corpus} --domains law --out ${at('law.jsonl')}
    `);
    const agreed = 'agreement with the folder: temporal or not 3 of 3, reasoning class 2 of 3';
    assert.deepEqual([code, stdout], [0, `${at('law.jsonl')}: 3 queries by rules\n${agreed}\n`]);
    const own = at('own');
    for (const part of ['documents', 'examples'])
      cpSync(join(corpus, part, 'law.jsonl'), join(own, part, 'law.jsonl'));
    cpSync(at('law.jsonl'), join(own, 'guidance', 'law.jsonl'));
    assert.match((await asof(['tempo', 'info', own])).stdout, /classes: EAL 1, TCP 1, CAU 1/);
    const args = argv`
      --level passages --negatives --domains law --out ${at('passages.jsonl')} --json
    `;
    const passages = await asof(['tempo', 'annotate', corpus, ...args]);
    const { agreement, queries } = JSON.parse(passages.stdout);
    assert.deepEqual([queries, agreement.compared], [3, 12]);
    assert.match(
      readFileSync(at('passages.jsonl'), 'utf8'),
      /"gold_passage_annotations":\[\{"doc_id":"law\/rent1955\.txt"/,
    );
  });

  it('compare reads each domain as a set, without excluded documents, by class', async () => {
    const args = argv`
      compare ${corpus} -s bm25 --metrics ndcg@10 --rounds 100 --keep ${at('keep')} --json
    `;
    const whole = JSON.parse((await asof(args)).stdout) as Comparison;
    assert.deepEqual(
      whole.sets.map(({ name }) => name),
      ['corpus economics', 'corpus history', 'corpus law', 'corpus travel'],
    );
    const classes = whole.cells[3]!.groups!.filter(({ by }) => by === 'class').map(
      ({ value, n }) => [value, n],
    );
    assert.deepEqual(classes, [
      ['TCP', 1],
      ['OTH', 2],
      ['MAP', 1],
    ]);
    const ferry = whole.questions!.find(({ id }) => id === '9000_0')!.systems[0]!.top;
    assert.ok(!ferry.some(({ id }) => id === 'history/ferry_song.txt'));
    assertEach(
      ferry,
      ({ rank }) => rank,
      ferry.map((_, at) => at + 1),
    );
    const one = JSON.parse(
      (await asof(['compare', `${parquet}:law`, ...args.slice(2)])).stdout,
    ) as Comparison;
    const law = whole.cells.filter(({ set }) => set === 'corpus law');
    assertEach(
      one.cells,
      ({ metrics }) => metrics,
      law.map(({ metrics }) => metrics),
    );
  });

  const says = async (args: string[], code: number, message: RegExp): Promise<void> => {
    const outcome = await asof(['tempo', ...args]);
    assert.deepEqual([outcome.code, outcome.stdout], [code, ''], outcome.stderr);
    assert.match(outcome.stderr, message);
  };

  it('says what is wrong with data', async () => {
    cpSync(parquet, at('broken'), { recursive: true });
    truncateSync(join(at('broken'), 'documents/law.parquet'), 700);
    await says(
      ['info', at('broken')],
      1,
      /documents\/law\.parquet to be a whole parquet file, received .*Fetch it again/,
    );
    writeFileSync(join(at('broken'), 'examples/law.parquet'), 'nothing of the kind');
    await says(
      ['eval', at('broken'), '--domains', 'law'],
      1,
      /examples\/law\.parquet to be a parquet file, received another kind/,
    );
    cpSync(corpus, at('partial'), { recursive: true });
    rmSync(join(at('partial'), 'examples/law.jsonl'));
    await says(
      ['info', at('partial')],
      1,
      /Expected examples of the domain law .*Fetch examples\/law\.parquet too, or name the domains/,
    );
    rmSync(join(at('partial'), 'steps'), { recursive: true });
    await says(
      ['eval', at('partial'), '--domains', 'travel', '--tasks', 'steps'],
      1,
      /Expected steps of some query in .*found none/,
    );
    await says(
      ['eval', corpus, '--domains', 'monero'],
      1,
      /Expected the domain "monero" .* found economics, history, law, travel/,
    );
  });

  it('refuses invalid options with a message', async () => {
    await says(
      ['eval', corpus, '--variants', 'strips'],
      2,
      /--variants must be one of baseline, strip.*Did you mean strip\?/,
    );
    await says(
      ['eval', corpus, '--metrics', 'tp@10', '-s', 'bm25', '--domains', 'law'],
      2,
      /a judge of documents, which tp@10 reads/,
    );
    await says(
      ['eval', corpus, '--table', 'map'],
      2,
      /--table takes metrics of --metrics, received "map"/,
    );
    await says(
      ['eval', corpus, '--model', 'm', '--model-for', 'cooking'],
      2,
      /--model-for must be one of judge, answers/,
    );
    await says(
      ['info', corpus, '--model', 'm', '--base-url', 'http://127.0.0.1:1/v1'],
      2,
      /--model judges with --quality/,
    );
    await says(
      ['annotate', corpus, '--level', 'words', '--out', at('x')],
      2,
      /--level must be one of queries, passages/,
    );
  });
});
