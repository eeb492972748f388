// Files truncated, removed or damaged while a corpus is open, or before: every call ends with an
// AsOfError and the process survives. damage.test.ts distinguishes the errors; fuzz/ draws random
// damage.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Corpus } from '../../lib/store/corpus.js';
import { createSystem } from '../../lib/papers/registry.js';
import { encoder, fuzzPassages, makeWhole } from './fuzz/corpora.js';
import { copiesOf, fails, isWindows, segmentNumbered, temporaryFolder } from './fixtures.js';

const seed = Math.abs(fc.readConfigureGlobal().seed ?? 1) % 1_000_000;
const linux = process.platform === 'linux';

/** A file system of a few MB to fill; undefined where this user may mount none. */
function smallDisk(path: string): string | undefined {
  mkdirSync(path);
  const mounted =
    linux && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', path]).status === 0;
  if (!mounted)
    console.log('        no small file system could be mounted: a full disk is not tried');
  return mounted ? path : undefined;
}

describe('files that are lost', () => {
  const folder = temporaryFolder();
  let whole: string;
  before(async () => {
    whole = folder.path('whole');
    const corpus = await Corpus.open(whole, { encoder });
    await corpus.add(fuzzPassages(0, 600));
    await corpus.close();
  });
  const copy = copiesOf(folder, () => whole);
  const question = { text: 'Which mayor opened the bridge before 1980?' };
  const ask = (corpus: Corpus, name: string): Promise<unknown> =>
    createSystem(name, { corpus }).run(question);

  it('a segment truncated while open fails every search of it, and no other', async function () {
    if (isWindows) this.skip(); // no mapped file can be
    const [path, other] = [copy(), copy()];
    await using corpus = await Corpus.open(path, { encoder });
    await using neighbour = await Corpus.open(other, { encoder });
    await corpus.delete(['p5']); // else there is nothing to compact
    for (const name of ['dense', 'bm25', 'hybrid']) await ask(corpus, name);
    const file = segmentNumbered(path, 1);
    truncateSync(file, 8192);
    const cut = fails(
      'ERR_CORPUS_CORRUPT',
      /could not read a part of it: it was truncated while it was open, or its disk fails/,
    );
    for (const name of ['dense', 'bm25', 'hybrid', 'mrag'])
      await assert.rejects(ask(corpus, name), cut, name);
    await assert.rejects(corpus.verify(), cut);
    await assert.rejects(corpus.compact(), cut);
    using snapshot = neighbour.snapshot();
    await ask(neighbour, 'hybrid');
    assert.equal(snapshot.passage(0, 3).id, snapshot.id(0, 3));
    await neighbour.verify();
    await corpus.close();
    cpSync(join(whole, 'segments'), join(path, 'segments'), { recursive: true }); // from a backup
    await using again = await Corpus.open(path, { encoder });
    await again.verify();
  });

  it('a manifest that is removed or damaged while open fails calls until it is back', async () => {
    const path = copy();
    await using corpus = await Corpus.open(path, { encoder });
    const file = join(path, 'manifest');
    const whole = readFileSync(file);
    for (const [spoil, code, words] of [
      [() => rmSync(file), 'ERR_CORPUS_CORRUPT', /a manifest in .*, found none/],
      [() => writeFileSync(file, whole.subarray(1)), 'ERR_CORPUS_FOREIGN', /none of its/],
    ] as const) {
      spoil();
      assert.throws(() => corpus.get('p17'), fails(code, words));
      await assert.rejects(ask(corpus, 'dense'), fails(code, words));
      await assert.rejects(corpus.delete(['p1']), fails(code, words));
      assert.throws(() => corpus.info(), fails(code, words));
      writeFileSync(file, whole);
      assert.ok(corpus.has('p17'));
    }
    assert.equal(await corpus.delete(['p1']), 1);
    await corpus.verify();
  });

  it(
    'a commit that the disk has no room for fails the call alone: the next one succeeds, ' +
      'and nothing is lost',
    async function () {
      const small = smallDisk(folder.path('small'));
      if (!small) this.skip();
      const path = join(small, 'corpus');
      const rejections: unknown[] = [];
      const note = (error: unknown): void => void rejections.push(error);
      process.on('unhandledRejection', note);
      const fills: string[] = [];
      try {
        await using corpus = await Corpus.open(path, { encoder });
        await corpus.add(fuzzPassages(0, 100));
        assert.throws(() => {
          for (;;) {
            fills.push(join(small, `fill-${fills.length}`));
            writeFileSync(fills.at(-1)!, Buffer.alloc(4096));
          }
        });
        const failures = new Set<string>();
        for (let added = false; !added; ) {
          rmSync(fills.pop()!);
          try {
            await corpus.add([{ id: 'new', text: 'One sentence. Another in 1932.' }]);
            added = true;
          } catch (error) {
            assert.ok(fails('ERR_STORAGE', /no space left|input\/output/i)(error));
            failures.add(/manifest/.test((error as Error).message) ? 'commit' : 'segment');
          }
        }
        assert.deepEqual([...failures], ['segment', 'commit']);
        assert.equal(corpus.info().passages, 101);
        await corpus.verify();
        assert.deepEqual(rejections, []);
      } finally {
        process.off('unhandledRejection', note);
        for (const each of [path, ...fills]) rmSync(each, { recursive: true, force: true });
        spawnSync('umount', [small]);
      }
    },
  );

  it('running out of file handles is an error, and open corpora continue', function () {
    if (process.platform === 'win32') this.skip();
    const code = `
      import { closeSync, openSync } from 'node:fs';
      const { Corpus } = await import(${JSON.stringify(new URL('../../lib/store/corpus.ts', import.meta.url).href)});
      const corpus = await Corpus.open(${JSON.stringify(folder.path('many'))});
      await corpus.add([{ id: 'a', text: 'One.' }]);
      const handles = [];
      try { for (;;) handles.push(openSync('.', 'r')); } catch {}
      const said = async (work) => console.log(await Promise.resolve().then(work).catch((error) => error.code + ' ' + error.message));
      await said(() => corpus.has('a'));
      await said(() => corpus.add([{ id: 'b', text: 'Two.' }]));
      await said(() => Corpus.open(${JSON.stringify(folder.path('other'))}));
      for (const each of handles) closeSync(each);
      await said(async () => (await corpus.add([{ id: 'b', text: 'Two.' }])).added);
      await corpus.verify();
      await corpus.close();`;
    const run = `ulimit -n 150 && exec "$0" --import tsx --input-type=module -e "$1"`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', run, process.execPath, code], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(status, 0, stderr.slice(-500));
    const lines = stdout.trim().split('\n');
    for (const line of lines.slice(0, 3)) assert.match(line, /^ERR_STORAGE .*too many open files/i);
    assert.equal(lines[3], '1');
  });

  it('random damage never ends or hangs the process, nor is internal (fuzz/)', async function () {
    if (isWindows) this.skip(); // it removes mapped files
    const timeout = process.env['ASOF_EMULATED'] ? 3_600_000 : 90_000;
    this.timeout(timeout + 30_000);
    const path = mkdtempSync(join(tmpdir(), 'asof-fuzz-'));
    try {
      await makeWhole(path);
      const child = fileURLToPath(new URL('./fuzz/child.ts', import.meta.url));
      const { status, signal, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', 'tsx', child, path, String(seed), '0', '30'],
        { encoding: 'utf8', timeout },
      );
      const found = stdout.split('\n').filter((line) => line.startsWith('FOUND'));
      const last = stdout.split('\n').findLast((line) => line.startsWith('CASE'));
      const said = `${last} ${signal ?? status} ${stderr.slice(-500)} ${found.join('\n')}`;
      assert.ok(
        status === 0 && found.length === 0,
        `node --import tsx test/store/fuzz/run.ts 0 ${seed}: ${said}`,
      );
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });
});
