// BEIR folders: what is written is read again, splits, metadata, and what is refused.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Passage } from '../../../../lib/index.js';
import { beirQrels, readBeir, writeBeir } from '../../lib/files/beir.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';

describe('BEIR folders', () => {
  const folder = temporaryFolder();

  const queries = [
    {
      id: 'q 1',
      text: 'Who led?',
      askedAt: '2020-05-01',
      answers: ['Ann'],
      goldEvidence: ['Ann led.'],
    },
    { id: 'q2', text: 'Why?' },
  ];
  const passages: Passage[] = [
    {
      id: 'a',
      title: 'Ann',
      text: 'Ann led.',
      publishedAt: '2019-01-01',
      validFrom: '2018',
      metadata: { source: 'x' },
    },
    { id: 'b', text: 'Ümlaut' },
  ];
  const qrels = new Map([
    [
      'q 1',
      new Map([
        ['a', 2],
        ['b', 0],
      ]),
    ],
    ['q2', new Map([['b', 1]])],
  ]);

  it('are read as they were written, times and answers included', async () => {
    const path = folder.path('round');
    await writeBeir(path, {
      queries,
      passages,
      qrels: { test: qrels, dev: new Map([...qrels].slice(1)) },
    });
    const read = await readBeir(path);
    assert.deepEqual(read.queries, queries);
    assert.deepEqual(read.qrels, qrels);
    const back: Passage[] = [];
    for await (const passage of read.passages()) back.push(passage);
    assert.deepEqual(back, passages);
    assert.deepEqual([...(await readBeir(path, { split: 'dev' })).qrels.keys()], ['q2']);
    assert.equal(
      readFileSync(join(path, 'qrels', 'dev.tsv'), 'utf8'),
      'query-id\tcorpus-id\tscore\nq2\tb\t1\n',
    );
    const second = readFileSync(join(path, 'corpus.jsonl'), 'utf8').split('\n')[1]!;
    assert.deepEqual(JSON.parse(second), { _id: 'b', title: '', text: 'Ümlaut', metadata: {} });
  });

  it('as other tools write them, without metadata and with more than is read', async () => {
    const path = folder.path('theirs');
    mkdirSync(join(path, 'qrels'), { recursive: true });
    writeFileSync(join(path, 'corpus.jsonl'), '{"_id":"a","title":"","text":"x","url":"u"}\n');
    writeFileSync(join(path, 'queries.jsonl'), '{"_id":"q","text":"y","metadata":{"url":"u"}}\n');
    writeFileSync(join(path, 'qrels', 'train.tsv'), 'query-id\tcorpus-id\tscore\nq\ta\t1\n');
    await assert.rejects(readBeir(path), {
      code: 'ERR_NOT_FOUND',
      message: /qrels\/test\.tsv .*found the splits train/,
    });
    const read = await readBeir(path, { split: 'train' });
    assert.deepEqual(read.queries, [{ id: 'q', text: 'y' }]);
    assert.deepEqual((await read.passages().next()).value, { id: 'a', text: 'x' });
  });

  it('keep what they had where the passages turn out to be faulty', async () => {
    const path = folder.path('kept');
    await writeBeir(path, { queries, passages, qrels: { test: qrels } });
    const before = readFileSync(join(path, 'corpus.jsonl'), 'utf8');
    async function* faulty(): AsyncGenerator<Passage> {
      yield passages[0]!;
      throw new Error('line 2');
    }
    await assert.rejects(
      writeBeir(path, { queries: [], passages: faulty(), qrels: {} }),
      /^Error: line 2/,
    );
    assert.equal(readFileSync(join(path, 'corpus.jsonl'), 'utf8'), before);
    assert.deepEqual(readdirSync(path).sort(), ['corpus.jsonl', 'qrels', 'queries.jsonl']);
  });

  it('refuse faulty lines by file and line', async () => {
    const path = folder.path('faulty');
    await writeBeir(path, { queries, passages, qrels: { test: qrels } });
    writeFileSync(join(path, 'queries.jsonl'), '{"_id":"q","text":"y"}\n{"_id":"q","text":"y"}\n');
    await assert.rejects(readBeir(path), {
      code: 'ERR_INVALID_INPUT',
      message: /queries\.jsonl:2: Expected each query id once/,
    });
    writeFileSync(
      join(path, 'queries.jsonl'),
      '{"_id":"q","text":"y","metadata":{"answers":"z"}}\n',
    );
    await assert.rejects(readBeir(path), {
      message: /queries\.jsonl:1: Expected "answers" to be a list of texts/,
    });
    const tabbed = new Map([['a\tb', new Map([['c', 1]])]]);
    await assert.rejects(
      writeBeir(path, { queries: [], passages: [], qrels: { test: tabbed } }),
      /ids without tabs/,
    );
    await assert.rejects(writeBeir(join(path, 'queries.jsonl'), { queries, passages, qrels: {} }), {
      code: 'ERR_STORAGE',
    });
    assert.equal(await beirQrels(join(path, 'queries.jsonl')), join(path, 'queries.jsonl'));
  });
});
