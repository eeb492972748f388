// Backups: the newest commit in another folder, while others write, and independent of it after.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lengthEncoder, versionPassage, kept } from './plainPassages.js';
import type { OutputFile } from '../../binding.js';
import type { Snapshot } from '../../lib/store/views/snapshot.js';
import { backUp } from '../../lib/store/backup.js';
import { Corpus } from '../../lib/store/corpus.js';
import { corpusFolder } from '../../lib/store/format/folder.js';
import { readManifest } from '../../lib/store/format/manifest.js';
import {
  contents,
  copiesOf,
  fails,
  hashEncoder,
  isWindows,
  passagesFrom,
  segmentNumbered,
  temporaryFolder,
} from './fixtures.js';

const encoder = hashEncoder();
const moduleAt = (path: string): string =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);

/** Folders in memory, undefined on systems without such a file system. Call it in a describe. */
function memoryFolder(): () => string | undefined {
  const [memory, made] = ['/dev/shm', [] as string[]];
  after(() => made.forEach((path) => rmSync(path, { recursive: true, force: true })));
  return () => {
    if (!existsSync(memory) || statSync(memory).dev === statSync(tmpdir()).dev) return undefined;
    const path = mkdtempSync(join(memory, 'asof-backup-'));
    made.push(path);
    return path;
  };
}

describe('Corpus.backup', () => {
  const folder = temporaryFolder();
  let whole: string;
  let number = 0;
  const copy = copiesOf(folder, () => whole);
  const empty = (): string => folder.path(`backup-${(number += 1)}`);
  /** A folder on another file system, to which nothing can be linked. */
  const elsewhere = memoryFolder();
  const open = (path: string, options = {}) => Corpus.open(path, { encoder, ...options });
  const inodes = (path: string): Map<string, number> =>
    new Map(
      readdirSync(join(path, 'segments')).map((name) => [
        name,
        statSync(join(path, 'segments', name)).ino,
      ]),
    );
  before(async () => {
    whole = folder.path('whole');
    await using corpus = await open(whole);
    await corpus.add(passagesFrom(0, 40), { batchSize: 20 });
    await corpus.add(passagesFrom(5, 8, 1));
    await corpus.delete(['p1', 'p30']);
  });

  it('makes a corpus of the same content, of hard links, from a read-only handle', async () => {
    await using corpus = await open(whole, { readOnly: true });
    const to = empty();
    const seen: number[] = [];
    const counts = await corpus.backup(to, {
      onProgress: ({ done, total }) => seen.push(done / total),
    });
    const files = readdirSync(join(to, 'segments'));
    assert.equal(files.length, 5, 'three segments, two with deletions');
    const { bytes } = corpus.info();
    const tombstones = files
      .filter((name) => name.endsWith('.del'))
      .reduce((sum, name) => sum + statSync(join(to, 'segments', name)).size, 0);
    assert.deepEqual(counts, {
      passages: 38,
      files: 6,
      linked: 5,
      bytes: bytes.total + tombstones,
    });
    assert.deepEqual(inodes(to), inodes(whole));
    assert.equal(seen.at(-1), 1);
    await using backup = await open(to);
    await backup.verify();
    assert.deepEqual(contents(backup), contents(corpus));
    assert.equal(backup.info().generation, corpus.info().generation);
  });

  it('copies bytes to another file system', async function () {
    const to = elsewhere() ?? this.skip();
    await using corpus = await open(whole, { readOnly: true });
    let seen = 0;
    const counts = await corpus.backup(to, { onProgress: ({ done }) => void (seen = done) });
    assert.deepEqual([counts.files, counts.linked], [6, 0]);
    assert.equal(seen + statSync(join(to, 'manifest')).size, counts.bytes);
    await using backup = await open(to);
    await backup.verify();
    assert.deepEqual(contents(backup), contents(corpus));
  });

  it('copies a file that another one has replaced under its name, or a link', async function () {
    if (isWindows) this.skip(); // a right that few users have
    const path = copy();
    const file = segmentNumbered(path, 1);
    renameSync(file, join(path, 'elsewhere.seg'));
    symlinkSync(join(path, 'elsewhere.seg'), file);
    await using corpus = await open(path);
    const to = empty();
    assert.equal((await corpus.backup(to)).linked, 4);
    assert.ok(lstatSync(segmentNumbered(to, 1)).isFile());
    await using backup = await open(to);
    await backup.verify();
    assert.deepEqual(contents(backup), contents(corpus));
  });

  it('writing to the one does not alter the other, linked though they are', async () => {
    const path = copy();
    await using corpus = await open(path);
    const to = empty();
    await corpus.backup(to);
    await using backup = await open(to);
    const before = contents(corpus);
    await corpus.add(passagesFrom(10, 60, 2));
    await corpus.delete(['p2', 'p3']);
    assert.deepEqual(contents(backup), before);
    const changed = contents(corpus);
    await backup.delete(['p0', 'p2', 'p39']);
    await backup.add(passagesFrom(0, 5, 7));
    await backup.compact();
    assert.deepEqual(contents(corpus), changed);
    await corpus.compact();
    await backup.verify();
    await corpus.verify();
    assert.deepEqual(contents(corpus), changed);
    assert.equal(contents(backup).size, 38);
  });

  it('an orphan of the name of new tombstones is replaced, not written to', async () => {
    const path = copy();
    await using corpus = await open(path);
    await corpus.delete(['p2']);
    const to = empty();
    await corpus.backup(to);
    // The manifest of the commit before comes back: its next generation is the backup's.
    const manifest = readManifest(readFileSync(join(path, 'manifest')), path);
    const names = readdirSync(join(path, 'segments'));
    const newest = `-${String(manifest.generation).padStart(6, '0')}-`;
    assert.ok(names.some((name) => name.includes(newest)));
    const bytes = new Map(
      readdirSync(join(to, 'segments')).map((name) => [
        name,
        readFileSync(join(to, 'segments', name)),
      ]),
    );
    writeFileSync(join(path, 'manifest'), readFileSync(join(whole, 'manifest')));
    for (const name of readdirSync(join(whole, 'segments')))
      if (!names.includes(name))
        writeFileSync(join(path, 'segments', name), readFileSync(join(whole, 'segments', name)));
    await corpus.delete(['p2']);
    for (const [name, content] of bytes)
      assert.deepEqual(readFileSync(join(to, 'segments', name)), content, name);
  });

  it('saves derived columns, and does without those that are missing', async () => {
    const path = copy();
    await using corpus = await open(path);
    const spec = {
      key: '0123456789abcdef',
      write: async (_: unknown, { descriptor }: OutputFile) =>
        writeFileSync(descriptor, 'a column'),
    };
    using snapshot = corpus.snapshot();
    await corpus.derive(snapshot, spec).catch(() => {}); // no segment, but it is in the manifest
    const [name] = readdirSync(join(path, 'segments')).filter((each) => each.endsWith('.vec'));
    const [first, second] = [empty(), empty()];
    await corpus.backup(first);
    assert.ok(existsSync(join(first, 'segments', name!)));
    rmSync(join(path, 'segments', name!));
    await corpus.backup(second);
    await using backup = await open(second);
    using of = backup.snapshot();
    assert.deepEqual(of.manifest.derived, []);
    await backup.verify();
  });

  it('takes a newer commit where a merge has removed files of its own', async () => {
    const path = copy();
    await using corpus = await open(path);
    await using other = await open(path);
    await other.add(passagesFrom(50, 55));
    const old = other.snapshot();
    await other.compact();
    let takes = 0;
    const take = (): Snapshot => ((takes += 1) === 1 ? old : corpus.snapshot());
    const to = empty();
    const counts = await backUp(take, corpusFolder(path), corpusFolder(to), {});
    assert.deepEqual([takes, counts.files], [2, 2]);
    await using backup = await open(to);
    await backup.verify();
    assert.deepEqual(contents(backup), contents(corpus));
  });

  it('names a file that is gone for good', async function () {
    if (isWindows) this.skip(); // no mapped file goes
    const path = copy();
    await using corpus = await open(path);
    corpus.refresh();
    rmSync(segmentNumbered(path, 2));
    const to = empty();
    await assert.rejects(
      corpus.backup(to),
      fails('ERR_CORPUS_CORRUPT', /000002-.*\.seg, found none.*repair/),
    );
    assert.deepEqual(readdirSync(join(to, 'segments')), []);
  });

  it('refuses a segment that is shorter than its commit says', async () => {
    const path = copy();
    await using corpus = await open(path);
    corpus.refresh(); // maps it
    const { size } = statSync(segmentNumbered(path, 2));
    truncateSync(segmentNumbered(path, 2), size - 1);
    const to = empty();
    await assert.rejects(
      corpus.backup(to),
      fails('ERR_CORPUS_CORRUPT', new RegExp(`${size} bytes of 000002-.*, found ${size - 1}`)),
    );
    assert.deepEqual(readdirSync(join(to, 'segments')), []);
  });

  it('refuses folders with content, itself and what is in it', async () => {
    const path = copy();
    await using corpus = await open(path);
    const full = empty();
    mkdirSync(full);
    writeFileSync(join(full, 'notes.txt'), 'mine');
    const file = empty();
    writeFileSync(file, '');
    const link = isWindows ? path : empty(); // links are a right there that few users have
    if (!isWindows) symlinkSync(path, link);
    for (const inside of [
      path,
      join(path, 'backup'),
      join(link, 'a', 'b'),
      `${path}/../${basename(path)}`,
    ])
      await assert.rejects(corpus.backup(inside), fails('ERR_INVALID_ARGUMENT', /outside/));
    await assert.rejects(corpus.backup(full), fails('ERR_CORPUS_EXISTS', /found notes\.txt/));
    await assert.rejects(corpus.backup(whole), fails('ERR_CORPUS_EXISTS', /manifest/));
    await assert.rejects(corpus.backup(file), fails('ERR_CORPUS_FOREIGN'));
    await assert.rejects(corpus.backup(join(file, 'x')), fails('ERR_CORPUS_FOREIGN'));
    await assert.rejects(corpus.backup(''), fails('ERR_INVALID_ARGUMENT', /folder/));
    assert.deepEqual(readdirSync(full), ['notes.txt']);
    assert.deepEqual(
      readdirSync(path).sort(),
      readdirSync(whole).sort(),
      'something was left in the corpus',
    );
  });

  it('leaves no corpus where it is aborted or closed, and can be repeated', async function () {
    const to = elsewhere() ?? this.skip();
    const path = copy();
    const corpus = await open(path);
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = corpus.backup(to, { signal, onProgress: () => controller.abort() });
    await assert.rejects(aborted, fails('ERR_ABORTED'));
    assert.deepEqual(readdirSync(to).sort(), ['lock', 'segments']);
    assert.deepEqual(readdirSync(join(to, 'segments')), []);
    const closed = corpus.backup(to, { onProgress: () => void corpus.close() });
    await assert.rejects(closed, fails('ERR_CLOSED'));
    await using again = await open(path);
    assert.equal((await again.backup(to)).passages, 38);
  });

  it('what a killed process leaves is neither a corpus nor overwritten', async () => {
    const path = copy();
    await using corpus = await open(path);
    const to = empty();
    await corpus.backup(to);
    rmSync(join(to, 'manifest')); // it is written last
    await assert.rejects(open(to), fails('ERR_CORPUS_CORRUPT', /without one.*interrupted backup/));
    await assert.rejects(corpus.backup(to), fails('ERR_CORPUS_EXISTS', /interrupted/));
  });

  it('is consistent while another process writes and compacts', async () => {
    const path = folder.path('busy');
    await using corpus = await Corpus.open(path, { encoder: lengthEncoder });
    const passages = (version: number) =>
      Array.from({ length: 20 }, (_, i) => versionPassage(i, version));
    await corpus.add(passages(1));
    const script = `
      const { Corpus } = await import(${moduleAt('../../lib/store/corpus.ts')});
      const { lengthEncoder: encoder, versionPassage } = await import(${moduleAt('./plainPassages.ts')});
      const corpus = await Corpus.open(${JSON.stringify(path)}, { encoder });
      for (let version = 2; ; version += 1) {
        await corpus.add(Array.from({ length: 20 }, (_, i) => versionPassage(i, version)));
        if (version % 3 === 0) await corpus.compact();
        if (version === 3) console.log('writing');
      }`;
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      await once(child.stdout, 'data');
      const generations = new Set<number>();
      for (let round = 0; round < 30; round += 1) {
        const to = (round % 3 === 0 ? elsewhere() : undefined) ?? empty();
        assert.equal((await corpus.backup(to)).passages, 20);
        await using backup = await Corpus.open(to, { encoder: lengthEncoder });
        await backup.verify();
        const found = contents(backup);
        assert.equal(found.size, 20);
        assert.equal(new Set([...found.values()].map(kept)).size, 1, 'of two commits');
        generations.add(backup.info().generation);
        await backup.add(passages(0)); // to be its own master
      }
      assert.ok(generations.size > 5, `${generations.size} commits`);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await corpus.verify();
  });
});
