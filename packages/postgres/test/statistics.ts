// Exactness of the statistics that a shard keeps by deltas.
import assert from 'node:assert/strict';
import type { StoredPassage } from '../../../lib/index.js';
import type { Session, Shard } from '../lib/connection.js';
import type { PassageWriter } from '../../../lib/store/remote/passageWriter.js';
import { recordOf, type PassageColumns } from '../lib/read.js';
import { parts } from '../lib/schema.js';

/** All of them, by id. */
export async function storedPassages(session: Session): Promise<StoredPassage[]> {
  const found = await session.query<PassageColumns>('select id, record from passages order by id');
  return found.map(recordOf);
}

/** Sums of deltas, and postings of live rows, against a count over the stored passages. */
export async function assertExact(shard: Shard, writer: PassageWriter): Promise<void> {
  const found = await shard.read(undefined, async (session) => ({
    frequencies: await session.query<Record<string, unknown>>(
      `select part, term, sum(n)::int as n from postings group by part, term
       having sum(n) <> 0`,
    ),
    totals: await session.query<Record<string, unknown>>(
      `select part, sum(rows)::int as rows, sum(tokens)::int as tokens from totals
       group by part having sum(rows) <> 0`,
    ),
    postings: await session.query<Record<string, unknown>>(
      `select id, sentence, x.part, term, (p >> 32 & 65535)::int as count,
         (p & 4294967295)::int as length
       from (select part, term, base, unnest(packed) as p from postings) x
       join rows r on r.row = base + (p >> 48) join passages using (passage)`,
    ),
    rows: await session.query<Record<string, unknown>>(
      `select id, sentence, part, length from rows left join passages using (passage)`,
    ),
  }));
  const frequencies = new Map<string, number>();
  const totals = new Map<number, [number, number]>();
  const wanted = { postings: [] as object[], rows: [] as object[] };
  const passages = await shard.read(undefined, storedPassages);
  for (const passage of passages) {
    const own = await writer.terms([passage], undefined);
    own.forEach(({ part: name, counts, length }, sentence) => {
      const part = parts[name];
      const { id } = passage;
      const [rows, tokens] = totals.get(part) ?? [0, 0];
      totals.set(part, [rows + 1, tokens + length]);
      wanted.rows.push({ id, sentence, part, length });
      for (const [term, count] of counts) {
        const key = `${part}${term}`;
        frequencies.set(key, (frequencies.get(key) ?? 0) + 1);
        wanted.postings.push({ id, sentence, part, term, count, length });
      }
    });
  }
  const sorted = (rows: object[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
  assert.deepEqual(sorted(found.rows), sorted(wanted.rows));
  assert.deepEqual(sorted(found.postings), sorted(wanted.postings));
  assert.deepEqual(
    sorted(found.frequencies),
    sorted(
      Array.from(frequencies, ([key, n]) => ({ part: Number(key[0]), term: key.slice(1), n })),
    ),
  );
  assert.deepEqual(
    sorted(found.totals),
    sorted(Array.from(totals, ([part, [rows, tokens]]) => ({ part, rows, tokens }))),
  );
}
