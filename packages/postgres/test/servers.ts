// Real PostgreSQL servers on loopback for tests and benches. A watcher of its own stops them and
// removes their files when the servers are stopped or the process that started them is gone,
// however it ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { postgresProgram, succeed } from './binaries.js';

export interface PostgresOptions {
  /** Default 1. */
  servers?: number;
  /** Settings of postgresql.conf: { shared_buffers: '1GB' }. Default: those of `forTests`. */
  settings?: Readonly<Record<string, string | number>>;
  /** Keeps their data here; servers whose data are here are started again. Default: removed. */
  keep?: string | undefined;
}

export interface PostgresServer {
  /** postgres://USER:PASSWORD@127.0.0.1:PORT/postgres, of a superuser. */
  readonly url: string;
  readonly port: number;
  /** Its data folder. */
  readonly folder: string;
  /** Its process and those that it has started, itself first; none of one that was killed. */
  processes(): number[];
  /** Kills its processes: connections break, transactions in progress are lost. */
  kill(): Promise<void>;
  /** Starts it again on its port, after kill(). */
  start(): Promise<void>;
  /** Stops all of its processes, so that it hangs: its port still accepts connections. */
  freeze(): void;
  thaw(): void;
}

/** Nothing need outlast the machine; a commit outlasts the server, as synchronous_commit says. */
const forTests = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: 50,
  shared_buffers: '64MB',
};
/** PostgreSQL refuses to run as root. */
const nobody = 65534;
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

// Waits for the end of its input, which the end of the process that holds the other end is too,
// then for the servers, whose process numbers are in files that they remove themselves.
const watcher = `
cat > /dev/null
[ -f "$0/frozen" ] && kill -s CONT $(cat "$0/frozen") 2> /dev/null
for signal in $2 QUIT KILL; do
  for file in "$0"/*/postmaster.pid; do
    [ -f "$file" ] && kill -s $signal "$(head -n 1 "$file")" 2> /dev/null
  done
  for tenth in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    ls "$0"/*/postmaster.pid > /dev/null 2>&1 || break 2
    sleep 0.1
  done
done
[ -n "$1" ] || rm -rf "$0"
`;

export class PostgresServers {
  readonly #watcher: ChildProcess;
  private constructor(
    readonly servers: readonly PostgresServer[],
    watcher: ChildProcess,
  ) {
    this.#watcher = watcher;
  }

  /**
   * Starts empty servers, each with pgvector for CREATE EXTENSION vector.
   * @throws NoPostgres where it cannot be had.
   */
  static async start(options: PostgresOptions = {}): Promise<PostgresServers> {
    const initdb = postgresProgram('initdb');
    const { keep } = options;
    if (keep) mkdirSync(keep, { recursive: true });
    const root = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), 'asof-postgres-'));
    own(root);
    const watching = spawn('sh', ['-c', watcher, root, keep ?? '', keep ? 'INT' : ''], {
      ...user,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
    });
    const servers: Server[] = [];
    const all = new PostgresServers(servers, watching);
    try {
      const first = join(root, '0');
      const passwordFile = join(root, 'password');
      if (!existsSync(passwordFile)) {
        writeFileSync(passwordFile, randomBytes(12).toString('hex'));
        own(passwordFile);
        const login = ['--username=asof', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
        const locale = ['--encoding=UTF8', '--locale=C'];
        succeed(initdb, [`--pgdata=${first}`, '--no-sync', ...locale, ...login], {
          ...user,
          cwd: '/',
        });
      }
      const password = readFileSync(passwordFile, 'utf8');
      const settings = { ...forTests, ...options.settings };
      for (let n = 0; n < (options.servers ?? 1); n += 1) {
        const folder = join(root, String(n));
        if (!existsSync(folder)) succeed('cp', ['-R', first, folder], user);
        servers.push(new Server(folder, await freePort(), password, settings));
      }
      await Promise.all(servers.map((server) => server.start()));
      return all;
    } catch (fault) {
      await all.stop();
      throw fault;
    }
  }

  get urls(): string[] {
    return this.servers.map(({ url }) => url);
  }

  /** Ends the servers and removes their files. */
  async stop(): Promise<void> {
    if (this.#watcher.exitCode !== null || this.#watcher.stdin!.writableEnded) return;
    const closed = once(this.#watcher, 'close');
    this.#watcher.stdin!.end();
    await closed;
  }
}

class Server implements PostgresServer {
  readonly url: string;
  #process: ChildProcess | undefined;
  #frozen: number[] = [];

  constructor(
    readonly folder: string,
    readonly port: number,
    password: string,
    private readonly settings: Readonly<Record<string, string | number>>,
  ) {
    this.url = `postgres://asof:${password}@127.0.0.1:${port}/postgres`;
  }

  async start(): Promise<void> {
    const settings = {
      ...this.settings,
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const logFile = join(this.folder, 'server.log');
    const log = openSync(logFile, 'a');
    this.#process = spawn(postgresProgram('postgres'), ['-D', this.folder, ...args], {
      ...user,
      detached: true, // an interrupt at the terminal is for the tests
      stdio: ['ignore', log, log],
      cwd: '/',
    });
    closeSync(log);
    this.#process.unref();
    const status = join(this.folder, 'postmaster.pid');
    const running = this.#process;
    while (!(existsSync(status) && /\nready\s*$/.test(readFileSync(status, 'utf8')))) {
      if (running.exitCode !== null)
        throw new Error(`PostgreSQL ended: ${lastLine(readFileSync(logFile, 'utf8'))}`);
      await wait(20);
    }
  }

  processes(): number[] {
    const pid = this.#process!.pid!;
    if (this.#process!.exitCode !== null || this.#process!.signalCode !== null) return [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return [pid, ...children.split(' ').filter(Boolean).map(Number)];
  }

  async kill(): Promise<void> {
    if (this.processes().length === 0) return;
    const closed = once(this.#process!, 'exit');
    this.#process!.kill('SIGSTOP'); // or it would start further ones
    const all = this.processes();
    for (const pid of all) signal(pid, 'SIGKILL');
    await closed;
    while (all.some(isRunning)) await wait(5);
    rmSync(join(this.folder, 'postmaster.pid'), { force: true });
  }

  freeze(): void {
    this.#process!.kill('SIGSTOP'); // or it would start further ones
    const all = this.processes();
    // The watcher has them go on, or they would outlive it.
    appendFileSync(join(this.folder, '..', 'frozen'), `${all.join(' ')}\n`);
    for (const pid of all) signal(pid, 'SIGSTOP');
    this.#frozen = all;
  }

  thaw(): void {
    for (const pid of this.#frozen.splice(0).reverse()) signal(pid, 'SIGCONT');
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {} // ended meanwhile
}

/** Not of a zombie, which has no memory any more. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)!;

function own(path: string): void {
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
