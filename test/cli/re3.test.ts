// asof ask --system re3 as a user runs it: the version in force, the superseded ones, the location
// of the fused vectors, and settings.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../store/fixtures.js';
import { argv, asof } from './spawn.js';
import { assertEach } from '../assertEach.js';

const days = [
  ['mon', '61', '2025-05-05'],
  ['tue', '66', '2025-05-06'],
  ['wed', '59', '2025-05-07'],
] as const;
const passages = days.map(([id, high, published_at]) => ({
  id,
  text: `The forecast for Dover on 8 May 2025 is a high of ${high} F.`,
  published_at,
}));
const question = 'What is the forecast high for Dover on 8 May 2025?';

interface QuestionLine {
  system: string;
  evidence: { id: string }[];
  dropped?: { id: string; newer: string }[];
  trace: { stage: string; notes?: Record<string, unknown> }[];
}

describe('asof ask --system re3', () => {
  const folder = temporaryFolder();
  const corpus = (): string => folder.path('dover.asof');
  const ask = async (...more: string[]): Promise<QuestionLine> => {
    const { code, stdout, stderr } = await asof(argv`
      ask ${corpus()} ${question} --asked-at 2025-05-06 --json ${more}
    `);
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout) as QuestionLine;
  };
  const saved = (): string[] =>
    readdirSync(join(corpus(), 'segments')).filter((name) => name.endsWith('.vec'));

  before(async () => {
    writeFileSync(
      folder.path('passages.jsonl'),
      passages.map((each) => `${JSON.stringify(each)}\n`).join(''),
    );
    assert.equal((await asof(['index', corpus(), folder.path('passages.jsonl')])).code, 0);
  });

  it("shows the version in force at the question's time, and the dropped ones", async () => {
    const { evidence, dropped, trace } = await ask('--system', 're3');
    assertEach(evidence, ({ id }) => id, ['tue']);
    assertEach(dropped!, ({ id, newer }) => [id, newer], [['mon', 'tue']]);
    assert.deepEqual(
      trace.map(({ stage }) => stage),
      ['parseTime', 'fuseTime', 'dense(fused by FiLM)', 'dropSuperseded', 'limit', 'read'],
    );
    assert.equal(trace[1]!.notes!['time'], '2025-05-08');
  });

  it(
    'keeps the fused vectors beside the corpus for the next question, and asof info counts ' +
      'and checks them',
    async () => {
      assert.equal(saved().length, 1);
      assert.equal((await ask('--system', 're3')).trace[1]!.notes!['rowsFused'], undefined);
      const { code, stdout } = await asof(['info', corpus(), '--json']);
      assert.equal(code, 0);
      const info = JSON.parse(stdout) as { bytes: { derived: number }; integrity: string };
      assert.ok(info.bytes.derived > 0);
      assert.equal(info.integrity, 'intact');
      assert.match((await asof(['info', corpus()])).stdout, /derived \d/);
    },
  );

  it('takes each part out by a settings file, and names weights that are not there', async () => {
    const settings = (value: object): string => {
      writeFileSync(
        folder.path('settings.json'),
        JSON.stringify({ system: 're3', settings: value }),
      );
      return folder.path('settings.json');
    };
    const alone = await ask('--settings', settings({ versions: false }));
    assert.deepEqual(alone.evidence.map(({ id }) => id).sort(), ['mon', 'tue']);
    assert.equal(alone.dropped, undefined);
    const plain = await ask('--settings', settings({ weights: false, mask: false }));
    assert.deepEqual(
      plain.trace.map(({ stage }) => stage),
      ['parseTime', 'dense', 'dropSuperseded', 'limit', 'read'],
    );
    const missing = await asof(argv`
      ask ${corpus()} ${question} --settings ${settings({ weights: folder.path('none.bin') })}
    `);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /weights of a time encoder at .*none\.bin, found no file/);
  });

  it('takes the times of an extractor, of systems that fuse any', async () => {
    const fused = async (...more: string[]): Promise<unknown> =>
      (await ask('--system', 're3', ...more)).trace[1]!.notes!['time'];
    assert.equal(await fused('--extractor', 'grammar'), '2025-05-08');
    assert.equal(saved().length, 2, 'vectors of another key');
    for (const [args, message] of [
      [['-s', 're3', '--extractor', 'oracle'], /--extractor must be one of grammar, learned, both/],
      [
        ['-s', 'dense', '--extractor', 'grammar'],
        /--extractor would not be used by dense: name re3, or omit it/,
      ],
    ] as const) {
      const { code, stderr } = await asof(['ask', corpus(), question, ...args]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });

  it('evaluates and compares re3 with an extractor beside systems without one', async () => {
    const set = folder.path('set');
    mkdirSync(set);
    const passage = readFileSync(folder.path('passages.jsonl'));
    writeFileSync(join(set, 'passages.jsonl'), passage);
    const query = { id: 'q', text: question, asked_at: '2025-05-06' };
    writeFileSync(join(set, 'queries.jsonl'), `${JSON.stringify(query)}\n`);
    writeFileSync(join(set, 'qrels.tsv'), 'q 0 tue 1\n');
    const [queries, qrels] = [join(set, 'queries.jsonl'), join(set, 'qrels.tsv')];
    const given = ['-s', 'bm25,re3', '--extractor', 'grammar', '--json'];
    const evaluated = await asof([
      ...['eval', corpus(), '--queries', queries, '--qrels', qrels],
      ...given,
    ]);
    assert.deepEqual([evaluated.code, evaluated.stderr], [0, '']);
    const compared = await asof(['compare', set, ...given]);
    assert.equal(compared.code, 0, compared.stderr);
    const { systems } = JSON.parse(compared.stdout) as {
      systems: { name: string; options: Record<string, unknown> }[];
    };
    assert.deepEqual(
      systems.map(({ name, options }) => [name, options['extractor']]),
      [
        ['bm25', undefined],
        ['re3', 'grammar'],
      ],
    );
  });
});
