// A real HTTP server on loopback that speaks as much of OpenAI's protocol as a test plans, and
// fails in the ways servers fail.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServerRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
  at: number;
}
export type Reply = (response: ServerResponse, seen: ServerRequest) => void;

export interface Loopback {
  /** With the version, as the adapters take it. */
  baseURL: string;
  /** What came since the last plan. */
  seen: ServerRequest[];
  /** One reply a request, in order; then status 400. Gives the list of what comes. */
  plan(...replies: Reply[]): ServerRequest[];
  /** The reply to every request that no plan covers. */
  always(reply: Reply): void;
  close(): void;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
  };
export const saying = (content: unknown, more: object = {}): Reply =>
  json(200, {
    choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
    ...more,
  });
export const raw =
  (body: string): Reply =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
export const cut: Reply = (response) => {
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
    .write('{"choices":[{"mess');
  setTimeout(() => response.destroy(), 10);
};
export const hang: Reply = () => undefined;
export const halfThenHang: Reply = (response) => void response.writeHead(200).write('{"choices":');

export async function startLoopback(): Promise<Loopback> {
  let replies: Reply[] = [];
  let usual = json(400, { error: { message: 'no reply was planned' } });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      const one = { path: request.url!, headers: request.headers, body, at: performance.now() };
      loopback.seen.push(one);
      (replies.shift() ?? usual)(response, one);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const loopback: Loopback = {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen: [],
    plan(...planned) {
      replies = planned;
      loopback.seen = [];
      return loopback.seen;
    },
    always: (reply) => void (usual = reply),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return loopback;
}
