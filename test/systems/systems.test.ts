// Every system over a small corpus: printed form, results, masks, and errors.
import assert from 'node:assert/strict';
import {
  Corpus,
  type Encoder,
  hybrid,
  type Passage,
  type System,
  timeline,
} from '../../lib/index.js';
import { createSystem, mrag, systemNames, tempralm } from '../../lib/papers/index.js';
import { failsWith } from '../failsWith.js';
import { needed } from '../reranker.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';
import { withCorpus } from '../corpus.js';

const passages: Passage[] = [
  {
    id: 'may',
    text: 'Theresa May became prime minister of the United Kingdom on 13 July 2016.',
    publishedAt: '2016-07-13',
  },
  {
    id: 'johnson',
    text:
      'Boris Johnson was a journalist. He became prime minister of the United Kingdom on ' +
      '24 July 2019. He was born in 1964.',
    title: 'Boris Johnson',
    publishedAt: '2019-07-24',
  },
  {
    id: 'sunak',
    text: 'Rishi Sunak became prime minister of the United Kingdom on 25 October 2022.',
    publishedAt: '2022-10-25',
  },
  {
    id: 'macron',
    text: 'Emmanuel Macron became president of France on 14 May 2017.',
    publishedAt: '2017-05-14',
  },
  { id: 'undated', text: 'The prime minister of the United Kingdom lives in Downing Street.' },
  { id: 'stamp-2001', text: 'A stamp costs 34 cents.', publishedAt: '2001-01-07' },
  { id: 'stamp-2007', text: 'A stamp costs 41 cents.', publishedAt: '2007-05-14' },
  {
    id: 'fee-old',
    text: 'Entry to the museum is five pounds.',
    validFrom: '2010-01-01',
    validTo: '2014-12-31',
  },
  {
    id: 'fee-middle',
    text: 'Entry to the museum is seven pounds.',
    validFrom: '2015-01-01',
    validTo: '2019-12-31',
  },
  { id: 'fee-new', text: 'Entry to the museum is nine pounds.', validFrom: '2020-01-01' },
  { id: 'stamp-2013', text: 'A stamp costs 46 cents.', publishedAt: '2013-01-27' },
];

describe('systems', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  const ids = async (system: System, text: string, askedAt?: string, k = 3): Promise<string[]> =>
    (await system.run({ text, ...(askedAt ? { askedAt } : {}) }, { k })).evidence.map(
      ({ id }) => id,
    );

  it('print as their compositions', () => {
    const printed = Object.fromEntries(
      ['mrag', 'tempralm', 're3', 'hybrid', 'dense', 'bm25+mask', 'bm25+suffix'].map((name) => [
        name,
        String(createSystem(name, { corpus, ...needed(name) })),
      ]),
    );
    assert.deepEqual(printed, {
      mrag:
        'decompose -> findKeywords -> dense(1000) -> rankByKeywords(100) -> rank(semantic) -> ' +
        'summarise(5) -> rank(semantic x spline, 200) -> limit -> read',
      tempralm: 'withTimeSuffix -> retrieve(1000) -> rank(semantic + recency) -> limit -> read',
      re3: 'parseTime -> fuseTime -> dense(fused by FiLM) -> dropSuperseded -> limit -> read',
      hybrid:
        'resolveEvents -> contentWithYears -> scan(relevance x time, best row per passage) -> ' +
        'expandQuery -> undatedAtMean -> ' +
        'rankBySeries(hybrid-7) -> limit -> read',
      dense: 'rawQuery -> dense -> limit -> read',
      'bm25+mask': 'rawQuery -> bm25(masked) -> limit -> read',
      'bm25+suffix': 'withTimeSuffix -> bm25 -> limit -> read',
    });
  });

  it('answer as of a time: hybrid and mrag find the office holder', async () => {
    assert.equal(
      (await ids(hybrid({ corpus }), 'Who was UK prime minister as of 6 May 2021?'))[0],
      'johnson',
    );
    assert.equal((await ids(hybrid({ corpus }), 'Who was UK prime minister in 2017?'))[0], 'may');
    assert.equal(
      (await ids(mrag({ corpus }), 'Who was prime minister of the United Kingdom before 2018?'))[0],
      'may',
    );
  });

  it('use the query time for questions without a time', async () => {
    for (const system of [
      hybrid({ corpus }),
      tempralm({ corpus }),
      tempralm({ corpus, overRetrieve: 'corpus' }),
    ]) {
      assert.equal(
        (await ids(system, 'What does a stamp cost?', '2009-01-01'))[0],
        'stamp-2007',
        String(system),
      );
      assert.equal(
        (await ids(system, 'What does a stamp cost?', '2014-01-01'))[0],
        'stamp-2013',
        String(system),
      );
    }
  });

  it("use the validity of passages, by the question's or the query time", async () => {
    for (const [year, id] of [
      ['2012', 'fee-old'],
      ['2017', 'fee-middle'],
      ['2022', 'fee-new'],
    ] as const) {
      for (const system of [hybrid({ corpus }), mrag({ corpus })]) {
        assert.equal(
          (await ids(system, `What was the entry to the museum in ${year}?`))[0],
          id,
          `${String(system)} ${year}`,
        );
      }
      assert.equal(
        (await ids(hybrid({ corpus }), 'What is the entry to the museum?', `${year}-06-01`))[0],
        id,
      );
    }
  });

  it('never show later publications, except where every clock is ignored', async () => {
    for (const name of systemNames) {
      const found = await ids(
        createSystem(name, { corpus, ...needed(name) }),
        'What does a stamp cost?',
        '2005-01-01',
        8,
      );
      const future = found.filter(
        (id) =>
          Date.parse(String(passages.find((each) => each.id === id)?.publishedAt)) >
          Date.parse('2005-01-01'),
      );
      if (
        name.endsWith('+mask') ||
        ['mrag+official', 'tempralm', 're3', 'hybrid', 'reimplementation+metadata'].includes(name)
      ) {
        assert.deepEqual(future, [], name);
      } else assert.ok(future.length > 0, name);
    }
  });

  it('report the best sentence and date, and keep every score as a column', async () => {
    const { evidence, answer, question, trace } = await hybrid({ corpus }).run({
      text: 'Who was UK prime minister as of 6 May 2021?',
    });
    const [first] = evidence;
    assert.equal(
      first?.sentence,
      'He became prime minister of the United Kingdom on 24 July 2019.',
    );
    assert.deepEqual(
      first.dates?.map(({ start, granularity }) => [
        new Date(start).toISOString().slice(0, 10),
        granularity,
      ]),
      [['2019-07-24', 'day']],
    );
    assert.deepEqual(Object.keys(first.scores).sort(), [
      'lexical',
      'membership',
      'scan',
      'similarity',
      'temporal',
    ]);
    assert.equal(answer?.text, 'Boris Johnson');
    assert.deepEqual(answer?.evidence, ['johnson']);
    assert.equal(question.constraint.relation, 'as of');
    assert.deepEqual(
      trace.map(({ stage }) => stage),
      [
        'resolveEvents',
        'contentWithYears',
        'scan(relevance x time, best row per passage)',
        'expandQuery',
        'undatedAtMean',
        'rankBySeries(hybrid-7)',
        'limit',
        'read',
      ],
    );
  });

  it('return the same answer at any k, ranks from one, passages once', async () => {
    for (const name of systemNames) {
      const system = createSystem(name, { corpus, ...needed(name) });
      const all = await system.run({ text: 'Who was prime minister in 2018?' }, { k: 8 });
      const some = await system.run({ text: 'Who was prime minister in 2018?' }, { k: 2 });
      assertEach(
        some.evidence,
        ({ id }) => id,
        all.evidence.slice(0, 2).map(({ id }) => id),
        name,
      );
      assertEach(
        all.evidence,
        ({ rank }) => rank,
        all.evidence.map((_, at) => at + 1),
      );
      assert.equal(new Set(all.evidence.map(({ id }) => id)).size, all.evidence.length);
      assert.ok(
        all.evidence.every(({ score }, at) => at === 0 || score <= all.evidence[at - 1]!.score),
        name,
      );
    }
  });

  it('reject questions of more than 20,000 units, and read the end of long ones', async () => {
    const question = { text: `${'of the mill '.repeat(1_500)}Who was mayor in 1990?` };
    const long = { text: question.text.padStart(20_001, 'x ') };
    for (const name of systemNames) {
      const system = createSystem(name, { corpus, ...needed(name) });
      const { question: parsed } = await system.run(question);
      assert.equal(parsed.text, question.text, name);
      await assert.rejects(system.run(long), /at most 20,000 UTF-16 units, received 20,001\. Ask/);
    }
    await assert.rejects(timeline(corpus, long), /at most 20,000 UTF-16 units, received 20,001/);
    assert.ok(Array.isArray(await timeline(corpus, question)));
  });

  it('reject invalid questions with a message', async () => {
    const system = hybrid({ corpus });
    await assert.rejects(
      system.run({ text: ' ' }),
      /Expected question.text to be a question in words/,
    );
    await assert.rejects(system.run({ text: 7 as never }), /received number 7/);
    await assert.rejects(
      system.run({ text: 'Who?' }, { k: 0 }),
      /Expected k to be a whole number from 1 to 10,000, received number 0/,
    );
    await assert.rejects(system.run({ text: 'Who?', askedAt: '2021-02-30' }), /askedAt/);
    await assert.rejects(system.run({ text: 'Who?' }, { signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
    await assert.rejects(
      system.run({ text: 'Who?', askedAt: new Date('never') }),
      /received an invalid Date/,
    );
    const unlike = failsWith('ERR_INVALID_ARGUMENT', /Expected signal to be an AbortSignal/);
    await assert.rejects(system.run({ text: 'Who?' }, { signal: 5 as never }), unlike);
    assert.throws(() => hybrid({} as never), /Expected corpus to be a Corpus, received undefined/);
    assert.throws(() => createSystem('constructor', { corpus }), /Expected system to be one of/);
  });

  it('pass the signal to the encoder, and name an encoder that fails', async () => {
    let fault: 'none' | 'short' | 'not a number' = 'none';
    let signalled: AbortSignal | undefined;
    const stopping = new AbortController();
    const encoder: Encoder = {
      id: 'test-4',
      dimensions: 4,
      async encode(texts, { kind, signal }) {
        if (kind === 'query') signalled = signal;
        if (texts[0]?.includes('card')) stopping.abort('enough');
        if (kind === 'query' && fault === 'short') return new Float32Array(3);
        return new Float32Array(texts.length * 4).fill(
          kind === 'query' && fault === 'not a number' ? NaN : 0.5,
        );
      },
    };
    const own = await Corpus.open(folder.path('own'), { encoder });
    await own.add(passages);
    await hybrid({ corpus: own }).run({ text: 'What does a stamp cost?' });
    assert.equal(signalled?.aborted, false);
    await assert.rejects(
      hybrid({ corpus: own }).run({ text: 'What does a card cost?' }, { signal: stopping.signal }),
      { code: 'ERR_ABORTED' },
    );
    assert.equal(signalled?.reason, 'enough');
    for (fault of ['short', 'not a number'] as const) {
      await assert.rejects(
        hybrid({ corpus: own }).run({ text: 'What does a stamp cost?' }),
        { code: 'ERR_ENCODER_FAILED' },
        fault,
      );
    }
    await own.close();
  });

  it('reject a closed corpus, and return nothing for an empty one', async () => {
    const empty = await Corpus.open(folder.path('empty'));
    for (const name of systemNames) {
      const { evidence, answer } = await createSystem(name, { corpus: empty, ...needed(name) }).run(
        {
          text: 'Who was king in 1066?',
        },
      );
      assert.deepEqual([evidence, answer], [[], undefined], name);
    }
    await empty.close();
    await assert.rejects(hybrid({ corpus: empty }).run({ text: 'Who was king in 1066?' }), {
      code: 'ERR_CLOSED',
    });
  });
});
