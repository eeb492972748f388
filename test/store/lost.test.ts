// Files truncated, removed or damaged while a corpus is open, or before: every call ends with an
// AsOfError and the process survives. damage.test.ts distinguishes the errors; fuzz/ draws random
// damage.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { Corpus } from '../../lib/store/corpus.js';
import { createSystem } from '../../lib/papers/registry.js';
import { encoder, fuzzPassages, makeWhole } from './fuzz/corpora.js';
import { fails, temporaryFolder } from './fixtures.js';

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
  let number = 0;
  before(async () => {
    whole = folder.path('whole');
    const corpus = await Corpus.open(whole, { encoder });
    await corpus.add(fuzzPassages(0, 600));
    await corpus.close();
  });
  const copy = (): string => {
    const path = folder.path(`copy-${(number += 1)}`);
    cpSync(whole, path, { recursive: true });
    return path;
  };
  const catalog = (path: string): string => join(path, 'catalog.mdb');
  const question = { text: 'Which mayor opened the bridge before 1980?' };
  const ask = (corpus: Corpus, name: string): Promise<unknown> =>
    createSystem(name, { corpus }).run(question);

  it('a segment truncated while open fails every search of it, and no other', async () => {
    const [path, other] = [copy(), copy()];
    await using corpus = await Corpus.open(path, { encoder });
    await using neighbour = await Corpus.open(other, { encoder });
    await corpus.delete(['p5']); // else there is nothing to compact
    for (const name of ['dense', 'bm25', 'hybrid']) await ask(corpus, name);
    const file = join(path, 'segments', readdirSync(join(path, 'segments'))[0]!);
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

  it('a catalog truncated while open fails reads, and rejects writes', async function () {
    if (!linux) this.skip();
    const path = copy();
    await using corpus = await Corpus.open(path, { encoder });
    assert.ok(corpus.has('p1'));
    truncateSync(catalog(path), 8192);
    assert.throws(
      () => corpus.get('p17'),
      fails('ERR_CORPUS_CORRUPT', /undamaged catalog .*found damage.*backup/),
    );
    await assert.rejects(ask(corpus, 'dense'), fails('ERR_CORPUS_CORRUPT'));
    await assert.rejects(corpus.add(fuzzPassages(900, 910)), fails('ERR_CORPUS_CORRUPT'));
    assert.throws(() => corpus.info(), fails('ERR_CORPUS_CORRUPT'));
  });

  it(
    'a catalog that was removed or replaced while it is open takes no more writes, since ' +
      'nobody would find them',
    async () => {
      const path = copy();
      await using corpus = await Corpus.open(path, { encoder });
      await corpus.add(fuzzPassages(700, 701));
      renameSync(catalog(path), `${catalog(path)}.old`);
      await assert.rejects(
        corpus.add(fuzzPassages(900, 910)),
        fails('ERR_STORAGE', /was removed while it was open.*put it back/),
      );
      cpSync(catalog(whole), catalog(path));
      await assert.rejects(
        corpus.delete(['p1']),
        fails('ERR_STORAGE', /was replaced while it was open/),
      );
      assert.ok(corpus.has('p1'));
      renameSync(`${catalog(path)}.old`, catalog(path));
      assert.equal(await corpus.delete(['p1']), 1);
      await corpus.verify();
    },
  );

  it('any damaged page of a catalog is rejected, or read without harm', async () => {
    const path = copy();
    const bytes = readFileSync(catalog(path));
    const pages = bytes.length / 4096;
    let refused = 0;
    for (let page = 0; page < pages; page += 1) {
      const other = 4096 * ((page + 7) % pages);
      for (const spoil of [
        (into: Buffer) => into.fill(0),
        (into: Buffer) => into.fill(255),
        (into: Buffer) => bytes.copy(into, 0, other),
      ]) {
        const spoiled = Buffer.from(bytes);
        spoil(spoiled.subarray(4096 * page, 4096 * (page + 1)));
        writeFileSync(catalog(path), spoiled);
        await binding
          .checkLmdbPages(catalog(path), true)
          .catch(fails('ERR_CORPUS_CORRUPT', /page|meta/))
          .then((was) => (refused += was ? 1 : 0));
      }
    }
    // free pages may hold anything, and the later ones of a large value
    assert.ok(refused > pages, `${refused} of ${3 * pages}`);
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
            assert.ok(fails('ERR_STORAGE', /No space left|Input\/output/)(error));
            failures.add(/to commit/.test((error as Error).message) ? 'commit' : 'segment');
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
      const { Corpus } = await import(${JSON.stringify(new URL('../../lib/store/corpus.ts', import.meta.url).href)});
      const open = [];
      try {
        for (;;) open.push(await Corpus.open(${JSON.stringify(folder.path('many'))} + open.length));
      } catch (error) {
        console.log(open.length > 5, error.code, error.message);
      }
      console.log(await open[2].add([{ id: 'a', text: 'One.' }]).catch((error) => error.code), open[1].info().passages);
      for (const each of open) await each.close();`;
    const run = `ulimit -n 150 && exec "$0" --import tsx --input-type=module -e "$1"`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', run, process.execPath, code], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(status, 0, stderr.slice(-500));
    assert.match(stdout, /^true ERR_STORAGE .*too many open files.*(ulimit -n).*\n/);
    assert.match(stdout, /(added: 1|ERR_STORAGE).* 0\n$/s);
  });

  it('the reader table is allocated on disk before it is mapped', async function () {
    if (!linux) this.skip();
    const path = copy();
    rmSync(`${catalog(path)}-lock`, { force: true });
    await using corpus = await Corpus.open(path, { encoder });
    assert.ok(corpus.has('p1'));
    const { size, blocks } = statSync(`${catalog(path)}-lock`);
    assert.ok(
      size >= 65_616 && (blocks * 512 >= size || blocks === 0),
      `${size} bytes, ${blocks} blocks`,
    );
  });

  it('random damage never ends or hangs the process, nor is internal (fuzz/)', async function () {
    this.timeout(120_000);
    const path = mkdtempSync(join(tmpdir(), 'asof-fuzz-'));
    try {
      await makeWhole(path);
      const child = fileURLToPath(new URL('./fuzz/child.ts', import.meta.url));
      const { status, signal, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', 'tsx', child, path, String(seed), '0', '30'],
        { encoding: 'utf8', timeout: 90_000 },
      );
      const found = stdout.split('\n').filter((line) => line.startsWith('FOUND'));
      const last = stdout.split('\n').findLast((line) => line.startsWith('CASE'));
      const said = `${last} ${signal ?? status} ${stderr.slice(-500)} ${found.join('\n')}`;
      assert.ok(status === 0 && found.length === 0, `npm run fuzz:store -- 0 ${seed}: ${said}`);
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });
});
