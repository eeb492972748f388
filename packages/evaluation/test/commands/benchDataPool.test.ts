// asof eval by answers and over a fixed pool, and the command that makes one, as a user runs them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asof, argv } from '../../../../test/cli/spawn.js';

const lines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('asof eval --relevance, --pool and bench-data pool', () => {
  let folder: string;
  let corpus: string;
  let queries: string;
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'asof-pool-'));
    corpus = join(folder, 'lamps.asof');
    const keepers = ['Ann Orr', 'Bo Lind', 'Cy Dee', 'Di Fox'];
    const passages = keepers.map((keeper, i) => ({
      id: `k${i}`,
      text: `${keeper} kept the lighthouse lamp in ${1900 + 10 * i}.`,
    }));
    await asof(['index', corpus, write('passages.jsonl', lines(passages))]);
    queries = write(
      'queries.jsonl',
      lines([
        { id: 'a', text: 'Who kept the lighthouse lamp in 1900?', answers: ['ann ORR'] },
        { id: 'b', text: 'Who kept the lighthouse lamp in 1910?', answers: ['Bo Lind'] },
        { id: 'c', text: 'Who kept the lighthouse lamp in 1950?', answers: ['Zed'] },
      ]),
    );
  });
  after(() => rmSync(folder, { recursive: true }));
  const report = async (...more: string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await asof(argv`
      eval ${corpus} --queries ${queries} --json ${more}
    `);
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it('treats passages with an answer as relevant and reports evaluable queries', async () => {
    const {
      evaluable,
      metrics,
      averaged_over: over,
      options,
      queries: asked,
    } = await report('--relevance', 'answers', '-s', 'reimplementation');
    assert.deepEqual([asked, evaluable], [3, 2]);
    assert.deepEqual(
      Object.keys(metrics as object),
      ['hit', 'mrr', 'recall'].flatMap((name) => [1, 5, 10, 20].map((k) => `${name}@${k}`)),
    );
    assert.deepEqual(
      [(metrics as Record<string, number>)['hit@1'], (over as Record<string, number>)['hit@1']],
      [1, 2],
    );
    assert.equal((options as Record<string, unknown>)['relevance'], 'answers');
  });

  it('makes a pool and evaluates within it', async () => {
    const made = await asof(argv`bench-data pool ${corpus} --queries ${queries} --negatives 1`);
    assert.equal(made.code, 0);
    const ids = made.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    assert.deepEqual([...new Set(ids)], ids);
    assert.ok(ids.includes('k0') && ids.includes('k1'));
    const inside = await report(
      '--relevance',
      'answers',
      '--pool',
      write('pool.jsonl', made.stdout),
    );
    assert.deepEqual(
      [inside['evaluable'], (inside['options'] as Record<string, unknown>)['pool']],
      [2, ids.length],
    );
    const narrow = await report(
      '--relevance',
      'answers',
      '--pool',
      write('own.jsonl', lines([{ id: 'k1' }, { id: 'k2', query: 'a' }])),
      '--per-query',
    );
    assert.equal(narrow['evaluable'], 1);
    const found = await asof(argv`
      bench-data pool ${corpus} --queries ${queries} --negatives 1 --per-query
    `);
    assert.deepEqual(Object.keys(JSON.parse(found.stdout.split('\n')[0]!) as object).sort(), [
      'id',
      'kind',
      'query',
    ]);
  });

  it('refuses other relevance, two kinds of it, and a pool that the corpus lacks', async () => {
    const refused = async (...more: string[]): Promise<string> => {
      const { code, stderr } = await asof(['eval', corpus, '--queries', queries, ...more]);
      assert.equal(code, 2);
      return stderr;
    };
    assert.match(await refused('--relevance', 'taste'), /--relevance must be answers/);
    assert.match(await refused('--relevance', 'answers', '--qrels', queries), /give one of them/);
    assert.match(
      await refused(
        '--relevance',
        'answers',
        '--pool',
        write('other.jsonl', lines([{ id: 'gone' }])),
      ),
      /gone/,
    );
    const empty = await asof(argv`
      eval ${corpus} --queries ${queries} --relevance answers --pool ${write('empty.jsonl', '')}
    `);
    assert.equal(empty.code, 1);
    assert.match(empty.stderr, /a pool of passages/);
  });
});

describe('asof index with dates of update and crawl, and what is derived from them', () => {
  it('stores checked dates in the metadata, and shows the derived window', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-dates-'));
    try {
      const file = join(folder, 'passages.jsonl');
      writeFileSync(
        file,
        lines([
          {
            id: 'a',
            text: 'The ferry costs two pounds.',
            published_at: '2018-05-01',
            updated_at: '2019-01-01',
            crawled_at: '2021-06-30',
            metadata: { page: 3 },
          },
          {
            id: 'b',
            text: 'The ferry costs three pounds.',
            published_at: '2022-05-01',
            updated_at: 'soon',
          },
        ]),
      );
      const corpus = join(folder, 'ferry.asof');
      const indexed = await asof(['index', corpus, file]);
      assert.equal(indexed.code, 1);
      assert.match(indexed.stderr, /passages\.jsonl:2: Expected updated_at/);
      const { code, stdout } = await asof(argv`
        ask ${corpus} ${'What does the ferry cost?'} --asked-at 2020-01-01
        -s reimplementation+metadata --json
      `);
      assert.equal(code, 0);
      const { evidence } = JSON.parse(stdout) as { evidence: Record<string, unknown>[] };
      assert.deepEqual(
        evidence.map(({ id, validity, valid_from: from }) => ({ id, validity, from })),
        [
          {
            id: 'a',
            validity: {
              rule: 'updated to crawled',
              clock: 'derived',
              from: '2019-01-01',
              to: '2021-06-30',
            },
            from: undefined,
          },
        ],
      );
      const shown = await asof(argv`
        ask ${corpus} ${'What does the ferry cost?'} --asked-at 2020-01-01
        -s reimplementation+metadata --explain
      `);
      assert.match(shown.stdout, /validity derived \(updated to crawled\), read by derived/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
