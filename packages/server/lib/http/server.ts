// A server of corpora: a web-standard fetch handler, which listens by itself or is mounted in
// another server.
import { AsOfError } from 'asof';
import { checkOptionNames, invalidArgument, mustBeWhole } from 'asof/kit';
import { checkHost, checkSameSite, isLoopback } from './access.js';
import { Dispatcher } from './dispatch.js';
import { listen, type Listener } from './listener.js';
import { checkServerOptions, type CorpusServerOptions } from './options.js';
import { routes } from './routes/index.js';
import { ServedCorpora } from './served.js';

/** Left to answers that closing has ended, so that clients learn of it, in seconds. */
const graceSeconds = 1;

export interface CorpusServer {
  /**
   * Answers a request, also by an error; it never rejects. Mount it in Next.js, Hono, Bun or
   * whatever calls a fetch handler: tokens, limits and cross-origin rules apply there too.
   */
  fetch(request: Request): Promise<Response>;
  /**
   * Listens for HTTP. Port 0 is a free one. Without a token only a loopback host is allowed, and
   * requests for other hosts and of other sites are refused. Default: 127.0.0.1, port 8080.
   * @throws AsOfError ERR_INVALID_ARGUMENT for a port that is taken, a host that is none, and a
   * host that others reach without a token; ERR_CLOSED
   */
  listen(options?: {
    port?: number | undefined;
    host?: string | undefined;
  }): Promise<{ url: string; port: number }>;
  /**
   * Accepts nothing more, waits for what runs up to `limits.closeSeconds`, ends the rest, and
   * closes the corpora that the server opened.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A server of corpora over HTTP with JSON; `GET /openapi.json` describes it.
 * @throws AsOfError ERR_INVALID_ARGUMENT, and those of `Corpus.open` for paths
 * @example const server = await corpusServer({ corpora: { wiki: 'wiki.asof' } });
 * const { url } = await server.listen({ port: 8080 });
 */
export async function corpusServer(options: CorpusServerOptions): Promise<CorpusServer> {
  const checked = checkServerOptions(options);
  const served = await ServedCorpora.open(checked);
  const closing = new AbortController();
  const dispatcher = new Dispatcher(checked, served, routes, closing.signal);
  const { tokens, cors, limits } = checked;
  const listeners = new Set<Listener>();
  let closed: Promise<void> | undefined;

  async function close(): Promise<void> {
    const { closeSeconds } = limits;
    const ends = [...listeners].map((each) => each.close(closeSeconds + graceSeconds));
    await dispatcher.exchanges.admission.stop(closeSeconds);
    closing.abort(); // ends what still runs
    await Promise.all(ends);
    await served.close();
  }

  return {
    fetch: (request) => dispatcher.respond(request),
    async listen(given = {}) {
      checkOptionNames('listen', given, ['port', 'host']);
      const { port = 8080, host = '127.0.0.1' } = given;
      mustBeWhole({ port }, 0, 65_535);
      if (typeof host !== 'string' || host === '')
        throw invalidArgument('host', 'a name or an address', host);
      if (tokens.length === 0 && !isLoopback(host))
        throw invalidArgument(
          'host',
          'a loopback address for a server without a token',
          host,
          'Give it a token (the command line reads ASOF_TOKEN), or leave the host out.',
        );
      if (closed) throw new AsOfError('ERR_CLOSED', 'Expected an open server, it is closed.');
      const refuse = (request: Request): void => {
        checkHost(request);
        if (tokens.length === 0) checkSameSite(request, cors);
      };
      const respond = (request: Request): Promise<Response> => dispatcher.respond(request, refuse);
      const counts = dispatcher.exchanges.metrics.connections;
      const makeRoom = (): boolean => dispatcher.exchanges.admission.makeRoom();
      const listener = await listen(respond, { port, host, limits, counts, makeRoom });
      listeners.add(listener);
      return { url: listener.url, port: listener.port };
    },
    close: () => (closed ??= close()),
    [Symbol.asyncDispose]: () => (closed ??= close()),
  };
}
