// i. Fetching of the rows that a scan returned, as text and as binary; the order of columns.
import { copyOut, least, one, print, vectorText, type Client } from './client.js';
import type { StudyRows } from './rows.js';

/** A vector of PostgreSQL's binary format: count, 0, big-endian floats. */
function vectorOf(bytes: Buffer): Float32Array {
  const components = Buffer.from(bytes.subarray(4)).swap32();
  const vector = new Float32Array(components.length / 4);
  new Uint8Array(vector.buffer).set(components);
  return vector;
}

async function copyTo(client: Client, sql: string): Promise<Buffer> {
  const stream = copyOut(sql);
  void client.query(stream);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function fetchStudy(client: Client, rows: StudyRows): Promise<void> {
  await client.query('set max_parallel_workers_per_gather = 0');
  await orders(client, rows);
  await client.query('drop table if exists fetched');
  await client.query('create table fetched as select * from base limit 0');
  await client.query('alter table fetched alter v set storage plain');
  await client.query('insert into fetched select * from base');
  await client.query('alter table fetched add primary key (row)');
  await client.query('vacuum (analyze, freeze) fetched');
  const wanted = Array.from({ length: 1000 }, (_, i) => (i * 7919) % rows.rows);
  const sql =
    'select row, published, content_start, content_end, v from fetched where row = any($1)';
  const results = [];
  let equal = 0;
  const isOwn = (row: number, vector: Float32Array): boolean => {
    const own = rows.vectors.subarray(row * rows.dimensions, (row + 1) * rows.dimensions);
    return vector.every((each, i) => each === own[i]);
  };
  const readers: Record<string, () => Promise<number>> = {
    'without the vector': async () =>
      (await client.query(sql.replace(', v from', ' from'), [wanted])).rowCount,
    'text, not parsed': async () => (await client.query(sql, [wanted])).rowCount,
    'text, parsed': async () => {
      const { rows: got } = await client.query(sql, [wanted]);
      equal = 0;
      for (const { row, v } of got as { row: number; v: string }[]) {
        if (isOwn(row, Float32Array.from(JSON.parse(v) as number[]))) equal += 1;
      }
      return equal;
    },
    'vector_send as base64, parsed': async () => {
      const text = sql.replace(', v from', ", encode(vector_send(v), 'base64') v from");
      const { rows: got } = await client.query(text, [wanted]);
      equal = 0;
      for (const { row, v } of got as { row: number; v: string }[])
        if (isOwn(row, vectorOf(Buffer.from(v, 'base64')))) equal += 1;
      return equal;
    },
    'copy to stdout, binary, parsed': async () => {
      const numbers = wanted.join(',');
      const bytes = await copyTo(
        client,
        `copy (select row, published, content_start, content_end, v from fetched
               where row = any('{${numbers}}')) to stdout (format binary)`,
      );
      equal = 0;
      for (let at = 19; bytes.readInt16BE(at) >= 0; ) {
        at += 2;
        const row = bytes.readInt32BE(at + 4);
        for (let field = 0; field < 4; field += 1) at += 4 + Math.max(0, bytes.readInt32BE(at));
        const length = bytes.readInt32BE(at);
        if (isOwn(row, vectorOf(bytes.subarray(at + 4, at + 4 + length)))) equal += 1;
        at += 4 + length;
      }
      return equal;
    },
  };
  for (const [name, read] of Object.entries(readers)) {
    let best = Infinity;
    let count = 0;
    for (let run = 0; run < 5; run += 1) {
      const start = performance.now();
      count = await read();
      best = Math.min(best, performance.now() - start);
    }
    results.push({ '1,000 rows by number': name, ms: best, 'rows, or equal vectors': count });
  }
  print('i. Fetching', results);
}

/** The vector before or after columns that may be null. */
async function orders(client: Client, rows: StudyRows): Promise<void> {
  const times = `published, valid_start, valid_end, content_start[1] first_start,
    content_end[1] first_end, content_start[2:] more_start, content_end[2:] more_end`;
  const results = [];
  const query = vectorText(rows.vectors.subarray(0, rows.dimensions));
  for (const [name, columns] of Object.entries({
    'row, passage, part, times, v': `row::int8, passage::int8, part, ${times}, v`,
    'row, passage, part, v, times': `row::int8, passage::int8, part, v, ${times}`,
    'no nulls: row, passage, times, part, v, more times': `row::int8, passage::int8,
      coalesce(published, '-Infinity') published, coalesce(valid_start, 'Infinity') valid_start,
      coalesce(valid_end, 'Infinity') valid_end, coalesce(content_start[1], 'Infinity') first_start,
      coalesce(content_end[1], 'Infinity') first_end, part, v, content_start[2:] more_start,
      content_end[2:] more_end`,
    'v, row, passage, part, times': `v, row::int8, passage::int8, part, ${times}`,
  })) {
    await client.query('drop table if exists ordered');
    await client.query(`create table ordered as select ${columns} from base limit 0`);
    await client.query('alter table ordered alter v set storage plain, alter v set not null');
    await client.query('alter table ordered alter row set not null, alter passage set not null');
    await client.query('alter table ordered alter part set not null');
    if (name.startsWith('no nulls'))
      for (const each of ['published', 'valid_start', 'valid_end', 'first_start', 'first_end'])
        await client.query(`alter table ordered alter ${each} set not null`);
    await client.query(`insert into ordered select ${columns} from base`);
    await client.query('vacuum (analyze, freeze) ordered');
    const microseconds = async (where: string, runs = 7): Promise<number> =>
      ((await least(
        client,
        `select row from ordered where ${where} order by v <#> $1::vector(256) limit 100`,
        [query],
        runs,
      )) *
        1000) /
      rows.rows;
    results.push({
      columns: name,
      'bytes a row': Number(await one(client, "select pg_table_size('ordered')")) / rows.rows,
      'top 100, µs a row': await microseconds('true'),
      'with a publication mask that hides none': await microseconds('published < 1e15'),
      'with a test of part': await microseconds('part < 3'),
    });
  }
  print(`i. Order of columns, ${rows.rows} rows`, results);
}
