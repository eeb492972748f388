// The real server with its page over one small corpus, behind a handler that records what arrives
// and can make answers late.
import { setTimeout as wait } from 'node:timers/promises';
import { serve } from 'srvx';
import type { Corpus } from '../../../../lib/index.js';
import { corpusServer } from '../../lib/index.js';

interface AskedQuestion {
  corpus: string;
  question: string;
  asked_at?: string;
  system?: string;
  k?: number;
}

export interface PageServer {
  address: string;
  /** Bodies of questions, in the order of their arrival. */
  asked: AskedQuestion[];
  /** Where set, every call needs it. */
  token?: string | undefined;
  /** Milliseconds before each answer. */
  delay: number;
  /** Questions whose connection the page closed before the answer. */
  aborted: number;
  close(): Promise<void>;
}

/** Serves the corpus under each of the names; `token` is the one that tests may set later. */
export async function servePage(
  corpus: Corpus,
  names: readonly string[],
  token = 'a-token-of-the-tests',
): Promise<PageServer> {
  const corpora = Object.fromEntries(names.map((name) => [name, corpus]));
  const open = await corpusServer({ corpora });
  const guarded = await corpusServer({ corpora, token });
  const respond = async (request: Request): Promise<Response> => {
    const [, name] = /\/v1\/corpora\/([^/]+)\/ask$/.exec(request.url) ?? [];
    const isAllowed =
      service.token === undefined || request.headers.get('authorization') === `Bearer ${token}`;
    if (name !== undefined && isAllowed) {
      const body = (await request.clone().json()) as Omit<AskedQuestion, 'corpus'>;
      service.asked.push({ corpus: decodeURIComponent(name), ...body });
      let isAnswered = false;
      request.signal.addEventListener('abort', () => (service.aborted += isAnswered ? 0 : 1));
      await wait(service.delay);
      const response = await open.fetch(request);
      isAnswered = true;
      return response;
    }
    return (service.token === undefined ? open : guarded).fetch(request);
  };
  const server = serve({
    fetch: respond,
    port: 0,
    hostname: '127.0.0.1',
    silent: true,
    gracefulShutdown: false,
  });
  await server.ready();
  const service: PageServer = {
    address: server.url!,
    asked: [],
    delay: 0,
    aborted: 0,
    async close() {
      await server.close(true);
      await Promise.all([open.close(), guarded.close()]);
    },
  };
  return service;
}
