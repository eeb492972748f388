// Several processes and threads on one corpus: readers see the commits of all writers, which wait
// for one another; who waits too long gets the owner of the lock.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { lengthEncoder, versionPassage } from './plainPassages.js';
import { Corpus } from '../../lib/store/corpus.js';
import { contents, fails, temporaryFolder } from './fixtures.js';

const encoder = lengthEncoder;
const moduleAt = (path: string): string =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);

/**
 * A process that opens the corpus and runs lines of JavaScript given to it, answering each with a
 * line of JSON.
 */
class Other {
  private constructor(
    private readonly child: ChildProcess,
    private readonly lines: AsyncIterator<string>,
  ) {}

  static async start(path: string): Promise<Other> {
    const script = `
      import { createInterface } from 'node:readline';
      const { Corpus } = await import(${moduleAt('../../lib/store/corpus.ts')});
      const { lengthEncoder: encoder, versionPassage } = await import(${moduleAt('./plainPassages.ts')});
      const path = ${JSON.stringify(path)};
      const state = {};
      for await (const line of createInterface({ input: process.stdin })) {
        try {
          const value = await new (Object.getPrototypeOf(async () => {}).constructor)('Corpus', 'encoder', 'versionPassage', 'path', 'state', line)(
            Corpus,
            encoder,
            versionPassage,
            path,
            state,
          );
          console.log(JSON.stringify({ value: value ?? null }));
        } catch (error) {
          console.log(JSON.stringify({ code: error.code ?? 'none', message: error.message }));
        }
      }`;
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return new Other(child, lines);
  }

  get id(): number {
    return this.child.pid!;
  }

  async run(code: string): Promise<{ value?: unknown; code?: string; message?: string }> {
    this.child.stdin!.write(`${code.replaceAll('\n', ' ')}\n`);
    return JSON.parse((await this.lines.next()).value as string) as { value?: unknown };
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    if (this.child.exitCode === null && this.child.signalCode === null)
      await once(this.child, 'exit');
  }
}

const passages = (from: number, to: number, version = 1) =>
  Array.from({ length: to - from }, (_, i) => versionPassage(from + i, version));

describe('corpora of several processes', () => {
  const folder = temporaryFolder();

  it('a reader sees each commit, and keeps its snapshot while the writer merges', async () => {
    const path = folder.path('shared');
    const writer = await Corpus.open(path, { encoder });
    await writer.add(passages(0, 10));
    const reader = await Other.start(path);
    assert.deepEqual(
      await reader.run(
        `state.corpus = await Corpus.open(path, { encoder, readOnly: true }); return state.corpus.info().passages`,
      ),
      { value: 10 },
    );
    await writer.add(passages(10, 25));
    assert.deepEqual(await reader.run(`return state.corpus.info().passages`), { value: 25 });
    await reader.run(`state.snapshot = state.corpus.snapshot()`);
    await writer.add(passages(0, 5, 2));
    await writer.delete(['passage 20']);
    await writer.compact();
    assert.deepEqual(
      await reader.run(`return state.snapshot.segments.map(({ passages }) => passages)`),
      { value: [10, 15] },
    );
    assert.deepEqual(
      await reader.run(
        `await Promise.all(state.snapshot.segments.map(({ segment }) => segment.verify())); return state.snapshot.passage(0, 3).metadata.version`,
      ),
      { value: 1 },
    );
    assert.deepEqual(
      await reader.run(
        `state.snapshot.release(); return [state.corpus.info().passages, state.corpus.info().segments, state.corpus.get('passage ` +
          `3').metadata.version]`,
      ),
      { value: [24, 1, 2] },
    );
    assert.deepEqual(
      await reader.run(`await state.corpus.verify(); await state.corpus.close(); return 'whole'`),
      { value: 'whole' },
    );
    await reader.end();
    await writer.close();
  });

  it('a writer waits for another process, and gets its id when it waits too long', async () => {
    const path = folder.path('locked');
    const first = await Other.start(path);
    const taken = await first.run(`
      state.corpus = await Corpus.open(path, { encoder });
      await state.corpus.add([versionPassage(0, 1)]);
      const { binding } = await import(${moduleAt('../../lib/binding.ts')});
      state.lock = new binding.FileLock(path + '/lock');
      return 'locked';`);
    assert.deepEqual(taken, { value: 'locked' });
    const second = await Corpus.open(path, { encoder, lockTimeout: 50 });
    await assert.rejects(
      second.add(passages(1, 2)),
      fails('ERR_CORPUS_LOCKED', new RegExp(`process ${first.id}\\b.*readOnly`)),
    );
    await assert.rejects(second.delete(['passage 0']), fails('ERR_CORPUS_LOCKED'));
    assert.equal(contents(second).size, 1);
    await using patient = await Corpus.open(path, { encoder });
    const [waiting, aborted] = [new AbortController(), new AbortController()];
    const added = patient.add(passages(1, 2), { signal: waiting.signal });
    const stopped = patient.add(passages(2, 3), { signal: aborted.signal });
    aborted.abort();
    await assert.rejects(stopped, fails('ERR_ABORTED'));
    assert.equal(contents(patient).size, 1);
    await first.end('SIGKILL');
    assert.equal((await added).added, 1);
    assert.equal(await second.delete(['passage 0']), 1);
    await second.close();
  });

  it('processes and threads that all write lose nothing of one another', async () => {
    const path = folder.path('writers');
    await (await Corpus.open(path, { encoder })).close();
    const others = await Promise.all([Other.start(path), Other.start(path)]);
    const code = (from: number): string => `
      for (let i = 0; i < 15; i += 1) {
        const corpus = await Corpus.open(path, { encoder });
        await corpus.add([versionPassage(${from} + i, 1)]);
        if (i % 5 === 4) await corpus.delete(['passage ' + (${from} + i - 2)]);
        if (i % 7 === 6) await corpus.compact();
        await corpus.close();
      }
      return 'done';`;
    const own = await Corpus.open(path, { encoder });
    const adding = (async () => {
      for (let i = 0; i < 15; i += 1) await own.add(passages(300 + i, 301 + i));
    })();
    const said = await Promise.all(others.map((each, at) => each.run(code(100 * (at + 1)))));
    await adding;
    assert.deepEqual(said, [{ value: 'done' }, { value: 'done' }]);
    assert.equal(contents(own).size, 12 + 12 + 15);
    await own.verify();
    await own.close();
    for (const each of others) await each.end();
  });

  it('many readers come and go while one writes', async () => {
    const path = folder.path('busy');
    const writer = await Corpus.open(path, { encoder });
    await writer.add(passages(0, 20));
    const readers = await Promise.all([Other.start(path), Other.start(path)]);
    for (const reader of readers)
      await reader.run(`state.corpus = await Corpus.open(path, { encoder, readOnly: true })`);
    // Every batch is ten passages of one version: a reader that saw half a batch would find two
    // versions.
    const look = `
      let looks = 0;
      const until = Date.now() + 1500;
      while (Date.now() < until) {
        const snapshot = state.corpus.snapshot();
        const versions = new Set();
        let count = 0;
        snapshot.segments.forEach(({ passages, liveDocs }, s) => {
          for (let p = 0; p < passages; p += 1) {
            if (!liveDocs || liveDocs[p >> 3] & (1 << (p % 8))) {
              versions.add(snapshot.passage(s, p).metadata.version);
              count += 1;
            }
          }
        });
        snapshot.release();
        if (versions.size !== 1 || count !== 20) throw new Error('saw ' + count + ' passages of versions ' + [...versions]);
        looks += 1;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return looks;`;
    const looking = readers.map((reader) => reader.run(look));
    let done = false;
    const all = Promise.all(looking).finally(() => void (done = true));
    for (let version = 2; !done; version += 1) {
      await writer.add(passages(0, 20, version));
      if (version % 5 === 0) await writer.compact();
    }
    for (const answer of await all) assert.ok(Number(answer.value) > 0, JSON.stringify(answer));
    await readers[0].end('SIGKILL');
    await readers[1].end();
    await writer.verify();
    await writer.close();
  });

  it('a worker thread reads while the main thread writes', async () => {
    const path = folder.path('threads');
    const writer = await Corpus.open(path, { encoder });
    await writer.add(passages(0, 5));
    const code = `
      import { parentPort } from 'node:worker_threads';
      const { register } = await import(${moduleAt('../../node_modules/tsx/dist/esm/api/index.mjs')});
      register();
      const { Corpus } = await import(${moduleAt('../../lib/store/corpus.ts')});
      const { lengthEncoder: encoder } = await import(${moduleAt('./plainPassages.ts')});
      const corpus = await Corpus.open(${JSON.stringify(path)}, { encoder, readOnly: true });
      parentPort.postMessage(corpus.info().passages);
      parentPort.on('message', async (message) => {
        parentPort.postMessage(corpus.info().passages);
        if (message === 'end') { await corpus.close(); parentPort.close(); }
      });`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
      execArgv: [],
    });
    const next = async (): Promise<number> => ((await once(worker, 'message')) as [number])[0];
    assert.equal(await next(), 5);
    await writer.add(passages(5, 9));
    worker.postMessage('look');
    assert.equal(await next(), 9);
    await writer.compact();
    worker.postMessage('end');
    assert.equal(await next(), 9);
    await once(worker, 'exit');
    assert.equal((await writer.add(passages(9, 10))).added, 1);
    await writer.close();
  });
});
