// Limits of the tools over HTTP: the same as the server's.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { listening, withMinisters, type HttpServer } from './clients.js';

const headersOf = (length: number): string =>
  'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  'Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n' +
  `Content-Length: ${length}\r\n\r\n`;
const withBody = (message: unknown): string => {
  const body = JSON.stringify(message);
  return headersOf(Buffer.byteLength(body)) + body;
};
const callOf = (name: string, args: object, id = 1): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

async function sent({ url }: HttpServer, text: string): Promise<Socket> {
  const socket = createConnection(Number(url.port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** What a socket receives until a pattern shows, or its end. */
async function until(socket: Socket, pattern = /^$/): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const part of socket) if (pattern.test((text += part as string))) break;
  return text;
}

describe('asof mcp --http within its limits', function () {
  this.timeout(60_000);
  let folder: string;
  withMinisters((made) => (folder = made));
  let server: HttpServer;
  let logged = '';
  before(async () => {
    const limits = ['--time-limit', '2', '--in-flight', '2', '--connections', '20'];
    server = await listening(folder, { options: ['--write', ...limits] });
    server.child.stderr!.on('data', (text: Buffer) => (logged += text.toString()));
  });
  after(async () => assert.equal(await server.stop(), 0));

  const readTime = (): Promise<string> =>
    sent(server, withBody(callOf('read_time', { text: 'on 5 May 1971' }))).then((socket) =>
      until(socket, /1971-05-05[^]*\r\n0\r\n/),
    );

  it('ends a body that does not come, and records it', async () => {
    const answer = await until(await sent(server, `${headersOf(1000)}{`));
    assert.match(answer, /^HTTP\/1\.1 408 [^]*"jsonrpc":"2\.0"/);
    while (!/"status":408/.test(logged)) await wait(20);
  });

  it('makes room for others among bodies that do not come, and idle connections', async () => {
    const slow = await Promise.all(
      Array.from({ length: 4 }, () => sent(server, `${headersOf(1000)}{`)),
    );
    const idle = await Promise.all(Array.from({ length: 30 }, () => sent(server, '')));
    await wait(800);
    assert.match(await readTime(), /^HTTP\/1\.1 200 [^]*1971-05-05/);
    for (const socket of [...slow, ...idle]) socket.destroy();
  });

  it('refuses many messages at once, and lists that are too long', async () => {
    const many = Array.from({ length: 101 }, (_, at) => callOf('read_time', { text: 'May' }, at));
    const answer = await until(await sent(server, withBody(many)), /\r\n0\r\n/);
    assert.match(answer, /^HTTP\/1\.1 400 [^]*at most 100 messages, received 101/);
    const passages = Array.from({ length: 1001 }, () => ({}));
    const added = await until(
      await sent(server, withBody(callOf('add', { passages }))),
      /\r\n0\r\n/,
    );
    assert.match(added, /Expected passages to be a list of 1 to 1,000 objects/);
  });

  it('refuses two hosts', async () => {
    const text = withBody(callOf('read_time', { text: 'May' }));
    const twice = text.replace('Host: localhost', 'Host: localhost\r\nHost: localhost');
    assert.match(await until(await sent(server, twice), /\r\n0\r\n/), /^HTTP\/1\.1 [34]\d\d /);
  });
});
