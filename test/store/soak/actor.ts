// A process of the soak with two threads: each opens the corpus, reads all passages, writes its
// own, closes and begins again, and logs each call before and after it, so that the log is whole
// whenever the process is killed.
import { openSync, writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { setTimeout as delay } from 'node:timers/promises';
import { AsOfError } from '../../../lib/errors.js';
import { Corpus } from '../../../lib/store/corpus.js';
import { contents, hashEncoder } from '../fixtures.js';
import { Random } from '../simulation/random.js';
import { passageOf, ids, versionIn, type Settings } from './settings.js';

const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const encoder = hashEncoder();

class Actor {
  private readonly random: Random;
  private readonly log: number;
  private readonly versions = new Map<number, number>();

  constructor(private readonly settings: Settings) {
    this.random = new Random(settings.seed);
    this.log = openSync(settings.log, 'a');
    for (const [number, version] of settings.versions) this.versions.set(number, version);
  }

  async run(): Promise<void> {
    while (now() < this.settings.until) {
      const before = now();
      const readOnly = this.random.chance(0.3);
      try {
        const options = { encoder, readOnly, lockTimeout: 60_000 };
        await using corpus = await Corpus.open(this.settings.path, options);
        this.note('o', now() - before);
        for (let left = 1 + this.random.below(40); left > 0; left -= 1)
          await (readOnly || this.random.chance(0.7) ? this.read(corpus) : this.write(corpus));
      } catch (error) {
        this.note('e', JSON.stringify(error instanceof Error ? error.stack : String(error)));
        if (!AsOfError.is(error)) throw error;
      }
    }
  }

  private async read(corpus: Corpus): Promise<void> {
    const { random } = this;
    if (random.chance(0.02)) {
      const start = now();
      const found = contents(corpus);
      const end = now();
      for (const id of ids(this.settings.actors))
        this.note('r', id, versionIn(found.get(`p${id}`)), start, end);
      // Other threads of the process go on.
      return delay(0);
    }
    const id = random.below(ids(this.settings.actors).length);
    const start = now();
    const version = versionIn(corpus.get(`p${id}`));
    this.note('r', id, version, start, now());
  }

  private async write(corpus: Corpus): Promise<void> {
    const { random, settings } = this;
    if (random.chance(0.01)) return void (await corpus.compact());
    const own = ids(settings.actors).filter((id) => id % settings.actors === settings.actor);
    const some = own.filter(() => random.chance(0.2));
    const isDeletion = random.chance(0.3);
    const changed = some.map((id): [number, number] => {
      const version = (this.versions.get(id) ?? 0) + 1;
      this.versions.set(id, version);
      return [id, version];
    });
    for (const [id, version] of changed) this.note('w', id, version, isDeletion ? 0 : 1, now());
    if (isDeletion) await corpus.delete(changed.map(([id]) => `p${id}`));
    else await corpus.add(changed.map(([id, version]) => passageOf(id, version)));
    const acknowledged = now();
    for (const [id, version] of changed) this.note('a', id, version, acknowledged);
  }

  private note(...words: (string | number)[]): void {
    writeSync(this.log, `${words.join(' ')}\n`);
  }
}

const settings: Settings[] = isMainThread
  ? (JSON.parse(process.argv[2]!) as Settings[])
  : [workerData as Settings];
if (settings.length > 1) {
  const code = `
    const { register } = await import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))});
    register();
    await import(${JSON.stringify(import.meta.url)});`;
  new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: settings[1],
    execArgv: [],
  });
}
await new Actor(settings[0]!).run();
