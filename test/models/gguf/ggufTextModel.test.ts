// The GGUF adapter over a double of node-llama-cpp, which is a large optional peer: options, files,
// queue, abort, closing, context. What the double takes for granted is proven with the real one by
// `npm run test:models`.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGguf, type GgufTextModelOptions } from '../../../lib/models/gguf/ggufTextModel.js';
import { importLlama, type LlamaRuntime } from '../../../lib/models/gguf/runtime.js';
import { generateJson } from '../../../lib/text/jsonAnswer.js';
import { generateText } from '../../../lib/text/textModel.js';
import { ggufTextModel } from '../../../lib/models/index.js';
import { failsWith } from '../../failsWith.js';

type Prompt = Parameters<InstanceType<LlamaRuntime['LlamaChatSession']>['promptWithMeta']>;
interface Double {
  load: () => Promise<LlamaRuntime>;
  log: string[];
  calls: { system?: string; prompt: string; options: Prompt[1] }[];
  most: number;
}

/**
 * A runtime whose model answers what `answer` says; a word is a token, and the template adds two.
 */
function double(
  answer: (...asked: Prompt) => Promise<string> | string,
  faults: { load?: Error; noSystem?: boolean } = {},
): Double {
  let running = 0;
  const made: Double = { log: [], calls: [], most: 0, load: async () => runtime };
  const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
  class LlamaChatSession {
    constructor(private readonly given: { systemPrompt?: string }) {}
    chatWrapper = {
      generateContextState: ({ chatHistory }: { chatHistory: readonly object[] }) => ({
        contextText: {
          tokenize: () => [
            ...chatHistory.flatMap((each) => words((each as { text?: string }).text ?? '')),
            '<start>',
            '<end>',
          ],
        },
      }),
    };
    getChatHistory(): object[] {
      return this.given.systemPrompt === undefined || faults.noSystem
        ? []
        : [{ type: 'system', text: this.given.systemPrompt }];
    }
    async promptWithMeta(...asked: Prompt): Promise<{ responseText: string }> {
      made.calls.push({
        ...(this.given.systemPrompt === undefined ? {} : { system: this.given.systemPrompt }),
        prompt: asked[0],
        options: asked[1],
      });
      made.most = Math.max(made.most, (running += 1));
      try {
        return { responseText: await answer(...asked) };
      } finally {
        running -= 1;
      }
    }
    dispose(): void {
      made.log.push('session disposed');
    }
  }
  const sequence = {
    tokenMeter: { getState: () => 0, diff: () => ({ usedOutputTokens: 3 }) },
    clearHistory: async () => void made.log.push('cleared'),
  };
  const runtime: LlamaRuntime = {
    LlamaChatSession,
    getLlama: async (options) => {
      made.log.push(`llama ${JSON.stringify(options)}`);
      return {
        loadModel: async () => {
          if (faults.load) throw faults.load;
          return {
            trainContextSize: 2048,
            tokenizer: {},
            createContext: async ({ createSignal: _, ...context }) => {
              made.log.push(`context ${JSON.stringify(context)}`);
              return { getSequence: () => sequence };
            },
          };
        },
        createGrammarForJsonSchema: async (schema) => ({ schema }),
        dispose: async () => void made.log.push('llama disposed'),
      };
    },
  };
  return made;
}

const untilAborted = (_: string, { signal }: Prompt[1]): Promise<string> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );

describe('adapters: ggufTextModel', () => {
  let folder: string;
  let path: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-gguf-'));
    writeFileSync((path = join(folder, 'small.gguf')), 'GGUF and so on');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const open = (made: Double, options: Partial<GgufTextModelOptions> = {}) =>
    openGguf({ path, ...options }, made.load);

  it('refuses options out of range and files of other formats before loading', async () => {
    const load = (): never => assert.fail('loaded');
    for (const wrong of [
      undefined,
      null,
      {},
      { path: '' },
      { path: 5 },
      { path: 'a\0b' },
      { path, threads: 0 },
      { path, threads: 1.5 },
      { path, contextSize: 63 },
      { path, gpu: 'cuda' },
    ]) {
      await assert.rejects(
        openGguf(wrong as GgufTextModelOptions, load),
        failsWith('ERR_INVALID_ARGUMENT', /Expected/),
      );
    }
    writeFileSync(join(folder, 'page.gguf'), '<html>');
    writeFileSync(join(folder, 'empty.gguf'), '');
    await assert.rejects(
      openGguf({ path: join(folder, 'none.gguf') }, load),
      failsWith('ERR_NOT_FOUND', /none\.gguf/),
    );
    for (const name of ['page.gguf', 'empty.gguf']) {
      await assert.rejects(
        openGguf({ path: join(folder, name) }, load),
        failsWith('ERR_INVALID_INPUT', /GGUF file/),
      );
    }
    await assert.rejects(openGguf({ path: folder }, load), failsWith('ERR_STORAGE', /read/));
    await assert.rejects(
      openGguf({ path, signal: AbortSignal.abort() }, load),
      failsWith('ERR_ABORTED', /aborted/),
    );
  });

  it('says instructions in the prompt where the template has no place for them', async () => {
    for (const noSystem of [false, true]) {
      const made = double(() => 'yes', { noSystem });
      await using model = await open(made);
      const { usage } = await generateText(model, {
        system: 'Answer in one word.',
        prompt: 'Is it so?',
      });
      assert.equal(
        made.calls[0]!.prompt,
        noSystem ? 'Answer in one word.\n\nIs it so?' : 'Is it so?',
      );
      assert.equal(usage!.inputTokens, 4 + 3 + 2);
    }
  });

  it('streams what is generated, and returns what generate() resolves with', async () => {
    const made = double((_, { onTextChunk }) => {
      for (const chunk of ['{"a": 1,', ' "b": null}']) onTextChunk?.(chunk);
      return '{"a": 1, "b": null}';
    });
    await using model = await open(made);
    const properties = { a: { type: 'integer' }, b: { type: 'string' } };
    const request = { prompt: 'p', jsonSchema: { type: 'object', properties, required: ['a'] } };
    const shown: string[] = [];
    const streamed = await generateText(model, request, (text) => shown.push(text));
    assert.deepEqual(shown, ['{"a": 1,', '{"a": 1, "b": null}', '{"a":1}']);
    assert.deepEqual(streamed, await generateText(model, request));
  });

  it('stops generating when a stream is abandoned', async () => {
    const made = double(async (prompt, options) => {
      options.onTextChunk!('a');
      return untilAborted(prompt, options);
    });
    await using model = await open(made);
    const pieces = model.stream!({ prompt: 'p' });
    assert.deepEqual(await pieces.next(), { done: false, value: 'a' });
    await pieces.return(undefined as never);
    assert.equal(made.calls[0]!.options.signal.aborted, true);
  });

  it('names the package to install, and the reason of a failed load', async () => {
    await assert.rejects(
      importLlama('node-llama-cpp-that-nobody-has'),
      failsWith('ERR_NATIVE_UNAVAILABLE', /it is not installed\. Do: npm install node-llama-cpp@3/),
    );
    if (`${process.platform}-${process.arch}` === 'linux-x64') {
      await assert.rejects(
        importLlama('node-llama-cpp-that-nobody-has'),
        /--omit=optional node-llama-cpp @node-llama-cpp\/linux-x64\./,
      );
    }
    writeFileSync(join(folder, 'broken.mjs'), 'throw new Error("no such instruction");');
    await assert.rejects(
      importLlama(join(folder, 'broken.mjs')),
      failsWith('ERR_NATIVE_UNAVAILABLE', /no such instruction/),
    );
    if (!process.env.ASOF_REAL_MODELS)
      await assert.rejects(
        ggufTextModel({ path }),
        failsWith('ERR_NATIVE_UNAVAILABLE', /node-llama-cpp/),
      );
    const broken = double(() => '', { load: new Error('tensor missing') });
    await assert.rejects(
      open(broken),
      failsWith('ERR_MODEL_FAILED', /small\.gguf.*tensor missing/, { file: path }),
    );
    assert.ok(broken.log.includes('llama disposed'));
  });

  it('loads as told, on the CPU, compiling and fetching nothing', async () => {
    const made = double(() => 'a');
    const model = await open(made, { threads: 2, contextSize: 512 });
    assert.equal(model.id, 'gguf:small.gguf');
    assert.equal(model.contextSize, 512);
    assert.deepEqual(made.log, [
      'llama {"gpu":false,"build":"never","skipDownload":true,"maxThreads":2,"logLevel":"error"}',
      'context {"contextSize":512,"sequences":1,"threads":2}',
    ]);
    // what it was trained with is less than the default
    assert.equal((await open(double(() => 'a'))).contextSize, 2048);
    await assert.rejects(
      open(
        double(() => 'a'),
        { contextSize: 4096 },
      ),
      failsWith('ERR_INVALID_ARGUMENT', /2048/),
    );
  });

  it('hands over what was asked, from an empty context each time', async () => {
    const made = double(() => 'in 1905');
    const model = await open(made, { contextSize: 64 });
    assert.deepEqual(
      await generateText(model, {
        system: 'Be brief.',
        prompt: 'When was that?',
        maxTokens: 9,
        temperature: 0,
        stop: ['\n'],
        seed: -1,
      }),
      { text: 'in 1905', usage: { inputTokens: 7, outputTokens: 3 } },
    );
    const { signal: _, ...options } = made.calls[0]!.options;
    assert.deepEqual(
      { ...made.calls[0], options },
      {
        system: 'Be brief.',
        prompt: 'When was that?',
        options: {
          maxTokens: 9,
          temperature: 0,
          seed: 4294967295,
          customStopTriggers: ['\n'],
          stopOnAbortSignal: false,
        },
      },
    );
    await generateText(model, { prompt: 'And then?' });
    assert.equal(made.calls[1]!.options.maxTokens, 64 - 4 - 2); // what the context has room for
    assert.deepEqual(made.log.slice(2), [
      'cleared',
      'session disposed',
      'cleared',
      'session disposed',
    ]);
  });

  it('refuses a prompt that does not fit, and cuts no prompt', async () => {
    const made = double(() => 'a');
    const model = await open(made, { contextSize: 64 });
    await assert.rejects(
      generateText(model, { prompt: 'word '.repeat(62) }),
      failsWith('ERR_MODEL_FAILED', /leaves room/, {
        promptTokens: 64,
        contextSize: 64,
        model: 'gguf:small.gguf',
      }),
    );
    assert.equal(made.calls.length, 0);
    await generateText(model, { prompt: 'word '.repeat(59), maxTokens: 50 });
    assert.equal(made.calls[0]!.options.maxTokens, 1);
  });

  it(
    'binds the answer by a grammar where it can, takes out the nulls that it forced, and ' +
      'leaves what was cut off',
    async () => {
      const schema = {
        type: 'object',
        properties: { year: { type: 'integer' }, note: { type: 'string' } },
        required: ['year'],
      };
      const made = double((prompt) =>
        prompt.includes('cut') ? '{"year": 19' : '{ "year": 1905, "note": null }',
      );
      const model = await open(made);
      assert.deepEqual((await generateJson(model, { prompt: 'p' }, schema)).value, { year: 1905 });
      assert.deepEqual(made.calls[0]!.options.grammar, {
        schema: {
          type: 'object',
          properties: {
            year: { type: 'integer' },
            note: { oneOf: [{ type: 'string' }, { type: 'null' }] },
          },
        },
      });
      assert.equal(
        (await generateText(model, { prompt: 'cut', jsonSchema: schema })).text,
        '{"year": 19',
      );
      await generateText(model, { prompt: 'p', jsonSchema: schema });
      assert.equal(made.calls[2]!.options.grammar, made.calls[0]!.options.grammar);
      assert.equal(
        (await generateText(model, { prompt: 'p', jsonSchema: { not: { type: 'string' } } })).text,
        '{ "year": 1905, "note": null }',
      );
      assert.equal(made.calls[3]!.options.grammar, undefined);
    },
  );

  it('answers one at a time, in order, and passes over who gave up', async () => {
    const made = double((prompt) => new Promise((done) => setTimeout(() => done(prompt), 15)));
    const model = await open(made);
    const controller = new AbortController();
    const first = generateText(model, { prompt: '1' });
    const second = generateText(model, { prompt: '2', signal: controller.signal });
    const third = generateText(model, { prompt: '3' });
    controller.abort();
    await assert.rejects(second, failsWith('ERR_ABORTED', /aborted/));
    assert.deepEqual([(await first).text, (await third).text], ['1', '3']);
    assert.deepEqual(
      made.calls.map(({ prompt }) => prompt),
      ['1', '3'],
    );
    assert.equal(made.most, 1);
  });

  it('aborts what runs, over a model that fails too, and goes on', async () => {
    const made = double((prompt, options) =>
      prompt === 'hang'
        ? untilAborted(prompt, options)
        : prompt === 'fail'
          ? Promise.reject(new Error('decode failed'))
          : 'ok',
    );
    const model = await open(made);
    await assert.rejects(
      model.generate({ prompt: 'hang', signal: AbortSignal.timeout(20) }),
      failsWith('ERR_ABORTED', /aborted/),
    );
    await assert.rejects(
      generateText(model, { prompt: 'fail' }),
      failsWith('ERR_MODEL_FAILED', /decode failed/),
    );
    assert.equal((await generateText(model, { prompt: 'p' })).text, 'ok');
  });

  it('rejects all requests on close, frees the model afterwards, and stays closed', async () => {
    const made = double(untilAborted);
    const model = await open(made);
    const closed = [model.generate({ prompt: '1' }), model.generate({ prompt: '2' })].map((each) =>
      assert.rejects(each, failsWith('ERR_CLOSED', /gguf:small\.gguf/)),
    );
    await new Promise((later) => setTimeout(later, 5));
    await Promise.all([model.close(), model.close(), ...closed]);
    assert.deepEqual(made.log.slice(-2), ['session disposed', 'llama disposed']);
    await assert.rejects(model.generate({ prompt: '3' }), failsWith('ERR_CLOSED', /closed/));
    await model[Symbol.asyncDispose]();
  });
});
