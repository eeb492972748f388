// A soak of one store in one process: adds, upserts, deletes, gets, searches, compaction and
// reopening in turn, over a window of ids that moves, so that the store stays of one size. Memory
// and open files are taken at even moments, after garbage collection. It times nothing.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mulberry32 } from '../../lib/text/random.js';
import type { OpenStore } from './contenders.js';
import { idOf, makeItem, makeItems } from './passages.js';

export interface SoakSample {
  seconds: number;
  /** Calls so far, of every kind. */
  operations: number;
  reopened: number;
  /** MiB resident, and those of them that are of no mapped file. */
  resident: number;
  anonymous: number;
  /** MiB of JavaScript's heap in use. */
  heap: number;
  /** Open file descriptors. */
  descriptors: number;
}

export const soakMoments = 10;
const windowPassages = 2000;
const batch = 20;
const roundsToReopening = 20;
const reopeningsToCompaction = 5;

export async function soak(
  open: OpenStore,
  folder: string,
  seconds: number,
): Promise<SoakSample[]> {
  if (!existsSync('/proc/self/fd')) throw new Error('no /proc here');
  const next = mulberry32(3);
  const samples: SoakSample[] = [];
  const started = performance.now();
  let store = await open(folder);
  await store.add(makeItems(0, windowPassages));
  await store.index?.();
  let [operations, reopened] = [0, 0];
  for (let round = 1; samples.length < soakMoments; round += 1) {
    const first = round * batch;
    const some = (): number => first + Math.floor(next() * windowPassages);
    await store.add(makeItems(first + windowPassages - batch, batch));
    await store.delete(Array.from({ length: batch }, (_, at) => idOf(first - batch + at)));
    const chosen = new Set(Array.from({ length: batch }, some));
    await store.upsert([...chosen].map((number) => makeItem(number, round)));
    for (let call = 0; call < batch; call += 1) {
      const id = idOf(some());
      if (!(await store.get(id))) throw new Error(`Expected a passage ${id}, found none.`);
    }
    if (await store.has(idOf(first - 1))) throw new Error('Expected a deletion, found none.');
    await store.search(makeItem(some()));
    operations += batch + 5;
    if (round % roundsToReopening === 0) {
      await store.close();
      store = await open(folder);
      reopened += 1;
      if (reopened % reopeningsToCompaction === 0) await store.compact();
    }
    const passed = (performance.now() - started) / 1000;
    if (passed >= ((samples.length + 1) * seconds) / soakMoments)
      samples.push(sample(passed, operations, reopened));
  }
  await store.close();
  return samples;
}

function sample(seconds: number, operations: number, reopened: number): SoakSample {
  (globalThis as { gc?: () => void }).gc?.();
  const status = readFileSync('/proc/self/status', 'utf8');
  const kilobytes = (field: string): number =>
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN);
  return {
    seconds,
    operations,
    reopened,
    resident: kilobytes('VmRSS') / 1024,
    anonymous: kilobytes('RssAnon') / 1024,
    heap: process.memoryUsage().heapUsed / 2 ** 20,
    // the folder itself is open while it is read
    descriptors: readdirSync('/proc/self/fd').length - 1,
  };
}
