// HTTP service: GET /ask?q=QUESTION&at=TIME answers with the result as JSON.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AsOfError, Corpus, hybrid } from 'asof';
import { passages } from './ministers.js';

const folder = await mkdtemp(join(tmpdir(), 'asof-example-'));
const corpus = await Corpus.open(join(folder, 'ministers.asof'));
await corpus.add(passages);
const system = hybrid({ corpus });

const server = createServer((request, response) => void respond(request, response));
server.listen(0, '127.0.0.1', () => void useService());

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parameters = new URL(request.url!, 'http://localhost').searchParams;
  const [text, askedAt] = [parameters.get('q') ?? '', parameters.get('at')];
  const cancellation = new AbortController();
  response.on('close', () => cancellation.abort()); // a client that hangs up stops the search
  let [status, body]: [number, unknown] = [200, {}];
  try {
    const question = { text, ...(askedAt === null ? {} : { askedAt }) };
    body = await system.run(question, { k: 1, signal: cancellation.signal });
  } catch (error) {
    status = AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT' ? 400 : 500;
    body = { error: String(error) };
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Two requests, then an orderly end. */
async function useService(): Promise<void> {
  const { port } = server.address() as AddressInfo;
  for (const question of ['q=Who was UK prime minister as of 6 May 2021?', 'q=Who%3F&at=someday']) {
    const response = await fetch(`http://127.0.0.1:${port}/ask?${question}`);
    const { answer, error } = (await response.json()) as {
      answer?: { text: string };
      error?: string;
    };
    console.log(response.status, answer?.text ?? error);
  }
  server.close();
  server.closeAllConnections();
  await corpus.close();
  await rm(folder, { recursive: true });
}
