// Writer of a test collection's folder, and the opaque ids of what is made from tables.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SetPassage {
  id: string;
  title?: string;
  text: string;
  published_at?: string;
}

export interface SetQuery {
  id: string;
  text: string;
  asked_at?: string;
  answers?: readonly string[];
  gold_evidence?: readonly string[];
}

/** Pairs of query and passage. */
export type Pairs = readonly (readonly [query: string, passage: string])[];

export interface TestSet {
  passages: readonly SetPassage[];
  /** By the ending of their file: '' is queries.jsonl, 'hard' queries-hard.jsonl. */
  queries: Readonly<Record<string, readonly SetQuery[]>>;
  qrels: Pairs;
  outdated?: Pairs;
}

/** Writes passages.jsonl in the order of ids, so that it tells nothing, queries and judgements. */
export async function writeSet(folder: string, set: TestSet): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lines = async (name: string, rows: readonly string[]): Promise<void> =>
    writeFile(join(folder, name), rows.map((row) => `${row}\n`).join(''));
  const judged = (name: string, pairs: Pairs): Promise<void> =>
    lines(
      name,
      pairs.map(([query, passage]) => `${query}\t0\t${passage}\t1`),
    );
  for (const [name, queries] of Object.entries(set.queries))
    await lines(
      `queries${name === '' ? '' : `-${name}`}.jsonl`,
      queries.map((query) => JSON.stringify(query)),
    );
  await judged('qrels.tsv', set.qrels);
  if (set.outdated) await judged('outdated.tsv', set.outdated);
  // Last: a folder with passages is complete.
  const passages = [...set.passages].sort((a, b) => (a.id < b.id ? -1 : 1));
  await lines(
    'passages.jsonl',
    passages.map((passage) => JSON.stringify(passage)),
  );
}

const digest = (text: string): Buffer => createHash('sha1').update(text).digest();

/** An id that tells nothing of its record. */
export const opaqueId = (text: string): string => digest(text).toString('hex').slice(0, 12);

/** A number of 48 bits by which a record chooses among wordings. */
export const hashOf = (text: string): number => digest(text).readUIntBE(0, 6);
