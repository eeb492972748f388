// Re3 as users ask it: its parts and how each is omitted, the vectors that it compares, and the
// requests that it rejects.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Corpus, staticEncoder, type Passage } from '../../../lib/index.js';
import { createSystem, re3 } from '../../../lib/papers/index.js';
import { readTimeEncoder, timeEncoder, writeTimeEncoder } from '../../../lib/models/index.js';
import { timeTuple } from '../../../lib/time/index.js';
import { fusedVectorColumn } from '../../../lib/store/derived/fusedVectorColumn.js';
import { fails, hashEncoder, temporaryFolder } from '../../store/fixtures.js';
import { withCorpus } from '../../corpus.js';

const passages: Passage[] = [
  {
    id: 'mon',
    text: 'The forecast for Dover on 8 May 2025 is a high of 61 F.',
    publishedAt: '2025-05-05',
  },
  {
    id: 'tue',
    text: 'The forecast for Dover on 8 May 2025 is a high of 66 F.',
    publishedAt: '2025-05-06',
  },
  {
    id: 'wed',
    text: 'The forecast for Dover on 8 May 2025 is a high of 59 F.',
    publishedAt: '2025-05-07',
  },
  {
    id: 'next',
    text: 'The forecast for Dover on 9 May 2025 is a high of 70 F.',
    publishedAt: '2025-05-07',
  },
  {
    id: 'autumn',
    text: 'The forecast for Dover on 3 November 2024 is a high of 52 F.',
    publishedAt: '2024-11-02',
  },
  { id: 'undated', text: 'Dover has a harbour and white cliffs.' },
];
const question = 'What is the forecast high for Dover on 8 May 2025?';

describe('re3', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  it('prints as the parts that it is made of', () => {
    const composed = (options: object) => String(re3({ corpus, ...options }));
    assert.equal(
      composed({}),
      'parseTime -> fuseTime -> dense(fused by FiLM) -> dropSuperseded -> limit -> read',
    );
    assert.equal(
      composed({ versions: false }),
      'parseTime -> fuseTime -> dense(fused by FiLM) -> limit -> read',
    );
    assert.equal(
      composed({ weights: false }),
      'parseTime -> dense -> dropSuperseded -> limit -> read',
    );
  });

  it('ranks the version in force first, and reports the dropped ones with reasons', async () => {
    const days = [
      ['2025-05-07', 'wed', ['mon', 'tue']],
      ['2025-05-06', 'tue', ['mon']],
      ['2025-05-05', 'mon', []],
    ] as const;
    for (const [askedAt, id, dropped] of days) {
      const result = await re3({ corpus }).run({ text: question, askedAt }, { k: 3 });
      assert.equal(result.evidence[0]?.id, id);
      assert.deepEqual((result.dropped ?? []).map((each) => each.id).sort(), dropped);
      for (const { newer, because } of result.dropped ?? []) {
        assert.equal(newer, id);
        assert.match(because, /superseded by (?:wed|tue), published 2025-05-0/);
      }
    }
  });

  it(
    'ranks by the product of fused vectors, those of rows and of the question fused with ' +
      'its own time',
    async () => {
      const times = await timeEncoder(corpus.encoder);
      const { evidence, trace } = await re3({ corpus, mask: false, versions: false }).run(
        { text: question },
        { k: 6 },
      );
      assert.equal(trace[1]?.notes?.['time'], '2025-05-08');
      const own = await corpus.encoder.encode([question], { kind: 'query' });
      const asked = await times.fuse(own, [timeTuple(question, { kind: 'query' })]);
      const rows = await corpus.encoder.encode(
        passages.map(({ text }) => text),
        { kind: 'passage' },
      );
      const fused = await times.fuse(
        rows,
        passages.map(({ text, publishedAt }) =>
          timeTuple(text, publishedAt ? { reference: publishedAt } : {}),
        ),
      );
      const { dimensions } = times;
      passages.forEach(({ id }, row) => {
        const product = asked.reduce(
          (sum, value, c) => sum + value * fused[row * dimensions + c]!,
          0,
        );
        assert.ok(Math.abs(product - evidence.find((each) => each.id === id)!.score) < 1e-5, id);
      });
      // The day in question comes first, which it need not without time.
      assert.deepEqual(
        evidence
          .slice(0, 3)
          .map(({ id }) => id)
          .sort(),
        ['mon', 'tue', 'wed'],
      );
    },
  );

  it('compares a question of two days with both, and one of none by its own vector', async () => {
    const system = re3({ corpus, versions: false });
    const both = await system.run(
      {
        text: 'How warm will Dover be on 8 May 2025 and on 9 May 2025?',
        askedAt: '2025-05-08',
      },
      { k: 6 },
    );
    assert.equal(both.trace[1]?.notes?.['time'], '2025-05-08 and 2025-05-09');
    const none = await system.run(
      { text: 'What is Dover known for?', askedAt: '2025-05-08' },
      { k: 6 },
    );
    assert.equal(none.trace[1]?.notes?.['time'], 'none');
    const plain = await re3({ corpus, weights: false, versions: false }).run(
      { text: 'What is Dover known for?' },
      { k: 6 },
    );
    const similarity = ({ evidence }: typeof none) =>
      evidence.find(({ id }) => id === 'undated')!.score;
    assert.equal(similarity(none), similarity(plain));
  });

  it('has the vectors of rows by its weights, and saves them once beside the corpus', async () => {
    await using own = await Corpus.open(folder.path('own'));
    await own.add(passages);
    const saved = () =>
      readdirSync(join(own.path, 'segments')).filter((name) => name.endsWith('.vec')).length;
    const fusedBy = async () =>
      (await re3({ corpus: own }).run({ text: question })).trace[1]?.notes?.['rowsFused'];
    assert.equal(await fusedBy(), passages.length);
    assert.equal(await fusedBy(), undefined);
    assert.equal(saved(), 1);
    const given = await readTimeEncoder();
    const other = { ...given, parameters: given.parameters.map((value) => value / 2) };
    const file = folder.path('other.bin');
    await writeTimeEncoder(file, other);
    for (const weights of [other, file])
      await re3({ corpus: own, weights }).run({ text: question });
    assert.equal(saved(), 2);
    const using = fusedVectorColumn(await timeEncoder(corpus.encoder, other));
    assert.notEqual(using.key, fusedVectorColumn(await timeEncoder(corpus.encoder)).key);
  });

  it('is created by name with settings; refuses invalid options, encoders and files', async () => {
    const settings = {
      weights: false,
      units: 'all',
      mask: false,
      versions: { depth: 10 },
    };
    assert.equal(
      String(createSystem('re3', { corpus, settings })),
      'parseTime -> dense -> dropSuperseded -> limit -> read',
    );
    assert.throws(
      () => re3({ corpus, units: 'sentences' as never }),
      fails('ERR_INVALID_ARGUMENT', /units/),
    );
    assert.throws(
      () => re3({ corpus, weights: 5 as never }),
      fails('ERR_INVALID_ARGUMENT', /weights/),
    );
    const missing = re3({ corpus, weights: folder.path('missing.bin') });
    for (let turn = 0; turn < 2; turn += 1)
      await assert.rejects(missing.run({ text: question }), fails('ERR_NOT_FOUND', /missing\.bin/));
    await writeTimeEncoder(folder.path('missing.bin'), await readTimeEncoder());
    assert.equal(
      (await missing.run({ text: question, askedAt: '2025-05-07' })).evidence[0]?.id,
      'wed',
    ); // what was missing is there now
    await using hashed = await Corpus.open(folder.path('hashed'), {
      encoder: hashEncoder((await staticEncoder()).dimensions, 'hash'),
    });
    await hashed.add(passages);
    await assert.rejects(
      re3({ corpus: hashed }).run({ text: question }),
      fails('ERR_ENCODER_MISMATCH', /asof train re3/),
    );
    await assert.rejects(
      re3({ corpus }).run({ text: question }, { signal: AbortSignal.abort() }),
      fails('ERR_ABORTED'),
    );
  });
});
