// The API of the live page over one small corpus: the page at /, the rest as JSON of lib/json.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AsOfError, hybrid, timeline, type Corpus } from '../../lib/index.js';
import { spansJson } from '../../lib/json/info.js';
import { resultJson } from '../../lib/json/result.js';
import { timelineJson } from '../../lib/json/timeline.js';
import { questionPage } from '../../lib/server/questionPage.js';

export interface PageServer {
  address: string;
  /** Bodies of questions, in the order of their arrival. */
  asked: { corpus: string; question: string; asked_at?: string }[];
  /** Where set, every call needs it. */
  token?: string | undefined;
  /** Milliseconds before each answer. */
  delay: number;
  /** Questions whose connection the page closed before the answer. */
  aborted: number;
  close(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<Record<string, string>> => {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
};

/** Serves the corpus under each of the names. */
export async function servePage(corpus: Corpus, names: readonly string[]): Promise<PageServer> {
  const state: Omit<PageServer, 'address' | 'close'> = { asked: [], delay: 0, aborted: 0 };
  const reply = (response: ServerResponse, status: number, value: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(questionPage());
      return;
    }
    const given = request.headers.authorization;
    if (service.token !== undefined && given !== `Bearer ${service.token}`)
      return reply(response, 401, {
        error: { code: 'UNAUTHORIZED', message: 'A token is needed.' },
      });
    const info = corpus.info();
    if (request.url === '/v1/corpora') {
      const of = { passages: info.passages, time_zone: info.timeZone, spans: spansJson(info) };
      return reply(response, 200, { corpora: names.map((name) => ({ name, ...of })) });
    }
    const [, name, action] = /^\/v1\/corpora\/([^/]+)\/(ask|timeline)$/.exec(request.url!)!;
    const { question = '', asked_at: askedAt } = await bodyOf(request);
    const dated = { text: question, ...(askedAt === undefined ? {} : { askedAt }) };
    if (action === 'timeline') {
      const entries = await timeline(corpus, dated);
      return reply(response, 200, timelineJson(question, entries, info.timeZone));
    }
    service.asked.push({
      corpus: decodeURIComponent(name!),
      question,
      ...(askedAt === undefined ? {} : { asked_at: askedAt }),
    });
    response.on('close', () => (service.aborted += response.writableFinished ? 0 : 1));
    await new Promise((resolve) => setTimeout(resolve, service.delay));
    reply(response, 200, resultJson(await hybrid({ corpus }).run(dated), 'hybrid'));
  };
  const server: Server = createServer((request, response) => {
    handle(request, response).catch((fault: unknown) => {
      const code = AsOfError.is(fault) ? fault.code : 'INTERNAL';
      reply(response, 400, { error: { code, message: (fault as Error).message } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: PageServer = Object.assign(state, {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return service;
}
