// Lease of the series of a corpus: a write that touches series has it, since what it closes and
// opens depends on documents that others may write. It is a document of an index next to that of
// the corpus, which the first such write creates.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AsOfError } from 'asof';
import { rejectOnAbort } from 'asof/kit';
import type { Cluster } from './cluster.js';

/** After which others take it, by their clocks, which are to agree within a part of it. */
const leaseMs = 60_000;
const longestWaitMs = 120_000;
const pauseMs = 50;

interface Held {
  _seq_no: number;
  _primary_term: number;
}

const settings = { number_of_shards: 1, auto_expand_replicas: '0-1' };
const exclusion = { settings, mappings: { dynamic: false } };

/** Work that may extend the lease before it writes; it throws where another has taken it. */
export async function withSeriesLock<Result>(
  cluster: Cluster,
  signal: AbortSignal | undefined,
  work: (extend: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const path = `/${cluster.index}.locks`;
  const owner = randomUUID();
  const body = (): object => ({ owner, until: Date.now() + leaseMs });
  const replace = async (held: Held): Promise<Held | undefined> => {
    const query = { if_seq_no: held._seq_no, if_primary_term: held._primary_term };
    const request = { method: 'PUT', path: `${path}/_doc/series`, body: body(), query } as const;
    const answer = await cluster.sendTo<Held>({ ...request, expected: [409] }, signal);
    return answer.status === 409 ? undefined : answer.body;
  };
  const create = { method: 'PUT', path, body: exclusion, expected: [400] } as const;
  await cluster.sendTo(create, signal);
  let held = await acquired(cluster, { path, body, replace, signal });
  try {
    return await work(async () => {
      const extended = await replace(held);
      if (!extended)
        throw new AsOfError(
          'ERR_STORAGE',
          `Expected to have the series of the ${cluster.name} until the write ends, another ` +
            'process took them. Write the same again.',
        );
      held = extended;
    });
  } finally {
    const query = { if_seq_no: held._seq_no, if_primary_term: held._primary_term };
    const release = { method: 'DELETE', path: `${path}/_doc/series`, query } as const;
    await cluster.sendTo({ ...release, expected: [404, 409] }, undefined).catch(() => undefined);
  }
}

async function acquired(
  cluster: Cluster,
  lock: {
    path: string;
    body: () => object;
    replace: (held: Held) => Promise<Held | undefined>;
    signal: AbortSignal | undefined;
  },
): Promise<Held> {
  const { path, body, replace, signal } = lock;
  for (const started = Date.now(); ; ) {
    const create = { method: 'PUT', path: `${path}/_create/series`, body: body() } as const;
    const made = await cluster.sendTo<Held>({ ...create, expected: [409] }, signal);
    if (made.status !== 409) return made.body;
    const get = { method: 'GET', path: `${path}/_doc/series`, expected: [404] } as const;
    const { body: other } = await cluster.sendTo<Held & { _source?: { until: number } }>(
      get,
      signal,
    );
    const taken = other._source && other._source.until < Date.now() && (await replace(other));
    if (taken) return taken;
    if (Date.now() - started > longestWaitMs)
      throw new AsOfError(
        'ERR_STORAGE',
        `Expected the series of the ${cluster.name} to be free within ${longestWaitMs / 1000} s, ` +
          'other processes write them. Try again when they are done.',
      );
    await rejectOnAbort(wait(pauseMs * (1 + Math.random())), signal);
  }
}
