// The end of a server: what runs may end, what does not is ended, and ports and corpora are free
// again.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import type { TextModel } from '../../../../lib/index.js';
import { corpusServer } from '../../lib/index.js';
import { question, start, type Started } from './started.js';

const path = '/v1/corpora/pm/ask';
const body = { question, system: 'dense' };

interface Waiting extends Started {
  /** A question that its model has begun. */
  asked: Promise<{ status: number; text: string }>;
  answer(): void;
  signal: AbortSignal;
}

/** A server whose model answers when the test says so. */
async function withQuestion(closeSeconds: number): Promise<Waiting> {
  let answer!: () => void;
  let signal!: AbortSignal;
  let called!: () => void;
  const begun = new Promise<void>((resolve) => (called = resolve));
  const model: TextModel = {
    id: 'slow',
    generate: (request) => {
      signal = request.signal!;
      called();
      return new Promise((resolve) => {
        answer = () => resolve({ text: '{"answer":"Boris Johnson"}' });
      });
    },
  };
  const started = await start({ model, read: { mode: 'concatenated' }, limits: { closeSeconds } });
  const asked = started.call('POST', path, body);
  await begun;
  return { ...started, asked, answer: () => answer(), signal };
}

const isOpen = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    () => true,
    () => false,
  );

describe('closing a server', () => {
  it('accepts nothing more, and lets what runs end', async () => {
    const { server, url, asked, answer, signal, stop } = await withQuestion(60);
    const closed = server.close();
    while (await isOpen(url)) await new Promise(setImmediate);
    const request = new Request(`${url}/v1/corpora`);
    assert.equal((await server.fetch(request)).status, 503, 'of a server that is mounted');
    assert.ok(!signal.aborted);
    answer();
    const { status, text } = await asked;
    assert.equal(status, 200);
    assert.match(text, /Boris Johnson/);
    await closed;
    await stop();
  });

  it('ends what does not end in time', async () => {
    const { server, asked, signal, stop } = await withQuestion(0.2);
    await server.close();
    assert.ok(signal.aborted);
    assert.equal((await asked).status, 503);
    await stop();
  });

  it('ends connections that are idle or have sent half a request', async () => {
    const started = await start({ limits: { closeSeconds: 0.2 } });
    const port = Number(new URL(started.url).port);
    const sockets = await Promise.all(
      ['', 'POST /v1/corpora/pm/ask HTTP/1.1\r\nHost: localhost\r\n'].map(async (text) => {
        const socket: Socket = createConnection(port, '127.0.0.1');
        await once(socket, 'connect');
        socket.write(text);
        return socket;
      }),
    );
    const ended = sockets.map(
      (socket) =>
        new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve)),
    );
    for (const socket of sockets) socket.resume();
    await started.server.close();
    await Promise.all(ended);
    await started.stop();
  });

  it('closes what it opened and no other corpus; closing again does nothing', async () => {
    const started = await start();
    await started.corpus.close();
    const { path: folder } = started.corpus;
    await using server = await corpusServer({ corpora: { pm: folder } });
    const ask = (): Promise<Response> =>
      server.fetch(new Request('http://localhost/v1/corpora/pm'));
    assert.equal((await ask()).status, 200);
    await server.close();
    await server.close();
    assert.equal((await ask()).status, 503);
    await assert.rejects(server.listen({ port: 0 }), { code: 'ERR_CLOSED' });
    await started.stop();
  });
});

describe('listening', () => {
  it('twice on one port is an error that says so', async () => {
    const started = await start();
    const port = Number(new URL(started.url).port);
    const own = await corpusServer({ corpora: { pm: started.corpus } });
    await assert.rejects(own.listen({ port }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: new RegExp(`^Expected port to be a free port of 127.0.0.1, received number ${port}`),
    });
    await own.close();
    await started.stop();
  });

  it('on a port or a host that is none is an error', async () => {
    const started = await start();
    for (const options of [{ port: -1 }, { port: 65_536 }, { host: '' }, { ports: 1 }])
      await assert.rejects(started.server.listen(options), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    const open = await corpusServer({
      corpora: { pm: started.corpus },
      token: 'a-token-of-this-test-0123456789',
    });
    await assert.rejects(open.listen({ port: 0, host: '192.0.2.1' }), /an address of this machine/);
    await open.close();
    await started.stop();
  });
});
