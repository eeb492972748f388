// Baselines whose first passages are reranked: what the reranker sees, the order by its scores, and
// what is refused.
import assert from 'node:assert/strict';
import { bm25, dense, type Corpus, type Passage } from '../../lib/index.js';
import { compare, parseMetrics } from '../../packages/evaluation/lib/index.js';
import { createSystem, mrag, systemUses } from '../../lib/papers/index.js';
import type { Reranker } from '../../lib/models/index.js';
import { withCorpus } from '../corpus.js';
import { failsWith } from '../failsWith.js';
import { wordOverlap } from '../reranker.js';
import { assertEach } from '../assertEach.js';

const passages: Passage[] = [
  { id: 'mill', title: 'Varn Mill', text: 'The mill burnt down.', publishedAt: '2001-05-04' },
  { id: 'rebuilt', text: 'The mill was rebuilt by Ann Lee in 1950.', publishedAt: '2011-05-04' },
  { id: 'ferry', text: 'The ferry was owned by Norhav. It carries mail.' },
  { id: 'bridge', text: 'The bridge was opened in 1951.' },
  ...Array.from({ length: 120 }, (_, at) => ({ id: `x${at}`, text: `Grain of the mill, ${at}.` })),
];
const question = { text: 'Who rebuilt the mill?', askedAt: '2005-01-01' };

/** Scores by position: the last text is the best. Records what it is given. */
function reversing(): { reranker: Reranker; calls: { query: string; texts: string[] }[] } {
  const calls: { query: string; texts: string[] }[] = [];
  const score: Reranker['score'] = async (query, texts) => {
    calls.push({ query, texts: [...texts] });
    return Float32Array.from(texts, (_, at) => at - 7);
  };
  return { reranker: { id: 'reversing', score }, calls };
}

describe('baselines with a reranker', () => {
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  for (const [name, make] of [
    ['dense+rerank', dense],
    ['bm25+rerank', bm25],
  ] as const) {
    describe(name, () => {
      it('ranks the first hundred of the baseline by the score of whole passages', async () => {
        const { reranker, calls } = reversing();
        const system = createSystem(name, { corpus, reranker });
        assert.equal(system.name, name);
        const kind = name.replace('+rerank', '');
        assert.equal(String(system), `rawQuery -> ${kind} -> rerank(100) -> limit -> read`);
        const first = (await make({ corpus }).run(question, { k: 100 })).evidence;
        const { evidence, trace } = await system.run(question, { k: 200 });
        assertEach(evidence, ({ id }) => id, first.map(({ id }) => id).reverse());
        assert.equal(calls.length, 1);
        assert.equal(calls[0]!.query, question.text);
        assert.deepEqual(
          calls[0]!.texts,
          first.map(({ title, text }) => (title === undefined ? text : `${title}. ${text}`)),
        );
        assert.deepEqual([evidence[0]!.score, evidence.at(-1)!.score], [1, 0]);
        const { scores } = evidence[0]!;
        assert.deepEqual([scores['reranker'], scores['retrieval']], [92, first.at(-1)!.score]);
        const noted = trace.find(({ stage }) => stage.startsWith('rerank'))?.notes;
        assert.equal(noted?.['by'], 'reversing');
      });

      it('reranks as many as the option says, with mask and suffix', async () => {
        const { reranker, calls } = reversing();
        const options = { mask: true, suffix: true, rerank: 3 };
        const system = createSystem(name, { corpus, reranker, settings: options });
        assert.equal(system.name, name.replace('+', '+mask+suffix+'));
        const { options: shown } = system;
        assert.deepEqual([shown['reranker'], shown['rerank']], ['reversing', 3]);
        const { evidence } = await system.run(question);
        assert.equal(evidence.length, 3);
        assert.match(calls[0]!.query, /2005/);
        assert.ok(evidence.every(({ id }) => id !== 'rebuilt'));
      });

      it('finds what the reranker finds', async () => {
        const { evidence } = await createSystem(name, { corpus, reranker: wordOverlap }).run(
          question,
        );
        assert.equal(evidence[0]!.id, 'rebuilt');
      });

      it('is refused without a reranker, before anything runs', async () => {
        const lacks = failsWith('ERR_INVALID_ARGUMENT', /reranker.*httpReranker/);
        assert.throws(() => createSystem(name, { corpus }), lacks);
        assert.throws(() => make({ corpus, rerank: 10 }), lacks);
        assert.equal(systemUses(name).reranker, true);
        const set = {
          name: 'set',
          queries: [{ id: 'q', ...question }],
          qrels: new Map([['q', new Map([['mill', 1]])]]),
          open: () => assert.fail('opened'),
        };
        const compared = compare([set] as never, { systems: [name], metrics: parseMetrics('mrr') });
        const missing = new RegExp(`a Reranker, which ${name.replace('+', '\\+')} needs`);
        await assert.rejects(compared, failsWith('ERR_INVALID_ARGUMENT', missing));
      });

      it('fails and stops as its reranker does', async () => {
        const broken: Reranker = { id: 'broken', score: async () => new Float32Array(2) };
        await assert.rejects(
          createSystem(name, { corpus, reranker: broken }).run(question),
          failsWith('ERR_RERANKER_FAILED', /broken/),
        );
        const hanging: Reranker = { id: 'hanging', score: () => new Promise(() => undefined) };
        await assert.rejects(
          createSystem(name, { corpus, reranker: hanging }).run(question, {
            signal: AbortSignal.timeout(50),
          }),
          failsWith('ERR_ABORTED', /aborted/),
        );
      });
    });
  }

  it('refuse what would have no effect, and leave other names without a reranker', () => {
    const reranker = wordOverlap;
    const decay = { shape: 'exponential', halfLife: '30d' } as const;
    assert.throws(
      () => dense({ corpus, reranker, decay }),
      failsWith('ERR_INVALID_ARGUMENT', /decay.*absent with a reranker/),
    );
    assert.throws(() => dense({ corpus, reranker: {} as never }), /reranker/);
    assert.throws(() => dense({ corpus, reranker, rerank: 0 }), /rerank/);
    assert.equal(createSystem('dense', { corpus, reranker }).name, 'dense');
    assert.ok(String(mrag({ corpus, reranker })).includes('rerank(100)'));
  });
});
