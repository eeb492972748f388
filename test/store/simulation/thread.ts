// A simulated thread: runs the operations that the scheduler sends, on a simulated file system.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { AsOfError } from '../../../lib/errors.js';
import { scanFlat } from '../../../lib/retrieval/flatScan.js';
import { scanHits } from '../../../lib/retrieval/scanHits.js';
import { searchLexical } from '../../../lib/retrieval/lexicalSearch.js';
import type { StoredPassage } from '../../../lib/records.js';
import { Corpus } from '../../../lib/store/corpus.js';
import type { CorpusOptions } from '../../../lib/store/corpusOptions.js';
import { useFileSystem } from '../../../lib/store/format/fileSystem.js';
import type { Snapshot } from '../../../lib/store/views/snapshot.js';
import { isLive } from '../../../lib/store/format/tombstones.js';
import { viewOf as recordedView } from '../../../lib/store/views/view.js';
import { timeEncoder } from '../../../lib/vectors/timeEncoder.js';
import { hashEncoder, timeWeights } from '../fixtures.js';
import { Channel } from './channel.js';
import { editions, hasHistory, versionedPassage } from './messages.js';
import type { CallAnswer, NextAnswer, Operation, Outcome, Versions, View } from './messages.js';
import { Killed, SimulatedFileSystem } from './simulatedFileSystem.js';

const encoder = hashEncoder();
const lockTimeout = 300;
/** Commits to which a thread looks back: fewer than the model remembers. */
const mostSeen = 50;

const times = await timeEncoder(encoder, timeWeights(encoder));

class Thread {
  private readonly files: SimulatedFileSystem;
  private readonly handles: (Corpus | undefined)[] = [];
  private readonly held: (Snapshot | undefined)[] = [];
  /** Generations and the times of their last writes. */
  private readonly seen: [generation: number, last: number][] = [];
  private stop = new AbortController();
  private closing: Promise<void> | undefined;
  /** The handle of the operation. */
  private active = 0;

  constructor(private readonly channel: Channel) {
    this.files = new SimulatedFileSystem(channel, (event) => this.meanwhile(event));
    useFileSystem(this.files);
  }

  async run(): Promise<void> {
    for (let outcome: Outcome = {}; ; ) {
      const { operation, now } = this.channel.call<NextAnswer>({ kind: 'next', outcome });
      if (!operation) return;
      this.files.time = now;
      this.active = operation.handle;
      outcome = await this.outcomeOf(() => this.perform(operation));
      if (this.files.isDead) {
        await this.die();
        outcome = { isKilled: true };
      }
      outcome.descriptors = this.files.openDescriptors;
    }
  }

  private async outcomeOf(work: () => unknown): Promise<Outcome> {
    this.stop = new AbortController();
    try {
      const value = await work();
      await this.closing;
      return { value: value ?? null };
    } catch (error) {
      await this.closing?.catch(() => undefined);
      return failureOf(error);
    } finally {
      if (this.closing) this.handles[this.active] = this.held[this.active] = undefined;
      this.closing = undefined;
    }
  }

  /** What happens to the thread while its operation waits for the disk. */
  private meanwhile(event: NonNullable<CallAnswer['meanwhile']>): void {
    if (event === 'abort') return this.stop.abort();
    if (event === 'close') {
      this.closing = this.handles[this.active]?.close();
      this.closing?.catch(() => undefined);
      return;
    }
    let outcome: Outcome;
    try {
      outcome = { value: this.read(event) ?? null };
    } catch (error) {
      outcome = failureOf(error);
    }
    if (!this.files.isDead) {
      const { isKilled } = this.channel.call<CallAnswer>({ kind: 'meanwhile', outcome });
      this.files.isDead = isKilled ?? false;
    }
    if (this.files.isDead) throw new Killed('killed');
  }

  private async perform(operation: Operation): Promise<unknown> {
    const { handle } = operation;
    const { signal } = this.stop;
    switch (operation.kind) {
      case 'open': {
        const { path, readOnly } = operation;
        const history = hasHistory(path);
        const options = { encoder, readOnly, lockTimeout, signal, history };
        this.handles[handle] = await Corpus.open(path, options);
        return;
      }
      case 'close':
        this.held[handle] = undefined;
        await this.corpus(handle).close();
        this.handles[handle] = undefined;
        return;
      case 'add': {
        const passages = operation.passages.map((each) => versionedPassage(...each));
        return this.corpus(handle).add(passages, { signal });
      }
      case 'delete':
        return this.corpus(handle).delete(operation.numbers.map(idOf), { signal });
      case 'update': {
        const { time, mark } = operation;
        const where = { [time]: { exists: true } };
        return this.corpus(handle).update({ where }, { metadata: { mark } }, { signal });
      }
      case 'alter':
        return this.alter(this.corpus(handle));
      case 'compact':
        return this.corpus(handle).compact({ signal });
      case 'fuse':
        return this.corpus(handle).fuse(times, { signal });
      case 'backup': {
        const { passages } = await this.corpus(handle).backup(operation.to, { signal });
        const view = await recover(operation.to, { readOnly: true });
        assert.equal(view?.content.length, passages, 'passages of the backup');
        return view;
      }
      case 'restore':
        return Corpus.restore(operation.path, operation.backup, { signal, lockTimeout });
      case 'verify':
        return this.corpus(handle).verify({ signal });
      case 'search': {
        using snapshot = this.corpus(handle).snapshot();
        return await search(snapshot);
      }
      case 'searchHeld':
        return search(this.held[handle]!);
      case 'past':
        return this.past(handle, operation.draw);
      case 'die':
        this.files.isDead = true;
        return;
      case 'recover':
        return recover(operation.path, { create: false });
      case 'recoverBackup':
        return recover(operation.path, { readOnly: true });
      default:
        return this.read(operation);
    }
  }

  /** Operations that do not wait. */
  private read(operation: Operation): unknown {
    const { handle } = operation;
    switch (operation.kind) {
      case 'get': {
        const passage = this.corpus(handle).get(idOf(operation.number));
        return passage ? versionOf(passage)[1] : null;
      }
      case 'has':
        return this.corpus(handle).has(idOf(operation.number));
      case 'info': {
        const { generation, passages } = this.corpus(handle).info();
        return { generation, passages };
      }
      case 'content': {
        using snapshot = this.corpus(handle).snapshot();
        return viewOf(snapshot);
      }
      case 'contentHeld':
        return viewOf(this.held[handle]!);
      case 'hold':
        this.held[handle]?.release();
        this.held[handle] = this.corpus(handle).snapshot();
        return this.held[handle].generation;
      case 'release':
        this.held[handle]?.release();
        this.held[handle] = undefined;
        return;
      default:
        throw new Error(`no reading operation: ${operation.kind}`);
    }
  }

  /** Another thread may have done the same meanwhile. */
  private async alter(corpus: Corpus): Promise<void> {
    const isField = 'mark' in corpus.info().fields;
    const changes = isField ? { drop: ['mark'] } : { add: { mark: 'number' as const } };
    try {
      await corpus.alterFields(changes, { signal: this.stop.signal });
    } catch (error) {
      if (!AsOfError.is(error) || error.code !== 'ERR_INVALID_ARGUMENT') throw error;
    }
  }

  /** What the corpus had at an earlier commit, by its history. */
  private async past(handle: number, draw: number): Promise<View> {
    using snapshot = this.corpus(handle).snapshot();
    const now = viewOf(snapshot);
    const { history } = snapshot.manifest;
    if (!history) return now;
    const [generation, asRecorded] = this.seen[Math.floor(draw * this.seen.length)] ?? [
      now.generation,
      history.last,
    ];
    this.seen.push([now.generation, history.last]);
    if (this.seen.length > mostSeen) this.seen.shift();
    // What has not passed, by a clock that goes back, sees all writes.
    if (asRecorded >= this.files.date()) return now;
    const recorded = await recordedView(snapshot, { asRecorded }, {});
    return { ...(await search(recorded)), generation };
  }

  private corpus(handle: number): Corpus {
    return this.handles[handle]!;
  }

  /** The process is gone: its memory is freed here, without effects on the disk. */
  private async die(): Promise<void> {
    for (const corpus of this.handles) await corpus?.close().catch(() => undefined);
    this.handles.length = this.held.length = this.seen.length = 0;
    this.files.restart();
  }
}

const idOf = (number: number): string => `p${number}`;

/** The number and version of a passage, which has to be the whole passage of that version. */
function versionOf({ id, text, metadata }: StoredPassage): [number, number] {
  const number = Number(id.slice(1));
  const edition = Number(/Edition (\d+) appeared/.exec(text)?.[1] ?? 0);
  const version = edition + editions * (metadata!['mark'] as number);
  const expected = versionedPassage(number, version);
  assert.deepEqual({ text, metadata }, { text: expected.text, metadata: expected.metadata });
  return [number, version];
}

function viewOf(snapshot: Snapshot): View {
  const content: Versions = [];
  for (const [segment, { passages, liveDocs }] of snapshot.segments.entries())
    for (let passage = 0; passage < passages; passage += 1)
      if (!liveDocs || isLive(liveDocs, passage))
        content.push(versionOf(snapshot.passage(segment, passage)));
  return { generation: snapshot.generation, content };
}

/** All passages, by words and by vectors: every text has the word. */
async function search(snapshot: Snapshot): Promise<View> {
  const segments = snapshot.segments.map(({ segment, liveDocs }) => ({
    rows: segment,
    ...(liveDocs ? { liveDocs } : {}),
  }));
  const view = viewOf(snapshot);
  const numbers = view.content.map(([number]) => number).sort((a, b) => a - b);
  const sorted = (ids: string[]): number[] =>
    ids.map((id) => Number(id.slice(1))).sort((a, b) => a - b);
  const options = { k: 1000, pool: true };
  if ('mark' in snapshot.manifest.fields) {
    const marked = await recordedView(snapshot, { where: { mark: 1 } }, {});
    const expected = view.content.filter(([, version]) => Math.floor(version / editions) === 1);
    assert.equal([...marked.livePassages()].length, expected.length, 'found by their mark');
  }
  const words = await searchLexical(segments, [{ terms: ['bridg'] }], options);
  const byWords = Array.from(words.passage, (passage, hit) =>
    snapshot.id(words.segment[hit]!, passage),
  );
  assert.deepEqual(sorted(byWords), numbers, 'found by words');
  const vector = await encoder.encode(['bridge'], { kind: 'query' });
  const flat = await scanFlat(segments, [{ vector }], options);
  const byVectors = scanHits(flat, 0, options.k, (segment, passage) =>
    snapshot.id(segment, passage),
  ).map(({ segment, passage }) => snapshot.id(segment, passage));
  assert.deepEqual(sorted(byVectors), numbers, 'found by vectors');
  return view;
}

/** What a corpus has; null if there is none, or only a part of a backup. */
async function recover(path: string, options: CorpusOptions): Promise<View | null> {
  let corpus: Corpus;
  try {
    corpus = await Corpus.open(path, { encoder, ...options });
  } catch (error) {
    if (!AsOfError.is(error)) throw error;
    const isPart = options.readOnly && /found \d+ segment files without one/.test(error.message);
    if (error.code === 'ERR_NOT_FOUND' || isPart) return null;
    throw error;
  }
  try {
    await corpus.verify();
    if (!options.readOnly) await corpus.delete(['none']); // The first write removes orphans.
    using snapshot = corpus.snapshot();
    return await search(snapshot);
  } finally {
    await corpus.close();
  }
}

function failureOf(error: unknown): Outcome {
  const code = AsOfError.is(error) ? error.code : 'none';
  return { error: { code, message: error instanceof Error ? error.stack! : String(error) } };
}

/** Loads what is loaded late, before calls block the thread that loads it. */
async function warmUp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-simulation-'));
  const corpus = await Corpus.open(join(folder, 'corpus'), { encoder });
  await corpus.add([versionedPassage(1, 0), versionedPassage(2, 0)]);
  await corpus.fuse(times);
  using snapshot = corpus.snapshot();
  await search(snapshot);
  await corpus.compact();
  await corpus.close();
  rmSync(folder, { recursive: true });
}

await warmUp();
parentPort!.postMessage('ready');
await new Thread(new Channel(workerData as SharedArrayBuffer)).run();
