// The answer as far as it is written: what a caller sees of each reader, and that results are the
// same with and without it, and with and without a model that streams.
import assert from 'node:assert/strict';
import { hybrid, type Corpus, type SystemResult, type TextModel } from '../../lib/index.js';
import { readerModes } from '../../lib/reading/answer.js';
import { withCorpus } from '../corpus.js';
import { asks } from '../reading/doubles.js';

type Script = (request: Parameters<TextModel['generate']>[0]) => string;

/** A model that answers by a script, whole or in pieces of three characters. */
function scripted(script: Script, streams: boolean): TextModel {
  const generate: TextModel['generate'] = async (request) => ({
    text: script(request),
    usage: { inputTokens: 5, outputTokens: 2 },
  });
  if (!streams) return { id: 'scripted-1', generate };
  return {
    id: 'scripted-1',
    generate,
    async *stream(request) {
      const generation = await generate(request);
      for (let at = 0; at < generation.text.length; at += 3)
        yield generation.text.slice(at, at + 3);
      return generation;
    },
  };
}

const wellBehaved: Script = (request) => {
  const kind = asks(request);
  if (kind === 'relevance') return '{"relevant": true}';
  if (kind === 'reading') return '{"statement": "Bürgermeister Orta, 1996 to 2004"}';
  return '<think>"answer": "Nobody"</think>{"answer": "Luis \\"el\\" \\u00d3rta", "evidence": [1]}';
};

describe('onAnswer', () => {
  let corpus: Corpus;
  withCorpus(
    [{ id: 'harbour', text: 'Luis Orta ran the harbour of Senn from 1996 to 2004.' }],
    (made) => (corpus = made),
  );
  const question = { text: 'Who ran the harbour of Senn in 1999?', askedAt: '2012-05-01' };

  /** A result without its times, and what was shown of it. */
  async function ask(options: object, listens = true) {
    const shown: string[] = [];
    const onAnswer = listens ? (text: string): unknown => shown.push(text) : undefined;
    const result = await hybrid({ corpus, ...options }).run(question, { onAnswer });
    const trace = result.trace.map(({ stage, notes }) => ({ stage, notes }));
    return { shown, result: { ...result, trace } as unknown as SystemResult };
  }

  for (const mode of readerModes) {
    it(`${mode}: ends with the answer, and changes nothing`, async () => {
      const [streamed, whole] = [true, false].map((streams) => ({
        model: scripted(wellBehaved, streams),
        read: { mode },
      }));
      const first = await ask(streamed!);
      assert.ok(first.result.answer);
      assert.equal(first.shown.at(-1), first.result.answer.text);
      for (const other of [
        await ask(streamed!, false),
        await ask(whole!),
        await ask(whole!, false),
      ])
        assert.deepEqual(other.result, first.result);
      const once = await ask(whole!);
      assert.deepEqual(once.shown, [first.result.answer.text]);
      if (mode === 'extract') assert.deepEqual(first.shown, once.shown);
      else assert.deepEqual(first.shown.slice(0, 3), ['Lui', 'Luis', 'Luis "el'], mode);
    });
  }

  it('shows nothing of half an escape or of reasoning', async () => {
    const model = scripted(wellBehaved, true);
    const { shown } = await ask({ model, read: { mode: 'concatenated' } });
    for (const text of shown) assert.doesNotMatch(text, /Nobody|\\|u00/);
    assert.equal(shown.at(-1), 'Luis "el" Órta');
  });

  it('takes back what turns out to be no answer', async () => {
    const model = scripted(() => '{"answer": "None of these", "evidence": []}', true);
    const { shown, result } = await ask({ model, read: { mode: 'concatenated' } });
    assert.equal(result.answer, undefined);
    assert.ok(shown.includes('None of these'));
    assert.equal(shown.at(-1), '');
  });

  it('shows bare words once, as they were understood', async () => {
    const model = scripted(() => 'The answer is: Luis Orta.', true);
    const { shown } = await ask({ model, read: { mode: 'direct' } });
    assert.deepEqual(shown, ['Luis Orta']);
  });

  it('is not called of a question without an answer', async () => {
    const { shown, result } = await ask({
      model: scripted(() => '{"answer": ""}', true),
      read: { mode: 'concatenated' },
    });
    assert.deepEqual([shown, result.answer], [[], undefined]);
  });

  it('has to be a function, whose errors are thrown', async () => {
    const system = hybrid({ corpus });
    await assert.rejects(system.run(question, { onAnswer: 'x' as never }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /onAnswer/,
    });
    const fault = new Error('closed');
    for (const streams of [true, false]) {
      const model = scripted(wellBehaved, streams);
      const running = hybrid({ corpus, model, read: { mode: 'direct' } }).run(question, {
        onAnswer() {
          throw fault;
        },
      });
      await assert.rejects(running, (error) => error === fault);
    }
  });
});
