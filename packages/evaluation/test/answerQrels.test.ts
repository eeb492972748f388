// Relevance by answers and fixed pools: against brute force over the texts, and systems that may
// find nothing outside a pool.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Corpus, type Passage } from '../../../lib/index.js';
import { evaluate, buildCandidatePool, parseMetrics, qrelsFromAnswers } from '../lib/index.js';
import { checkPool, restrictToPool } from '../lib/candidatePool.js';
import { createSystem, systemNames } from '../../../lib/papers/index.js';
import { answerTokens, containsAnswer } from '../../../lib/text/answerTokens.js';
import { needed } from '../../../test/reranker.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';

const words = ['Ann', 'Orr', 'the', 'mill', 'Zoë', '1901', '46%', 'weir'];
const passages: Passage[] = Array.from({ length: 60 }, (_, i) => {
  const of = (step: number): string => words[(i * step + (i >> 2)) % words.length]!;
  return {
    id: `p${String(i).padStart(2, '0')}`,
    ...(i % 3 === 0 ? { title: of(5) } : {}),
    text: `${of(1)} ${of(3)}, ${of(7)} ${of(2)}. ${of(5)} ${of(6)}.`,
    publishedAt: `19${10 + i}-01-01`,
  };
});

describe('relevance by answers', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('corpus'));
    await corpus.add(passages.slice(0, 30));
    await corpus.add(passages.slice(30)); // two segments
    await corpus.delete(['p07', 'p40']);
  });
  after(() => corpus.close());
  const kept = passages.filter(({ id }) => id !== 'p07' && id !== 'p40');
  const contains = ({ title, text }: Passage, answer: string): boolean =>
    containsAnswer(answerTokens(title ? `${title} ${text}` : text), answerTokens(answer));

  it(
    'is what brute force over the visible passages says, and has no question without a ' +
      'relevant passage',
    async () => {
      const answer = fc
        .array(fc.constantFrom(...words, 'ann', 'zoe\u0308', '%', 'absent'), { maxLength: 3 })
        .map((parts) => parts.join(' '));
      const question = fc.record({
        answers: fc.array(answer, { maxLength: 3 }),
        pool: fc.option(fc.subarray([...kept.map(({ id }) => id), 'gone'])),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 4 }), async (asked) => {
          const queries = asked.map(({ answers }, i) => ({ id: `q${i}`, answers }));
          const pool = (id: string): string[] | undefined =>
            asked[Number(id.slice(1))]!.pool ?? undefined;
          const qrels = await qrelsFromAnswers(corpus, queries, { pool });
          const expected = queries.flatMap(({ id, answers }) => {
            const relevant = kept.filter(
              (each) =>
                (pool(id)?.includes(each.id) ?? true) &&
                answers.some((text) => contains(each, text)),
            );
            return relevant.length > 0
              ? [[id, relevant.map((each) => each.id).sort()] as const]
              : [];
          });
          assert.deepEqual(
            [...qrels].map(([id, judged]) => [id, [...judged.keys()].sort()]),
            expected,
          );
          for (const judged of qrels.values())
            for (const grade of judged.values()) assert.equal(grade, 1);
        }),
        { numRuns: 40 },
      );
    },
  );

  it('stops when told, and says how far it is', async () => {
    const controller = new AbortController();
    controller.abort();
    await assert.rejects(
      qrelsFromAnswers(corpus, [{ id: 'q', answers: ['Ann'] }], { signal: controller.signal }),
      { code: 'ERR_ABORTED' },
    );
    let last: unknown;
    await qrelsFromAnswers(corpus, [{ id: 'q', answers: ['Ann'] }], {
      onProgress: (progress) => (last = progress),
    });
    assert.deepEqual(last, { done: 58, total: 58 });
  });

  it('evaluates over the evaluable subset alone', async () => {
    const queries = [
      { id: 'one', text: 'Whose mill?', answers: ['mill', 'ann'] },
      { id: 'two', text: 'Whose weir?', answers: ['nobody'] },
    ];
    const qrels = await qrelsFromAnswers(corpus, queries);
    assert.deepEqual([...qrels.keys()], ['one']);
    const { averages, unjudged } = await evaluate(createSystem('bm25', { corpus }), queries, {
      qrels,
      metrics: parseMetrics('hit@20,mrr@5'),
    });
    assert.equal(averages['hit@20']?.queries, 1);
    assert.deepEqual(unjudged, ['two']);
  });

  it('keeps judgements of the pool only', () => {
    const qrels = new Map([
      [
        'a',
        new Map([
          ['x', 1],
          ['y', 0],
        ]),
      ],
      ['b', new Map([['z', 2]])],
      ['c', new Map([['z', 1]])],
    ]);
    const kept = restrictToPool(qrels, (query) => (query === 'c' ? undefined : ['x', 'y']));
    assert.deepEqual(
      kept,
      new Map([
        [
          'a',
          new Map([
            ['x', 1],
            ['y', 0],
          ]),
        ],
        ['c', new Map([['z', 1]])],
      ]),
    );
  });

  describe('pools', () => {
    const pool = kept.filter((_, i) => i % 4 !== 0).map(({ id }) => id);

    it(
      'let every system find nothing else, and the semantic ones what a corpus of only ' +
        'those passages would give',
      async () => {
        await using small = await Corpus.open(folder.path('small'));
        await small.add(kept.filter(({ id }) => pool.includes(id)));
        for (const name of systemNames) {
          const question = { text: 'Who was Ann Orr of the mill in 1901?', askedAt: '1950-06-01' };
          const { evidence } = await createSystem(name, { corpus, ...needed(name) }).run(question, {
            k: 100,
            candidateIds: [...pool, 'gone'],
          });
          assert.ok(evidence.length > 0, name);
          assert.deepEqual(
            evidence.filter(({ id }) => !pool.includes(id)),
            [],
            name,
          );
          if (
            !['dense', 'dense+mask', 'reimplementation', 'reimplementation+published'].includes(
              name,
            )
          )
            continue;
          const alone = await createSystem(name, { corpus: small, ...needed(name) }).run(question, {
            k: 100,
          });
          assert.deepEqual(
            evidence.map(({ id, score }) => [id, score]),
            alone.evidence.map(({ id, score }) => [id, score]),
            name,
          );
        }
      },
    );

    it('see what was deleted and added since, and refuse what is no list of ids', async () => {
      await using own = await Corpus.open(folder.path('own'));
      await own.add([
        { id: 'a', text: 'The mill.' },
        { id: 'b', text: 'The weir.' },
      ]);
      const system = createSystem('dense', { corpus: own });
      const among = ['a', 'c'];
      const found = async (): Promise<string[]> =>
        (await system.run({ text: 'mill' }, { candidateIds: among })).evidence
          .map(({ id }) => id)
          .sort();
      assert.deepEqual(await found(), ['a']);
      await own.add([{ id: 'c', text: 'Another mill.' }]);
      assert.deepEqual(await found(), ['a', 'c']);
      await own.delete(['a']);
      assert.deepEqual(await found(), ['c']);
      await assert.rejects(system.run({ text: 'mill' }, { candidateIds: 'a' as never }), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /candidateIds/,
      });
      await assert.rejects(system.run({ text: 'mill' }, { candidateIds: [7 as never] }), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /candidateIds/,
      });
      assert.throws(() => checkPool(own, ['c', 'a']), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /'?a'?/,
      });
    });

    it('are views that end with their snapshot', () => {
      const snapshot = corpus.snapshot();
      const places = [...snapshot.livePassages()];
      assert.equal(places.length, kept.length);
      // deleted: stays hidden
      const view = snapshot.restrictedTo([...places.slice(0, 3), { segment: 0, passage: 7 }]);
      assert.deepEqual([...view.livePassages()], places.slice(0, 3));
      view.release();
      assert.equal(snapshot.isOpen, true);
      snapshot.release();
      assert.equal(view.isOpen, false);
      assert.throws(() => view.restrictedTo([]), { code: 'ERR_CLOSED' });
      assert.throws(() => [...view.livePassages()], { code: 'ERR_CLOSED' });
    });

    it('are mined: what is relevant, then what ranks high beside it', async () => {
      const queries = [
        { id: 'q', text: 'Ann Orr mill' },
        { id: 'unjudged', text: 'weir' },
      ];
      const qrels = new Map([
        [
          'q',
          new Map([
            ['p03', 1],
            ['p05', 0],
            ['p59', 2],
          ]),
        ],
      ]);
      const system = createSystem('bm25', { corpus });
      const lines = [];
      for await (const line of buildCandidatePool(system, queries, qrels, { negatives: 4 }))
        lines.push(line);
      const ranked = (await system.run({ text: 'Ann Orr mill' })).evidence
        .map(({ id }) => id)
        .filter((id) => id !== 'p03' && id !== 'p59');
      assert.deepEqual(
        lines.map(({ id, kind }) => [id, kind]),
        [
          ['p03', 'relevant'],
          ['p59', 'relevant'],
          ...ranked.slice(0, 4).map((id) => [id, 'negative']),
        ],
      );
      assert.deepEqual([...new Set(lines.map(({ query }) => query))], ['q']);
      await assert.rejects(buildCandidatePool(system, queries, qrels, { negatives: -1 }).next(), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    });
  });
});
