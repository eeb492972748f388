// The operating system of the simulation: carries out the calls of threads on the disk, or lets
// them fail, as the weather has it.
import { Failure, type Disk } from './disk.js';
import type { Call, CallAnswer } from './messages.js';
import type { Random } from './random.js';
import type { SimulatedThread } from './threads.js';
import { calm, type Weather } from './weather.js';

export interface SystemEvents {
  /** A call fails. */
  onFailure(thread: SimulatedThread, call: Call): void;
  /** A file has another name. */
  onRename(thread: SimulatedThread, path: string): void;
}

/** A failure that is not drawn: its code, and whether a rename happens nevertheless. */
export interface PlannedFailure {
  code: string;
  happens?: boolean;
}

export class System {
  weather: Weather = calm;
  /** Failures of calls; undefined to let the weather decide. */
  plan: ((call: Call) => PlannedFailure | undefined) | undefined;
  private isDiskFull = false;

  constructor(
    private readonly random: Random,
    readonly disk: Disk,
    private readonly events: SystemEvents,
  ) {}

  setWeather(weather: Weather): void {
    this.weather = weather;
    this.isDiskFull = false;
  }

  perform(
    thread: SimulatedThread,
    call: Call,
  ): Pick<CallAnswer, 'value'> | Pick<CallAnswer, 'failure'> {
    try {
      const planned = this.plan?.(call);
      const failure = planned?.code ?? this.failureOf(call);
      if (!failure) return { value: this.effect(thread, call) ?? null };
      this.events.onFailure(thread, call);
      // The system may have done what it reports as failed.
      const happens = planned ? planned.happens : this.random.chance(0.5);
      if (call.name === 'rename' && happens) this.effect(thread, call);
      const synced = call.name === 'sync' ? this.disk.find(call.path) : undefined;
      if (synced?.kind === 'file') synced.isLost = true;
      return { failure };
    } catch (error) {
      if (error instanceof Failure) return { failure: error.code };
      throw error;
    }
  }

  private failureOf({ name }: Call): string | undefined {
    const { random, weather } = this;
    if (random.chance(weather.space)) this.isDiskFull = !this.isDiskFull;
    const needsDescriptor = name === 'open' || name === 'map' || name === 'lock';
    if (needsDescriptor && random.chance(weather.descriptors)) return 'EMFILE';
    const needsSpace = name === 'write' || name === 'fill';
    if (needsSpace && this.isDiskFull) return 'ENOSPC';
    const canFail = !/^(?:pause|unlock|stat|randomId)$/.test(name);
    return canFail && random.chance(weather.io) ? 'EIO' : undefined;
  }

  private effect(thread: SimulatedThread, call: Call): unknown {
    const { disk, random, weather } = this;
    const { path } = call;
    switch (call.name) {
      case 'open':
        return this.open(thread, call);
      case 'map': {
        const entry = disk.open(path, 'read');
        return entry.kind === 'file' ? entry.content : '';
      }
      case 'stat': {
        const found = disk.find(path);
        return found?.kind === 'folder' ? { isFolder: true } : { content: found?.content };
      }
      case 'write': {
        const amount = call.amount!;
        return random.chance(weather.short) ? Math.max(1, random.below(amount)) : amount;
      }
      case 'sync': {
        const found = disk.find(path);
        if (found) disk.sync(found);
        return;
      }
      case 'link':
        // As to another file system, to which bytes are copied.
        if (random.chance(weather.short)) throw new Failure('EXDEV');
        return disk.link(path, call.to!);
      case 'rename':
        disk.rename(path, call.to!);
        return this.events.onRename(thread, call.to!);
      case 'removeFolder':
      case 'remove':
        return disk.remove(path);
      case 'list':
        return disk.list(path);
      case 'makeFolder':
        return disk.makeFolder(path);
      case 'makeTemporaryFolder':
        return disk.makeTemporaryFolder();
      case 'lock':
        return disk.lock(path, thread.number);
      case 'unlock':
        return disk.unlock(thread.number);
      case 'randomId':
        return Array.from({ length: 2 * call.amount! }, () => random.below(16).toString(16)).join(
          '',
        );
      case 'fill':
      case 'pause':
        return;
    }
  }

  private open(thread: SimulatedThread, call: Call): object {
    const { disk, random, weather } = this;
    const entry = disk.open(call.path, call.use!);
    if (entry.kind === 'folder') return {};
    const { content } = entry;
    if (call.use === 'create') return { content };
    if (random.chance(weather.short)) return { content, readFailure: 'short' };
    if (!random.chance(weather.io)) return { content };
    this.events.onFailure(thread, { ...call, name: 'list' });
    return { content, readFailure: 'EIO' };
  }
}
