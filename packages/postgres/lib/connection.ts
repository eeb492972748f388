// One PostgreSQL server of a corpus: a pool of connections by the client pg, an optional peer,
// transactions that an aborted signal cancels, and retries of what can be done again.
import type { Client, ClientConfig, Connection, Pool, PoolClient, QueryResult } from 'pg';
import { importPeer, invalidArgument, mustBeWhole, rejectOnAbort, throwIfAborted } from 'asof/kit';
import { setTimeout as wait } from 'node:timers/promises';
import { AsOfError } from 'asof';
import { CopyIn } from './copyIn.js';
import { placeOf, withTlsMode } from './shardUrl.js';
import {
  inDoubt,
  isConflict,
  isConnectionLost,
  isTimeout,
  noAnswer,
  refusedBy,
  serverError,
} from './serverErrors.js';

type Pg = typeof import('pg');

async function loadPg(): Promise<Pg> {
  const remedy = 'Install it next to asof: npm install pg@8.';
  const loaded = await importPeer<Pg & { default?: Pg }>('pg', 'to reach PostgreSQL', remedy);
  return loaded.default ?? loaded;
}

/** A transaction. */
export interface Session {
  /** Rows of one statement; int8 columns are strings, float8 columns numbers. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** COPY in the binary format (copyBinary.ts). */
  copyIn(
    table: string,
    columns: readonly string[],
    rows: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<void>;
}

export interface ShardOptions {
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full&sslrootcert=FILE */
  url: string;
  /** PostgreSQL schema of the corpus: lower-case letters, digits and _, at most 63. */
  schema: string;
  /** Most connections at a time, from 1; each question and write takes one. Default 10. */
  poolSize?: number | undefined;
  /** Longest statement in milliseconds; 0 for no limit. Default 0. */
  statementTimeoutMs?: number | undefined;
}

const connectTimeoutMs = 10_000;
/** Longest after an abort until a statement is cancelled or a commit answered. */
const abortTimeoutMs = 1000;
/** Beyond statementTimeoutMs, until a silent server counts as gone. */
const silenceMs = 2000;
const keepAliveMs = 10_000;
const mostRetries = 5;
const firstRetryMs = 20;

export class Shard {
  /** 'shard 0 (127.0.0.1:5432/corpora)' */
  readonly name: string;
  readonly schema: string;
  readonly #url: string;
  readonly #poolSize: number;
  readonly #begin: string;
  /** Longest statement as the client counts it; 0 for no limit. */
  readonly #limitMs: number;
  /** Clients without a connection so far. */
  readonly #connecting = new Set<Client>();
  /** Processes of the server by transaction: behind a pooler not those of the connections. */
  readonly #pids = new WeakMap<PoolClient, number>();
  #pool: Promise<Pool> | undefined;
  #closing: Promise<void> | undefined;

  /** Connects when it is first asked. @throws AsOfError ERR_INVALID_ARGUMENT */
  constructor(
    { url, schema, poolSize = 10, statementTimeoutMs = 0 }: ShardOptions,
    readonly index: number,
  ) {
    this.name = `shard ${index} (${placeOf(url)})`;
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
      throw invalidArgument(
        'schema',
        'lower-case letters, digits and _, at most 63, without pg_ in front',
        schema,
      );
    mustBeWhole({ poolSize }, 1, 10_000);
    mustBeWhole({ statementTimeoutMs }, 0, 2 ** 31 - 1);
    this.#url = withTlsMode(url);
    this.#limitMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + silenceMs;
    this.schema = schema;
    this.#poolSize = poolSize;
    // Of the transaction, so that poolers of transactions keep it. Doubles round-trip.
    this.#begin = `select set_config('search_path', concat_ws(', ', '"${schema}"',
        (select quote_ident(nspname) from pg_extension e join pg_namespace n
          on n.oid = e.extnamespace where extname = 'vector'), 'public'), true),
      set_config('extra_float_digits', '1', true),
      set_config('statement_timeout', '${statementTimeoutMs}', true), pg_backend_pid() as pid`;
  }

  /**
   * Runs `work` in a read-only transaction that sees one state of the shard; once more if the
   * connection breaks, but not after a time limit.
   * @throws AsOfError ERR_STORAGE with details { shard }, ERR_ABORTED, ERR_CLOSED
   */
  read<Result>(
    signal: AbortSignal | undefined,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    const begin = 'begin isolation level repeatable read read only';
    return this.#retried(
      signal,
      (error, tries) => tries === 1 && isConnectionLost(error) && !isTimeout(error),
      () => this.#transaction(begin, signal, work),
    );
  }

  /**
   * Runs `work` in a transaction (read committed), again if it meets another one, at most five
   * times more. After a commit without an answer it rejects with details { outcome: 'unknown' }.
   * @throws AsOfError ERR_STORAGE with details { shard }, ERR_ABORTED, ERR_CLOSED
   */
  write<Result>(
    signal: AbortSignal | undefined,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    return this.#retried(
      signal,
      (error, tries) => tries <= mostRetries && isConflict(error),
      () => this.#transaction('begin isolation level read committed', signal, work),
    );
  }

  /**
   * Runs statements that cannot be in a transaction, one after the other; all of them again if one
   * meets another process, at most five times more.
   */
  maintain(signal: AbortSignal | undefined, statements: readonly string[]): Promise<void> {
    return this.#retried(
      signal,
      (error, tries) => tries <= mostRetries && isConflict(error),
      () =>
        this.#connected(signal, async (client) => {
          for (const statement of statements) await client.query(statement);
        }),
    );
  }

  /** Ends when the transactions in progress have; those that wait for a connection fail. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      const pool = await this.#pool?.catch(() => undefined);
      const ended = pool?.end();
      this.#connecting.forEach(disconnect);
      await ended;
    })();
    return this.#closing;
  }

  async #retried<Result>(
    signal: AbortSignal | undefined,
    again: (error: unknown, tries: number) => boolean,
    work: () => Promise<Result>,
  ): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        throwIfAborted(signal);
        return await work();
      } catch (error) {
        if (!again(error, tries)) throw serverError(error, this.name);
        const waitMs = firstRetryMs * 2 ** (tries - 1) * (1 - Math.random() / 2);
        await wait(waitMs, undefined, { signal }).catch(() => throwIfAborted(signal));
      }
    }
  }

  #transaction<Result>(
    begin: string,
    signal: AbortSignal | undefined,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    return this.#connected(
      signal,
      async (client) => {
        const limited: Limit = (statement) => within(client, this.#limitMs, statement);
        const begun = await limited(() => client.query(`${begin}; ${this.#begin}`));
        const [, opened] = begun as unknown as [unknown, QueryResult<{ pid: number }>];
        this.#pids.set(client, opened.rows[0]!.pid);
        return work(sessionOf(client, limited, signal));
      },
      (client) => this.#commit(client),
    );
  }

  /**
   * `end` is not cancelled: it is done or it is not. What has not ended a second after an abort,
   * because the server hangs, loses its connection.
   */
  async #connected<Result>(
    signal: AbortSignal | undefined,
    work: (client: PoolClient) => Promise<Result>,
    end?: (client: PoolClient) => Promise<void>,
  ): Promise<Result> {
    const client = await this.#connect(signal);
    this.#pids.delete(client);
    let cancelling: Promise<void> | undefined;
    let deadline: NodeJS.Timeout | undefined;
    let isEnding = false;
    const onAbort = (): void => {
      deadline = setTimeout(() => disconnect(client), abortTimeoutMs);
      if (!isEnding) cancelling = this.#cancel(client);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    let isUsable = false;
    try {
      throwIfAborted(signal);
      const result = await work(client);
      throwIfAborted(signal);
      isEnding = true;
      await end?.(client);
      isUsable = true;
      return result;
    } catch (error) {
      await cancelling; // or it would meet the next statement
      isUsable = await within(client, this.#limitMs, () => client.query('rollback')).then(
        () => true,
        () => false,
      );
      if (!AsOfError.is(error)) throwIfAborted(signal);
      throw error;
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', onAbort);
      client.release(!isUsable);
    }
  }

  async #commit(client: PoolClient): Promise<void> {
    const commit = within(client, this.#limitMs, () => client.query('commit'));
    const { command } = await commit.catch((error: unknown) => {
      throw isConnectionLost(error) ? inDoubt(error, this.name) : error;
    });
    if (command === 'COMMIT') return;
    throw new AsOfError(
      'ERR_INTERNAL',
      `Expected a transaction of ${this.name} to be committed, it was rolled back, since one of ` +
        'its statements had failed unnoticed. Report it, with the version of asof.',
      { details: { shard: this.name } },
    );
  }

  async #connect(signal: AbortSignal | undefined): Promise<PoolClient> {
    if (this.#closing)
      throw new AsOfError(
        'ERR_CLOSED',
        `Expected ${this.name} to be open, it was closed. Connect again.`,
      );
    const pool = await (this.#pool ??= this.#createPool());
    // A client that cannot read the files of its certificates throws.
    const connecting = (async () => pool.connect())();
    const connected = connecting.catch((error: unknown) => {
      throw isConnectionLost(error) ? error : refusedBy(error, this.name);
    });
    return rejectOnAbort(connected, signal).catch((error: unknown) => {
      connecting.then(
        (late) => late.release(),
        () => {},
      );
      throw error;
    });
  }

  async #createPool(): Promise<Pool> {
    const pg = await loadPg();
    const { clientOptions } = this;
    const unconnected = this.#connecting;
    /** The pool's own time-out would count the wait for a free connection, too. */
    class TimedClient extends pg.Client {
      constructor(options?: ClientConfig) {
        super({ ...options, ...clientOptions });
        // A login that the client ends would keep the process alive until the server does, too.
        const { connection } = this as unknown as { connection: Connection };
        connection.on('error', () => void connection.stream.destroy());
        unconnected.add(this);
        this.once('end', () => unconnected.delete(this));
      }
    }
    const pool = new pg.Pool({
      max: this.#poolSize,
      allowExitOnIdle: true,
      Client: TimedClient,
    });
    const ignore = (): void => {}; // queries reject with it
    pool.on('error', ignore);
    pool.on('connect', (client) => {
      unconnected.delete(client);
      client.on('error', ignore);
    });
    return pool;
  }

  private get clientOptions(): ClientConfig {
    return {
      connectionString: this.#url,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: 'asof',
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
    };
  }

  /** Cancels the running statement by a connection of its own; without one, ends the connection. */
  async #cancel(client: PoolClient): Promise<void> {
    const { processID } = client as PoolClient & { processID: number };
    const pid = this.#pids.get(client) ?? processID;
    let deadline: NodeJS.Timeout | undefined;
    try {
      const pg = await loadPg();
      const other: Client = new pg.Client(this.clientOptions);
      deadline = setTimeout(() => disconnect(other), abortTimeoutMs);
      other.on('error', () => {});
      await other.connect();
      try {
        await other.query('select pg_cancel_backend($1)', [pid]);
      } finally {
        void other.end();
      }
    } catch {
      disconnect(client);
    } finally {
      clearTimeout(deadline);
    }
  }
}

/** Ends a connection at once, whatever its server does; its query rejects. */
function disconnect(client: Client | PoolClient): void {
  const { connection } = client as unknown as { connection: Connection };
  connection.stream.destroy();
}

type Limit = <Result>(statement: () => Promise<Result>) => Promise<Result>;

/** Ends the connection of a statement that takes longer; 0 for no limit. */
async function within<Result>(
  client: PoolClient,
  limitMs: number,
  statement: () => Promise<Result>,
): Promise<Result> {
  if (limitMs === 0) return statement();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    disconnect(client);
  }, limitMs);
  try {
    return await statement();
  } catch (error) {
    throw isLate ? noAnswer(limitMs, error) : error;
  } finally {
    clearTimeout(timer);
  }
}

function sessionOf(client: PoolClient, limited: Limit, signal: AbortSignal | undefined): Session {
  const check = (): void => throwIfAborted(signal);
  return {
    async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      check();
      const { rows } = await limited(() => client.query(text, [...values]));
      return rows as Row[];
    },
    async copyIn(table, columns, rows) {
      check();
      const text = `copy ${table} (${columns.join(', ')}) from stdin (format binary)`;
      await limited(() => client.query(new CopyIn(text, rows, check)).done);
    },
  };
}
