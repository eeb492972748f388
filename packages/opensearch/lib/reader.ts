// Searches of one question or call: what shards fail is an error, or named where the caller wants
// partial results.
import { setTimeout as wait } from 'node:timers/promises';
import { AsOfError } from 'asof';
import { rejectOnAbort, throwIfAborted } from 'asof/kit';
import { firstRetryMs, mostRetries, type Cluster } from './cluster.js';
import { engineError, reasonOf } from './errors.js';
import type { StoredSource } from './documents.js';

export interface Hit {
  _id: string;
  _score: number | null;
  _seq_no?: number;
  _primary_term?: number;
  _source?: { id: string; stored: StoredSource };
  fields?: { id: [string] };
  sort?: unknown[];
}

export interface Bucket {
  key: string;
  doc_count: number;
}

/** Results of aggregations, by the names that the search gives them. */
export interface Aggregation {
  doc_count: number;
  value: number | null;
  buckets: Bucket[];
  [name: string]: unknown;
}

export interface SearchAnswer {
  hits: { hits: Hit[] };
  aggregations?: Record<string, Aggregation>;
  timed_out?: boolean;
  _shards: {
    total: number;
    successful: number;
    failures?: { shard: number; reason?: object }[];
  };
  error?: object;
  status?: number;
}

/** Shards that did not answer; those without a copy are not counted as failed. */
const lostOf = ({ total, successful }: SearchAnswer['_shards']): number => total - successful;
const isIncomplete = ({ error, _shards: shards }: SearchAnswer): boolean =>
  !error && lostOf(shards) > 0;
const isInterrupted = ({ error, status = 0 }: SearchAnswer): boolean => !!error && status >= 500;

export class Reader {
  readonly #missing = new Set<string>();

  constructor(
    private readonly cluster: Cluster,
    /** Longest search of a shard in milliseconds, where a part of the answers is enough. */
    private readonly partialAfterMs?: number,
  ) {}

  /** Shards without whose passages it answered. */
  get missing(): string[] {
    return [...this.#missing];
  }

  async search(body: object, signal: AbortSignal | undefined): Promise<SearchAnswer> {
    return (await this.searches([body], signal))[0]!;
  }

  /** Several searches as one request. */
  async searches(
    bodies: readonly object[],
    signal: AbortSignal | undefined,
  ): Promise<SearchAnswer[]> {
    if (bodies.length === 0) return [];
    const { partialAfterMs } = this;
    const isPartial = partialAfterMs !== undefined;
    const head = JSON.stringify({ allow_partial_search_results: isPartial });
    const timeout = isPartial ? { timeout: `${partialAfterMs}ms` } : {};
    const lines = bodies.flatMap((body) => [head, JSON.stringify({ ...body, ...timeout })]);
    for (let tries = 0; ; tries += 1) {
      const { body } = await this.cluster.send<{ responses: SearchAnswer[] }>(
        { method: 'POST', path: '/_msearch', lines, query: { max_concurrent_searches: 8 } },
        signal,
      );
      const { responses } = body;
      // While the copy of a shard that is gone is replaced by another, there is none, and of a node
      // that leaves, a search fails on its way.
      const isUnsettled = responses.some(
        (each) => isInterrupted(each) || (!isPartial && isIncomplete(each)),
      );
      if (tries === mostRetries || !isUnsettled) {
        for (const answer of responses) await this.check(answer, signal);
        return responses;
      }
      await rejectOnAbort(wait(firstRetryMs * 2 ** tries), signal);
    }
  }

  private async check(
    { error, status = 0, timed_out: isLate, _shards: shards }: SearchAnswer,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { name } = this.cluster;
    if (error) throw engineError({ statusCode: status, body: { error } }, name);
    const lost = lostOf(shards);
    if (lost === 0 && !isLate) return;
    const { failures = [] } = shards;
    if (this.partialAfterMs === undefined)
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected all shards of the ${name} to answer, ${lost} did not: ` +
          `${reasonOf(failures[0]?.reason)}. Try again, or connect with allowPartialResults.`,
        { details: { place: name, status: 503 } },
      );
    // Failures of one reason are given as one.
    const failed = new Set([
      ...failures.map(({ shard }) => shard),
      ...(lost > failures.length ? await this.lostShards(signal) : []),
    ]);
    const { index } = this.cluster;
    for (const shard of failed) this.#missing.add(`shard ${shard} of ${index}`);
    if (failed.size < Math.max(lost, 1)) this.#missing.add(`some shards of ${index}`);
  }

  /** Numbers of shards of which no copy runs. */
  private async lostShards(signal: AbortSignal | undefined): Promise<number[]> {
    const path = `/_cat/shards/${this.cluster.index}`;
    const query = { format: 'json', h: 'shard,state' };
    const answer = await this.cluster
      .sendTo<{ shard: string; state: string }[]>({ method: 'GET', path, query }, signal)
      .catch(() => undefined); // without a manager of the cluster
    throwIfAborted(signal);
    const body = answer?.body ?? [];
    const live = body.filter(({ state }) => state === 'STARTED' || state === 'RELOCATING');
    const running = new Set(live.map(({ shard }) => shard));
    return body.flatMap(({ shard }) => (running.has(shard) ? [] : [Number(shard)]));
  }
}
