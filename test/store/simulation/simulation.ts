// The scheduler of simulated threads and processes on one corpus: decides by a seed who goes on and
// what goes wrong, and holds every result against the model.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import { Disk } from './disk.js';
import { asynchronous, hasHistory } from './messages.js';
import type { Call, CallAnswer, NextAnswer, Operation, Outcome, View } from './messages.js';
import { Model } from './model.js';
import { nextOperation, readingOperation } from './operations.js';
import { checkOutcome } from './outcomes.js';
import { Random } from './random.js';
import { System } from './system.js';
import { closedHandles, newRunning, proceed, startThread } from './threads.js';
import type { Running, SimulatedThread } from './threads.js';
import { calm, drawWeather } from './weather.js';

/** Processes by thread: two of one thread, one of two. */
const processes = [0, 1, 2, 2];
/** Operations until all processes end, and another corpus may begin. */
const longestEpoch = 1500;

export interface Counts {
  operations: number;
  calls: number;
  commits: number;
  failures: number;
  kills: number;
  powerCuts: number;
  corpora: number;
  byKind: Record<string, number>;
}

export class Simulation {
  readonly counts: Counts = {
    operations: 0,
    calls: 0,
    commits: 0,
    failures: 0,
    kills: 0,
    powerCuts: 0,
    corpora: 1,
    byKind: {},
  };
  /** Checksum of all calls and results: equal seeds have equal ones. */
  fingerprint = 0;
  now = 0;
  model = new Model();
  path = '/corpus-1';
  /** Backups of this epoch: their content once a call has acknowledged them. */
  private readonly backups = new Map<string, View | undefined>();
  private readonly random: Random;
  private readonly system: System;
  private threads: SimulatedThread[] = [];
  private epochEnd = 0;
  private isPowerCut = false;

  private constructor(
    readonly seed: number,
    private readonly scratch: string,
    private readonly log: ((line: string) => void) | undefined,
  ) {
    this.random = new Random(seed);
    this.system = new System(this.random, new Disk(this.random, scratch), {
      onFailure: (thread, call) => this.noteFailure(thread, call),
      onRename: (thread, path) => this.noteCommit(thread, path),
    });
  }

  /** Runs that many operations. @throws the first difference from the model */
  static async run(
    seed: number,
    operations: number,
    log?: (line: string) => void,
  ): Promise<Simulation> {
    const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    const scratch = mkdtempSync(join(memory, 'asof-simulation-'));
    const simulation = new Simulation(seed, scratch, log);
    try {
      await simulation.start();
      await simulation.proceed(operations);
      return simulation;
    } finally {
      await Promise.all(simulation.threads.map(({ worker }) => worker.terminate()));
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  private async start(): Promise<void> {
    this.threads = await Promise.all(processes.map((_, number) => startThread(number)));
    this.beginEpoch();
  }

  private async proceed(operations: number): Promise<void> {
    while (this.counts.operations < operations) {
      if (this.counts.operations >= this.epochEnd || this.isPowerCut) {
        this.endEpoch();
        // Warnings and messages of the threads.
        await new Promise((resolve) => setImmediate(resolve));
      }
      this.step(this.choose());
    }
    this.endEpoch();
    for (const thread of this.threads) {
      thread.channel.answer({ now: this.now });
      await once(thread.worker, 'exit');
    }
  }

  private choose(): SimulatedThread {
    return this.random.weighted(this.threads.map((thread) => [thread.weight, thread] as const));
  }

  /** Answers the thread's request and waits for its next one. */
  private step(thread: SimulatedThread): void {
    const { request } = thread;
    this.now += this.random.next();
    if (request.kind === 'call') {
      proceed(thread, this.call(thread, request));
    } else if (request.kind === 'meanwhile') {
      this.note(thread, 'meanwhile', { ...request.outcome, error: request.outcome.error?.code });
      this.check(thread, thread.meanwhile!, request.outcome);
      thread.meanwhile = undefined;
      proceed(thread, { now: this.now } satisfies CallAnswer);
    } else {
      this.finish(thread, request.outcome);
      const to = `/backup-${this.counts.operations}`;
      const place = { path: this.path, to, backups: this.restorable() };
      const operation = nextOperation(this.random, thread.handles, place);
      if (operation.kind === 'backup') this.backups.set(to, undefined);
      this.begin(thread, operation);
    }
  }

  /** Backups that a call has acknowledged; of a history they would undo what threads have seen. */
  private restorable(): [string, View][] {
    if (hasHistory(this.path)) return [];
    return [...this.backups].flatMap(([path, view]) => (view ? [[path, view]] : []));
  }

  private begin(thread: SimulatedThread, operation: Operation): void {
    this.note(thread, 'begins', operation);
    this.counts.operations += 1;
    this.counts.byKind[operation.kind] = (this.counts.byKind[operation.kind] ?? 0) + 1;
    thread.running = this.running(thread, operation);
    proceed(thread, { operation, now: this.now } satisfies NextAnswer);
  }

  private running(thread: SimulatedThread, operation: Operation): Running {
    return newRunning(thread, operation, this.model.generation, this.now);
  }

  private finish(thread: SimulatedThread, outcome: Outcome): void {
    const { running } = thread;
    thread.running = undefined;
    if (!running) return;
    this.note(thread, 'ends', { ...outcome, error: outcome.error?.code });
    assert.equal(outcome.descriptors, 0, 'descriptors left open');
    if (!outcome.isKilled) this.check(thread, running, outcome);
    const { operation } = running;
    if (operation.kind === 'backup' && !outcome.isKilled && !outcome.error)
      this.backups.set(operation.to, outcome.value as View);
  }

  private check(thread: SimulatedThread, running: Running, outcome: Outcome): void {
    checkOutcome(this, thread, running, outcome);
  }

  private call(thread: SimulatedThread, call: Call): CallAnswer {
    this.counts.calls += 1;
    const { random, system } = this;
    if (call.name === 'pause') this.now += call.amount!;
    if (call.name === 'unlock') thread.running!.hasWritten = true;
    const isPowerCut = random.chance(system.weather.power);
    const isKilled = isPowerCut || random.chance(system.weather.kill);
    this.isPowerCut ||= isPowerCut;
    // The last call may have an effect that its thread does not live to see.
    const result = isKilled && random.chance(0.5) ? {} : system.perform(thread, call);
    if (isKilled && !isPowerCut) this.killProcess(thread);
    const answer: CallAnswer = isKilled
      ? { isKilled, now: this.now }
      : { ...result, now: this.now, ...this.meanwhile(thread, call) };
    this.note(thread, `${call.name} ${call.path} ${call.to ?? ''}`, answer);
    return answer;
  }

  /** What happens on the thread before an asynchronous call returns. */
  private meanwhile(thread: SimulatedThread, { name }: Call): Pick<CallAnswer, 'meanwhile'> {
    const { running } = thread;
    const { random } = this;
    const { weather } = this.system;
    if (!asynchronous[name] || !running || running.isClosed) return {};
    const handle = thread.handles[running.operation.handle];
    if (running.operation.kind !== 'open' && random.chance(weather.close)) {
      running.isClosed = true;
      return { meanwhile: 'close' };
    }
    if (random.chance(weather.abort)) {
      running.isAborted = true;
      return { meanwhile: 'abort' };
    }
    if (!handle?.isOpen || running.operation.kind === 'close' || !random.chance(weather.read))
      return {};
    const operation = readingOperation(random, running.operation.handle);
    thread.meanwhile = this.running(thread, operation);
    return { meanwhile: operation };
  }

  private noteFailure(thread: SimulatedThread, { name, path }: Call): void {
    this.counts.failures += 1;
    const running = thread.meanwhile ?? thread.running!;
    running.isFaulty = true;
    const handle = thread.handles[running.operation.handle];
    // A file that was not synced is written again.
    const isFolder = this.system.disk.find(path)?.kind === 'folder';
    const isDoubtful = (name === 'sync' && isFolder) || name === 'rename';
    const isOfHandle = !/^(?:backup|restore)$/.test(running.operation.kind);
    if (handle && isDoubtful && isOfHandle) handle.isDoubtful = true;
  }

  /** A manifest that is renamed is a commit: of the operation's change, or of files alone. */
  private noteCommit(thread: SimulatedThread, path: string): void {
    if (path !== `${this.path}/manifest`) return;
    const entry = this.system.disk.find(path);
    assert.ok(entry?.kind === 'file');
    const head = readFileSync(entry.content, 'latin1').slice(0, 80);
    const generation = Number(/^asof corpus \d+ (\d+) /.exec(head)![1]);
    const running = thread.running!;
    assert.ok(!running.isDoubtful, 'a write after a failed sync');
    const change = Model.change(running.operation, this.model.content);
    if (change.isChange && !running.hasWritten) {
      running.change = change;
      this.model.commit(generation, change.content);
    } else this.model.commit(generation, this.model.content);
    running.commits.push(generation);
    this.counts.commits += 1;
  }

  private killProcess({ number }: SimulatedThread): void {
    this.counts.kills += 1;
    for (const other of this.threads)
      if (processes[other.number] === processes[number])
        this.forget(other, other.number !== number);
  }

  /** The thread's process is dead: handles and locks are gone. */
  private forget(thread: SimulatedThread, hasToDie: boolean): void {
    if (hasToDie) this.kill(thread);
    this.system.disk.unlock(thread.number);
    thread.handles = closedHandles();
    thread.meanwhile = undefined;
  }

  private kill(thread: SimulatedThread): void {
    if (thread.request.kind === 'next') {
      this.finish(thread, thread.request.outcome);
      this.begin(thread, { kind: 'die', handle: 0 });
    } else proceed(thread, { isKilled: true, now: this.now } satisfies CallAnswer);
    assert.ok(thread.request.kind === 'next' && thread.request.outcome.isKilled);
    thread.running = undefined;
  }

  /** All processes end, maybe with the power; what is left has to be what was acknowledged. */
  private endEpoch(): void {
    const { random } = this;
    const isPowerCut = this.isPowerCut || random.chance(0.5);
    this.isPowerCut = false;
    for (const thread of this.threads) this.forget(thread, true);
    if (isPowerCut) {
      this.counts.powerCuts += 1;
      this.system.disk.cutPower();
    } else this.model.acknowledged = this.model.generation;
    this.recover();
    if (random.chance(0.2)) {
      this.counts.corpora += 1;
      this.path = `/corpus-${this.counts.corpora}`;
      this.model = new Model();
    }
    this.beginEpoch();
  }

  private beginEpoch(): void {
    const { random } = this;
    this.system.setWeather(drawWeather(random));
    this.epochEnd = this.counts.operations + 1 + random.below(longestEpoch);
    for (const thread of this.threads) {
      thread.weight = random.pick([1, 1, 0.2, 0.02]);
    }
  }

  private recover(): void {
    this.system.setWeather(calm);
    // Backups may have a commit that the corpus loses in a power cut: they are compared before.
    for (const [path, acknowledged] of this.backups) {
      const view = this.recovered({ kind: 'recoverBackup', path, handle: 0 });
      if (acknowledged) assert.deepEqual(view, acknowledged, `the backup ${path}`);
      else if (view) this.model.check(view);
      if (this.system.disk.find(path)) this.system.disk.remove(path);
    }
    this.backups.clear();
    this.model.recover(this.recovered({ kind: 'recover', path: this.path, handle: 0 }));
    this.checkFiles();
  }

  private recovered(operation: Operation): View | null {
    const thread = this.threads[0]!;
    this.begin(thread, operation);
    while (thread.request.kind === 'call') proceed(thread, this.call(thread, thread.request));
    assert.ok(thread.request.kind === 'next');
    const { outcome } = thread.request;
    this.note(thread, 'recovers', outcome);
    thread.running = undefined;
    assert.equal(outcome.error, undefined, outcome.error?.message);
    return outcome.value as View | null;
  }

  /** After the first write no file is left that the manifest does not name. */
  private checkFiles(): void {
    if (this.model.generation === 0) return;
    const manifest = this.system.disk.find(`${this.path}/manifest`);
    assert.ok(manifest?.kind === 'file');
    const [, body] = readFileSync(manifest.content, 'utf8').split('\n');
    const { segments, derived } = JSON.parse(body!) as {
      segments: { tombstones?: object }[];
      derived: object[];
    };
    const named = segments.length + segments.filter((each) => each.tombstones).length;
    const files = this.system.disk.list(`${this.path}/segments`);
    assert.equal(files.length, named + derived.length, `orphans among ${files.join(' ')}`);
  }

  private note(thread: SimulatedThread, event: string, detail: unknown): void {
    const line = `${thread.number} ${event} ${JSON.stringify(detail)}`.replaceAll(this.scratch, '');
    this.fingerprint = binding.crc32c(Buffer.from(line), this.fingerprint);
    this.log?.(line);
  }
}
