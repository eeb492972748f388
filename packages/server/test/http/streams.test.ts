// Answers that take long: evidence comes before the answer is read; clients that go, time limits
// and failures end the question, and the model with it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { GenerateRequest, TextModel } from '../../../../lib/index.js';
import { linesOf, question, start, type Started } from './started.js';

const path = '/v1/corpora/pm/ask';
const body = { question, asked_at: '2024-01-01', system: 'dense' };
const lines = { accept: 'application/x-ndjson' };

/** A model that answers when the test says so, or never. */
class SlowModel implements TextModel {
  readonly id = 'slow';
  /** Signals of its calls. */
  readonly signals: AbortSignal[] = [];
  private called: (() => void)[] = [];
  answer: (text: string) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  generate({ signal }: GenerateRequest): Promise<{ text: string }> {
    this.signals.push(signal!);
    for (const each of this.called.splice(0)) each();
    return new Promise((resolve, reject) => {
      this.answer = (text) => resolve({ text });
      this.fail = reject;
    });
  }

  /** Resolves at its next call. */
  nextCall(): Promise<void> {
    return new Promise((resolve) => void this.called.push(resolve));
  }
}

describe('a server with a slow model', () => {
  let model: SlowModel;
  let started: Started;
  const logged: { status: number; error?: string | undefined }[] = [];
  let log: () => void = () => undefined;
  before(async () => {
    model = new SlowModel();
    started = await start({
      model,
      read: { mode: 'concatenated' },
      limits: { seconds: 30 },
      log: (record) => {
        logged.push(record);
        log();
      },
    });
  });
  after(() => started.stop());
  beforeEach(() => void (logged.length = 0));

  const send = (signal?: AbortSignal, headers: Record<string, string> = lines): Promise<Response> =>
    fetch(started.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });

  /** Once the server has recorded the end of a request. */
  const recorded = (): Promise<void> => new Promise((resolve) => (log = resolve));

  it('sends the evidence before the answer is there', async () => {
    const called = model.nextCall();
    const reader = (await send()).body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader.read();
    assert.equal(linesOf(first.value!)[0]!['type'], 'evidence');
    await called; // and nobody has answered yet
    model.answer('{"answer":"Boris Johnson"}');
    let text = first.value!;
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
    const all = linesOf(text);
    assert.deepEqual(
      all.map(({ type }) => type as string),
      ['evidence', 'evidence', 'evidence', 'writing', 'result'],
    );
    assert.deepEqual([all[3]!['text'], all[4]!['answer']], ['Boris Johnson', 'Boris Johnson']);
  });

  for (const [name, headers] of [
    ['between evidence and answer', lines],
    ['while it waits for a whole answer', {}],
  ] as const)
    it(`a client that goes ${name} aborts the model`, async () => {
      const called = model.nextCall();
      const client = new AbortController();
      const answer = send(client.signal, headers);
      if (headers === lines) await (await answer).body!.getReader().read();
      else answer.catch(() => undefined);
      await called;
      const signal = model.signals.at(-1)!;
      const ended = recorded();
      assert.ok(!signal.aborted);
      client.abort();
      if (!signal.aborted) await once(signal, 'abort');
      await ended;
      assert.equal(logged.at(-1)!.status, 499);
      const { text } = await started.call('GET', '/metrics');
      assert.match(text, /^asof_http_requests_in_flight 1$/m, 'only the request for the metrics');
    });

  it('says in the last line that the model failed, and not why', async () => {
    const called = model.nextCall();
    const answer = started.call('POST', path, body, lines);
    await called;
    model.fail(new Error('connection to http://10.0.0.7 refused'));
    const { status, text } = await answer;
    assert.equal(status, 200);
    const last = linesOf(text).at(-1)!;
    assert.deepEqual([last['type'], last['error'].code], ['error', 'ERR_MODEL_FAILED']);
    assert.ok(!text.includes('10.0.0.7'));
    assert.match(logged.at(-1)!.error!, /10\.0\.0\.7/);
  });

  it('answers 502 where nothing was sent yet', async () => {
    const called = model.nextCall();
    const answer = started.call('POST', path, body);
    await called;
    model.fail(new Error('secret'));
    const { status, json } = await answer;
    assert.deepEqual([status, json['error'].code], [502, 'ERR_MODEL_FAILED']);
    assert.ok(!json['error'].message.includes('secret'));
  });

  it('refuses before the first line by a status', async () => {
    const { status } = await started.call('POST', path, { ...body, where: { nothing: 1 } }, lines);
    assert.equal(status, 400);
  });

  it('searches without the model', async () => {
    const before = model.signals.length;
    assert.equal((await started.call('POST', '/v1/corpora/pm/search', body)).status, 200);
    assert.equal(model.signals.length, before);
  });
});

describe('a server with a short time limit', () => {
  const model = new SlowModel();
  let started: Started;
  before(async () => {
    started = await start({ model, read: { mode: 'concatenated' }, limits: { seconds: 1.5 } });
    // The first question loads what later ones have at hand.
    await started.call('POST', '/v1/corpora/pm/search', body);
  });
  after(() => started.stop());

  it('ends a question by 503, and the model', async () => {
    const { status, json } = await started.call('POST', path, body);
    assert.deepEqual([status, json['error'].code], [503, 'ERR_TIMEOUT']);
    assert.match(json['error'].message, /within 1\.5 s/);
    assert.ok(model.signals.at(-1)!.aborted);
  });

  it('ends a stream by its last line', async () => {
    const { text } = await started.call('POST', path, body, lines);
    const last = linesOf(text).at(-1)!;
    assert.deepEqual([last['type'], last['error'].code], ['error', 'ERR_TIMEOUT']);
  });

  it('ends a body that does not come, by 408', async () => {
    const slow = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('{"question":')),
    });
    const response = await fetch(started.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: slow,
      duplex: 'half',
    });
    assert.equal(response.status, 408);
  });
});

describe('a client whose headers do not come', () => {
  it('gets 408, and its connection ends', async () => {
    const started = await start({ limits: { seconds: 1 } });
    const socket = createConnection(Number(new URL(started.url).port), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: local`);
    await once(socket, 'close');
    assert.match(received, /^HTTP\/1\.1 408 /);
    await started.stop();
  });
});

describe('a server with many requests', () => {
  it('refuses those over its limit by 503, and answers again afterwards', async () => {
    const model = new SlowModel();
    const limits = { inFlight: 1 };
    const started = await start({ model, read: { mode: 'concatenated' }, limits });
    try {
      const called = model.nextCall();
      const first = started.call('POST', path, body);
      await called;
      const { status, headers, json } = await started.call('POST', path, body);
      assert.deepEqual([status, json['error'].code], [503, 'ERR_OVERLOADED']);
      assert.equal(headers.get('retry-after'), '1');
      assert.equal((await started.call('GET', '/health')).status, 200);
      model.answer('{"answer":"Boris Johnson"}');
      assert.equal((await first).status, 200);
      assert.equal((await started.call('GET', '/v1/corpora')).status, 200);
    } finally {
      await started.stop();
    }
  });
});

describe('a client that takes nothing', () => {
  it('holds a server no longer than its time limit', async () => {
    const long = 'It was a long reign of the minister. '.repeat(20_000);
    const started = await start({ limits: { seconds: 2 } }, { sentences: false });
    try {
      const passages = Array.from({ length: 18 }, (_, at) => ({ id: `long${at}`, text: long }));
      await started.corpus.add(passages);
      const response = await fetch(started.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...lines },
        body: JSON.stringify({ question: 'Whose reign was long?', system: 'bm25', k: 18 }),
      });
      assert.equal(response.status, 200); // and its body, some 13 MB, is left where it is
      for (;;) {
        const { text } = await started.call('GET', '/metrics');
        if (/^asof_http_requests_in_flight 1$/m.test(text)) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await assert.rejects(response.text());
    } finally {
      await started.stop();
    }
  });
});
