// The table of docs/guide/models.md of what each adapter sends, against what is sent.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
import {
  aiSdkTextModel,
  openAiCompatible,
  openAiCompatibleEncoder,
} from '../../lib/models/index.js';
import type { GenerateRequest, TextModel } from '../../lib/index.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const page = readFileSync(join(root, 'docs', 'guide', 'models.md'), 'utf8');
const section = page.slice(page.indexOf('## What each adapter sends'));
/** Cells of each row. */
const table = [...section.matchAll(/^\| (.*) \|$/gm)]
  .map(([, row]) => row!.split(' | '))
  .filter(([first]) => first !== '---');
const code = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const [header, ...rows] = table;

type Sent = Record<string, unknown>;
/** What an adapter sent for a request, by a model that it is opened over. */
type Send = (request: GenerateRequest, streams: boolean) => Promise<Sent>;

async function ask(model: TextModel, request: GenerateRequest, streams: boolean): Promise<void> {
  if (!streams) return void (await model.generate(request));
  const pieces = model.stream!(request);
  while (!(await pieces.next()).done);
}

const server = { baseURL: 'http://127.0.0.1:1/v1', model: 'm' };

const overHttp: Send = async (request, streams) => {
  let sent: Sent = {};
  const model = openAiCompatible({
    ...server,
    fetch: async (_, options) => {
      sent = JSON.parse(options!.body as string) as Sent;
      return Response.json({ choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] });
    },
  });
  await ask(model, request, streams);
  return sent;
};

const bySdk: Send = async (request, streams) => {
  const finish = { finishReason: { unified: 'stop' }, usage: {} };
  const mock = new MockLanguageModelV3({
    doGenerate: async () => ({ content: [], ...finish }) as never,
    doStream: async () =>
      ({ stream: convertArrayToReadableStream([{ type: 'finish', ...finish }]) }) as never,
  });
  await ask(aiSdkTextModel(mock), request, streams);
  return { ...[...mock.doGenerateCalls, ...mock.doStreamCalls][0]! };
};

const requests: Record<string, Partial<GenerateRequest>> = {
  system: { system: 'Be brief.' },
  maxTokens: { maxTokens: 9 },
  temperature: { temperature: 0 },
  stop: { stop: ['\n'] },
  seed: { seed: 4 },
  jsonSchema: { jsonSchema: { type: 'object', properties: {} } },
  signal: { signal: new AbortController().signal },
};

/** Names of what one thing sent has and the other has not, or has otherwise. */
const differing = (sent: Sent, other: Sent): string[] =>
  Object.keys(sent).filter(
    (name) =>
      sent[name] !== undefined && JSON.stringify(sent[name]) !== JSON.stringify(other[name]),
  );

describe('the page on models: what each adapter sends', () => {
  const adapters: Record<string, Send> = {
    openAiCompatible: overHttp,
    aiSdkTextModel: bySdk,
  };

  it('has a row of each field of a request, and a column of each adapter', () => {
    assert.deepEqual(header!.slice(1).flatMap(code), Object.keys(adapters));
    const fields = rows.map(([first]) => code(first!)[0] ?? first);
    assert.deepEqual(fields, ['always', ...Object.keys(requests), 'streaming']);
  });

  for (const [column, [name, send]] of Object.entries(adapters).entries()) {
    const cell = (row: string): string =>
      rows.find(([first]) => first!.replaceAll('`', '') === row)![column + 1]!;

    it(`${name}: the fields of its column, and no others`, async () => {
      const prompt = 'When?';
      const base = await send({ prompt }, false);
      assert.deepEqual(differing(base, {}).sort(), code(cell('always')).sort());
      for (const [field, request] of Object.entries(requests)) {
        const sent = await send({ prompt, ...request }, false);
        const names = differing(sent, base);
        assert.deepEqual(
          names,
          code(cell(field)).filter((each) => each !== 'doStream'),
          field,
        );
      }
      const streamed = differing(await send({ prompt }, true), base);
      const named = code(cell('streaming')).filter((each) => each !== 'doStream');
      assert.deepEqual(streamed, named);
    });
  }

  it('embeddings: model, input, format, and dimensions if asked for', async () => {
    for (const shorten of [false, true]) {
      let body: Sent = {};
      let headers = new Headers();
      const encoder = await openAiCompatibleEncoder({
        ...server,
        apiKey: 'sk-1',
        dimensions: 2,
        shorten,
        fetch: async (_, options) => {
          body = JSON.parse(options!.body as string) as Sent;
          headers = new Headers(options!.headers);
          return Response.json({ data: [{ index: 0, embedding: [1, 0] }] });
        },
      });
      await encoder.encode(['a'], { kind: 'query' });
      const named = section.replace(/\s+/g, ' ').includes('`{ model, input, encoding_format }`');
      assert.ok(named);
      const fields = ['model', 'input', 'encoding_format', ...(shorten ? ['dimensions'] : [])];
      assert.deepEqual(Object.keys(body), fields);
      assert.deepEqual([...headers.keys()], ['accept', 'authorization', 'content-type']);
    }
  });
});
