// Verification of a corpus in PostgreSQL, shard by shard: what tables say of each other, and each
// record against its hash and the columns that are made of it.
import { AsOfError, type RunOptions, type StoredPassage } from 'asof';
import { yieldToEventLoop, recordHash } from 'asof/kit';
import type { Session, Shard } from './connection.js';
import { recordOf, type PassageColumns } from './read.js';

/** Records of one statement. */
const batchRecords = 1000;

interface Check {
  expected: string;
  /** A statement with a row for each fault, whose `what` names it; there is to be none. */
  faults: string;
}

const liveRows = `select part, count(*) as rows, coalesce(sum(length), 0) as tokens
  from rows group by part`;
const entries = `select part, term, base + (p >> 48) as row, p >> 32 & 65535 as count,
  p & 4294967295 as length from (select part, term, base, unnest(packed) as p from postings) u`;

const checks: readonly Check[] = [
  {
    expected: 'a row of the whole for each passage, and no rows of other passages',
    faults: `select coalesce(p.id, 'row ' || r.row) as what
      from passages p full join (select * from rows where sentence = 0) r using (passage)
      where p.passage is null or r.row is distinct from p.passage`,
  },
  {
    expected: 'the sentences of each passage to be numbered from 1',
    faults: `select 'passage ' || passage as what from rows left join passages using (passage)
      group by passage
      having count(*) <> max(sentence) + 1 or count(distinct sentence) <> count(*)
        or count(id) <> count(*)
        or bool_or((part = 2) <> (sentence > 0))
        or min(part) <> case when count(*) > 1 then 0 else 1 end`,
  },
  {
    expected: 'the totals to be those of the rows',
    faults: `select 'part ' || part as what
      from (${liveRows}) r
      full join (select part, sum(rows) as rows, sum(tokens) as tokens from totals group by part) t
      using (part)
      where coalesce(r.rows, 0) <> coalesce(t.rows, 0)
        or coalesce(r.tokens, 0) <> coalesce(t.tokens, 0)`,
  },
  {
    expected: 'the document frequency of each term to be that of its postings',
    faults: `select 'term ' || coalesce(f.term, e.term) as what
      from (select part, term, sum(n) as n from postings group by part, term) f
      full join (select e.part, term, count(*) as n from (${entries}) e join rows using (row)
        group by e.part, term) e using (part, term)
      where coalesce(f.n, 0) <> coalesce(e.n, 0)`,
  },
  {
    expected: 'the postings of each row to have its part, length and words',
    faults: `select 'row ' || r.row as what
      from rows r left join (${entries}) e using (row)
      group by r.row, r.part, r.length
      having bool_or(e.part <> r.part or e.length <> r.length)
        or coalesce(sum(e.count), 0) > r.length
        or (coalesce(max(e.count), 0) < 65535 and coalesce(sum(e.count), 0) <> r.length)`,
  },
  {
    expected: 'derived vectors of rows that are there',
    faults: `select 'row ' || d.row as what from derived_vectors d left join rows r using (row)
      where r.row is null`,
  },
  {
    expected: 'the totals of derived vectors to be those of their rows',
    faults: `select 'column ' || key as what
      from (select key, count(*) as n from derived_vectors group by key) d
      full join (select key, sum(rows) as n from derived_totals group by key) t using (key)
      where coalesce(d.n, 0) <> coalesce(t.n, 0)`,
  },
];

/**
 * Verifies each shard as of one moment. Progress counts checks and passages.
 * @throws AsOfError ERR_CORPUS_CORRUPT, naming the first fault; as Shard.read
 */
export async function verifyShards(
  shards: readonly Shard[],
  { signal, onProgress }: RunOptions,
): Promise<void> {
  let [done, total] = [0, 0];
  for (const shard of shards)
    await shard.read(signal, async (session) => {
      const [found] = await session.query<{ n: number }>(
        'select count(*)::float8 as n from passages',
      );
      total += checks.length + found!.n;
      const report = (count: number): void => onProgress?.({ done: (done += count), total });
      for (const { expected, faults } of checks) {
        const [fault] = await session.query<{ what: string }>(`${faults} limit 1`);
        if (fault) throw corrupt(shard, expected, `otherwise for ${fault.what}`);
        report(1);
      }
      await verifyRecords(session, shard, { report, signal });
    });
  onProgress?.({ done, total: done });
}

interface RecordColumns extends Pick<PassageColumns, 'id' | 'record' | 'hash'> {
  published: number | null;
  valid_from: number | null;
  valid_to: number | null;
}

async function verifyRecords(
  session: Session,
  shard: Shard,
  { report, signal }: { report(count: number): void; signal: AbortSignal | undefined },
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const found: RecordColumns[] = await session.query<RecordColumns>(
      `select id, record, hash, published, valid_from, valid_to from passages where id > $1
       order by id limit ${batchRecords}`,
      [after],
    );
    for (const each of found) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      const of = `the record of ${JSON.stringify(each.id)}`;
      if (!recordHash(each.record).equals(each.hash))
        throw corrupt(shard, `${of} with the hash that it was stored with`, 'another');
      if (!isOf(each, recordOf(each)))
        throw corrupt(shard, `${of} with its id and times`, 'others');
    }
    report(found.length);
    after = found.at(-1)?.id;
  }
}

const isOf = (columns: RecordColumns, stored: StoredPassage): boolean =>
  columns.id === stored.id &&
  (columns.published ?? undefined) === stored.publishedAt &&
  (columns.valid_from ?? undefined) === stored.validFrom &&
  (columns.valid_to ?? undefined) === stored.validTo;

const corrupt = (shard: Shard, expected: string, found: string): AsOfError =>
  new AsOfError(
    'ERR_CORPUS_CORRUPT',
    `Expected ${expected} on ${shard.name}, found ${found}. Restore the database from a backup, ` +
      'or add the passages to a new corpus.',
    { details: { shard: shard.name } },
  );
