// Every call to the operating system of every operation of the store fails once, in every way that
// it can: what the operation answers, whether its handle goes on, and what is left.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AsOfError } from '../../../lib/errors.js';
import { searchLexical } from '../../../lib/retrieval/lexicalSearch.js';
import { Corpus } from '../../../lib/store/corpus.js';
import { fileSystem, useFileSystem } from '../../../lib/store/format/fileSystem.js';
import { repairCorpus } from '../../../lib/store/repair/repair.js';
import { timeEncoder, type TimeEncoder } from '../../../lib/vectors/timeEncoder.js';
import { contents, hashEncoder, passagesFrom, timeWeights } from '../fixtures.js';
import { Disk } from './disk.js';
import type { Call, CallAnswer } from './messages.js';
import { Random } from './random.js';
import { SimulatedFileSystem } from './simulatedFileSystem.js';
import { System } from './system.js';
import type { SimulatedThread } from './threads.js';

const encoder = hashEncoder();
const path = '/corpus';

/** What becomes of a failed call. */
export interface FailedCall {
  operation: string;
  call: string;
  error: string;
  /** The code of the operation's error, or 'done'. */
  outcome: string;
  /** Whether the operation succeeds when it is called again, on the same handle. */
  goesOn: boolean;
}

type Content = Map<string, unknown>;

interface Operation {
  run(corpus: Corpus): unknown;
  /** Whether the handle only reads. */
  readOnly?: boolean;
}

/** Names of failures by call: codes of errno, and failures that are none. */
const failuresOf: Readonly<Record<string, readonly string[]>> = {
  open: ['EMFILE', 'ENFILE', 'EACCES', 'EIO'],
  read: ['EMFILE', 'ENFILE', 'EACCES', 'EIO', 'read EIO', 'read short'],
  create: ['EMFILE', 'ENFILE', 'EACCES', 'ENOSPC', 'EIO'],
  write: ['ENOSPC', 'EIO', 'short'],
  fill: ['ENOSPC', 'EIO'],
  sync: ['EIO', 'ENOSPC'],
  link: ['EXDEV', 'EMLINK', 'EACCES', 'EIO'],
  rename: ['EACCES', 'ENOSPC', 'EIO', 'EIO, renamed'],
  remove: ['EACCES', 'EIO'],
  list: ['EMFILE', 'ENFILE', 'EACCES', 'EIO'],
  makeFolder: ['ENOSPC', 'EACCES', 'EIO'],
  makeTemporaryFolder: ['ENOSPC', 'EMFILE', 'EIO'],
  removeFolder: ['EIO'],
  map: ['EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EIO'],
  lock: ['EMFILE', 'ENFILE', 'EACCES', 'EIO'],
};

const operations = (times: TimeEncoder): Record<string, Operation> => ({
  open: {
    run: () => Corpus.open(path, { encoder }).then((corpus) => corpus.close()),
  },
  create: {
    run: () => Corpus.open('/new/corpus', { encoder }).then((corpus) => corpus.close()),
  },
  add: { run: (corpus) => corpus.add(passagesFrom(20, 24)) },
  replace: { run: (corpus) => corpus.add(passagesFrom(3, 7, 1)) },
  'add nothing new': { run: (corpus) => corpus.add(passagesFrom(4, 6)) },
  delete: { run: (corpus) => corpus.delete(['p4', 'p9']) },
  'delete where': {
    run: (corpus) => corpus.delete({ where: { publishedAt: { gte: '2012-01-01' } } }),
  },
  update: { run: (corpus) => corpus.update(['p3', 'p9'], { validTo: '2020' }) },
  'alter fields': {
    async run(corpus) {
      if (!('number' in corpus.info().fields))
        await corpus.alterFields({ add: { number: 'number' } });
    },
  },
  compact: { run: (corpus) => corpus.compact() },
  fuse: { run: (corpus) => corpus.fuse(times) },
  'fuse, read-only': { run: (corpus) => corpus.fuse(times), readOnly: true },
  backup: { run: (corpus) => corpus.backup(`/backup-${fileSystem.randomId(4)}`) },
  restore: { run: () => Corpus.restore(path, '/backup') },
  'restore as new': {
    run: () => Corpus.restore(`/restored-${fileSystem.randomId(4)}`, '/backup'),
  },
  repair: {
    run: () => repairCorpus(path, `/repaired-${fileSystem.randomId(4)}`, { encoder }),
  },
  verify: { run: (corpus) => corpus.verify() },
  get: { run: (corpus) => corpus.get('p3') },
  list: { run: (corpus) => corpus.list({ orderBy: 'publishedAt' }) },
  info: { run: (corpus) => corpus.info() },
  search: {
    async run(corpus) {
      using snapshot = corpus.snapshot();
      const rows = snapshot.segments.map(({ segment }) => ({ rows: segment }));
      await searchLexical(rows, [{ terms: ['bridg'] }], { k: 5, pool: true });
    },
  },
  close: { run: (corpus) => corpus.close() },
});

/** The simulated machine of one case, in this thread: calls are answered at once. */
class Machine {
  readonly files: SimulatedFileSystem;
  private readonly system: System;
  private readonly events: string[] = [];
  /** Number of the call to fail, and how. */
  private failing: { at: number; error: string } | undefined;
  failed: string | undefined;

  constructor(
    private readonly disk: Disk,
    random: Random,
  ) {
    this.system = new System(random, disk, { onFailure: () => {}, onRename: () => {} });
    this.files = new SimulatedFileSystem(
      { call: (call) => this.answer(call as Call) as never },
      () => {},
    );
  }

  /** The calls of an operation, by name and what they are of. */
  get calls(): readonly string[] {
    return this.events;
  }

  watch(failing?: { at: number; error: string }): void {
    this.events.length = 0;
    this.failing = failing;
    this.failed = undefined;
  }

  cutPower(): void {
    this.files.restart();
    this.disk.cutPower();
  }

  private answer(call: Call): CallAnswer {
    const kind = call.name === 'open' && call.use !== 'folder' ? call.use! : call.name;
    const name = `${kind} ${roleOf(call)}`;
    const error = this.failing?.at === this.events.length ? this.failing.error : undefined;
    this.events.push(name);
    if (error) this.failed = name;
    this.system.plan = () =>
      error && /^E/.test(error)
        ? { code: error.slice(0, 6).replace(',', ''), happens: error.endsWith('renamed') }
        : undefined;
    const answer = this.system.perform({ number: 0 } as SimulatedThread, call) as CallAnswer;
    const { value } = answer;
    if (error?.startsWith('read ') && (value as { content?: string })?.content !== undefined)
      (value as { readFailure?: string }).readFailure = error.slice(5);
    if (error === 'short') answer.value = Math.min(1, call.amount!);
    return { ...answer, now: this.files.time + 1 };
  }
}

/** What a path is of a corpus. */
function roleOf({ path: of, to, use }: Call): string {
  const target = to ?? of;
  if (/\.seg$/.test(target)) return 'segment';
  if (/\.del$/.test(target)) return 'tombstones';
  if (/\.vec$/.test(target)) return 'column';
  if (/\/segments$/.test(target)) return 'segments folder';
  if (/^\/temporary/.test(target))
    return target.includes('/file') ? 'temporary file' : 'temporary folder';
  const [name] = /(?:manifest(?:\.next)?|lock)$/.exec(target) ?? [];
  return name ?? (use === 'folder' || target !== '' ? 'folder' : '');
}

const codeOf = async (work: () => unknown): Promise<{ outcome: string; error?: AsOfError }> => {
  try {
    await work();
    return { outcome: 'done' };
  } catch (error) {
    if (AsOfError.is(error)) return { outcome: error.code, error };
    throw error;
  }
};

/**
 * Runs all cases; of calls of one kind in an operation the first alone, unless `all`.
 * @throws what is not as it has to be, with the case in its message
 */
export async function failEveryCall({ all }: { all: boolean }): Promise<FailedCall[]> {
  const system = fileSystem;
  const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const scratch = mkdtempSync(join(memory, 'asof-failures-'));
  const times = await timeEncoder(encoder, timeWeights(encoder));
  const template = new Disk(new Random(1), folderIn(scratch, 'template'));
  const results: FailedCall[] = [];
  try {
    await prepare(template, times);
    for (const [name, operation] of Object.entries(operations(times))) {
      const whole = await attempt(template, scratch, operation, undefined);
      for (const [at, call] of whole.calls.entries()) {
        if (!all && whole.calls.indexOf(call) < at) continue;
        for (const error of failuresOf[call.split(' ')[0]!] ?? []) {
          try {
            const { outcome, goesOn } = await attempt(template, scratch, operation, {
              at,
              error,
              after: whole.after,
            });
            results.push({ operation: name, call, error, outcome, goesOn });
          } catch (fault) {
            throw new Error(`${name}: call ${at}, ${call}, ${error}`, { cause: fault });
          }
        }
      }
    }
    return results;
  } finally {
    useFileSystem(system);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What becomes of the failures of each kind of call, over all operations. */
export function failureTable(failed: readonly FailedCall[]): string[] {
  const results = new Map<
    string,
    { count: number; errors: Set<string>; operations: Set<string> }
  >();
  for (const { operation, call, error, outcome, goesOn } of failed) {
    const result = `${call}: ${outcome}${goesOn ? '' : ', and writes no more'}`;
    if (!results.has(result))
      results.set(result, { count: 0, errors: new Set(), operations: new Set() });
    const row = results.get(result)!;
    row.count += 1;
    row.errors.add(error);
    row.operations.add(operation);
  }
  return [...results]
    .map(
      ([result, { count, errors, operations: names }]) =>
        `${result} | ${[...errors].join(', ')} | ${[...names].join(', ')} | ${count}`,
    )
    .sort();
}

function folderIn(scratch: string, name: string): string {
  const folder = join(scratch, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return folder;
}

/** A corpus of three segments with tombstones and an orphan, and an older backup. */
async function prepare(disk: Disk, times: TimeEncoder): Promise<void> {
  useFileSystem(new Machine(disk, new Random(1)).files);
  await using corpus = await Corpus.open(path, { encoder });
  await corpus.add(passagesFrom(0, 6));
  await corpus.backup('/backup');
  await corpus.add(passagesFrom(6, 10));
  await corpus.fuse(times);
  await corpus.add(passagesFrom(2, 4, 1));
  await corpus.delete(['p1']);
}

async function attempt(
  template: Disk,
  scratch: string,
  { run, readOnly = false }: Operation,
  failing: { at: number; error: string; after: Content } | undefined,
): Promise<{ calls: string[]; outcome: string; goesOn: boolean; after: Content }> {
  const random = new Random(failing ? failing.at + 1 : 1);
  const machine = new Machine(template.copy(random, folderIn(scratch, 'case')), random);
  useFileSystem(machine.files);
  let corpus = await Corpus.open(path, { encoder, readOnly });
  const before = await stored();
  machine.watch(failing);
  const { outcome, error } = await codeOf(() => run(corpus));
  const calls = [...machine.calls];
  machine.watch();
  assert.equal(machine.files.openDescriptors, 0, 'descriptors left open');
  if (failing && outcome !== 'done') {
    assert.match(outcome, /^ERR_(?:STORAGE|OUT_OF_MEMORY|CORPUS_CORRUPT)$/, error!.message);
    assert.match(error!.message, /^Expected .*\. (?:Check|Close|Restore|Repeat)/, error!.message);
  }
  const found = await stored();
  if (failing) assertOneOf(found, [before, failing.after]);
  if (failing && outcome === 'done') assert.deepEqual(found, failing.after);

  // The handle goes on, and the call can be repeated, unless the error says otherwise.
  let goesOn = true;
  if (failing && corpus.isOpen) {
    const again = await codeOf(() => run(corpus));
    const probe = readOnly ? again : await codeOf(() => corpus.add(passagesFrom(90, 91)));
    goesOn = probe.outcome === 'done';
    if (error) assert.equal(goesOn, !/writes no more/.test(error.message), probe.error?.message);
    if (goesOn) assert.equal(again.outcome, 'done', again.error?.message);
    else {
      assert.match(probe.error!.message, /Check the disk, close the corpus and open it again/);
      await corpus.close();
      corpus = await Corpus.open(path, { encoder, readOnly });
      await run(corpus);
      await corpus.add(passagesFrom(90, 91));
    }
  }
  await corpus.close();
  const expected = await stored();
  if (failing) {
    const probed = new Map(expected);
    assert.equal(probed.delete('p90'), !readOnly);
    assert.deepEqual(probed, failing.after);
  }

  // And nothing of it is lost with the power; the first write removes what is left over.
  machine.cutPower();
  await using last = await Corpus.open(path, { encoder });
  await last.verify();
  assert.deepEqual(contents(last), expected);
  return { calls, outcome, goesOn, after: found };

  async function stored(): Promise<Content> {
    await using reader = await Corpus.open(path, { encoder, readOnly: true });
    return contents(reader);
  }
}

function assertOneOf(found: Content, allowed: readonly Content[]): void {
  const isAllowed = allowed.some((each) => {
    try {
      assert.deepEqual(found, each);
      return true;
    } catch {
      return false;
    }
  });
  assert.ok(isAllowed, `half of the operation: ${[...found.keys()].join(' ')}`);
}
