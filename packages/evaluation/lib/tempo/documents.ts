// Reader of TEMPO's documents.
import type { Passage } from 'asof';
import { excerpt, invalidLine, stringField, type LineLocation } from 'asof/kit';
import { forEachRow, idField, readRows } from './rows.js';

/** The ids of all documents; duplicates are rejected. */
export async function documentIds(
  files: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const read = (record: Record<string, unknown>, where: LineLocation): void =>
    void ids.add(newId(ids, record, where));
  for (const file of files) await forEachRow(file, read, { needed: ['id'], signal });
  return ids;
}

/** The documents as passages, streamed from the files. */
export async function* streamDocuments(
  files: readonly string[],
  domain: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Passage> {
  const ids = new Set<string>();
  const read = (record: Record<string, unknown>, where: LineLocation): Passage => {
    const id = newId(ids, record, where);
    ids.add(id);
    return { id, text: stringField(record, 'content', where), metadata: { domain } };
  };
  for (const file of files) yield* readRows(file, read, { needed: ['id', 'content'], signal });
}

function newId(
  ids: ReadonlySet<string>,
  record: Record<string, unknown>,
  where: LineLocation,
): string {
  const id = idField(record, 'id', where);
  if (ids.has(id))
    throw invalidLine(
      where,
      'each document id once',
      `${excerpt(id)} again`,
      'Remove one of the two rows.',
    );
  return id;
}
