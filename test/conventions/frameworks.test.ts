// Aborted calls under frameworks that retry or report failures, each the real one: none takes an
// abort for a failure.
import assert from 'node:assert/strict';
import { AsyncCaller } from '@langchain/core/utils/async_caller';
import { generateText, streamText } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import pRetry from 'p-retry';
import { AsOfError, bm25, type Corpus } from '../../lib/index.js';
import { langchainRetriever } from '../../packages/langchain/lib/index.js';
import { withCorpus } from '../corpus.js';

describe('an aborted call under', () => {
  let corpus: Corpus;
  withCorpus([{ id: 'a', text: 'Ann won in 2020.' }], (made) => (corpus = made));
  const reason = new Error('the caller left');

  /** Asks under a signal that fires before the answer is there, and counts the attempts. */
  function attempts(): { count: number; signal: AbortSignal; ask: () => Promise<unknown> } {
    const controller = new AbortController();
    const made = {
      count: 0,
      signal: controller.signal,
      ask: () => {
        made.count += 1;
        const asked = bm25({ corpus }).run({ text: 'Who?' }, { signal: controller.signal });
        controller.abort(reason);
        return asked;
      },
    };
    return made;
  }

  function isAbort(error: unknown): true {
    assert.ok(AsOfError.is(error), String(error));
    assert.deepEqual([error.name, error.code, error.cause], ['AbortError', 'ERR_ABORTED', reason]);
    return true;
  }

  it('p-retry with the signal ends with its reason after one attempt', async () => {
    const made = attempts();
    const { signal } = made;
    await assert.rejects(pRetry(made.ask, { retries: 3, minTimeout: 0, signal }), reason);
    assert.equal(made.count, 1);
  });

  it('p-retry that is asked by name ends with the error after one attempt', async () => {
    const made = attempts();
    const shouldRetry = ({ error }: { error: Error }): boolean => error.name !== 'AbortError';
    await assert.rejects(pRetry(made.ask, { retries: 3, minTimeout: 0, shouldRetry }), isAbort);
    assert.equal(made.count, 1);
  });

  it('the AI SDK is neither retried nor wrapped by generateText', async () => {
    const made = attempts();
    const model = new MockLanguageModelV3({
      doGenerate: async () => assert.fail(String(await made.ask())),
    });
    const asked = generateText({ model, prompt: 'Who?', maxRetries: 3 });
    await assert.rejects(Promise.resolve(asked), isAbort);
    assert.equal(made.count, 1);
  });

  it('the AI SDK ends a stream by onAbort, not by onError', async () => {
    const made = attempts();
    const ends: string[] = [];
    const { textStream } = streamText({
      model: new MockLanguageModelV3({
        doStream: async () => assert.fail(String(await made.ask())),
      }),
      prompt: 'Who?',
      abortSignal: made.signal,
      onAbort: () => void ends.push('abort'),
      onError: () => void ends.push('error'),
    });
    for await (const text of textStream) assert.fail(text);
    assert.deepEqual([ends, made.count], [['abort'], 1]);
  });

  it("LangChain's caller is not retried", async () => {
    const made = attempts();
    await assert.rejects(new AsyncCaller({ maxRetries: 3 }).call(made.ask), isAbort);
    assert.equal(made.count, 1);
  });

  it('the LangChain retriever is the same error', async () => {
    const signal = AbortSignal.abort(reason);
    await assert.rejects(langchainRetriever(bm25({ corpus })).invoke('Who?', { signal }), isAbort);
  });
});
