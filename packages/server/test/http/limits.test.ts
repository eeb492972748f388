// Limits of a server: what is refused, what is ended, and that neither costs a place, of clients
// that send nothing, read nothing or ask for too much.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Corpus, Passage } from '../../../../lib/index.js';
import { withCorpus } from '../../../../test/corpus.js';
import { corpusServer, type RequestLog, type ServerLimits } from '../../lib/index.js';
import { linesOf, ministers, question, start, type Started } from './started.js';
import { assertEach } from '../../../../test/assertEach.js';

const passages = '/v1/corpora/pm/passages';
const mebibyte = 2 ** 20;

/** A metric's value; 0 while nothing is counted. */
async function metric({ call }: Started, name: string): Promise<number> {
  const { text } = await call('GET', '/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length));
}

const refused = (started: Started, limit: string): Promise<number> =>
  metric(started, `asof_http_requests_refused_total{limit="${limit}"}`);

/** Once no other request than that for the metrics runs. */
async function untilFree(started: Started): Promise<void> {
  while ((await metric(started, 'asof_http_requests_in_flight')) > 1) await wait(20);
}

/** Passages of nearly a mebibyte each. */
const long = (count: number): Passage[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `long${at}`,
    text: 'mayor '.repeat(Math.floor(mebibyte / 6)),
  }));

/** A socket that sends a text, and reads nothing by itself. */
async function connected({ url }: Started, text: string): Promise<Socket> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** All that a socket receives until its end. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => (text += part));
  if (!socket.closed) await once(socket, 'close');
  return text;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (path: string, body: string, length = body.length): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${length}\r\n\r\n${body}`;

const corpusOptions = { sentences: false, fields: { tenant: 'keyword' } } as const;

/** A server with limits, for one test. */
async function within(
  limits: ServerLimits,
  work: (started: Started, logged: RequestLog[]) => Promise<void>,
  corpus?: Corpus,
): Promise<void> {
  const logged: RequestLog[] = [];
  const log = (record: RequestLog): void => void logged.push(record);
  const started = await start({ limits, log, write: true }, corpus ?? corpusOptions);
  try {
    await work(started, logged);
  } finally {
    await started.stop();
  }
}

describe('an answer that would be too large', () => {
  it('is refused with how to ask for less, counted, logged, and costs no place', () =>
    within({ answerBytes: mebibyte, inFlight: 2 }, async (started, logged) => {
      await started.corpus.add(long(3));
      const asked = { question: 'mayor', k: 10, system: 'bm25' };
      const texts = [{ text: 'now '.repeat(20_000) }];
      const requests: [string, string, unknown, RegExp][] = [
        ['GET', `${passages}?limit=100`, undefined, /smaller limit.*after/],
        ['POST', '/v1/corpora/pm/search', asked, /fewer passages/],
        ['POST', '/v1/time/tag', { texts }, /fewer texts/],
        [
          'POST',
          '/v1/time/tag',
          { texts: Array(80).fill({ text: '1 May 2020 '.repeat(99) }) },
          /texts/,
        ],
      ];
      for (const [method, path, body, less] of requests)
        for (let times = 0; times < 3; times += 1) {
          const { status, json } = await started.call(method, path, body);
          assert.equal(status, 413, path);
          assert.equal(json['error'].code, 'ERR_ANSWER_TOO_LARGE');
          assert.match(json['error'].message, /^Expected to answer with at most 1048576 bytes/);
          assert.match(json['error'].message, less);
        }
      assert.equal(await refused(started, 'answer_bytes'), 12);
      assert.equal(logged.filter(({ error }) => error === 'ERR_ANSWER_TOO_LARGE').length, 12);
      assert.equal(await metric(started, 'asof_http_requests_in_flight'), 1);
      assert.equal(await metric(started, 'asof_http_buffer_bytes'), 0);
    }));

  it('ends a stream of lines by an error', () =>
    within({ answerBytes: 65_536 }, async (started) => {
      // Quotes have two bytes in JSON.
      const text = `${ministers[0]!.text} ${'"'.repeat(50_000)}`;
      await started.corpus.add([{ id: 'quotes', text }]);
      const headers = { accept: 'application/x-ndjson' };
      const body = { question, k: 4, system: 'bm25', asked_at: '2024' };
      const answer = await started.call('POST', '/v1/corpora/pm/ask', body, headers);
      assert.equal(answer.status, 200);
      assert.equal(linesOf(answer.text).at(-1)!['error'].code, 'ERR_ANSWER_TOO_LARGE');
      assert.ok(answer.text.length < 70_000);
    }));
});

describe('an answer that cannot be written', () => {
  it('is a failure with a body and a line in the log, and costs no place', async () => {
    const started = await start();
    const logged: RequestLog[] = [];
    const broken = Object.create(started.corpus) as typeof started.corpus;
    broken.get = () => ({ id: 'may', text: 'x', metadata: { none: 1n } });
    const server = await corpusServer({
      corpora: { pm: broken },
      limits: { inFlight: 1 },
      log: (record) => void logged.push(record),
    });
    try {
      for (let times = 0; times < 3; times += 1) {
        const response = await server.fetch(new Request(`http://localhost${passages}/may`));
        assert.equal(response.status, 500);
        const { error } = (await response.json()) as { error: { code: string } };
        assert.equal(error.code, 'ERR_INTERNAL');
      }
      await wait(0);
      assertEach(logged, ({ status }) => status, [500, 500, 500]);
      assert.match(logged[0]!.error!, /BigInt/);
    } finally {
      await server.close();
      await started.stop();
    }
  });
});

describe('a client that does not read', () => {
  let corpus: Corpus;
  withCorpus([...ministers, ...long(14)], (opened) => (corpus = opened), corpusOptions);

  it('is let go after the time limit, also behind its own requests', () =>
    within(
      { seconds: 3 },
      async (started, logged) => {
        const deletes = post('/v1/corpora/pm/delete', JSON.stringify({ ids: ['nobody'] }));
        const socket = await connected(started, get(`${passages}?limit=20`).repeat(3) + deletes);
        while ((await metric(started, 'asof_http_buffer_bytes')) < 20 * mebibyte) await wait(20);
        const since = performance.now();
        await untilFree(started);
        assert.ok(performance.now() - since < 10_000);
        assert.equal(await metric(started, 'asof_http_buffer_bytes'), 0);
        assert.ok((await received(socket)).length < 40 * mebibyte);
        assert.ok(logged.some(({ route, error }) => route.endsWith('passages') && error));
      },
      corpus,
    ));

  it('makes room for others when places are rare', () =>
    within(
      { inFlight: 2, seconds: 60 },
      async (started) => {
        const sockets = await Promise.all(
          [1, 2].map(() => connected(started, get(`${passages}?limit=20`))),
        );
        await wait(1500);
        for (let times = 0; times < 3; times += 1) {
          const { status } = await started.call('POST', '/v1/corpora/pm/search', { question });
          assert.equal(status, 200);
        }
        assert.ok((await refused(started, 'in_flight')) > 0);
        for (const socket of sockets) socket.destroy();
      },
      corpus,
    ));

  it('leaves places to questions while many want long lists', () =>
    within(
      { inFlight: 8 },
      async (started) => {
        const list = (): Promise<number> =>
          started.call('GET', `${passages}?limit=20`).then(({ status }) => status);
        const lists = Array.from({ length: 12 }, list);
        await wait(20);
        const searched = await started.call('POST', '/v1/corpora/pm/search', { question });
        assert.equal(searched.status, 200);
        assert.deepEqual([...new Set(await Promise.all(lists))].sort(), [200, 503]);
      },
      corpus,
    ));

  it('makes room for others when bytes are', () =>
    within(
      { bodyBytes: 1024, bufferBytes: 17 * mebibyte },
      async (started) => {
        const sockets = await Promise.all(
          [1, 2].map(() => connected(started, get(`${passages}?limit=20`))),
        );
        await wait(1500);
        const { status, json } = await started.call('GET', `${passages}?limit=20`);
        assert.deepEqual([status, (json['passages'] as unknown[]).length], [200, 17]);
        for (const socket of sockets) socket.destroy();
      },
      corpus,
    ));
});

describe('a client that sends nothing', () => {
  it('makes room for others with its body, and learns why', () =>
    within({ inFlight: 1 }, async (started, logged) => {
      const socket = await connected(started, post('/v1/corpora/pm/search', '{', 1000));
      await wait(800);
      assert.equal((await started.call('GET', '/v1/corpora')).status, 200);
      assert.match(await received(socket), /^HTTP\/1\.1 503 [^]*ERR_OVERLOADED/);
      assert.ok(logged.some(({ status }) => status === 503));
    }));

  it('makes room for others with its connection', () =>
    within({ connections: 3 }, async (started) => {
      const ends: Promise<string>[] = [];
      for (let at = 0; at < 6; at += 1)
        ends.push(received(await connected(started, at % 2 ? '' : get('/health'))));
      assert.equal((await started.call('GET', '/health')).status, 200);
      await Promise.all(ends.slice(0, 4));
      assert.ok((await metric(started, 'asof_http_connections')) <= 3);
      assert.ok((await metric(started, 'asof_http_connections_dropped_total')) >= 4);
    }));

  it('gets no connection where all others have requests that run', () =>
    within({ connections: 1, seconds: 2 }, async (started) => {
      const first = await connected(started, post('/v1/corpora/pm/search', '{', 1000));
      await wait(50);
      assert.equal(await received(await connected(started, get('/health'))), '');
      assert.match(await received(first), /^HTTP\/1\.1 408 /);
    }));
});

describe('a request that asks for too much', () => {
  it('has conditions beyond the limit', () =>
    within({ conditions: 20 }, async (started) => {
      const or = Array.from({ length: 20 }, () => ({ tenant: 'a' }));
      for (const where of [{ or }, { tenant: 'a', not: { or: or.slice(2) } }]) {
        const searched = await started.call('POST', '/v1/corpora/pm/search', { question, where });
        assert.equal(searched.status, 400);
        assert.match(searched.json['error'].message, /at most 20 conditions.*in:/);
      }
      const listed = await started.call('GET', `${passages}?where=${JSON.stringify({ or })}`);
      assert.equal(listed.status, 400);
      const where = { or: or.slice(1) };
      const { status } = await started.call('POST', '/v1/corpora/pm/search', { question, where });
      assert.equal(status, 200);
      assert.equal(await refused(started, 'conditions'), 3);
    }));

  it('has more values than a body may have, or longer lists', () =>
    within({}, async (started) => {
      const search = '/v1/corpora/pm/search';
      const nested = { question, where: { or: Array<object>(350_000).fill({}) } };
      const values = await started.call('POST', search, nested);
      assert.deepEqual([values.status, values.json['error'].code], [413, 'ERR_TOO_LARGE']);
      const ids = Array<string>(100_001).fill('a');
      for (const [path, body] of [
        [search, { question, candidate_ids: ids }],
        ['/v1/corpora/pm/delete', { ids }],
        [passages, { passages: ids }],
      ] as const) {
        const { status, json } = await started.call('POST', path, body);
        assert.equal(status, 400);
        assert.match(
          json['error'].message,
          /a list of [01] to 100,000 \w+, received an array of 100001/,
        );
      }
    }));
});

describe('a server says', () => {
  it('its limits', () =>
    within({ answerBytes: 2 * mebibyte, connections: 50 }, async ({ call }) => {
      const { json } = await call('GET', '/v1/info');
      assert.equal(json['write'], true);
      assert.deepEqual(json['limits'], {
        body_bytes: 8 * mebibyte,
        answer_bytes: 2 * mebibyte,
        buffer_bytes: 256 * mebibyte,
        seconds: 60,
        close_seconds: 10,
        in_flight: 128,
        connections: 50,
        conditions: 16_384,
        corpora: 100,
      });
    }));

  it('by its status that every passage was rejected', () =>
    within({}, async ({ call }) => {
      const faulty = { id: 'a', text: '' };
      const sent = [{ passages: [faulty] }, { passages: [faulty, { id: 'b', text: 'B.' }] }];
      const [all, some] = await Promise.all(sent.map((body) => call('POST', passages, body)));
      assert.deepEqual([all!.status, all!.json['rejected']], [422, 1]);
      assert.deepEqual([some!.status, some!.json['rejected']], [200, 1]);
    }));

  it('that a request has one host, and records that it was refused', () =>
    within({}, async (started, logged) => {
      const hosts = { none: '', two: 'Host: localhost\r\nhost: localhost\r\n' };
      for (const [name, host] of Object.entries(hosts)) {
        const sent = `GET /health HTTP/1.0\r\n${host}\r\n`;
        const answer = await received(await connected(started, sent));
        assert.match(answer, /^HTTP\/1\.1 400 [^]*one header Host/, name);
      }
      const one = await connected(started, 'GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n');
      assert.match(await received(one), /^HTTP\/1\.1 200 /);
      assert.deepEqual(
        logged.filter(({ route }) => route === '(none)').map(({ status }) => status),
        [400, 400],
      );
    }));
});

describe('an answer of a server that is mounted', () => {
  it('holds a place until it is taken or left', () =>
    within({ inFlight: 1 }, async ({ corpus, server }) => {
      await corpus.add(long(2));
      const list = (): Promise<Response> =>
        server.fetch(new Request(`http://localhost${passages}?limit=20`));
      const first = await list();
      assert.equal((await list()).status, 503);
      assert.equal(((await first.json()) as { passages: unknown[] }).passages.length, 5);
      const second = await list();
      assert.equal(second.status, 200);
      await second.body!.cancel();
      assert.equal((await list()).status, 200);
      await wait(600);
      const last = await list();
      assert.equal(last.status, 200, 'the one before was not taken for half a second');
      await last.body!.cancel();
    }));
});
