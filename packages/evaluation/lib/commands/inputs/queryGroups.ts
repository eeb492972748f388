// Query groups of --group-by.
import { join } from 'node:path';
import { invalidLine, stringField, type LineLocation } from 'asof/kit';
import { UsageError, option, type Invocation } from 'asof/command';
import { isFolder } from '../../files/queries.js';
import { readQueryRecords } from '../../files/queryRecords.js';

export interface QueryGroups {
  queries: readonly string[];
  /** The field of --group-by. */
  by?: string;
  groupOf?: (query: string) => string | undefined;
}

/**
 * Reads --queries (a file, or a BEIR folder) by the field of --group-by, which may be in the
 * metadata of a query.
 * @throws UsageError for --group-by without --queries or of an unknown field; errors of the file.
 */
export async function readGroups(invocation: Invocation): Promise<QueryGroups | undefined> {
  const [path, by] = [option(invocation, 'queries'), option(invocation, 'group-by')];
  if (path === undefined) {
    if (by !== undefined) throw new UsageError('--group-by needs --queries.');
    return undefined;
  }
  const shape = (
    record: Record<string, unknown>,
    where: LineLocation,
  ): [string, string | undefined] => {
    const id = stringField(
      record,
      record['id'] === undefined && record['_id'] !== undefined ? '_id' : 'id',
      where,
    );
    return [id, by === undefined ? undefined : groupOf(record, by, where)];
  };
  const groups = new Map<string, string | undefined>();
  const file = (await isFolder(path)) ? join(path, 'queries.jsonl') : path;
  for await (const [id, group] of readQueryRecords(file, shape, { signal: invocation.signal }))
    groups.set(id, group);
  const queries = [...groups.keys()];
  if (queries.length === 0) throw new UsageError(`${path} has no queries.`);
  const known = [...groups.values()].some((group) => group !== undefined);
  if (by !== undefined && !known) throw new UsageError(`No query of ${path} has "${by}".`);
  return {
    queries,
    ...(by === undefined ? {} : { by, groupOf: (query: string) => groups.get(query) }),
  };
}

/** The value of a field of a query or of its metadata. */
function groupOf(
  record: Record<string, unknown>,
  field: string,
  where: LineLocation,
): string | undefined {
  const metadata = record['metadata'] as Record<string, unknown> | undefined;
  const value = record[field] ?? metadata?.[field] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalidLine(where, `"${field}" to be a text`, JSON.stringify(value).slice(0, 60));
}
