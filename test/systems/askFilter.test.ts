// Options of a question that limit what counts: what was published when, what still holds, and a
// decay and weights of its own.
import assert from 'node:assert/strict';
import {
  bm25,
  dense,
  hybrid,
  type AskOptions,
  type Corpus,
  type Passage,
} from '../../lib/index.js';
import { mrag } from '../../lib/papers/index.js';
import { withCorpus } from '../corpus.js';
import { assertEach } from '../assertEach.js';

const passages: Passage[] = [
  {
    id: 'old',
    text: 'The berth fee of Tannau is 5 crowns.',
    publishedAt: '2018-03-01',
    series: 'fee',
  },
  {
    id: 'new',
    text: 'The berth fee of Tannau is 9 crowns.',
    publishedAt: '2020-03-01',
    series: 'fee',
  },
  {
    id: 'over',
    text: 'A discount halves the berth fee of Tannau.',
    publishedAt: '2018-05-01',
    validTo: '2018-12-31',
  },
  { id: 'undated', text: 'Tannau has a berth fee.' },
];

describe('what counts for a question', () => {
  let corpus: Corpus;
  withCorpus(passages, (opened) => (corpus = opened));

  const text = 'What is the berth fee of Tannau?';
  async function ids(options: AskOptions, question = text, askedAt = '2021-06-01') {
    const { evidence } = await bm25({ corpus }).run({ text: question, askedAt }, options);
    return evidence.map(({ id }) => id).sort();
  }

  it('is what was published since and until a time, both inclusive, also in words', async () => {
    assert.deepEqual(await ids({ since: '2018-05-01' }), ['new', 'over']);
    assert.deepEqual(await ids({ since: '2018-05-01', until: '2018-05-01' }), ['over']);
    assert.deepEqual(await ids({ until: '2018' }), ['old', 'over']);
    assert.deepEqual(await ids({ since: 'last year' }), ['new']);
    assert.deepEqual(await ids({ until: 'May 2018', where: { publishedAt: { gte: '2018-04' } } }), [
      'over',
    ]);
    await assert.rejects(ids({ since: 'in spring, or later' }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /^Expected since to be/,
    });
  });

  it('is what holds at the time that is asked for, where only that is wanted', async () => {
    assert.deepEqual(await ids({ only: 'current' }), ['new', 'undated']);
    const then = `${text.slice(0, -1)} as of 1 November 2018?`;
    assert.deepEqual(await ids({ only: 'current' }, then), ['new', 'old', 'over', 'undated']);
    assert.deepEqual(await ids({ only: 'current' }, text, '2019-06-01'), ['new', 'old', 'undated']);
    const { evidence } = await hybrid({ corpus }).run(
      { text, askedAt: '2021-06-01' },
      { only: 'current' },
    );
    assert.equal(evidence[0]!.id, 'new');
    assertEach(
      evidence,
      ({ rank }) => rank,
      evidence.map((_, at) => at + 1),
    );
    assert.ok(evidence.every(({ id }) => id !== 'old' && id !== 'over'));
    await assert.rejects(ids({ only: 'past' as never }), { code: 'ERR_INVALID_ARGUMENT' });
  });

  describe('and what has ended is most of the corpus', () => {
    const ended = Array.from({ length: 500 }, (_, n): Passage => {
      const year = 1400 + n;
      return {
        id: `over${n}`,
        text: `The berth fee of Velm was ${n} crowns from January to November ${year}.`,
      };
    });
    const others = Array.from({ length: 30 }, (_, n): Passage => {
      return { id: `still${n}`, text: `Pier ${n} of Velm has a berth.` };
    });
    let velm: Corpus;
    withCorpus([...ended, ...others], (opened) => (velm = opened));
    // Of which a longer shortlist has another order.
    const mixed = Array.from({ length: 120 }, (_, n): Passage => {
      const texts = [
        `The harbour master of Velm is Anna Number${n}.`,
        `A berth fee is due in Velm at quay ${n}.`,
        `The berth fee of Oss${n} is 3 crowns since ${1990 + (n % 30)}.`,
        `Velm has ${n} berths.`,
      ];
      return { id: `still${n}`, text: texts[n % 4]! };
    });
    let harbours: Corpus;
    withCorpus([...ended, ...mixed], (opened) => (harbours = opened));

    it('there are as many as are asked for, or all that hold', async () => {
      const question = { text: 'What is the berth fee of Velm now?', askedAt: '2021-06-01' };
      for (const [k, count] of [
        [10, 10],
        [25, 25],
        [300, 30],
      ] as const) {
        const { evidence } = await hybrid({ corpus: velm }).run(question, { k, only: 'current' });
        const held = evidence.filter(({ id }) => id.startsWith('still'));
        assert.deepEqual([held.length, evidence.length], [count, count], `k ${k}`);
        assertEach(
          evidence,
          ({ rank }) => rank,
          evidence.map((_, at) => at + 1),
        );
      }
    });

    it('pages of any size are parts of one order, also where further ones are read', async () => {
      const question = { text: 'What is the berth fee of Velm now?', askedAt: '2021-06-01' };
      for (const system of [hybrid({ corpus: harbours }), bm25({ corpus: harbours })]) {
        const run = async (options: AskOptions) => {
          const { evidence } = await system.run(question, { ...options, only: 'current' });
          return evidence.map(({ id, rank, score }) => ({ id, rank, score }));
        };
        const all = await run({ k: 1000 });
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
        assert.ok(all.length >= 120, system.name);
        for (const k of [1, 7, 16, 130])
          for (const offset of [0, k, 20, 40])
            assert.deepEqual(
              await run({ k, offset }),
              all.slice(offset, offset + k),
              `${system.name} ${offset} ${k}`,
            );
      }
    });

    it('are those of the ranking of all, where the first ones suffice', async () => {
      const question = { text: 'Which pier of Velm has a berth now?', askedAt: '2021-06-01' };
      const ids = async (options: AskOptions) => {
        const { evidence } = await hybrid({ corpus: velm }).run(question, options);
        return evidence.filter(({ validity }) => validity?.state !== 'ended').map(({ id }) => id);
      };
      const some = await ids({ k: 20, only: 'current' });
      assert.deepEqual(some, (await ids({ k: 200 })).slice(0, 20));
    });
  });

  it('is asked at a time in words', async () => {
    const { question } = await bm25({ corpus }).run({ text, askedAt: 'yesterday' });
    const age = Date.now() - question.askedAt;
    assert.ok(age > 0 && age <= 86_400_000, `${age}`);
    await assert.rejects(bm25({ corpus }).run({ text, askedAt: 'soon' }), {
      message: /^Expected question\.askedAt to be/,
    });
  });

  it('is scored with a decay and weights of the question, as by a system of these', async () => {
    const decay = { shape: 'exponential', halfLife: '90d' } as const;
    const relevance = { semantic: 1, lexical: 0 };
    const question = { text, askedAt: '2021-06-01' };
    for (const [ours, theirs] of [
      [dense({ corpus }).run(question, { decay }), dense({ corpus, decay }).run(question)],
      [hybrid({ corpus }).run(question, { decay }), hybrid({ corpus, decay }).run(question)],
      [
        hybrid({ corpus, ranker: false }).run(question, { relevance }),
        hybrid({ corpus, ranker: false, relevance }).run(question),
      ],
    ])
      assert.deepEqual((await ours!).evidence, (await theirs!).evidence);
    for (const [run, message] of [
      [mrag({ corpus }).run(question, { decay }), /^Expected decay to be absent of mrag/],
      [dense({ corpus }).run(question, { relevance }), /options of dense[^]*"relevance"/],
      [dense({ corpus }).run(question, { decay: {} as never }), /^Expected decay\.shape/],
    ] as const)
      await assert.rejects(run, { code: 'ERR_INVALID_ARGUMENT', message });
  });
});
