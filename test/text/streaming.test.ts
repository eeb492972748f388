// Streams of text models: what generateText() shows of them, and that the result is the same.
import assert from 'node:assert/strict';
import { AsOfError, type Generation, type TextModel } from '../../lib/index.js';
import { generateJson } from '../../lib/text/jsonAnswer.js';
import { generateText } from '../../lib/text/textModel.js';
import { failsWith } from '../failsWith.js';

/** A model that streams pieces and answers what they make; `ended` counts abandoned streams. */
function streaming(pieces: readonly unknown[], last?: Partial<Generation>) {
  const made = { ended: 0 };
  const text = pieces.join('');
  const model: TextModel = {
    id: 'streaming-1',
    generate: async () => ({ text, ...last }),
    async *stream() {
      try {
        for (const piece of pieces) yield await Promise.resolve(piece as string);
        return { text, ...last };
      } finally {
        made.ended += 1;
      }
    },
  };
  return { model, made };
}
const request = { prompt: 'When?' };

describe('streams of text models', () => {
  it('are shown as far as they are written, and result in the same', async () => {
    const usage = { inputTokens: 3, outputTokens: 2 };
    const { model } = streaming(['in', '', ' 19', '05'], { usage });
    const shown: string[] = [];
    const streamed = await generateText(model, request, (text) => shown.push(text));
    assert.deepEqual(shown, ['in', 'in 19', 'in 1905']);
    assert.deepEqual(streamed, await generateText(model, request));
    assert.deepEqual(streamed, { text: 'in 1905', usage });
  });

  it('end with the text that counts, where it differs from the pieces', async () => {
    const { model } = streaming(['a', 'b'], { text: 'a' });
    const shown: string[] = [];
    await generateText(model, request, (text) => shown.push(text));
    assert.deepEqual(shown, ['a', 'ab', 'a']);
  });

  it('are one piece of a model that does not stream, and are not asked for in vain', async () => {
    const whole: TextModel = { id: 'whole-1', generate: async () => ({ text: 'in 1905' }) };
    const shown: string[] = [];
    await generateText(whole, request, (text) => shown.push(text));
    assert.deepEqual(shown, ['in 1905']);
    const { model, made } = streaming(['x']);
    await generateText(model, request);
    assert.equal(made.ended, 0);
  });

  it('start again where JSON is asked for once more', async () => {
    const answers = ['{"year": "x"}', '{"year": 1905}'];
    const model: TextModel = {
      id: 'repairing-1',
      generate: async () => assert.fail('streams'),
      async *stream() {
        const text = answers.shift()!;
        yield text.slice(0, 6);
        yield text.slice(6);
        return { text };
      },
    };
    const schema = { type: 'object', properties: { year: { type: 'integer' } } };
    const shown: string[] = [];
    const { value, repaired } = await generateJson(model, request, schema, (text) =>
      shown.push(text),
    );
    assert.deepEqual([value, repaired], [{ year: 1905 }, true]);
    assert.deepEqual(shown, ['{"year', '{"year": "x"}', '{"year', '{"year": 1905}']);
  });

  it('are abandoned when the signal fires, even by a model that ignores it', async () => {
    const controller = new AbortController();
    const model: TextModel = {
      id: 'stuck-1',
      generate: async () => assert.fail('streams'),
      async *stream() {
        yield 'in';
        await new Promise(() => {});
        return { text: '' };
      },
    };
    const running = generateText(model, { ...request, signal: controller.signal }, () =>
      controller.abort(),
    );
    await assert.rejects(running, { name: 'AbortError', code: 'ERR_ABORTED' });
  });

  it('fail as any call does', async () => {
    const failing: TextModel = {
      id: 'failing-1',
      generate: async () => assert.fail('streams'),
      async *stream() {
        throw new Error('out of memory');
      },
    };
    const show = (): undefined => undefined;
    await assert.rejects(
      generateText(failing, request, show),
      failsWith('ERR_MODEL_FAILED', /failing-1.*out of memory/),
    );
    const { model } = streaming([{ text: 'a' }]);
    await assert.rejects(
      generateText(model, request, show),
      failsWith('ERR_MODEL_FAILED', /stream strings.*stream\(\)/),
    );
    const untold = { ...model, async *stream() {} } as unknown as TextModel;
    await assert.rejects(
      generateText(untold, request, show),
      failsWith('ERR_MODEL_FAILED', /return \{ text, usage\? \}/),
    );
    await assert.rejects(
      generateText({ ...model, stream: 'yes' as never }, request),
      failsWith('ERR_INVALID_ARGUMENT', /model\.stream/),
    );
  });

  it('throw what the listener throws, and are ended', async () => {
    const { model, made } = streaming(['a', 'b']);
    const fault = new TypeError('no such element');
    const running = generateText(model, request, () => {
      throw fault;
    });
    await assert.rejects(running, (error) => error === fault && !AsOfError.is(error));
    assert.equal(made.ended, 1);
  });
});
