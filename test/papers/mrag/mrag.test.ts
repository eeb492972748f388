// MRAG over a small corpus: each stage with and without a model, each omitted, the published
// variant, a custom reranker.
import assert from 'node:assert/strict';
import type { Corpus, GenerateRequest, Passage, SystemResult } from '../../../lib/index.js';
import { mrag, type MragOptions } from '../../../lib/papers/index.js';
import type { Reranker } from '../../../lib/models/index.js';
import { scripted } from '../../reading/doubles.js';
import { withCorpus } from '../../corpus.js';

const passages: Passage[] = [
  {
    id: 'lee',
    title: 'Ann Lee',
    text: 'The Varn Medal in Botany 1927.\nBorn: 4 June 1877, Port Varn.\nDied: 5 August 1957.',
  },
  {
    id: 'holm',
    title: 'Ida Holm',
    text: 'The Varn Medal in Botany 1951.\nBorn: 9 May 1904, Norhav.\nDied: 1980.',
  },
  { id: 'brenn', title: 'Ola Brenn', text: 'The Varn Medal in Physics 1903.\nBorn: 2 July 1861.' },
  {
    id: 'ferry',
    title: 'Varn Ferries',
    text:
      'The line was owned by Norhav from 1990 to 1996. In 1997 it went to Belmar Lines. It ' +
      'carries mail.',
  },
  { id: 'mail', text: 'Mail is carried by ferries.' },
];

describe('mrag', () => {
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  const ask = (text: string, options: Partial<MragOptions> = {}): Promise<SystemResult> =>
    mrag({ corpus, ...options }).run({ text, askedAt: '2020-01-01' }, { k: 3 });
  const ids = ({ evidence }: SystemResult): string[] => evidence.map(({ id }) => id);
  const noted = ({ trace }: SystemResult, stage: string): unknown =>
    trace.find((each) => each.stage.startsWith(stage))?.notes?.['by'];
  const born = 'Who was born in the 1900s and won the Varn Medal in Botany?';

  it('matches several sentences of a passage by its summary, and shows the summary', async () => {
    const { evidence, trace } = await ask(born);
    assert.equal(evidence[0]?.id, 'holm');
    assert.equal(evidence[0].condensed, true);
    assert.match(evidence[0].sentence!, /Medal in Botany 1951.*Born: 9 May 1904/);
    assert.deepEqual(
      evidence[0].dates?.map(({ start }) => new Date(start).getUTCFullYear()),
      [1904],
    );
    assert.ok(
      trace.every(
        ({ notes }) =>
          notes?.['by'] === undefined || ['rules', 'extraction'].includes(notes['by'] as string),
      ),
    );
  });

  it('leaves out any stage', async () => {
    const without = (options: Partial<MragOptions>): string => String(mrag({ corpus, ...options }));
    assert.ok(!without({ keywords: false }).includes('Keywords'));
    assert.ok(!without({ summarise: 0 }).includes('summarise'));
    assert.ok(without({ question: false }).startsWith('rawQuery'));
    assert.ok(without({ sentences: false }).includes('rankPassages(semantic x spline)'));
    assert.ok(without({ retriever: 'hybrid', depth: 7 }).includes('hybrid(7)'));
    assert.ok(without({ keywords: false, passages: 7 }).includes('dense(7)'));
    const time = 'Who owned Varn Ferries in 1998?';
    for (const options of [
      { keywords: false },
      { summarise: 0 },
      { question: false },
      { sentences: false },
      { spline: false },
      { retriever: 'hybrid' },
      { retriever: 'bm25' },
      { sentences: 2 },
      { passages: 2 },
    ] as const) {
      assert.equal(ids(await ask(time, options))[0], 'ferry', JSON.stringify(options));
    }
    assert.equal((await ask(time, { spline: false })).evidence[0]!.scores['temporal'], undefined);
  });

  it('prompts a model for the question, keywords and summaries, and says so', async () => {
    const asked: string[] = [];
    const model = scripted((request: GenerateRequest) => {
      const [field] = request.jsonSchema!['required'] as string[];
      asked.push(field!);
      if (field === 'mainContent')
        return { mainContent: 'Who owned Varn Ferries?', constraint: 'in 1993', condition: 'none' };
      if (field === 'keywords') return { keywords: ['owned', 'Varn Ferries'] };
      return request.prompt.includes('Norhav from')
        ? { answers: true, sentence: 'Norhav owned Varn Ferries from 1990 to 1996.' }
        : { answers: false, sentence: '' };
    });
    const result = await ask('Who owned Varn Ferries in 1993?', { model });
    assert.equal(ids(result)[0], 'ferry');
    assert.equal(
      result.evidence[0]!.sentence,
      'Varn Ferries Norhav owned Varn Ferries from 1990 to 1996.',
    );
    assert.deepEqual(
      ['decompose', 'findKeywords', 'summarise'].map((stage) => noted(result, stage)),
      [model.id, model.id, model.id],
    );
    assert.deepEqual(
      [
        asked.filter((each) => each === 'mainContent').length,
        asked.filter((each) => each === 'keywords').length,
        new Set(asked).size,
      ],
      [1, 1, 3],
    );
    asked.length = 0;
    await ask('Who owned Varn Ferries in 1993?', { model, prompted: ['keywords'] });
    assert.deepEqual(asked, ['keywords']);
  });

  it('keeps to its rules where the answers are garbage or a refusal, and notes it', async () => {
    for (const said of ['I am sorry, I cannot do that.', '{"mainContent": 7}', '{]', '']) {
      const result = await ask(born, { model: scripted(() => said) });
      assert.match(String(noted(result, 'decompose')), /^rules, since scripted-v1 gave /);
      assert.match(String(noted(result, 'findKeywords')), /^rules, since scripted-v1 gave /);
      assert.equal(
        result.trace.find(({ stage }) => stage.startsWith('summarise'))?.notes?.['unusable'],
        5,
      );
      assert.equal(result.evidence.length, 3);
    }
  });

  it('fails as its model does, and stops when told to', async () => {
    await assert.rejects(
      ask(born, { model: scripted(() => Promise.reject(new Error('out of credit'))) }),
      { code: 'ERR_MODEL_FAILED' },
    );
    const controller = new AbortController();
    const hangs = scripted(() => new Promise(() => controller.abort()));
    for (const prompted of ['question', 'keywords', 'summaries'] as const) {
      await assert.rejects(
        mrag({ corpus, model: hangs, prompted: [prompted] }).run(
          { text: born },
          { signal: controller.signal },
        ),
        {
          code: 'ERR_ABORTED',
        },
      );
    }
  });

  it('takes a reranker for passages and sentences', async () => {
    const texts: string[][] = [];
    const reranker: Reranker = {
      id: 'mail-first',
      score: async (_, given) => (
        texts.push([...given]), Float32Array.from(given, (text) => (text.includes('Mail') ? 9 : -3))
      ),
    };
    const result = await ask('Who owned Varn Ferries?', {
      reranker,
      summarise: 0,
      keywords: false,
    });
    assert.equal(ids(result)[0], 'mail');
    assert.equal(result.evidence[0]!.scores['reranker'], 9);
    assert.deepEqual(
      texts.map(({ length }) => length),
      [5, 12],
    );
    assert.throws(() => mrag({ corpus, reranker: {} as never }), /reranker/);
  });

  it('computes what the published code computes where that is asked for', async () => {
    const system = mrag({ corpus, variant: 'official' });
    assert.equal(
      String(system),
      'decomposeOfficial -> findKeywords -> dense(1000) -> rankByKeywords(100) -> ' +
        'rank(semantic) -> summarise(5) -> rank(semantic x ' +
        'coefficient, 200) -> limit -> read',
    );
    const { evidence, trace } = await system.run(
      { text: 'Who was the last owner of Varn Ferries before 1998?' },
      { k: 5 },
    );
    const ferry = evidence.find(({ id }) => id === 'ferry')!;
    assert.equal(ferry.scores['temporal']!.toFixed(3), '0.984'); // 1996: 0.6 + 0.4 * 48 / 50
    assert.equal(
      trace.find(({ stage }) => stage.startsWith('rank(semantic x'))?.notes?.['constraint'],
      'last before 1998',
    );
    assert.ok(evidence.every(({ score }, at) => at === 0 || score <= evidence[at - 1]!.score));
  });

  it('ranks the sentences of the published code by the reranker', async () => {
    const scored: string[][] = [];
    const reranker: Reranker = {
      id: 'mail-first',
      score: (_, texts) => {
        scored.push([...texts]);
        return Promise.resolve(Float32Array.from(texts, (text) => (/mail/i.test(text) ? 5 : -5)));
      },
    };
    const system = mrag({ corpus, variant: 'official', reranker, summarise: 0 });
    assert.match(String(system), /rerank\(100\) -> rank\(reranker x coefficient, 200\)/);
    const question = { text: 'Who was the last owner of Varn Ferries before 1998?' };
    const { evidence } = await system.run(question, { k: 5 });
    assert.deepEqual(
      scored.map(({ length }) => length),
      [5, 12],
      'passages, then sentences',
    );
    // No year and no year that is allowed: half of 5; of a sentence in 1996 more than half of -5.
    assert.deepEqual(
      evidence.slice(0, 2).map(({ id }) => id),
      ['ferry', 'mail'],
    );
    const [ferry] = evidence;
    assert.match(ferry!.sentence!, /It carries mail/);
    assert.deepEqual(
      [ferry!.score, ferry!.scores['reranker'], ferry!.scores['temporal']],
      [2.5, 5, 0.5],
    );
  });

  it('refuses options of the wrong kind', () => {
    for (const [options, message] of [
      [{ depth: 0 }, /depth/],
      [{ keywords: 100 }, /keywords/],
      [{ passages: 0 }, /passages/],
      [{ summarise: -1 }, /summarise/],
      [{ relevance: { semantic: 1, lexical: 0 } }, /relevance/],
      [{ retriever: 'colbert' }, /retriever/],
      [{ spline: { shape: 'line' } }, /spline/],
      [{ prompted: ['reading'] }, /prompted/],
      [{ variant: 'other' }, /variant/],
      [{ sentences: 0 }, /sentences/],
      [{ model: {} }, /model/],
    ] as const) {
      assert.throws(
        () => mrag({ corpus, ...(options as Partial<MragOptions>) }),
        message,
        JSON.stringify(options),
      );
    }
  });
});
