// Spans of calls that fail or are aborted.
import assert from 'node:assert/strict';
import { SpanStatusCode } from '@opentelemetry/api';
import { bm25, dense, type Corpus, type TextModel } from '../../../lib/index.js';
import { observe } from '../../../lib/runtime/telemetry.js';
import { withCorpus } from '../../corpus.js';
import { failsWith } from '../../failsWith.js';
import { childrenOf, ministers, named, question, registerSdk, type RegisteredSdk } from './sdk.js';
import { assertEach } from '../../assertEach.js';

describe('spans of errors', () => {
  let corpus: Corpus;
  let sdk: RegisteredSdk;

  withCorpus(ministers, (opened) => (corpus = opened));
  beforeEach(() => (sdk = registerSdk()));
  afterEach(() => sdk.shutdown());

  it('shows errors by their code, without a message, which may quote content', async () => {
    const broken: TextModel = { id: 'mine', generate: () => Promise.reject(new Error('no route')) };
    const system = dense({ corpus, model: broken, read: { mode: 'concatenated' } });
    await assert.rejects(system.run(question), failsWith('ERR_MODEL_FAILED'));
    const all = sdk.spans();
    const chat = named(all, 'chat mine');
    assert.equal(chat.attributes['gen_ai.provider.name'], 'asof');
    const reader = all.find((span) => childrenOf(span, all).includes(chat))!;
    for (const span of [chat, reader, named(all, 'retrieval corpus')]) {
      assert.equal(span.attributes['error.type'], 'ERR_MODEL_FAILED', span.name);
      assert.deepEqual(span.status, { code: SpanStatusCode.ERROR });
      assert.deepEqual(span.events, []);
    }
    const { points } = await sdk.points('gen_ai.client.operation.duration');
    assert.ok(points.some(({ attributes }) => attributes['error.type'] === 'ERR_MODEL_FAILED'));
  });

  it('shows errors of other classes by their names', async () => {
    await assert.rejects(
      async () => observe({ name: 'work' }, () => Promise.reject(new RangeError('x'))),
      RangeError,
    );
    await assert.rejects(
      async () =>
        observe({ name: 'work' }, () => {
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- as foreign code may
          throw 'a string';
        }),
      (thrown) => thrown === 'a string',
    );
    assertEach(sdk.spans(), ({ attributes }) => attributes['error.type'], ['RangeError', '_OTHER']);
  });

  it('ends the spans of an aborted question, as of one that waits for a place', async () => {
    const controller = new AbortController();
    const hanging: TextModel = {
      id: 'mine',
      generate: () => {
        setImmediate(() => controller.abort());
        return new Promise(() => undefined);
      },
    };
    const system = dense({ corpus, model: hanging, read: { mode: 'concatenated' } });
    await assert.rejects(
      system.run(question, { signal: controller.signal }),
      failsWith('ERR_ABORTED'),
    );
    const all = sdk.spans();
    for (const name of ['chat mine', 'retrieval corpus'])
      assert.equal(named(all, name).attributes['error.type'], 'ERR_ABORTED');
    await assert.rejects(
      bm25({ corpus }).run(question, { signal: AbortSignal.abort() }),
      failsWith('ERR_ABORTED'),
    );
    assert.deepEqual(
      sdk.spans().map(({ name, attributes }) => [name, attributes['error.type']]),
      [['retrieval corpus', 'ERR_ABORTED']],
    );
  });
});
