// A cluster of OpenSearch by its official client, an optional peer: requests that a signal aborts,
// whose search tasks the engine then cancels, and retries where it is overloaded.
import type { Client } from '@opensearch-project/opensearch';
import { AsOfError } from 'asof';
import { importPeer, invalidArgument, rejectOnAbort, throwIfAborted } from 'asof/kit';
import { setTimeout as wait } from 'node:timers/promises';
import { engineError, isUnreachable, statusOf } from './errors.js';
import { nodeOf, placeOf } from './nodeUrl.js';
import type { OpenSearchOptions } from './options.js';

type OpenSearch = typeof import('@opensearch-project/opensearch');

async function loadClient(): Promise<OpenSearch> {
  const remedy = 'Install it next to asof: npm install @opensearch-project/opensearch@3.';
  const name = '@opensearch-project/opensearch';
  const loaded = await importPeer<OpenSearch & { default?: OpenSearch }>(
    name,
    'to reach OpenSearch',
    remedy,
  );
  return loaded.default ?? loaded;
}

export interface EngineRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  /** Below the index: '/_search'. */
  path: string;
  body?: object | undefined;
  /** Lines of JSON, without the last newline. */
  lines?: readonly string[] | undefined;
  query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Statuses whose answers are returned rather than thrown. */
  expected?: readonly number[] | undefined;
}

export interface EngineAnswer<Body> {
  status: number;
  body: Body;
}

export const mostRetries = 6;
export const firstRetryMs = 100;

export class Cluster {
  /** 'index asof on 127.0.0.1:9200' */
  readonly name: string;
  #client: Promise<Client> | undefined;
  readonly #nodes: readonly string[];
  readonly #requestTimeoutMs: number;

  /** Connects when it is first asked. */
  constructor(
    { nodes, requestTimeoutMs = 30_000 }: OpenSearchOptions,
    readonly index: string,
  ) {
    this.#nodes = nodes;
    this.#requestTimeoutMs = requestTimeoutMs;
    this.name = `index ${index} on ${nodes.map(placeOf).join(', ')}`;
  }

  /** A request on the index. @throws AsOfError ERR_STORAGE, ERR_ABORTED, ERR_INTERNAL */
  async send<Body>(
    { path, ...request }: EngineRequest,
    signal: AbortSignal | undefined,
  ): Promise<EngineAnswer<Body>> {
    return this.sendTo<Body>({ ...request, path: `/${this.index}${path}` }, signal);
  }

  /** A request on the cluster. */
  async sendTo<Body>(
    { method, path, body, lines, query = {}, expected = [] }: EngineRequest,
    signal: AbortSignal | undefined,
  ): Promise<EngineAnswer<Body>> {
    throwIfAborted(signal);
    this.#client ??= this.connect();
    const client = await this.#client;
    for (let tries = 0; ; tries += 1) {
      const sent = client.transport.request(
        {
          method,
          path,
          querystring: { ...query },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          ...(lines === undefined ? {} : { bulkBody: `${lines.join('\n')}\n` }),
        },
        {
          requestTimeout: this.#requestTimeoutMs,
          maxRetries: Math.max(2, this.#nodes.length), // on another node
          ignore: [...expected],
        },
      );
      // A listener that returns a promise would have its rejection thrown.
      const abort = (): void => void sent.abort();
      signal?.addEventListener('abort', abort, { once: true });
      try {
        const answer = await rejectOnAbort(sent, signal);
        return { status: answer.statusCode ?? 0, body: answer.body as Body };
      } catch (error) {
        throwIfAborted(signal);
        if (statusOf(error) !== 429 || tries === mostRetries) throw engineError(error, this.name);
      } finally {
        signal?.removeEventListener('abort', abort);
      }
      await rejectOnAbort(wait(firstRetryMs * 2 ** tries), signal);
    }
  }

  async search<Body>(body: object, signal: AbortSignal | undefined, query = {}): Promise<Body> {
    return (await this.send<Body>({ method: 'POST', path: '/_search', body, query }, signal)).body;
  }

  async refresh(signal: AbortSignal | undefined): Promise<void> {
    await this.send({ method: 'POST', path: '/_refresh', expected: [404] }, signal);
  }

  /** Merges each shard into one segment, which takes longer than a request may. */
  async merge(signal: AbortSignal | undefined): Promise<void> {
    const query = { max_num_segments: 1, wait_for_completion: false };
    const started = await this.send<{ task: string }>(
      { method: 'POST', path: '/_forcemerge', query },
      signal,
    );
    const path = `/_tasks/${started.body.task}`;
    for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, 1000)) {
      await rejectOnAbort(wait(pauseMs), signal);
      const { body } = await this.sendTo<{ completed: boolean; error?: object }>(
        { method: 'GET', path },
        signal,
      );
      if (body.error)
        throw engineError({ statusCode: 500, body: { error: body.error } }, this.name);
      if (body.completed) return;
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  private async connect(): Promise<Client> {
    const { Client: OpenSearchClient } = await loadClient();
    const configs = this.#nodes.map(nodeOf);
    const users = new Set(configs.map(({ auth }) => JSON.stringify(auth)));
    if (users.size > 1)
      throw invalidArgument('nodes', 'URLs of one user', 'several', 'Give all the same.');
    const auth = configs[0]!.auth;
    return new OpenSearchClient({
      nodes: configs.map(({ node }) => node),
      ...(auth ? { auth } : {}),
    });
  }
}

/** Whether an error says that no node answered. */
export const isLost = (error: unknown): boolean =>
  isUnreachable(error) ||
  (AsOfError.is(error) && [0, 503].includes(Number(error.details['status'])));
