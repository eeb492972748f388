// The client of the study: pg, installed into .cache/pg, and what measures statements.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const folder = join(root, '.cache', 'pg');

export interface Client {
  connect(): Promise<void>;
  query(text: string | object, values?: unknown[]): Promise<{ rows: any[]; rowCount: number }>;
  end(): Promise<void>;
}

function installed(): NodeJS.Require {
  if (!existsSync(join(folder, 'node_modules', 'pg'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    const packages = ['pg@8.23.1', '@types/pg@8.23.1', 'pg-copy-streams@7.0.0'];
    execFileSync('npm', ['install', '--silent', '--no-audit', ...packages], { cwd: folder });
  }
  return createRequire(join(folder, 'package.json'));
}

export async function connectTo(url: string): Promise<Client> {
  const { Client } = installed()('pg') as { Client: new (options: object) => Client };
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** A stream for `copy TABLE from stdin`, to give to client.query. */
export const copyFrom = (sql: string): NodeJS.WritableStream =>
  (installed()('pg-copy-streams') as { from(sql: string): NodeJS.WritableStream }).from(sql);

/** A stream of what `copy ... to stdout` gives. */
export const copyOut = (sql: string): NodeJS.ReadableStream =>
  (installed()('pg-copy-streams') as { to(sql: string): NodeJS.ReadableStream }).to(sql);

/**
 * The least milliseconds of some runs that the server's process computed, which other work on the
 * machine lengthens little; or, with `wall`, that passed.
 */
export async function least(
  client: Client,
  sql: string,
  values: unknown[] = [],
  runs = 5,
  wall = false,
): Promise<number> {
  const process = (await one(client, 'select pg_backend_pid()')) as number;
  const spent = (): number =>
    wall
      ? performance.now()
      : Number(readFileSync(`/proc/${process}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  let best = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const start = spent();
    await client.query({ text: sql, values, rowMode: 'array' });
    best = Math.min(best, spent() - start);
  }
  return best;
}

/** The nodes of the plan, outermost first, on one line. */
export async function plan(client: Client, sql: string, values: unknown[] = []): Promise<string> {
  const { rows } = await client.query(`explain (costs off) ${sql}`, values);
  return rows
    .map((row: Record<string, string>) => Object.values(row)[0]!)
    .filter((line) => line.includes('->') || !line.startsWith(' '))
    .map((line) => line.trim().replace('->  ', ''))
    .join(' > ');
}

export async function one(client: Client, sql: string, values: unknown[] = []): Promise<any> {
  const { rows } = await client.query({ text: sql, values, rowMode: 'array' });
  return rows[0]?.[0];
}

/** A table of the study on the terminal, in Markdown. */
export function print(title: string, rows: Record<string, string | number>[]): void {
  const names = Object.keys(rows[0]!);
  const text = (value: string | number): string =>
    typeof value === 'string'
      ? value
      : String(Number.isInteger(value) ? value : Number(value.toPrecision(3)));
  console.log(`\n${title}\n\n| ${names.join(' | ')} |\n|${names.map(() => ' --- |').join('')}`);
  for (const row of rows) console.log(`| ${names.map((name) => text(row[name]!)).join(' | ')} |`);
}

export const vectorText = (vector: ArrayLike<number>): string =>
  `[${Array.from(vector).join(',')}]`;
