// Real nodes of OpenSearch on loopback, for tests, benches and users: as a program it starts some,
// prints their URLs, and ends them at the end of its input or an interrupt.
//   node --import tsx packages/opensearch/test/servers.ts [NODES] [HEAP_MB]
// The jars come by mvn and the server's class is compiled, once, into .cache/opensearch/. A node
// ends with the process that started it, however that ended.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('nodes/', import.meta.url));
const cache = fileURLToPath(new URL('../../../.cache/opensearch/', import.meta.url));
const version = /<opensearch.version>(.*)</.exec(
  readFileSync(join(sources, 'pom.xml'), 'utf8'),
)![1]!;
const installed = join(cache, version);

/** Why there is no OpenSearch on this machine, in one line: tests print it and are skipped. */
export class NoOpenSearch extends Error {}

function succeed(command: string, args: readonly string[], cwd: string): void {
  const { status, error, stderr, stdout } = spawnSync(command, args, { encoding: 'utf8', cwd });
  if (status === 0) return;
  const reason = error?.message ?? `${stdout}${stderr}`.trim().split('\n').at(-1);
  throw new NoOpenSearch(`no OpenSearch: ${command}: ${reason}`);
}

/**
 * Installs the jars, unless they are there.
 * @throws NoOpenSearch without a JDK of 17 or later and mvn, or where these fail
 */
export function installOpenSearch(): void {
  if (existsSync(installed)) return;
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, 'part-'));
  try {
    cpSync(join(sources, 'pom.xml'), join(part, 'pom.xml'));
    const copied = ['dependency:copy-dependencies', '-DoutputDirectory=jars'];
    succeed('mvn', ['--quiet', '--batch-mode', ...copied], part);
    const jars = join(part, 'jars');
    for (const zip of readdirSync(jars).filter((name) => name.endsWith('.zip'))) {
      succeed('jar', ['--extract', '--file', zip], jars); // a zip is a jar
      rmSync(join(jars, zip));
    }
    const classes = join(part, 'classes');
    succeed('javac', ['-cp', join(jars, '*'), '-d', classes, join(sources, 'TestNode.java')], part);
    cpSync(join(sources, 'log4j2.properties'), join(classes, 'log4j2.properties'));
    if (!existsSync(installed)) renameSync(part, installed);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** For the `before` of a suite: skips it where there is no OpenSearch, and prints why. */
export function skipWithoutOpenSearch(suite: Mocha.Context): void {
  try {
    installOpenSearch();
  } catch (fault) {
    if (!(fault instanceof NoOpenSearch)) throw fault;
    console.log(`    skipped: ${fault.message}`);
    suite.skip();
  }
}

export interface NodesOptions {
  /** Default 1. */
  nodes?: number | undefined;
  /** Heap of each in MB. Default 256. */
  heapMb?: number | undefined;
}

class OpenSearchNode {
  #process: ChildProcess | undefined;
  readonly url: string;

  constructor(
    readonly folder: string,
    readonly port: number,
    private readonly heapMb: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  get isRunning(): boolean {
    const running = this.#process;
    return running !== undefined && running.exitCode === null && running.signalCode === null;
  }

  start(): void {
    mkdirSync(this.folder, { recursive: true });
    const log = openSync(join(this.folder, 'node.log'), 'a');
    const heap = [`-Xms${this.heapMb}m`, `-Xmx${this.heapMb}m`, '-XX:+UseSerialGC'];
    const path = [join(installed, 'classes'), join(installed, 'jars', '*')].join(delimiter);
    const settings = Object.entries({
      ...this.settings,
      'path.home': this.folder,
      'http.port': String(this.port),
    }).map((each) => each.join('='));
    this.#process = spawn('java', [...heap, '-cp', path, 'TestNode', ...settings], {
      stdio: ['pipe', log, log],
      cwd: this.folder,
      detached: true, // an interrupt at the terminal is for the tests
    });
    closeSync(log);
    this.#process.stdin!.on('error', () => {}); // it was killed
    this.#process.unref();
  }

  /** @throws Error with the end of its log if it ended */
  check(): void {
    const { exitCode } = this.#process!;
    if (exitCode === null) return;
    const log = readFileSync(join(this.folder, 'node.log'), 'utf8').trim().split('\n').slice(-5);
    throw new Error(`OpenSearch ended with ${exitCode}: ${log.join('\n')}`);
  }

  /** Kills it: connections break, and what it had not yet written is lost. */
  async kill(): Promise<void> {
    await this.#ended('SIGKILL');
  }

  /** Stops its process, so that it hangs: its port still accepts connections. */
  freeze(): void {
    this.#process!.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process!.kill('SIGCONT');
  }

  async #ended(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const running = this.#process!;
    const closed = once(running, 'exit');
    running.kill(signal);
    await closed;
  }
}

export class OpenSearchNodes {
  private constructor(
    readonly nodes: readonly OpenSearchNode[],
    private readonly root: string,
  ) {}

  /** Starts a cluster. @throws NoOpenSearch */
  static async start({ nodes = 1, heapMb = 256 }: NodesOptions = {}): Promise<OpenSearchNodes> {
    installOpenSearch();
    const root = mkdtempSync(join(tmpdir(), 'asof-opensearch-'));
    const ports = await freePorts(2 * nodes);
    const names = Array.from({ length: nodes }, (_, at) => `node${at}`).join();
    const seeds = ports.slice(nodes).map((port) => `127.0.0.1:${port}`);
    const all = ports.slice(0, nodes).map(
      (port, at) =>
        new OpenSearchNode(join(root, `node${at}`), port, heapMb, {
          'node.name': `node${at}`,
          'cluster.name': `asof-${ports[0]}`,
          'network.host': '127.0.0.1',
          'transport.port': String(ports[nodes + at]),
          'transport.type': 'netty4',
          'http.type': 'netty4',
          'cluster.routing.allocation.disk.threshold_enabled': 'false',
          ...(nodes === 1
            ? { 'discovery.type': 'single-node' }
            : {
                'discovery.seed_hosts': seeds.join(),
                'cluster.initial_cluster_manager_nodes': names,
              }),
        }),
    );
    const started = new OpenSearchNodes(all, root);
    try {
      for (const node of all) node.start();
      await started.ready();
      return started;
    } catch (fault) {
      await started.stop();
      throw fault;
    }
  }

  get urls(): string[] {
    return this.nodes.map(({ url }) => url);
  }

  /** Waits until each of them is in the cluster. */
  async ready(): Promise<void> {
    for (const node of this.nodes)
      for (let found = 0; found !== this.nodes.length; ) {
        node.check();
        found = await fetch(`${node.url}/_cluster/health`, { signal: AbortSignal.timeout(5000) })
          .then(async (answer) => (await answer.json()) as { number_of_nodes: number })
          .then((health) => health.number_of_nodes)
          .catch(() => 0);
        if (found !== this.nodes.length) await wait(100);
      }
  }

  /** Ends the nodes and removes their files. */
  async stop(): Promise<void> {
    for (const node of this.nodes) node.thaw();
    await Promise.all(this.nodes.map((node) => node.kill()));
    rmSync(this.root, { recursive: true, force: true });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [nodes = 1, heapMb = 256] = process.argv.slice(2).map(Number);
  const cluster = await OpenSearchNodes.start({ nodes, heapMb });
  console.log(cluster.urls.map((url) => `opensearch${url.slice(4)}?tls=false`).join(','));
  process.stdin.resume();
  await Promise.race([
    once(process.stdin, 'end'),
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
  ]);
  await cluster.stop();
  process.exit();
}
