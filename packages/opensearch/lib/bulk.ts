// Bulk requests: operations that each hold for the version of a document that was read. A request
// waits for the one before it, and what an overloaded node refuses is sent again later.
import { setTimeout as wait } from 'node:timers/promises';
import { rejectOnAbort } from 'asof/kit';
import type { Cluster } from './cluster.js';
import { documentId, type StoredSource } from './documents.js';
import { engineError, type ClientFault } from './errors.js';

/** A document as it was read; undefined where there was none. */
export type Version = { seq: number; term: number; stored?: StoredSource } | undefined;

/** A document to write, or with no body to delete, if it still is as it was read. */
export interface Operation {
  id: string;
  version: Version;
  body?: string;
}

/** Bytes of one request, unless a single document has more. */
const mostBytes = 8 << 20;
const mostRetries = 8;
const firstRetryMs = 100;

interface Item {
  status: number;
  error?: object;
}

/** @returns ids of the operations whose documents others changed meanwhile */
export async function bulk(
  cluster: Cluster,
  operations: readonly Operation[],
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const conflicts = new Set<string>();
  for (let from = 0; from < operations.length; ) {
    let bytes = 0;
    let to = from;
    while (to < operations.length && (to === from || bytes < mostBytes))
      bytes += operations[to++]!.body?.length ?? 0;
    let rest: readonly Operation[] = operations.slice(from, to);
    for (let tries = 0; rest.length > 0; tries += 1) {
      if (tries > 0) await rejectOnAbort(wait(firstRetryMs * 2 ** tries), signal);
      rest = await sent(cluster, rest, { conflicts, isLast: tries === mostRetries, signal });
    }
    from = to;
  }
  return conflicts;
}

/** @returns what is to be sent again */
async function sent(
  cluster: Cluster,
  operations: readonly Operation[],
  request: { conflicts: Set<string>; isLast: boolean; signal: AbortSignal | undefined },
): Promise<Operation[]> {
  const lines = operations.flatMap(({ id, version, body }) => {
    const seen = version && { if_seq_no: version.seq, if_primary_term: version.term };
    const of = { _id: documentId(id), ...seen };
    if (body === undefined) return [JSON.stringify({ delete: of })];
    return [JSON.stringify(version ? { index: of } : { create: of }), body];
  });
  const { body } = await cluster.send<{ errors: boolean; items: Record<string, Item>[] }>(
    { method: 'POST', path: '/_bulk', lines },
    request.signal,
  );
  if (!body.errors) return [];
  return body.items.flatMap((item, at) => {
    const { status, error } = Object.values(item)[0]!;
    const operation = operations[at]!;
    const isGone = status === 404 && operation.body === undefined;
    if (status < 300 || isGone) return [];
    if (status === 409) {
      request.conflicts.add(operation.id);
      return [];
    }
    if (status === 429 && !request.isLast) return [operation];
    const fault: ClientFault = { statusCode: status, body: error ? { error } : null };
    throw engineError(fault, cluster.name);
  });
}
