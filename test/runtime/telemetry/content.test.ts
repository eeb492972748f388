// Content of users on spans: by opting in only, and what of it.
import assert from 'node:assert/strict';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { dense, type Corpus, type TextModel } from '../../../lib/index.js';
import { generateText } from '../../../lib/text/textModel.js';
import { withCorpus } from '../../corpus.js';
import { failsWith } from '../../failsWith.js';
import { ministers, model, named, question, registerSdk, type RegisteredSdk } from './sdk.js';

const capture = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';

describe('content on spans', () => {
  let corpus: Corpus;
  let sdk: RegisteredSdk;

  withCorpus(ministers, (opened) => (corpus = opened));
  beforeEach(() => (sdk = registerSdk()));
  afterEach(() => sdk.shutdown());

  const before = process.env[capture];
  afterEach(() => {
    if (before === undefined) delete process.env[capture];
    else process.env[capture] = before;
  });

  const ofContent = [
    'gen_ai.retrieval.query.text',
    'gen_ai.retrieval.documents',
    'gen_ai.input.messages',
    'gen_ai.output.messages',
    'gen_ai.system_instructions',
  ];
  const recorded = (all: readonly ReadableSpan[]): string[] =>
    ofContent.filter((name) => all.some(({ attributes }) => name in attributes));

  for (const value of [undefined, '', 'false', 'NO_CONTENT', 'EVENT_ONLY', 'yes'])
    it(`is not recorded with ${value ?? 'no'} setting`, async () => {
      if (value === undefined) delete process.env[capture];
      else process.env[capture] = value;
      await dense({ corpus, model, read: { mode: 'concatenated' } }).run(question);
      const all = sdk.spans();
      assert.deepEqual(recorded(all), []);
      const attributes = JSON.stringify(all.map((span) => [span.name, span.attributes]));
      assert.doesNotMatch(attributes, /prime minister|Johnson|2021/);
    });

  for (const value of ['true', 'SPAN_ONLY', 'span_and_event'])
    it(`is recorded with ${value}`, async () => {
      process.env[capture] = value;
      const { evidence } = await dense({ corpus, model, read: { mode: 'concatenated' } }).run(
        question,
      );
      await generateText(model, { system: 'Be brief.', prompt: 'Who?' });
      const all = sdk.spans();
      assert.deepEqual(recorded(all), ofContent);
      const { attributes } = named(all, 'retrieval corpus');
      assert.equal(attributes['gen_ai.retrieval.query.text'], question.text);
      assert.deepEqual(
        JSON.parse(String(attributes['gen_ai.retrieval.documents'])),
        evidence.map(({ id, score }) => ({ id, score })),
      );
      const parse = (name: string): unknown => JSON.parse(String(all.at(-1)!.attributes[name]));
      const parts = (content: string) => [{ type: 'text', content }];
      assert.deepEqual(parse('gen_ai.system_instructions'), parts('Be brief.'));
      assert.deepEqual(parse('gen_ai.input.messages'), [{ role: 'user', parts: parts('Who?') }]);
      assert.deepEqual(parse('gen_ai.output.messages'), [
        { role: 'assistant', parts: parts('Boris Johnson') },
      ]);
    });

  it('includes the query and the message of a question that failed', async () => {
    process.env[capture] = 'true';
    const broken: TextModel = { id: 'mine', generate: () => Promise.reject(new Error('gone')) };
    const system = dense({ corpus, model: broken, read: { mode: 'concatenated' } });
    await assert.rejects(system.run(question), failsWith('ERR_MODEL_FAILED'));
    const { attributes, status } = named(sdk.spans(), 'retrieval corpus');
    assert.equal(attributes['gen_ai.retrieval.query.text'], question.text);
    assert.ok(!('gen_ai.retrieval.documents' in attributes));
    assert.match(status.message!, /gone/);
  });
});
