// Cells of a comparison measured by several processes at once: each runs the same command line, is
// told which cells to measure, and leaves them in the folder of finished cells, where the
// comparison finds them. One JavaScript thread fills one core; a corpus is indexed by one.
import { fork, type ChildProcess } from 'node:child_process';
import { AsOfError } from '../errors.js';
import { compare } from '../eval/comparison/compare.js';
import type { CompareOptions } from '../eval/comparison/compareOptions.js';
import { PerturbationCache } from '../eval/comparison/perturbationCache.js';
import type { TestCollection } from '../eval/comparison/testCollection.js';

/**
 * The folder of the comparison that this process measures cells of; nothing where it is not one of
 * several.
 */
export function jobFolder(): string | undefined {
  return process.send ? process.env['ASOF_COMPARISON_JOB'] : undefined;
}

/** Indexes a set's corpus, or measures a system on it. */
interface Task {
  set: number;
  system?: string;
}

/** What a process says when it is ready for a task, and when one has failed. */
interface Said {
  /** Microseconds of processor time that it has had. */
  used: number;
  fault?: { code: AsOfError['code'] | undefined; message: string };
}

/** Measures the cells that the parent names until it has no more. */
export async function measureCells(
  sets: readonly TestCollection[],
  options: CompareOptions,
): Promise<void> {
  const perturbationCache = new PerturbationCache();
  const measure = async ({ set: at, system }: Task): Promise<void> => {
    const set = sets[at]!;
    if (system === undefined) await (await set.open()).close();
    else
      await compare([set], {
        ...options,
        perturbationCache,
        systems: [system],
        baseline: system,
        rounds: 100,
        onProgress: () => undefined,
      });
  };
  await new Promise<void>((resolve) => {
    process.on('message', (task: Task) => {
      void measure(task).then(
        () => tell(),
        (fault: unknown) =>
          tell({
            code: AsOfError.is(fault) ? fault.code : undefined,
            message: (fault as Error).message,
          }),
      );
    });
    process.on('disconnect', resolve);
    tell();
  });
}

function tell(fault?: Said['fault']): void {
  const { user, system } = process.cpuUsage();
  process.send!({ used: user + system, ...(fault ? { fault } : {}) } satisfies Said);
}

export interface JobsOptions {
  jobs: number;
  keep: string;
  systems: readonly string[];
  signal: AbortSignal;
  onCell: (questions: number) => void;
}

/**
 * Has all cells measured, and says how many seconds of processor time it took. Errors: the first of
 * any process; ERR_ABORTED.
 */
export async function fillCells(
  sets: readonly TestCollection[],
  { jobs, keep, systems, signal, onCell }: JobsOptions,
): Promise<number> {
  const corpora = [
    ...new Map(sets.map(({ corpus, name }, set) => [corpus ?? name, { set }])).values(),
  ];
  // What takes longest begins first: larger sets, and the systems named last, as simple ones are
  // named before.
  const largest = sets
    .map(({ queries }, set) => ({ set, size: queries.length }))
    .sort((a, b) => b.size - a.size);
  const cells = [...systems]
    .reverse()
    .flatMap((system) => largest.map(({ set }) => ({ set, system })));
  const children = Array.from({ length: Math.min(jobs, cells.length) }, () => startJob(keep));
  const stop = (): void => children.forEach((child) => child.kill());
  signal.addEventListener('abort', stop, { once: true });
  const finished = (task: Task): void =>
    onCell(task.system === undefined ? 0 : sets[task.set]!.queries.length);
  try {
    const used = children.map(() => 0);
    const workers = children.map((child, at) => worker(child, (each) => (used[at] = each)));
    for (const tasks of [corpora as Task[], cells as Task[]]) {
      await Promise.all(workers.map((work) => drain(tasks, work, finished)));
    }
    children.forEach((child) => child.disconnect());
    return used.reduce((sum, each) => sum + each, 0) / 1e6;
  } catch (fault) {
    if (signal.aborted)
      throw new AsOfError('ERR_ABORTED', 'The operation was aborted by its signal.', {
        cause: fault,
      });
    throw fault;
  } finally {
    signal.removeEventListener('abort', stop);
    for (const child of children) if (child.connected) child.kill();
  }
}

async function drain(
  tasks: Task[],
  work: (task: Task) => Promise<void>,
  finished: (task: Task) => void,
): Promise<void> {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    await work(task);
    finished(task);
  }
}

function startJob(keep: string): ChildProcess {
  const [program, ...args] = process.argv.slice(1);
  return fork(program!, args, {
    env: { ...process.env, ASOF_COMPARISON_JOB: keep },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Gives a process one task after the other. */
function worker(
  child: ChildProcess,
  onUsed: (microseconds: number) => void,
): (task: Task) => Promise<void> {
  let answer: { resolve: () => void; reject: (fault: Error) => void } | undefined;
  let failed: Error | undefined;
  const next = (): Promise<void> =>
    new Promise((resolve, reject) => {
      answer = { resolve, reject };
      if (failed) reject(failed);
    });
  const ready = next();
  ready.catch(() => undefined); // said to whoever gives the first task
  child.on('message', ({ used, fault }: Said) => {
    onUsed(used);
    if (fault) answer?.reject(new AsOfError(fault.code ?? 'ERR_INVALID_INPUT', fault.message));
    else answer?.resolve();
  });
  child.on('exit', (code, ended) => {
    const how = ended ?? `exit code ${String(code)}`;
    failed = new AsOfError(
      'ERR_STORAGE',
      `Expected a process to measure cells, received its end (${how}). Repeat the command to continue.`,
    );
    answer?.reject(failed);
  });
  return async (task) => {
    await ready;
    const done = next();
    child.send(task);
    await done;
  };
}
