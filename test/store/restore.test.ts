// Restore: what a backup holds as the next commit of a corpus, under handles that go on.
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { binding } from '../../lib/binding.js';
import type { StoredPassage } from '../../lib/records.js';
import { Corpus } from '../../lib/store/corpus.js';
import { fileSystem, useFileSystem } from '../../lib/store/format/fileSystem.js';
import { filesOf, readManifest } from '../../lib/store/format/manifest.js';
import { repairCorpus } from '../../lib/store/repair/repair.js';
import { bm25 } from '../../lib/systems/baselines.js';
import {
  contents,
  copiesOf,
  fails,
  hashEncoder,
  passagesFrom,
  segmentNumbered,
  temporaryFolder,
} from './fixtures.js';

const encoder = hashEncoder();

describe('Corpus.restore', () => {
  const folder = temporaryFolder();
  let [whole, backup, number] = ['', '', 0];
  let truth: Map<string, StoredPassage>;
  const fresh = (): string => folder.path(`folder-${(number += 1)}`);
  const open = (path: string, options = {}): Promise<Corpus> =>
    Corpus.open(path, { encoder, ...options });
  const copy = copiesOf(folder, () => whole);
  const manifestOf = (path: string) => readManifest(readFileSync(join(path, 'manifest')), path);

  const newestSegment = (path: string): string =>
    join(path, 'segments', manifestOf(path).segments.at(-1)!.id + '.seg');

  /** A corpus, and a backup of what it held two writes ago. */
  before(async () => {
    [whole, backup] = [fresh(), fresh()];
    await using corpus = await open(whole);
    await corpus.add(passagesFrom(0, 20));
    await corpus.add(passagesFrom(5, 8, 1));
    await corpus.delete(['p1', 'p2']);
    await corpus.backup(backup);
    truth = contents(corpus);
    await corpus.add(passagesFrom(10, 30, 1));
    await corpus.compact();
  });

  async function check(path: string): Promise<void> {
    await using corpus = await open(path);
    await corpus.verify();
    assert.deepEqual(contents(corpus), truth);
    await corpus.delete(['none']); // the first write removes orphans
    const named = filesOf(manifestOf(path)).sort();
    assert.deepEqual(readdirSync(join(path, 'segments')).sort(), named);
  }

  it('is a commit to open handles, and leaves what they hold', async () => {
    const path = copy();
    await using reader = await open(path, { readOnly: true });
    await using writer = await open(path);
    const newer = contents(reader);
    using held = reader.snapshot();
    const { generation } = reader.info();
    const counts = await Corpus.restore(path, backup);
    assert.deepEqual(counts, { passages: truth.size, continued: true });
    assert.ok(reader.refresh() > generation);
    assert.deepEqual(contents(reader), truth);
    assert.deepEqual(contents(writer), truth);
    assert.equal([...held.livePassages()].length, newer.size);
    held.record(held.find('p29')!);
    const { evidence } = await bm25({ corpus: reader }).run({ text: 'bridge' }, { k: 100 });
    assert.ok(evidence.every(({ id }) => truth.has(id)));
    assert.deepEqual(await writer.add(passagesFrom(0, 3)), { added: 2, replaced: 0, unchanged: 1 });
    await writer.compact();
    await reader.verify();
    assert.equal(contents(reader).size, truth.size + 2);
    await using of = await open(backup);
    await of.verify();
    assert.deepEqual(contents(of), truth);
  });

  it('restores again, and what is there already', async () => {
    const path = copy();
    for (let round = 0; round < 3; round += 1) {
      await Corpus.restore(path, backup);
      await check(path);
    }
  });

  it('makes a new corpus in a new or empty folder', async () => {
    const [path, empty] = [join(fresh(), 'below'), fresh()];
    mkdirSync(empty);
    for (const each of [path, empty]) {
      const counts = await Corpus.restore(each, backup);
      assert.deepEqual(counts, { passages: truth.size, continued: false });
      await check(each);
      assert.notEqual(manifestOf(each).id, manifestOf(backup).id);
    }
  });

  it('takes the place of what is damaged', async () => {
    const damages: Record<string, (path: string) => void> = {
      'a wrong bit in a segment of both'(path) {
        const shared = join(path, 'segments', basename(segmentNumbered(backup, 1)));
        cpSync(segmentNumbered(backup, 1), shared);
        const bytes = readFileSync(shared);
        bytes[bytes.length >> 1]! ^= 4;
        writeFileSync(shared, bytes);
      },
      'a segment cut short': (path) => truncateSync(newestSegment(path), 1000),
      'a segment missing': (path) => rmSync(newestSegment(path)),
      'a manifest of another program': (path) => writeFileSync(join(path, 'manifest'), 'none'),
      'a manifest with a wrong bit'(path) {
        const bytes = readFileSync(join(path, 'manifest'));
        bytes[bytes.length - 9]! ^= 1;
        writeFileSync(join(path, 'manifest'), bytes);
      },
      'no manifest': (path) => rmSync(join(path, 'manifest')),
    };
    for (const [what, damage] of Object.entries(damages)) {
      const path = copy();
      damage(path);
      const { continued } = await Corpus.restore(path, backup);
      assert.equal(continued, !what.includes('manifest'), what);
      await check(path);
    }
  });

  it('leaves a damaged manifest, which can be repaired, where it fails', async () => {
    const path = copy();
    const bytes = readFileSync(join(path, 'manifest'));
    bytes[bytes.length - 9]! ^= 1;
    writeFileSync(join(path, 'manifest'), bytes);
    const system = fileSystem;
    const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    useFileSystem({
      ...system,
      rename() {
        throw full;
      },
    });
    try {
      await assert.rejects(Corpus.restore(path, backup), fails('ERR_STORAGE', /ENOSPC/));
    } finally {
      useFileSystem(system);
    }
    assert.deepEqual(readFileSync(join(path, 'manifest')), bytes);
    const { damage } = await repairCorpus(path, fresh(), { encoder });
    assert.equal(damage[0]!.outcome, 'corrected');
  });

  it('tells handles of a corpus of other settings to open it again', async () => {
    const path = fresh();
    await using other = await open(path, { sentences: false });
    await other.add(passagesFrom(0, 3));
    assert.deepEqual(await Corpus.restore(path, backup), {
      passages: truth.size,
      continued: false,
    });
    assert.throws(() => other.has('p0'), fails('ERR_CORPUS_REPLACED'));
    await check(path);
  });

  it('restores the fields, under handles that go on', async () => {
    const path = fresh();
    await using corpus = await open(path, { fields: { number: 'number' } });
    await corpus.add(passagesFrom(0, 9));
    const [before, where] = [fresh(), { number: 4 }];
    await corpus.backup(before);
    await corpus.alterFields({ drop: ['number'] });
    await assert.rejects(corpus.count({ where }), fails('ERR_INVALID_ARGUMENT', /number/));
    assert.equal((await Corpus.restore(path, before)).continued, true);
    assert.equal(await corpus.count({ where }), 1);
  });

  it('changes nothing where the backup is damaged, missing or in the way', async () => {
    const path = copy();
    const files = (): string[] => readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
    const named = files();
    const damaged = fresh();
    cpSync(backup, damaged, { recursive: true });
    const bytes = readFileSync(segmentNumbered(damaged, 1));
    bytes[bytes.length >> 1]! ^= 4;
    writeFileSync(segmentNumbered(damaged, 1), bytes);
    const foreign = fresh();
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'notes.txt'), '');
    const missing = fresh();
    const refusals = [
      [path, damaged, fails('ERR_CORPUS_CORRUPT')],
      [path, missing, fails('ERR_NOT_FOUND')],
      [path, path, fails('ERR_INVALID_ARGUMENT')],
      [join(backup, 'x'), backup, fails('ERR_INVALID_ARGUMENT')],
      [foreign, backup, fails('ERR_CORPUS_EXISTS', /notes\.txt/)],
    ] as const;
    for (const [to, from, refused] of refusals)
      await assert.rejects(Corpus.restore(to, from), refused);
    await assert.rejects(
      Corpus.restore(path, backup, { signal: AbortSignal.abort() }),
      fails('ERR_ABORTED'),
    );
    const lock = new binding.FileLock(join(path, 'lock'));
    await assert.rejects(
      Corpus.restore(path, backup, { lockTimeout: 20 }),
      fails('ERR_CORPUS_LOCKED'),
    );
    lock.release();
    const stop = new AbortController();
    const stopped = Corpus.restore(path, backup, {
      signal: stop.signal,
      onProgress: ({ done, total }) => void (done === total && total > 1e4 && stop.abort()),
    });
    await assert.rejects(stopped, fails('ERR_ABORTED'));
    assert.deepEqual(files(), named);
    assert.ok(!existsSync(missing));
    assert.deepEqual(readdirSync(foreign), ['notes.txt']);
    await using corpus = await open(path);
    await corpus.verify();
  });
});
