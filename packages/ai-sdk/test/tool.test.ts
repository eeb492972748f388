// asofTool by the real SDK: a mock model calls it in generateText().
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSchema, generateText, stepCountIs, tool, type Tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { asofTool, type AsOfToolInput, type AsOfToolOutput } from '../lib/index.js';
import { bm25, Corpus } from '../../../lib/index.js';

type Result = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
const usage: Result['usage'] = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};

/** A model that calls the tool `search` with each input in turn, then answers. */
const calling = (...inputs: unknown[]) => {
  let step = 0;
  return new MockLanguageModelV3({
    doGenerate: async (): Promise<Result> => {
      const input = inputs[step++];
      return {
        content:
          input === undefined
            ? [{ type: 'text', text: 'Done.' }]
            : [
                {
                  type: 'tool-call',
                  toolCallId: `call-${step}`,
                  toolName: 'search',
                  input: JSON.stringify(input),
                },
              ],
        finishReason: { unified: input === undefined ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
};

describe('asofTool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-ai-tool-'));
  let corpus: Corpus;

  before(async () => {
    const fields = { party: 'keyword' } as const;
    corpus = await Corpus.open(join(folder, 'ministers.asof'), { fields });
    const minister = (id: string, publishedAt: string, text: string, party = 'tory') => ({
      id,
      publishedAt,
      text,
      metadata: { party },
    });
    await corpus.add([
      minister('may', '2016-07-13', 'Theresa May became prime minister of the UK on 13 July 2016.'),
      minister(
        'johnson',
        '2019-07-24',
        'Boris Johnson became prime minister of the UK on 24 July 2019.',
      ),
      minister(
        'sunak',
        '2022-10-25',
        'Rishi Sunak became prime minister of the UK on 25 October 2022.',
      ),
      minister(
        'starmer',
        '2024-07-05',
        'Keir Starmer became prime minister of the UK on 5 July 2024.',
        'labour',
      ),
      minister('long', '2001-01-01', `A chronicle of ferries. ${'The ferry sails. '.repeat(400)}`),
    ]);
  });
  after(async () => {
    await corpus.close();
    rmSync(folder, { recursive: true });
  });

  /** What the tool gave the model for one input. */
  async function outputOf(search: ReturnType<typeof asofTool>, input: unknown) {
    const model = calling(input);
    const { steps, text } = await generateText({
      model,
      prompt: 'Who was it?',
      tools: { search },
      stopWhen: stepCountIs(3),
    });
    assert.equal(text, 'Done.');
    const part = steps[0]!.content.find(
      ({ type }) => type.startsWith('tool-') && type !== 'tool-call',
    );
    return { part: part as any, model };
  }

  it('is a tool of the SDK by its own types', () => {
    const typed: Tool<AsOfToolInput, AsOfToolOutput> = asofTool(corpus);
    assert.equal(tool(asofTool(corpus)).description, typed.description);
  });

  it('answers as of a time in generateText, and the model reads the result', async () => {
    const { part, model } = await outputOf(asofTool(corpus), {
      question: 'Who was UK prime minister?',
      as_of: '2021-05-06',
      k: 2,
    });
    assert.equal(part.type, 'tool-result');
    const { evidence, constraint, question, ...rest } = part.output as AsOfToolOutput;
    assert.equal(question, 'Who was UK prime minister as of 2021-05-06?');
    assert.equal((constraint as any).relation, 'as of');
    assert.equal(evidence[0]!.id, 'johnson');
    assert.equal(evidence[0]!['published_at'], '2019-07-24');
    assert.equal(evidence.length, 2);
    assert.deepEqual(
      Object.keys(rest).filter((name) => /trace|scan|dropped/.test(name)),
      [],
    );
    assert.ok(!('scores' in evidence[0]!));
    const message = JSON.stringify(model.doGenerateCalls[1]!.prompt.at(-1));
    assert.match(message, /"tool-result".*Boris Johnson/);
  });

  it('hides what was published after asked_at, which a fixed time replaces', async () => {
    const question = 'Who is the prime minister of the UK?';
    const first = async (search: ReturnType<typeof asofTool>, more: object) =>
      (await outputOf(search, { question, ...more })).part.output.evidence[0].id as string;
    assert.equal(await first(asofTool(corpus), {}), 'starmer');
    assert.equal(await first(asofTool(corpus), { asked_at: '2018-01-01' }), 'may');
    const fixed = asofTool(corpus, { askedAt: '2020-01-01' });
    assert.equal(await first(fixed, {}), 'johnson');
    const { properties } = (await asSchema(fixed.inputSchema).jsonSchema) as any;
    assert.ok(!('asked_at' in properties) && 'as_of' in properties);
  });

  it('combines the filter of the application with that of the model', async () => {
    const ids = async (where: object | undefined, given?: object) => {
      const search = asofTool(corpus, { where: given as never, k: 10 });
      const { part } = await outputOf(search, { question: 'prime minister', where });
      return part.output.evidence.map(({ id }: { id: string }) => id).sort();
    };
    assert.deepEqual(await ids({ party: 'labour' }), ['starmer']);
    assert.ok(!(await ids(undefined, { party: 'tory' })).includes('starmer'));
    assert.deepEqual(await ids({ party: 'labour' }, { party: 'tory' }), []);
  });

  it('prefers what is new by a decay that the model names', async () => {
    const decay = { shape: 'exponential', halfLife: '365d', clock: 'published' };
    const input = { question: 'prime minister', asked_at: '2024-08-01' };
    const { part } = await outputOf(asofTool(bm25({ corpus })), { ...input, decay });
    const ids = part.output.evidence.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, ['starmer', 'sunak', 'johnson', 'may']);
    const { validate } = asSchema(asofTool(corpus).inputSchema);
    assert.equal((await validate!({ ...input, decay: { shape: 'none' } })).success, false);
  });

  it('asks another system, and cuts long texts', async () => {
    const search = asofTool(bm25({ corpus }), { description: 'Ferries.', k: 1 });
    assert.equal(search.description, 'Ferries.');
    const { part } = await outputOf(search, { question: 'chronicle of ferries' });
    const [{ id, text }] = part.output.evidence;
    assert.deepEqual([id, text.length], ['long', 4001]);
  });

  it('describes its input to providers, with filters of any field', async () => {
    const { jsonSchema, validate } = asSchema(asofTool(corpus).inputSchema);
    const { required, properties, additionalProperties } = (await jsonSchema) as any;
    assert.deepEqual([required, additionalProperties], [['question'], false]);
    assert.deepEqual(Object.keys(properties), [
      'question',
      'as_of',
      'asked_at',
      'where',
      'since',
      'until',
      'only',
      'decay',
      'relevance',
      'k',
    ]);
    assert.deepEqual(properties.where.additionalProperties, {});
    assert.equal((await validate!({ question: 'x', where: { a: { gt: 1 } } })).success, true);
    for (const wrong of [{}, { question: '' }, { question: 'x', k: 51 }, { question: 'x', q: 1 }])
      assert.equal((await validate!(wrong)).success, false);
  });

  it('tells the model what is wrong with its input', async () => {
    const unknown = await outputOf(asofTool(corpus), { question: 'x', as_of: 'lately' });
    assert.equal(unknown.part.type, 'tool-error');
    assert.match(unknown.part.error.message, /Expected as_of to be/);
    const filter = await outputOf(asofTool(corpus), { question: 'x', where: { part: 'a' } });
    assert.match(filter.part.error.message, /where.*party/);
  });

  it('rejects when the signal fires', async () => {
    const { execute } = asofTool(corpus);
    await assert.rejects(execute({ question: 'x' }, { abortSignal: AbortSignal.abort() }), {
      name: 'AbortError',
      code: 'ERR_ABORTED',
    });
  });

  it('says what is wrong with its arguments', () => {
    const invalid = { code: 'ERR_INVALID_ARGUMENT' };
    assert.throws(() => asofTool({} as never), invalid);
    assert.throws(() => asofTool(corpus, { k: 0 }), invalid);
    assert.throws(() => asofTool(corpus, { askedAt: 'soon' }), invalid);
    assert.throws(() => asofTool(corpus, { system: 'x' } as never), invalid);
  });
});
