// Query groups of --group-by, and their averages as JSON.
import { join } from 'node:path';
import type { GroupedAverages } from '../../eval/measures/averages.js';
import { invalidLine, readJsonLines, stringField, type LineLocation } from '../../text/lines.js';
import { UsageError, option, type Command, type Invocation } from '../command.js';
import { isFolder } from './jsonLines.js';

export interface QueryGroups {
  queries: readonly string[];
  /** The field of --group-by, where it is given. */
  by?: string;
  groupOf?: (query: string) => string | undefined;
}

/**
 * What --queries (a file, or a BEIR folder) and --group-by say; a field is looked for in a query's
 * metadata too. Errors: UsageError, those of the file.
 */
export async function readGroups(
  invocation: Invocation,
  command: Command,
): Promise<QueryGroups | undefined> {
  const [path, by] = [option(invocation, 'queries'), option(invocation, 'group-by')];
  if (path === undefined) {
    if (by !== undefined)
      throw new UsageError('--group-by is a field of --queries, which is not given.', command.name);
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
    const value =
      by === undefined
        ? undefined
        : (record[by] ?? (record['metadata'] as Record<string, unknown> | undefined)?.[by]);
    if (
      value !== undefined &&
      value !== null &&
      !['string', 'number', 'boolean'].includes(typeof value)
    ) {
      throw invalidLine(where, `"${by}" to be a text`, JSON.stringify(value).slice(0, 60));
    }
    return [id, value === undefined || value === null ? undefined : String(value)];
  };
  const groups = new Map<string, string | undefined>();
  const file = (await isFolder(path)) ? join(path, 'queries.jsonl') : path;
  for await (const [id, group] of readJsonLines(file, shape, { signal: invocation.signal }))
    groups.set(id, group);
  const queries = [...groups.keys()];
  if (queries.length === 0) throw new UsageError(`${path} has no queries.`, command.name);
  const named = [...groups.values()].some((group) => group !== undefined);
  if (by !== undefined && !named)
    throw new UsageError(`No query of ${path} has "${by}".`, command.name);
  return {
    queries,
    ...(by === undefined ? {} : { by, groupOf: (query: string) => groups.get(query) }),
  };
}

/** As `--json` prints them. */
export function groupsJson({ groups, macro }: GroupedAverages): Record<string, unknown> {
  return {
    macro: meansOf(macro),
    groups: [...groups].map(([value, averages]) => ({
      value,
      metrics: meansOf(averages),
      averaged_over: countsOf(averages),
    })),
  };
}

export function meansOf(
  averages: Readonly<Record<string, { mean: number }>>,
): Record<string, number> {
  return Object.fromEntries(Object.entries(averages).map(([name, { mean }]) => [name, mean]));
}

/** How many queries each mean is over. */
export function countsOf(
  averages: Readonly<Record<string, { queries: number }>>,
): Record<string, number> {
  return Object.fromEntries(Object.entries(averages).map(([name, { queries }]) => [name, queries]));
}
