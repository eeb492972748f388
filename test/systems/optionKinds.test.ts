// Options of the wrong kind are rejected by name when a system is created, from settings files and
// from untyped callers.
import assert from 'node:assert/strict';
import { bm25, Corpus, dense, hybrid } from '../../lib/index.js';
import { evaluate, pairedDifference, parseMetrics } from '../../packages/evaluation/lib/index.js';
import { checkPool } from '../../packages/evaluation/lib/candidatePool.js';
import {
  createSystem,
  mrag,
  re3,
  reimplementation,
  systemNames,
  systemUses,
  tempralm,
} from '../../lib/papers/index.js';
import { extractKeywords } from '../../lib/papers/mrag/keywords/findKeywords.js';
import {
  mineGeneralTriplets,
  mineTriplets,
  trainAdapter,
} from '../../packages/training/lib/index.js';
import { readCsv } from '../../packages/documents/lib/csv.js';
import { readJsonLines } from '../../lib/text/lines.js';
import { readPassages } from '../../lib/reading/reader.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('systems: kinds of options', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('x.asof'));
  });
  after(() => corpus.close());

  it('rejects invalid values, by name', () => {
    const wrong: [system: string, settings: Record<string, unknown>, message: RegExp][] = [
      ['mrag', { spline: { shape: 'arc' } }, /spline to be .*some of low, outside, spanYears/],
      [
        'mrag',
        { spline: { outside: null } },
        /spline\.outside to be a finite number, received null/,
      ],
      [
        'mrag',
        { question: { partOfDecade: [4, 7] } },
        /question to be an object with some of partsOfDecade, or false/,
      ],
      ['mrag', { sentences: 'all of them' }, /sentences to be a whole number from 1, or false/],
      ['tempralm', { relevance: null }, /relevance to be an object with some of semantic, lexical/],
      [
        'tempralm',
        { relevance: { semantic: -1, lexical: 1 } },
        /relevance\.semantic to be a weight from 0, received number -1/,
      ],
      [
        'hybrid',
        { relevance: { semantic: 0, lexical: 0 } },
        /relevance to be .* semantic or lexical above 0/,
      ],
      ['tempralm', { relevance: { k1: 0.9 } }, /relevance to be .* semantic or lexical above 0/],
      ['hybrid', { exactTime: 'no' }, /exactTime to be true or false/],
      [
        'hybrid',
        { stateDecay: { close: 1 } },
        /stateDecay to be an object with some of low.*"close"/,
      ],
      ['hybrid', { expansion: null }, /expansion to be .* or false, received null/],
      [
        'hybrid',
        { ranker: { id: 'mine' } },
        /ranker to be the path of a ranker's weights, or false/,
      ],
      ['tempralm', { overRetrieve: 0 }, /overRetrieve to be corpus or a whole number from 1/],
      ['mrag', { retriever: 'splade' }, /retriever to be dense or bm25 or hybrid/],
      ['reimplementation', { depth: 0 }, /depth to be a whole number from 1/],
      [
        'reimplementation',
        { weights: { words: 1 } },
        /weights to be an object with some of overlap, similarity, summary/,
      ],
      [
        'reimplementation+metadata',
        { metadata: { versions: 5 } },
        /metadata\.versions to be a text/,
      ],
      ['dense', { mask: 1 }, /mask to be true or false/],
    ];
    for (const [name, settings, message] of wrong) {
      assert.throws(
        () => createSystem(name, { corpus, settings }),
        { code: 'ERR_INVALID_ARGUMENT', message },
        `${name} ${JSON.stringify(settings)}`,
      );
    }
  });

  it('rejects unknown options by name, and invalid models, in every system', async () => {
    const none = [
      [mrag, { deph: 5 }],
      [mrag, { variant: 'official', spline: false }],
      [reimplementation, { years: 0 }],
      [reimplementation, { variant: 'published', summaries: 5 }],
      [tempralm, { floor: 1 }],
      [re3, { filter: false }],
      [hybrid, { depth: 5 }],
      [dense, { depth: 5 }],
      [bm25, { k: 5 }],
    ] as const;
    for (const [make, options] of none) {
      const name = Object.keys(options).at(-1)!;
      const message = new RegExp(
        `^Expected the options of \\S+ to be some of corpus, model, read, .*received the string "${name}"`,
      );
      assert.throws(
        () => make({ corpus, ...options } as never),
        { code: 'ERR_INVALID_ARGUMENT', message },
        name,
      );
      for (const model of [5, null, {}, { id: 'm' }]) {
        assert.throws(() => make({ corpus, model } as never), {
          code: 'ERR_INVALID_ARGUMENT',
          message: /^Expected model to be a TextModel/,
        });
      }
      const misread = { corpus, read: { pasages: 3 } } as never;
      assert.throws(() => make(misread), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /^Expected read to be .*"pasages"/,
      });
      assert.equal(
        String(make({ corpus, model: undefined, depth: undefined })),
        String(make({ corpus })),
      );
      const question = { text: 'Who?' };
      await assert.rejects(make({ corpus }).run(question, { top: 5 } as never), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /some of k, .*candidateIds.*"top"/,
      });
      const misspelt = { ...question, asked_at: '2020' } as never;
      await assert.rejects(make({ corpus }).run(misspelt), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /askedAt for asked_at/,
      });
    }
  });

  it(
    'passes over a reranker and conventions of questions where a system named has no stage ' +
      'for them',
    () => {
      const reranker = { id: 'mine', score: async () => new Float32Array() };
      for (const name of systemNames)
        createSystem(name, { corpus, reranker, question: { partsOfDecade: [4, 7] } });
      assert.equal(createSystem('mrag', { corpus, reranker }).options['reranker'], 'mine');
      assert.throws(() => createSystem('bm25', { corpus, depth: 5 } as never), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /options of bm25/,
      });
    },
  );

  it('rejects calls without their required arguments', async () => {
    const refused = (name: string) => ({
      code: 'ERR_INVALID_ARGUMENT',
      message: new RegExp(`^Expected ${name} to be `),
    });
    for (const name of systemNames)
      assert.throws(
        () => createSystem(name, undefined as never),
        refused(name.endsWith('+rerank') ? 'reranker' : 'corpus'),
      );
    assert.throws(
      () => createSystem('hybrid', { corpus, read: 'direct' as never }),
      refused('read'),
    );
    await assert.rejects(readPassages({ text: 'Who?' }, undefined as never), refused('passages'));
    const misread = readPassages({ text: 'Who?' }, [], { pasages: 3 } as never);
    await assert.rejects(misread, {
      code: 'ERR_INVALID_ARGUMENT',
      message: /^Expected the options of read to be some of mode.*"pasages"/,
    });
    await assert.rejects(mineTriplets(null as never).next(), refused('corpus'));
    await assert.rejects(mineGeneralTriplets(null as never).next(), refused('corpus'));
    for (const path of [null, 5, '', '\0']) {
      await assert.rejects(readJsonLines(path as never, () => 0).next(), refused('path'));
      await assert.rejects(readCsv(path as never, () => 0).next(), refused('path'));
    }
    await assert.rejects(trainAdapter(corpus.encoder, 5 as never), refused('triplets'));
    await assert.rejects(trainAdapter(corpus.encoder, [{}] as never), refused('triplet 0'));
    const queries = [{ id: 'q', text: 'Who?' }];
    await assert.rejects(
      evaluate(undefined as never, queries, { metrics: parseMetrics('hit@1') }),
      refused('system'),
    );
    await assert.rejects(
      evaluate(createSystem('bm25', { corpus }), undefined as never, {
        metrics: parseMetrics('hit@1'),
      }),
      refused('queries'),
    );
    await assert.rejects(
      evaluate(createSystem('bm25', { corpus }), queries, undefined as never),
      refused('options'),
    );
    await assert.rejects(
      evaluate(createSystem('bm25', { corpus }), queries, {} as never),
      refused('metrics'),
    );
    for (const wrong of [undefined, 5, 'p1'])
      assert.throws(() => checkPool(corpus, wrong as never), refused('ids'));
    assert.throws(() => checkPool(undefined as never, []), refused('corpus'));
    assert.throws(() => extractKeywords(undefined as never), refused('question'));
    assert.throws(() => pairedDifference([], [{ id: 'q' }] as never, 'mrr'), refused('second'));
    assert.throws(() => pairedDifference(null as never, [], 'mrr'), refused('first'));
    assert.throws(() => pairedDifference([], [], 'mrr', null as never), refused('options'));
  });

  it('reports which systems use a reranker, and which prompt a model', () => {
    assert.deepEqual(
      systemNames.filter((name) => systemUses(name).reranker),
      ['mrag', 'mrag+official', 'hybrid', 'dense+rerank', 'bm25+rerank'],
    );
    assert.deepEqual(
      systemNames.filter((name) => systemUses(name).model),
      ['mrag', 'mrag+official', 're3'],
    );
    assert.deepEqual(
      systemNames.filter((name) => !systemUses(name, { read: { mode: 'direct' } }).model),
      [],
    );
    assert.equal(systemUses('mrag', { settings: { prompted: [] } }).model, false);
    for (const versions of [false, { by: 'series' }])
      assert.equal(systemUses('re3', { settings: { versions } }).model, false);
    assert.equal(
      systemUses('mrag', { settings: { prompted: ['keywords'], keywords: false } }).model,
      false,
    );
    assert.equal(
      systemUses('mrag', { settings: { prompted: ['question', 'summaries'], question: false } })
        .model,
      true,
    );
    assert.equal(
      systemUses('mrag+official', { settings: { prompted: ['question'] } }).model,
      false,
    );
    assert.equal(systemUses('reimplementation', { settings: { summaries: 5 } }).model, true);
    assert.equal(
      systemUses('reimplementation+published', { settings: { summaries: 5 } }).model,
      false,
    );
    assert.throws(() => systemUses('none'), { code: 'ERR_INVALID_ARGUMENT' });
  });
});
