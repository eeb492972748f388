// Passages as they are stored in a shard: records by id, and all that a segment is made of.
import type { StoredPassage } from 'asof';
import { granularities, type PreparedPassage, readRecord } from 'asof/kit';
import type { Interval } from 'asof/time';
import type { Session } from './connection.js';
import { parts } from './schema.js';

/** Passages of one statement, whose rows are in memory twice while they are read. */
const passagesPerQuery = 500;

export interface PassageColumns {
  passage: string;
  id: string;
  record: string;
  hash: Buffer;
}

type OwnVectors = Pick<PreparedPassage, 'vector' | 'sentenceVectors'>;

/** The content times of a row, as in the table. */
interface TimeColumns {
  first_start: number | null;
  first_end: number | null;
  more_start: number[] | null;
  more_end: number[] | null;
  first_granularity: number | null;
  more_granularity: number[] | null;
}

interface RowColumns extends TimeColumns {
  passage: string;
  part: number;
  v: string;
}

const timeColumns =
  'first_start, first_end, more_start, more_end, first_granularity, more_granularity';
/** pg reads binary results as text: bytes of big-endian floats in base64 instead. */
const vectorColumn = "encode(vector_send(v), 'base64') as v";

/** Those of the ids that there are, ascending by id in bytes of UTF-8. */
export async function readPassages(
  session: Session,
  ids: readonly string[],
): Promise<PreparedPassage[]> {
  const all: PreparedPassage[] = [];
  for (const some of chunksOf([...new Set(ids)].sort(byBytes), passagesPerQuery)) {
    const found = await session.query<PassageColumns>(
      'select passage, id, record, hash from passages where id = any($1) order by id',
      [some],
    );
    const rows = await rowsByPassage<RowColumns>(
      session,
      found,
      `part, ${vectorColumn}, ${timeColumns}`,
    );
    for (const { passage, id, record, hash } of found) {
      const own = rows.get(passage)!;
      all.push({
        stored: readRecord(record, `passage ${JSON.stringify(id)}`),
        record,
        hash,
        ...vectorsOf(own),
        contents: own.filter(({ part }) => part !== parts.whole).map(intervalsOf),
      });
    }
  }
  return all;
}

/** Stored passages of those of the ids that there are. */
export async function getRecords(
  session: Session,
  ids: readonly string[],
): Promise<StoredPassage[]> {
  const records: StoredPassage[] = [];
  for (const some of chunksOf(ids, passagesPerQuery)) {
    const found = await session.query<Pick<PassageColumns, 'id' | 'record'>>(
      'select id, record from passages where id = any($1) order by id',
      [some],
    );
    records.push(...found.map(recordOf));
  }
  return records;
}

/** Vectors by number of the passage. */
export async function storedVectors(
  session: Session,
  passages: readonly string[],
): Promise<Map<string, OwnVectors>> {
  const vectors = new Map<string, OwnVectors>();
  for (const some of chunksOf(passages, passagesPerQuery)) {
    const rows = await rowsByPassage<Pick<RowColumns, 'passage' | 'part' | 'v'>>(
      session,
      some.map((passage) => ({ passage })),
      `part, ${vectorColumn}`,
    );
    for (const [passage, own] of rows) vectors.set(passage, vectorsOf(own));
  }
  return vectors;
}

/** Rows by number of their passage: the whole, then the sentences in order. */
async function rowsByPassage<Row extends { passage: string }>(
  session: Session,
  passages: readonly { passage: string }[],
  columns: string,
): Promise<Map<string, Row[]>> {
  const rows = await session.query<Row>(
    `select passage, ${columns} from rows where passage = any($1) order by passage, sentence`,
    [passages.map(({ passage }) => passage)],
  );
  const byPassage = new Map<string, Row[]>();
  for (const row of rows) {
    const own = byPassage.get(row.passage);
    if (own) own.push(row);
    else byPassage.set(row.passage, [row]);
  }
  return byPassage;
}

export const recordOf = ({ id, record }: Pick<PassageColumns, 'id' | 'record'>): StoredPassage =>
  readRecord(record, `passage ${JSON.stringify(id)}`);

function vectorsOf(rows: readonly Pick<RowColumns, 'part' | 'v'>[]): OwnVectors {
  const [vector, ...sentences] = rows.map(({ v }) => floatsOf(v));
  if (sentences.length === 0) return { vector: vector! };
  const sentenceVectors = new Float32Array(sentences.length * vector!.length);
  sentences.forEach((each, nth) => sentenceVectors.set(each, nth * each.length));
  return { vector: vector!, sentenceVectors };
}

/** What vector_send gives: dimensions and an unused number, of two bytes each, then the floats. */
function floatsOf(base64: string): Float32Array {
  const sent = Buffer.from(base64, 'base64');
  const bytes = Buffer.from(new ArrayBuffer(sent.length - 4));
  sent.copy(bytes, 0, 4);
  bytes.swap32();
  return new Float32Array(bytes.buffer);
}

function intervalsOf(row: TimeColumns): Interval[] {
  if (row.first_start === null) return [];
  const ends = [row.first_end!, ...(row.more_end ?? [])];
  const precisions = [row.first_granularity!, ...(row.more_granularity ?? [])];
  return [row.first_start, ...(row.more_start ?? [])].map((start, at) => ({
    start,
    end: ends[at]!,
    granularity: granularities[precisions[at]!]!,
  }));
}

/** As the collation C orders texts. */
export const byBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

function* chunksOf<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}
