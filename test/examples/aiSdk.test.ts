// The examples of docs/guide/ai-sdk.md, run against the built package with the printed output; the
// tool's by a model that calls it.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MockLanguageModelV3 } from 'ai/test';
import { Corpus } from '../../lib/index.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const page = readFileSync(join(root, 'docs', 'guide', 'ai-sdk.md'), 'utf8');
const examples = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!);

type Result = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
const usage: Result['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

describe('the guide to the AI SDK', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(root, 'build', 'guide-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs an example in this process and returns what it printed and exports. */
  async function run(code: string): Promise<{ printed: string[]; module: any }> {
    const file = join(folder, `example${examples.indexOf(code)}.mts`);
    writeFileSync(file, code.replace("'ministers.asof'", `'${join(folder, 'ministers.asof')}'`));
    const printed: string[] = [];
    const { log } = console;
    console.log = (...values: unknown[]) => void printed.push(values.join(' '));
    try {
      return { printed, module: await import(pathToFileURL(file).href) };
    } finally {
      console.log = log;
    }
  }

  const withOutput = examples.filter((code) => code.includes('console.log'));
  for (const code of withOutput) {
    const expected = /console\.log\(.*\); \/\/ (.*)/.exec(code)![1]!;
    it(`prints what it says: ${expected}`, async () => {
      assert.deepEqual((await run(code)).printed, [expected]);
    });
  }

  it('has a tool that a model calls', async () => {
    const corpus = await Corpus.open(join(folder, 'ministers.asof'));
    await corpus.add([
      { id: 'may', text: 'Theresa May became prime minister of the UK on 13 July 2016.' },
      { id: 'johnson', text: 'Boris Johnson became prime minister of the UK on 24 July 2019.' },
    ]);
    await corpus.close();
    const [code] = examples.filter((each) => !withOutput.includes(each));
    const { module } = await run(code!);
    const model = new MockLanguageModelV3({
      doGenerate: async ({ prompt }): Promise<Result> => {
        const last = prompt.at(-1)!;
        const input = JSON.stringify({ question: 'Who was prime minister?', as_of: '2018-03-01' });
        const id = /"id":"(\w+)"/.exec(JSON.stringify(last))?.[1];
        return {
          content:
            last.role === 'tool'
              ? [{ type: 'text', text: `It was ${id}.` }]
              : [{ type: 'tool-call', toolCallId: 'c', toolName: 'search', input }],
          finishReason: {
            unified: last.role === 'tool' ? 'stop' : 'tool-calls',
            raw: undefined,
          },
          usage,
          warnings: [],
        };
      },
    });
    assert.equal(
      await module.answer(model, 'Who was prime minister in March 2018?'),
      'It was may.',
    );
  });
});
