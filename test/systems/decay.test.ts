// Decays of the systems: BM25, cosine and `hybrid` over a corpus against their scores without one,
// passages without words or without a time, the origin, and options.
import assert from 'node:assert/strict';
import { bm25, type Corpus, dense, hybrid, type Passage, searchVectors } from '../../lib/index.js';
import { createSystem } from '../../lib/papers/index.js';
import { langchainRetriever, type EvidenceMetadata } from '../../packages/langchain/lib/index.js';
import { withCorpus } from '../corpus.js';
import { assertEach } from '../assertEach.js';

const askedAt = '2024-01-01T00:00Z';
const now = Date.parse(askedAt);
const day = 86_400_000;
const topics = ['harbour', 'bridge', 'museum', 'library'] as const;
const passages: Passage[] = Array.from({ length: 60 }, (_, i) => {
  const topic = topics[i % 4]!;
  return {
    id: `p${String(i).padStart(2, '0')}`,
    text: `The ${topic} opened its ${topic} hall ${'again '.repeat(i % 7)}in the town.`,
    ...(i % 10 === 9 ? {} : { publishedAt: new Date(now - ((i * 37) % 60) * 10 * day) }),
  };
});
const publishedAt = new Map(
  passages.map((each) => [each.id, each.publishedAt as Date | undefined]),
);
const decay = { shape: 'exponential', halfLife: '90d', floor: 0.05 } as const;
const valueOf = (id: string): number => {
  const published = publishedAt.get(id);
  return published === undefined
    ? 0.5
    : Math.max(0.05, 2 ** (-(now - published.getTime()) / (90 * day)));
};
const question = { text: 'When did the harbour begin?', askedAt };

describe('systems with a decay', () => {
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  const ranked = (scores: [string, number][]): string[] =>
    scores.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id);

  it('bm25: BM25 over its best, times or plus the value, if a word is in it', async () => {
    const plain = (await bm25({ corpus }).run(question, { k: 60 })).evidence;
    const best = plain[0]!.score;
    const scores = plain.map(({ id, score }): [string, number] => [
      id,
      (score / best) * valueOf(id),
    ]);
    const { evidence } = await bm25({ corpus, decay }).run(question, { k: 60 });
    assert.ok(plain.length < passages.length);
    assertEach(evidence, ({ id }) => id, ranked(scores));
    const wanted = new Map(scores);
    for (const { id, score, scores: columns } of evidence) {
      assert.ok(Math.abs(score - wanted.get(id)!) < 1e-6);
      assert.ok(Math.abs(columns['temporal']! - valueOf(id)) < 1e-12);
    }
    const added = await bm25({ corpus, decay: { ...decay, combine: 'sum', weight: 0.3 } }).run(
      question,
      { k: 5 },
    );
    assert.deepEqual(
      added.evidence.map(({ id }) => id),
      ranked(plain.map(({ id, score }) => [id, score / best + 0.3 * valueOf(id)])).slice(0, 5),
    );
  });

  it('bm25: finds nothing for words that no passage has', async () => {
    const { evidence } = await bm25({ corpus, decay }).run({ text: 'Zxqv?', askedAt });
    assert.deepEqual(evidence, []);
  });

  it('dense: the cosine times the value, as searchVectors has it', async () => {
    const plain = (await dense({ corpus }).run(question, { k: 60 })).evidence;
    const { evidence } = await dense({ corpus, decay }).run(question, { k: 7 });
    const scores = plain.map(({ id, score }): [string, number] => [
      id,
      score * (score < 0 ? 2 - valueOf(id) : valueOf(id)),
    ]);
    assertEach(evidence, ({ id }) => id, ranked(scores).slice(0, 7));
    const vector = await corpus.encoder.encode([question.text], { kind: 'query' });
    const [hits] = await searchVectors(corpus, vector, 7, { asOf: askedAt, decay });
    assert.deepEqual(
      hits!.map(({ id, score }) => [id, Math.fround(score)]),
      evidence.map(({ id, score }) => [id, Math.fround(score)]),
    );
  });

  it('hybrid: the probability times the value, and without a ranker the scan alone', async () => {
    const { evidence } = await hybrid({ corpus, decay }).run(question, { k: 20 });
    assert.equal(evidence.length, 20);
    const at = evidence.map(({ score }) => score);
    assert.deepEqual(
      at,
      [...at].sort((a, b) => b - a),
    );
    for (const { id, scores } of evidence)
      assert.ok(Math.abs(scores['temporal']! - valueOf(id)) < 1e-12, id);
    const scanned = await hybrid({ corpus, decay, ranker: false, sentences: false }).run(question, {
      k: 20,
    });
    for (const { score, scores } of scanned.evidence) {
      const { similarity, lexical = 0, temporal } = scores;
      const relevance = score / temporal!;
      // 0.4 cosine + 0.6 BM25 / (best BM25)
      assert.ok(Math.abs(relevance - 0.4 * (similarity ?? 0)) <= (lexical > 0 ? 0.6 : 1e-6) + 1e-6);
    }
    assert.match(String(hybrid({ corpus, decay })), /decay\(exponential\)/);
  });

  it('counts from the time of the question', async () => {
    const system = bm25({ corpus, decay: { ...decay, floor: 0 }, mask: true });
    const asked = new Date(now - 200 * day);
    const { evidence } = await system.run({ text: question.text, askedAt: asked }, { k: 60 });
    assert.ok(evidence.length > 0);
    for (const { id, scores } of evidence) {
      const published = publishedAt.get(id);
      if (!published) continue;
      const expected = 2 ** (-(asked.getTime() - published.getTime()) / (90 * day));
      assert.ok(Math.abs(scores['temporal']! - expected) < 1e-12);
    }
  });

  it('is an option that results state, and of named systems by settings', async () => {
    assert.deepEqual(bm25({ corpus, decay }).options['decay'], decay);
    assert.deepEqual(hybrid({ corpus, decay }).options['decay'], decay);
    assert.equal(hybrid({ corpus, decay }).options['stateDecay'], undefined);
    const named = createSystem('bm25', { corpus, settings: { decay } });
    const direct = await bm25({ corpus, decay }).run(question);
    assert.deepEqual((await named.run(question)).evidence, direct.evidence);
    assert.throws(() => createSystem('tempralm', { corpus, settings: { decay } }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    for (const system of [bm25, dense, hybrid])
      assert.throws(() => system({ corpus, decay: { shape: 'linear', halfLife: '1' as '1d' } }), {
        code: 'ERR_INVALID_ARGUMENT',
        message: /decay\.halfLife/,
      });
    assert.throws(() => hybrid({ corpus, decay, stateDecay: {} }), /decay to be given without/);
  });

  it('ranks for LangChain', async () => {
    const retriever = langchainRetriever(bm25({ corpus, decay }), { k: 3, askedAt });
    const documents = await retriever.invoke(question.text);
    const { evidence } = await bm25({ corpus, decay }).run(question, { k: 3 });
    assert.deepEqual(
      documents.map(({ id, metadata }) => [id, (metadata['asof'] as EvidenceMetadata).score]),
      evidence.map(({ id, score }) => [id, score]),
    );
  });
});
