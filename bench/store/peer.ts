// One measurement of one store in a process of its own, started by bench/store/peers.ts: prints its
// figures as a line of JSON. What the clock does not cover (loading, making passages, a warm-up in
// a store of its own) comes first. It compares nothing.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mulberry32 } from '../../lib/text/random.js';
import { median } from '../report.js';
import { contenders, type OpenStore, type Store } from './contenders.js';
import { bytesOf, idOf, makeItem, makeItems, type Item } from './passages.js';

/** Passages of the stores that are changed, read and opened. */
export const basePassages = 10_000;
/** Commits of a measured operation, by its name and the passages of each. */
export const commitsOf: Record<string, number> = {
  'add 1': 128,
  'add 100': 24,
  'add 2048': 10,
  'upsert 1': 64,
  'upsert 100': 16,
  'delete 1': 64,
};
const readMilliseconds = 400;
const reopenings = 20;

export interface PeerRequest {
  contender: string;
  /** A key of `measurements`, with the numbers that it takes after a space. */
  measurement: string;
  /** Of the store; empty or absent, or with the base that is measured. */
  folder: string;
  work: string;
  /** Checkout whose asof is measured. */
  tree: string;
}

export interface PeerAnswer {
  /** Values by name of a figure. */
  figures: Record<string, number>;
  version?: string;
  note?: string;
}

interface Task {
  open: OpenStore;
  folder: string;
  operation: string;
  size: number;
}

const measurements: Record<string, (task: Task) => Promise<PeerAnswer>> = {
  build: buildBase,
  add: measureAdds,
  upsert: measureChanges,
  delete: measureChanges,
  read: measureReads,
  open: measureOpening,
  commits: makeCommits,
};

/** Commits of one passage and nothing more, for counting their system calls. */
async function makeCommits({ open, folder, size }: Task): Promise<PeerAnswer> {
  const store = await open(folder);
  for (let commit = 0; commit < size; commit += 1) await store.add([makeItem(commit)]);
  await store.close();
  return { figures: {} };
}

/** A base in one commit's form (`size` 1), compacted, or in that many commits that stay apart. */
async function buildBase({ open, folder, size }: Task): Promise<PeerAnswer> {
  const store = await open(folder);
  const items = makeItems(0, basePassages);
  if (size > 1) await store.addApart(items, basePassages / size);
  else {
    for (let from = 0; from < items.length; from += 2000)
      await store.add(items.slice(from, from + 2000));
    await store.compact();
  }
  await store.index?.();
  const { version, note } = store;
  const parts = await store.parts();
  await store.close();
  return { figures: parts === undefined ? {} : { [`parts ${size}`]: parts }, version, note };
}

async function measureAdds({ open, folder, size }: Task): Promise<PeerAnswer> {
  const name = `add ${size}`;
  const items = makeItems(0, size * commitsOf[name]!);
  await warmUp(open, folder, size);
  const data = bytesOf(items);
  const store = await open(folder);
  const written = bytesWritten();
  const seconds = await timed(parts(items, size), (part) => store.add(part));
  await store.close();
  const added = bytesWritten();
  const before = bytesOnDisk(folder);
  const again = await open(folder);
  for (const { passage } of [items[0]!, items.at(-1)!])
    if (!(await again.get(passage.id)))
      throw new Error(`Expected ${passage.id} to be there after ${name}, found none.`);
  await again.compact();
  await again.close();
  const figures: Record<string, number> = {
    [name]: items.length / seconds,
    [`data ${size}`]: data / 2 ** 20,
    [`size ${size}`]: before / 2 ** 20,
    [`size ${size} compacted`]: bytesOnDisk(folder) / 2 ** 20,
  };
  if (written !== undefined) {
    figures[`written ${size}`] = (added! - written) / data;
    figures[`written ${size} compacted`] = (bytesWritten()! - written) / data;
  }
  return { figures };
}

async function measureChanges({ open, folder, operation, size }: Task): Promise<PeerAnswer> {
  const name = `${operation} ${size}`;
  const count = size * commitsOf[name]!;
  // 7919 is coprime with the passages: each is changed once, in no order
  const items = Array.from({ length: count }, (_, at) => makeItem((at * 7919) % basePassages, 1));
  await warmUp(open, folder, size);
  const store = await open(folder);
  const seconds = await timed(parts(items, size), (part) =>
    operation === 'delete'
      ? store.delete(part.map(({ passage }) => passage.id))
      : store.upsert(part),
  );
  for (const { passage } of items) {
    const stored = (await store.get(passage.id)) as { text: string } | undefined;
    if (stored?.text !== (operation === 'delete' ? undefined : passage.text))
      throw new Error(`Expected ${passage.id} to be changed by ${name}, found ${stored?.text}.`);
  }
  await store.close();
  return { figures: { [name]: count / seconds } };
}

async function measureReads({ open, folder }: Task): Promise<PeerAnswer> {
  const store = await open(folder);
  const next = mulberry32(1);
  const ids = Array.from({ length: 4096 }, () => idOf(Math.floor(next() * basePassages)));
  // every second one is of no passage
  const some = ids.map((id, at) => (at % 2 ? `${id}?` : id));
  const figures = {
    get: await perSecond(
      ids,
      (id) => store.get(id),
      (found) => found !== undefined,
    ),
    has: await perSecond(
      some,
      (id) => store.has(id),
      (found, at) => found === (at % 2 === 0),
    ),
  };
  await store.close();
  return { figures };
}

async function measureOpening({ open, folder, size }: Task): Promise<PeerAnswer> {
  const times: number[] = [];
  for (let time = 0; time <= reopenings; time += 1) {
    const started = performance.now();
    const store = await open(folder);
    const found = await store.get(idOf((time * 7919) % basePassages));
    times.push(performance.now() - started);
    if (!found) throw new Error('Expected a passage of the store opened, found none.');
    await store.close();
  }
  return {
    figures: { [`open ${size} first`]: times[0]!, [`open ${size} again`]: median(times.slice(1)) },
  };
}

function parts(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: items.length / size }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}

/** Every operation a few times, so that its code is loaded and compiled. */
async function warmUp(open: OpenStore, folder: string, size: number): Promise<void> {
  const place = `${folder}.warm`;
  mkdirSync(place, { recursive: true });
  const store: Store = await open(place);
  for (let time = 0; time < (size > 1000 ? 1 : 5); time += 1) {
    await store.add(makeItems(time * size, size));
    await store.upsert(makeItems(time * size, size, 1));
    await store.delete([idOf(time * size)]);
  }
  await store.close();
  rmSync(place, { recursive: true });
}

async function timed<T>(list: readonly T[], work: (each: T) => unknown): Promise<number> {
  const started = performance.now();
  for (const each of list) await work(each);
  return (performance.now() - started) / 1000;
}

/** Calls a second; a promise is awaited before the next call. */
async function perSecond(
  ids: readonly string[],
  read: (id: string) => unknown,
  right: (found: unknown, at: number) => boolean,
): Promise<number> {
  let [calls, started] = [0, performance.now()];
  let warm = false;
  for (;;) {
    for (let burst = 0; burst < 32; burst += 1, calls += 1) {
      const at = calls % ids.length;
      const answer = read(ids[at]!);
      const found = answer instanceof Promise ? ((await answer) as unknown) : answer;
      if (!right(found, at)) throw new Error(`Expected another answer for ${ids[at]}.`);
    }
    const taken = performance.now() - started;
    if (taken < (warm ? readMilliseconds : readMilliseconds / 2)) continue;
    if (warm) return (calls / taken) * 1000;
    [warm, calls, started] = [true, 0, performance.now()];
  }
}

/** Bytes that this process has made the system write to disk; undefined where it does not say. */
function bytesWritten(): number | undefined {
  const file = '/proc/self/io';
  if (!existsSync(file)) return undefined;
  return Number(/^write_bytes: (\d+)/m.exec(readFileSync(file, 'utf8'))![1]);
}

/** Bytes that the files of a folder occupy on disk. */
function bytesOnDisk(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * 512, 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const request = JSON.parse(process.argv[2]!) as PeerRequest;
  const { contender, measurement, work, tree, folder } = request;
  const [operation, size] = measurement.split(' ') as [string, string | undefined];
  const open = await contenders[contender]!(work, tree);
  mkdirSync(folder, { recursive: true });
  const task = { open, folder, operation, size: Number(size ?? 1) };
  console.log(JSON.stringify(await measurements[operation]!(task)));
  process.exit(0);
}
