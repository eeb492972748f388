// Streams of the OpenAI-compatible adapter against a real HTTP server on loopback that writes
// server-sent events, in pieces, badly, or not at all.
import assert from 'node:assert/strict';
import { serverSentEvents } from '../../lib/models/connection.js';
import { openAiCompatible, type OpenAiCompatibleOptions } from '../../lib/models/index.js';
import { generateText } from '../../lib/text/textModel.js';
import { failsWith } from '../failsWith.js';
import { hang, json, saying, startLoopback, type Loopback, type Reply } from './loopback.js';
import { assertEach } from '../assertEach.js';

const delta = (content: string, finish_reason: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] });
const usage = JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } });
const head = { 'content-type': 'text/event-stream; charset=utf-8' };

/** Events as one body. */
const events =
  (...data: string[]): Reply =>
  (response) =>
    void response.writeHead(200, head).end(data.map((each) => `data: ${each}\n\n`).join(''));

describe('adapters: openAiCompatible streams', function () {
  this.timeout(60_000);
  let loopback: Loopback;
  before(async () => {
    loopback = await startLoopback();
  });
  after(() => loopback.close());

  const model = (options: Partial<OpenAiCompatibleOptions> = {}) =>
    openAiCompatible({ baseURL: loopback.baseURL, model: 'm', retries: 0, ...options });

  /** What is shown, and the result. */
  async function ask(
    options: Partial<OpenAiCompatibleOptions> = {},
    request: Partial<Parameters<typeof generateText>[1]> = {},
  ) {
    const shown: string[] = [];
    const generation = await generateText(model(options), { prompt: 'When?', ...request }, (text) =>
      shown.push(text),
    );
    return { shown, generation };
  }

  it('ask for events and tokens, and read text and counts', async () => {
    const seen = loopback.plan(
      events(
        JSON.stringify({ choices: [{ delta: { role: 'assistant', content: '' } }] }),
        delta('in '),
        delta('1905', 'stop'),
        usage,
        '[DONE]',
      ),
    );
    const { shown, generation } = await ask({}, { maxTokens: 5 });
    assert.deepEqual(shown, ['in ', 'in 1905']);
    assert.deepEqual(generation, {
      text: 'in 1905',
      usage: { inputTokens: 7, outputTokens: 2 },
    });
    assert.deepEqual(seen[0]!.body, {
      model: 'm',
      messages: [{ role: 'user', content: 'When?' }],
      max_tokens: 5,
      stream: true,
      stream_options: { include_usage: true },
    });
    assert.match(seen[0]!.headers.accept!, /^text\/event-stream/);
  });

  it('arrive as they are written, through chunks that halve lines and letters', async () => {
    const body = Buffer.from(
      `: hello\r\ndata: ${delta('é')}\r\n\r\nevent: x\rdata:${delta('ü', 'stop')}\r\rdata: [DONE]\n\n`,
    );
    const shownAt: number[] = [];
    let writtenTo = 0;
    loopback.plan((response) => {
      response.writeHead(200, head);
      const write = (): void => {
        if (writtenTo >= body.length) return void response.end();
        response.write(body.subarray(writtenTo, (writtenTo += 1)));
        setImmediate(write);
      };
      write();
    });
    const { text } = await generateText(model(), { prompt: 'p' }, () => shownAt.push(writtenTo));
    assert.equal(text, 'éü');
    assert.ok(shownAt[0]! < body.length, 'the first piece is shown before the last is written');
  });

  it('are whole of a server that does not stream', async () => {
    loopback.plan(saying('in 1905'));
    const { shown, generation } = await ask();
    assert.deepEqual([shown, generation.text], [['in 1905'], 'in 1905']);
  });

  it('go without stream_options where a server refuses them', async () => {
    const refusal = { error: { message: 'Unknown parameter: stream_options', param: null } };
    const seen = loopback.plan(json(400, refusal), events(delta('ok', 'stop'), '[DONE]'));
    assert.equal((await ask()).generation.text, 'ok');
    assertEach(seen, ({ body }) => 'stream_options' in body, [true, false]);
  });

  it('are cut at a stop sequence that the server does not know', async () => {
    const refusal = { error: { message: 'stop is not supported', param: 'stop' } };
    loopback.plan(json(400, refusal), events(delta('one\n'), delta('two', 'stop'), '[DONE]'));
    const { generation } = await ask({}, { stop: ['\n'] });
    assert.equal(generation.text, 'one');
  });

  it('are retried before the first piece, whatever fails', async () => {
    const broken: Reply = (response) => {
      response.writeHead(200, head).write('data: {"choices":');
      setTimeout(() => response.destroy(), 5);
    };
    const early = [
      json(503, { error: 'busy' }, { 'retry-after': '0' }),
      broken,
      events('{"choices": [tru'),
      events(JSON.stringify({ choices: [{ delta: {} }] })),
    ];
    const seen = loopback.plan(...early, events(delta('ok', 'stop'), '[DONE]'));
    const { shown, generation } = await ask({ retries: 4 });
    assert.deepEqual([shown, generation.text, seen.length], [['ok'], 'ok', 5]);
  });

  it('are not retried after it: what was shown cannot be taken back', async () => {
    const failed = (message: RegExp) => failsWith('ERR_MODEL_FAILED', message);
    const halves: [Reply, RegExp][] = [
      [events(delta('in')), /an answer that breaks off/],
      [events(delta('in'), '{"choices": [tru'), /an event that is not a JSON object: .*tru/],
      [events(delta('in'), JSON.stringify({ error: { message: 'overloaded' } })), /overloaded/],
      [
        (response) => {
          response.writeHead(200, head).write(`data: ${delta('in')}\n\n`);
          setTimeout(() => response.destroy(), 5);
        },
        /terminated|closed|aborted/,
      ],
    ];
    for (const [half, message] of halves) {
      const seen = loopback.plan(half, events(delta('ok', 'stop')));
      await assert.rejects(ask({ retries: 3 }), failed(message));
      assert.equal(seen.length, 1);
    }
  });

  it('say what a model refused, and that it gave no text', async () => {
    const refusal = { choices: [{ delta: { refusal: 'I cannot.' }, finish_reason: 'stop' }] };
    loopback.plan(events(JSON.stringify(refusal), '[DONE]'));
    await assert.rejects(ask(), failsWith('ERR_MODEL_FAILED', /a refusal: I cannot\./));
    loopback.plan(events(delta('', 'length'), '[DONE]'));
    await assert.rejects(ask(), failsWith('ERR_MODEL_FAILED', /finish_reason length/));
    loopback.plan(events(delta('', 'stop'), '[DONE]'));
    assert.equal((await ask()).generation.text, '');
  });

  it('end at once with the signal or the time-out, and close the connection', async () => {
    const closed = new Promise<void>((resolve) =>
      loopback.plan((response) => {
        response.on('close', resolve);
        response.writeHead(200, head).write(`data: ${delta('in')}\n\n`);
      }),
    );
    const controller = new AbortController();
    const running = generateText(model(), { prompt: 'p', signal: controller.signal }, () =>
      controller.abort(new Error('gone')),
    );
    await assert.rejects(running, { name: 'AbortError', code: 'ERR_ABORTED' });
    await closed;
    loopback.plan(hang);
    await assert.rejects(
      ask({ timeoutMs: 50 }),
      failsWith('ERR_MODEL_FAILED', /no whole answer within 50 ms/),
    );
  });

  it('close the connection when they are abandoned', async () => {
    const closed = new Promise<void>((resolve) =>
      loopback.plan((response) => {
        response.on('close', resolve);
        response.writeHead(200, head).write(`data: ${delta('in')}\n\n`);
      }),
    );
    const pieces = model().stream!({ prompt: 'p' });
    assert.deepEqual(await pieces.next(), { done: false, value: 'in' });
    await pieces.return(undefined as never);
    await closed;
  });
});

describe('server-sent events', () => {
  const read = async (...chunks: (string | Buffer)[]): Promise<string[]> => {
    const seen: string[] = [];
    async function* body() {
      for (const chunk of chunks) yield Buffer.from(chunk);
    }
    for await (const data of serverSentEvents(body())) seen.push(data);
    return seen;
  };

  it('have lines of data, without comments, other fields and unfinished events', async () => {
    assert.deepEqual(
      await read('data: a\ndata:b\n\n: note\nid: 1\ndata\n\ndata:  c\n\ndata: cut'),
      ['a\nb', ' c'],
    );
  });

  it('end their lines in LF, CR or both, wherever chunks part', async () => {
    const text = 'data: a\r\n\r\ndata: b\r\rdata: c\n\n';
    for (let at = 0; at <= text.length; at += 1)
      assert.deepEqual(await read(text.slice(0, at), text.slice(at)), ['a', 'b', 'c'], `${at}`);
    assert.deepEqual(await read('data: a\r\r'), ['a']);
  });

  it('are UTF-8, and of bounded length', async () => {
    await assert.rejects(read(Buffer.from([0x64, 0xff])), TypeError);
    await assert.rejects(read('data: ', 'x'.repeat(5 << 20)), /more than 4194304/);
  });
});
