// Models of specification v4, which ai@7 brings, as asof's own: whole, streamed, and encoders.
import assert from 'node:assert/strict';
import { type EmbeddingModel, type LanguageModel, rerank, type RerankingModel } from 'ai';
import { convertArrayToReadableStream, MockEmbeddingModelV4, MockLanguageModelV4 } from 'ai/test';
import { Corpus, hybrid } from 'asof';
import { asofEmbedding, asofReranking } from '@asof/ai-sdk';
import { aiSdkEncoder, aiSdkTextModel } from 'asof/models';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};
const finishReason = { unified: 'stop' as const, raw: undefined };
const answer = '{"answer": "Luis Orta", "evidence": [1]}';

describe('ai@7', () => {
  it('has models of specification v4 that asof asks, whole and streamed', async () => {
    const mock = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: [{ type: 'text', text: answer }],
        finishReason,
        usage,
        warnings: [],
      }),
      doStream: async () => ({
        stream: convertArrayToReadableStream([
          ...(answer.match(/.{1,9}/g) ?? []).map((delta) => ({
            type: 'text-delta' as const,
            id: 't',
            delta,
          })),
          { type: 'finish' as const, finishReason, usage },
        ]),
      }),
    });
    const bySdk: Exclude<LanguageModel, string> = mock;
    const folder = mkdtempSync(join(tmpdir(), 'asof-ai7-'));
    const corpus = await Corpus.open(join(folder, 'harbour.asof'));
    try {
      await corpus.add([{ id: 'a', text: 'Luis Orta ran the harbour from 1996 to 2004.' }]);
      const system = hybrid({
        corpus,
        model: aiSdkTextModel(bySdk),
        read: { mode: 'concatenated' },
      });
      const question = { text: 'Who ran the harbour in 1999?' };
      const shown: string[] = [];
      const streamed = await system.run(question, { onAnswer: (text) => shown.push(text) });
      const whole = await system.run(question);
      assert.deepEqual(streamed.answer, whole.answer);
      assert.equal(streamed.answer?.text, 'Luis Orta');
      assert.ok(shown.length > 1 && shown.at(-1) === 'Luis Orta', shown.join());
      assert.deepEqual([mock.doGenerateCalls.length, mock.doStreamCalls.length], [1, 1]);
    } finally {
      await corpus.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('has embedding models of specification v4 that are encoders', async () => {
    const mock = new MockEmbeddingModelV4({
      doEmbed: async ({ values }) => ({
        embeddings: values.map(() => [0.6, 0.8]),
        warnings: [],
      }),
    });
    const encoder = await aiSdkEncoder(mock);
    assert.deepEqual(await encoder.encode(['a'], { kind: 'query' }), Float32Array.of(0.6, 0.8));
  });

  it("takes asof's models by its own types", async () => {
    const embedding: EmbeddingModel = asofEmbedding();
    const reranking: RerankingModel = asofReranking();
    assert.equal(typeof embedding, 'object');
    const { ranking } = await rerank({ model: reranking, documents: ['a harbour'], query: 'Who?' });
    assert.equal(ranking.length, 1);
  });
});
