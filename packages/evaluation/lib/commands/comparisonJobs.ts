// Runs of a comparison measured by several processes at once, as one JavaScript thread fills one
// core. Each process runs the same command line, is assigned runs by the parent, and leaves them in
// the folder of finished runs, where the comparison finds them.
import { fork, type ChildProcess } from 'node:child_process';
import { AsOfError } from 'asof';
import { throwIfAborted } from 'asof/kit';
import { compare } from '../comparison/compare.js';
import type { CompareOptions } from '../comparison/compareOptions.js';
import { PerturbationCache } from '../comparison/perturbationCache.js';
import type { TestCollection } from '../comparison/testCollection.js';

/** The work folder of the comparison, in one of its child processes; else undefined. */
export function jobFolder(): string | undefined {
  return process.send ? process.env['ASOF_COMPARISON_JOB'] : undefined;
}

/** A set to index, or with a system a run to measure. */
interface Task {
  set: number;
  system?: string;
}

/** Message of a process that is ready for a task; `fault` if its last one failed. */
interface WorkerMessage {
  /** Microseconds of processor time of the process so far. */
  used: number;
  fault?: { code: AsOfError['code'] | undefined; message: string };
}

/** Measures the runs that the parent process assigns until it disconnects. */
export async function measureRuns(
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
        () => report(),
        (fault: unknown) =>
          report({
            code: AsOfError.is(fault) ? fault.code : undefined,
            message: (fault as Error).message,
          }),
      );
    });
    process.on('disconnect', resolve);
    report();
  });
}

function report(fault?: WorkerMessage['fault']): void {
  const { user, system } = process.cpuUsage();
  process.send!({ used: user + system, ...(fault ? { fault } : {}) } satisfies WorkerMessage);
}

export interface JobsOptions {
  jobs: number;
  keep: string;
  systems: readonly string[];
  signal: AbortSignal;
  /** Called after each run with its number of questions. */
  onRun: (questions: number) => void;
}

/**
 * Measures all runs in child processes and returns their seconds of processor time.
 * @throws AsOfError the first error of any process; ERR_ABORTED.
 */
export async function measureInProcesses(
  sets: readonly TestCollection[],
  { jobs, keep, systems, signal, onRun }: JobsOptions,
): Promise<number> {
  const corpora = [
    ...new Map(sets.map(({ corpus, name }, set) => [corpus ?? name, { set }])).values(),
  ];
  // The longest runs start first: larger sets, and the systems named last, as the simple ones are
  // usually named first.
  const largest = sets
    .map(({ queries }, set) => ({ set, size: queries.length }))
    .sort((a, b) => b.size - a.size);
  const runs = [...systems]
    .reverse()
    .flatMap((system) => largest.map(({ set }) => ({ set, system })));
  const children = Array.from({ length: Math.min(jobs, runs.length) }, () => startJob(keep));
  const stop = (): void => children.forEach((child) => child.kill());
  signal.addEventListener('abort', stop, { once: true });
  try {
    const used = await Promise.all(children.map(reply)); // each is ready
    for (const tasks of [corpora as Task[], runs as Task[]]) {
      await Promise.all(
        children.map(async (child, at) => {
          for (let task = tasks.shift(); task; task = tasks.shift()) {
            child.send(task);
            used[at] = await reply(child);
            onRun(task.system === undefined ? 0 : sets[task.set]!.queries.length);
          }
        }),
      );
    }
    children.forEach((child) => child.disconnect());
    return used.reduce((sum, each) => sum + each, 0) / 1e6;
  } catch (fault) {
    throwIfAborted(signal);
    throw fault;
  } finally {
    signal.removeEventListener('abort', stop);
    for (const child of children) if (child.connected) child.kill();
  }
}

function startJob(keep: string): ChildProcess {
  const [program, ...args] = process.argv.slice(1);
  return fork(program!, args, {
    env: { ...process.env, ASOF_COMPARISON_JOB: keep },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Its processor time so far, once a process is ready for the next task. */
function reply(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, ended: NodeJS.Signals | null): void => {
      const how = ended ?? `exit code ${String(code)}`;
      const message = `Expected a process to measure runs, received its exit (${how}). Repeat the command to continue.`;
      reject(new AsOfError('ERR_STORAGE', message));
    };
    if (child.exitCode !== null || child.signalCode) onExit(child.exitCode, child.signalCode);
    child.once('exit', onExit);
    child.once('message', ({ used, fault }: WorkerMessage) => {
      child.off('exit', onExit);
      if (fault) reject(new AsOfError(fault.code ?? 'ERR_INVALID_INPUT', fault.message));
      else resolve(used);
    });
  });
}
