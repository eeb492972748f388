// The recency filter in a system: what it leaves out and says of it, that survivors fill the
// places, that what is unpublished neither wins nor is seen, and the same by one call of a model.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mkdtempSync } from 'node:fs';
import { Corpus, type Passage, type System, type TextModel } from '../../../lib/index.js';
import { createSystem, re3 } from '../../../lib/papers/index.js';
import { temporaryFolder } from '../../store/fixtures.js';
import { withCorpus } from '../../corpus.js';

const passages: Passage[] = [
  {
    id: 'thu-1',
    text: 'The forecast for Tromvik on 8 May 2025 calls for rain with a high near 48°F.',
    publishedAt: '2025-05-05',
  },
  {
    id: 'thu-2',
    text: '8 May 2025 in Tromvik: rain, highest temperature 49 F.',
    publishedAt: '2025-05-06',
  },
  {
    id: 'thu-3',
    text: 'The forecast for Tromvik on 8 May 2025 calls for sun with a high near 55°F.',
    publishedAt: '2025-05-08',
  },
  {
    id: 'fri-1',
    text: 'The forecast for Tromvik on 9 May 2025 calls for rain with a high near 51°F.',
    publishedAt: '2025-05-05',
  },
  {
    id: 'other',
    text: 'The forecast for Ostrand on 8 May 2025 calls for rain with a high near 44°F.',
    publishedAt: '2025-05-06',
  },
  {
    id: 'long',
    publishedAt: '2025-04-01',
    title: 'Tromvik',
    text:
      'Tromvik is a harbour town with a long record of observations that was begun by a ' +
      'priest. Its observatory stands on the hill above ' +
      'the old harbour and has ' +
      'been rebuilt twice since then, once after a fire and once after a storm that took the ' +
      'roof away. The mayor of Tromvik is Per Alm. ' +
      'The town has a museum ' +
      'of ships and a school of navigation, and every summer its streets are full of ' +
      'visitors who come by boat.',
  },
  { id: 'mayor', text: 'The mayor of Tromvik is Ida Sand.', publishedAt: '2025-05-01' },
];
const question = { text: 'How warm does it get in Tromvik on 8 May 2025?', askedAt: '2025-05-07' };

describe('dropSuperseded', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  const filtered = (options: { mask?: boolean } = {}): System =>
    re3({ corpus, versions: { depth: 50 }, ...options });

  it('holds the k against each other, of which fewer may be left', async () => {
    const { evidence, dropped } = await re3({ corpus }).run(question, { k: 5 });
    assert.deepEqual([evidence.length, dropped!.map(({ id }) => id)], [4, ['thu-1']]);
    const { stage, notes } = (await re3({ corpus }).run(question, { k: 5 })).trace[3]!;
    assert.deepEqual([stage, notes!['versions']], ['dropSuperseded', 5]);
  });

  it('drops contradicted versions with a reason, and fills their places', async () => {
    const { evidence, dropped, trace } = await filtered().run(question, { k: 2 });
    assert.equal(evidence[0]!.id, 'thu-2');
    assert.equal(evidence.length, 2);
    assert.deepEqual(dropped, [
      {
        id: 'thu-1',
        because: 'superseded by thu-2, published 2025-05-06',
        newer: 'thu-2',
        publishedAt: Date.UTC(2025, 4, 5),
      },
    ]);
    const { notes } = trace.find(({ stage }) => stage === 'dropSuperseded')!;
    assert.deepEqual(notes, { by: 'series', versions: 6, dropped: 1 });
  });

  it('is as of the time of asking', async () => {
    const before = await filtered().run({ ...question, askedAt: '2025-05-05' });
    assert.equal(before.evidence[0]!.id, 'thu-1');
    assert.equal(before.dropped, undefined);
    const later = await filtered().run({ ...question, askedAt: '2025-05-09' });
    assert.equal(later.evidence[0]!.id, 'thu-3');
    assert.deepEqual(later.dropped?.map(({ id }) => id).sort(), ['thu-1', 'thu-2']);
  });

  /** What is dropped of random forecasts, and the newer passage of each. */
  async function lostOf(versions: readonly Passage[]): Promise<Map<string, string>> {
    const path = mkdtempSync(folder.path('random-'));
    await using random = await Corpus.open(path);
    await random.add(versions);
    const { dropped = [] } = await re3({ corpus: random }).run(question, { k: 50 });
    return new Map(dropped.map(({ id, newer }) => [id, newer!]));
  }
  const forecasts = fc
    .array(
      fc.record({
        form: fc.nat(2),
        town: fc.constantFrom('Tromvik', 'Ostrand'),
        day: fc.constantFrom(8, 9),
        high: fc.integer({ min: 48, max: 51 }),
        published: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      }),
      { minLength: 2, maxLength: 12 },
    )
    .map((all) =>
      all.map(({ form, town, day, high, published }, at): Passage => {
        const forms = [
          `The forecast for ${town} on ${day} May 2025 calls for rain with a high near ${high}°F.`,
          `${day} May 2025 in ${town}: rain, highest temperature ${high} F.`,
          `In an outlook for ${day} May 2025 it gets as warm as ${high}°F in ${town}.`,
        ];
        const publishedAt = published === undefined ? {} : { publishedAt: `2025-05-0${published}` };
        return { id: `v${at}`, text: forms[form]!, ...publishedAt };
      }),
    );

  it('drops nothing without a newer publication of the same forecast that differs', async () => {
    const [town, day, high] = [/Tromvik|Ostrand/, /[89] May/, /\d+(?=°| F)/];
    await fc.assert(
      fc.asyncProperty(forecasts, async (all) => {
        const byId = new Map(all.map((each) => [each.id, each]));
        for (const [id, newer] of await lostOf(all)) {
          const [older, winner] = [byId.get(id)!, byId.get(newer)!];
          assert.ok(older.publishedAt! < winner.publishedAt!);
          for (const same of [town, day])
            assert.equal(same.exec(older.text)![0], same.exec(winner.text)![0]);
          assert.notEqual(high.exec(older.text)![0], high.exec(winner.text)![0]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('drops nothing of what was published at once', async () => {
    await fc.assert(
      fc.asyncProperty(forecasts, async (all) => {
        const at = all.map((each) => ({ ...each, publishedAt: '2025-05-03' }));
        assert.equal((await lostOf(at)).size, 0);
      }),
      { numRuns: 10 },
    );
  });

  it('lets a value that came back stand', async () => {
    const at = (id: string, high: number, publishedAt: string): Passage => ({
      id,
      text: `The forecast for Tromvik on 8 May 2025 calls for rain with a high near ${high}°F.`,
      publishedAt,
    });
    const versions = [
      at('a', 48, '2025-05-04'),
      at('b', 50, '2025-05-05'),
      at('c', 48, '2025-05-06'),
    ];
    assert.deepEqual([...(await lostOf(versions))], [['b', 'c']]);
  });

  it('lets what is not yet published win nothing where no mask hides it', async () => {
    const { evidence, dropped } = await filtered({ mask: false }).run(question);
    assert.ok(evidence.some(({ id }) => id === 'thu-3'));
    assert.ok(dropped!.every(({ newer }) => newer !== 'thu-3'));
  });

  it('judges a long passage by the sentence that answers', async () => {
    const mayor = await filtered().run({
      text: 'Who is the mayor of Tromvik?',
      askedAt: '2025-05-07',
    });
    assert.equal(mayor.evidence[0]!.id, 'mayor');
    assert.ok(mayor.dropped!.some(({ id, newer }) => id === 'long' && newer === 'mayor'));
    const museum = await filtered().run({
      text: 'Does Tromvik have a museum of ships and a school of navigation?',
      askedAt: '2025-05-07',
    });
    assert.equal(museum.evidence[0]!.id, 'long');
  });

  it('can be omitted', async () => {
    const system = re3({ corpus, versions: false });
    const { evidence, dropped } = await system.run(question);
    assert.ok(!String(system).includes('dropSuperseded'));
    assert.ok(evidence.some(({ id }) => id === 'thu-1'));
    assert.equal(dropped, undefined);
  });

  it('refuses options that make no sense', () => {
    assert.throws(() => re3({ corpus, versions: { depth: 1 } }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /versions.depth/,
    });
    assert.throws(() => re3({ corpus, versions: { by: 'guess' as never } }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /versions/,
    });
    assert.throws(() => re3({ corpus, versions: { by: 'model' } }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /TextModel/,
    });
    assert.throws(() => createSystem('re3', { corpus, settings: { versions: { wide: 1 } } }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });

  describe('by a model', () => {
    const asked: string[] = [];
    const answering = (answer: (prompt: string) => unknown): TextModel => ({
      id: 'scripted',
      generate: async ({ prompt }) => {
        asked.push(prompt);
        return { text: JSON.stringify(answer(prompt)) };
      },
    });
    /** A model that reads the highs out of the listed forecasts. */
    const reading = answering((prompt) => ({
      facts: [...prompt.matchAll(/^\[(\d+)\] \(\S+\) (.*)$/gm)].map(([, number, text]) => {
        const value = /\d+\s?°?F/.exec(text!)?.[0] ?? null;
        return {
          passage: Number(number),
          head: text!.includes('Ostrand') ? 'Ostrand' : 'Tromvik',
          relation: 'high',
          about: text!.includes('9 May') ? '2025-05-09' : '2025-05-08',
          value,
        };
      }),
    }));

    it('asks once for all candidates and drops by the same votes', async () => {
      asked.length = 0;
      const { dropped, trace, evidence } = await re3({
        corpus,
        model: reading,
        versions: { by: 'model' },
      }).run(question, { k: 2 });
      assert.equal(asked.length, 1);
      assert.deepEqual(dropped, [
        {
          id: 'thu-1',
          because: 'it says "48°F" where thu-2 of 2025-05-06 says "49 F"',
          newer: 'thu-2',
          publishedAt: Date.UTC(2025, 4, 5),
        },
      ]);
      assert.equal(evidence[0]!.id, 'thu-2');
      assert.equal(
        trace.find(({ stage }) => stage === 'dropSuperseded(model)')?.notes?.['by'],
        'scripted',
      );
    });

    it('drops nothing if no passage answers the question', async () => {
      const silent = answering((prompt) => ({
        facts: [...prompt.matchAll(/^\[(\d+)\]/gm)].map(([, number]) => ({
          passage: Number(number),
          head: '',
          relation: '',
          about: '',
          value: null,
        })),
      }));
      const { dropped } = await re3({ corpus, model: silent, versions: { by: 'model' } }).run(
        question,
      );
      assert.equal(dropped, undefined);
    });

    it('asks again once for an answer that does not fit, and then fails', async () => {
      asked.length = 0;
      const wrong = answering(() => ({ facts: [{ passage: 99, head: 'x' }] }));
      await assert.rejects(re3({ corpus, model: wrong, versions: { by: 'model' } }).run(question), {
        code: 'ERR_MODEL_FAILED',
      });
      assert.equal(asked.length, 2);
    });
  });
});
