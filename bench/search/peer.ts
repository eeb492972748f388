// One contender in a separate process, asked by lines of JSON: it opens a data set, then times
// searches by wall clock and by the processor time of all its threads. Started by
// bench/search/peers.ts; FAISS's process speaks the same. It compares nothing.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { approximateContenders } from './approximateContenders.js';
import { asofForms, contenders, type SearchResult, type ContenderIndex } from './contenders.js';
import { readRows, type DataSet } from './data.js';
import { shippedEnvironment } from '../../test/selectAddon.js';
import { busy } from '../report.js';

export interface SearchRequest {
  /** Number of the first query; later calls take the ones that follow. */
  first: number;
  batch: number;
  calls: number;
  k: number;
  threads: number;
  results: boolean;
  /** Of an index that may miss rows: how much it looks at, from this search on. */
  breadth?: number;
}

export interface SearchAnswer {
  /** Milliseconds of one call, the mean over the calls. */
  wall: number;
  /** The same in processor time of all threads. */
  cpu: number;
  found?: SearchResult[];
}

export type PeerOpened = Pick<ContenderIndex, 'version' | 'batches' | 'threads' | 'note'>;

/**
 * Threads of OpenMP that spin while they wait cost a busy machine a hundred times the search
 * itself.
 */
const patient = { OMP_WAIT_POLICY: 'passive' };

/**
 * FAISS in its forms: as its wheel has it, and tuned: its BLAS path forced, with a kernel for this
 * processor.
 */
export const faissForms: Record<
  string,
  { threshold: number; environment: (work: string) => Record<string, string> }
> = {
  'FAISS as shipped': { threshold: 0, environment: () => (busy ? patient : {}) },
  'FAISS tuned (OpenBLAS)': {
    threshold: 1,
    environment: () => ({ OPENBLAS_CORETYPE: 'SkylakeX', ...patient }),
  },
  'FAISS tuned (MKL)': {
    threshold: 1,
    environment: (work) => ({ LD_PRELOAD: mklOf(work), MKL_THREADING_LAYER: 'GNU', ...patient }),
  },
};

function mklOf(work: string): string {
  const file = ['libmkl_rt.so.3', 'libmkl_rt.so.2']
    .map((name) => join(work, 'peers', 'venv', 'lib', name))
    .find(existsSync);
  if (!file) throw new Error('MKL is not installed');
  return file;
}

export class Peer {
  private readonly lines: AsyncIterator<string>;
  private errors = '';

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr.on(
      'data',
      (chunk: Buffer) => void (this.errors = (this.errors + chunk.toString()).slice(-2000)),
    );
    child.stdin.on('error', () => {}); // it ended: the next answer says so
  }

  /** `tree` is a checkout other than this one, built: its own library and addon run there. */
  static start(name: string, work: string, tree?: string): Peer {
    // a kernel chosen for this machine is no part of a wheel
    const { OPENBLAS_CORETYPE: _, OPENBLAS_L2_SIZE: __, ...environment } = process.env;
    const faiss = faissForms[name];
    if (faiss) {
      const python = join(work, 'peers', 'venv', 'bin', 'python');
      if (!existsSync(python)) throw new Error('faiss-cpu is not installed');
      const script = join(fileURLToPath(import.meta.url), '..', 'faiss_peer.py');
      return new Peer(
        spawn(python, [script, String(faiss.threshold)], {
          env: { ...environment, ...faiss.environment(work) },
        }),
      );
    }
    const own = fileURLToPath(import.meta.url);
    const script = tree ? join(tree, 'bench', 'search', 'peer.ts') : own;
    const level = asofForms[name]?.level;
    const env = {
      ...(tree ? shippedEnvironment() : environment),
      ...(level ? { ASOF_ISA: level } : {}),
    };
    return new Peer(
      spawn(process.execPath, [...process.execArgv, '--expose-gc', script, name, work], {
        env,
        ...(tree ? { cwd: tree } : {}),
      }),
    );
  }

  open(data: DataSet): Promise<PeerOpened> {
    return this.ask({ open: data });
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.ask({ search: request });
  }

  /** MiB resident now, and at most so far. */
  memory(): { resident: number; peak: number } {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    const of = (field: string): number =>
      Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN) / 1024;
    return { resident: of('VmRSS'), peak: of('VmHWM') };
  }

  close(): void {
    this.child.stdin.end();
    this.child.kill();
  }

  private async ask<Answer>(request: unknown): Promise<Answer> {
    this.child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(this.errors.trim().split('\n').slice(-1)[0] || 'its process ended');
    const answer = JSON.parse(value) as Answer & { error?: string };
    if (answer.error) throw new Error(answer.error);
    return answer;
  }
}

async function searched(
  opened: ContenderIndex,
  data: DataSet,
  queries: Float32Array,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const { first, batch, calls, k, threads, results, breadth } = request;
  const d = data.dimensions;
  opened.setThreads?.(threads);
  if (breadth !== undefined) opened.setBreadth!(breadth);
  const used = process.cpuUsage();
  const started = performance.now();
  const last: unknown[] = [];
  for (let call = 0; call < calls; call += 1) {
    const at = (first + call * batch) % (data.queries - batch + 1);
    last.length = 0;
    if (opened.batches)
      last.push(await opened.search(queries.subarray(at * d, (at + batch) * d), k));
    else
      for (let q = at; q < at + batch; q += 1)
        last.push(await opened.search(queries.subarray(q * d, (q + 1) * d), k));
  }
  const wall = (performance.now() - started) / calls;
  const { user, system } = process.cpuUsage(used);
  return {
    wall,
    cpu: (user + system) / 1000 / calls,
    ...(results ? { found: last.flatMap((each) => opened.read(each)) } : {}),
  };
}

async function serve(name: string, work: string): Promise<void> {
  let opened: ContenderIndex | undefined;
  let data: DataSet | undefined;
  let queries: Float32Array | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      const request = JSON.parse(line) as { open?: DataSet; search?: SearchRequest };
      if (request.open) {
        data = request.open;
        queries = readRows(data.queryFile, 0, data.queries, data.dimensions);
        opened = await (contenders[name] ?? approximateContenders[name]!.open)(data, work);
        (globalThis as { gc?: () => void }).gc?.();
        const { version, batches, threads, note } = opened;
        console.log(JSON.stringify({ version, batches, threads, note }));
      } else {
        console.log(JSON.stringify(await searched(opened!, data!, queries!, request.search!)));
      }
    } catch (error) {
      console.log(JSON.stringify({ error: (error as Error).message.split('\n')[0] }));
    }
  }
  process.exit(0);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await serve(process.argv[2]!, process.argv[3]!);
