// Folders that somebody made to harm who opens them: links out of the corpus, pipes in place of
// files, files without end.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Corpus } from '../../lib/store/corpus.js';
import { newSegmentId } from '../../lib/store/format/manifest.js';
import {
  contents,
  copiesOf,
  fails,
  isWindows,
  hashEncoder,
  passagesFrom,
  temporaryFolder,
} from './fixtures.js';

const encoder = hashEncoder();

describe('a corpus of somebody else', () => {
  const folder = temporaryFolder();
  const whole = (): string => folder.path('whole');
  const copy = copiesOf(folder, whole);
  let number = 0;

  /** A file outside any corpus, which nobody may change. */
  const victim = (): string => {
    const path = folder.path(`victim-${(number += 1)}`);
    writeFileSync(path, 'precious');
    return path;
  };

  before(async () => {
    await using corpus = await Corpus.open(whole(), { encoder });
    await corpus.add(passagesFrom(0, 20));
    await corpus.delete(['p3']);
  });

  async function use(path: string): Promise<void> {
    await using corpus = await Corpus.open(path, { encoder });
    await corpus.add(passagesFrom(30, 31));
    await corpus.delete(['p4']);
    await corpus.compact();
    contents(corpus);
  }

  it('writes no file that a link names', async function () {
    if (isWindows) this.skip(); // a right that few users have
    // Names of segments are random: nobody can have made a link of one before.
    for (const name of ['lock', 'manifest.next']) {
      const [path, target] = [copy(), victim()];
      rmSync(join(path, name), { force: true });
      symlinkSync(target, join(path, name));
      if (name === 'lock') await assert.rejects(use(path), fails('ERR_STORAGE', /lock/));
      else await use(path);
      assert.equal(readFileSync(target, 'utf8'), 'precious', name);
    }
  });

  it('opens no corpus whose segments are a link, and removes nothing there', async function () {
    if (isWindows) this.skip();
    const [path, elsewhere] = [copy(), folder.path('elsewhere')];
    renameSync(join(path, 'segments'), elsewhere);
    writeFileSync(join(elsewhere, `${newSegmentId(999_999)}.seg`), 'precious');
    symlinkSync(elsewhere, join(path, 'segments'));
    const before = readdirSync(elsewhere);
    await assert.rejects(use(path), fails('ERR_CORPUS_FOREIGN', /link/));
    assert.deepEqual(readdirSync(elsewhere), before);
  });

  it('removes no file that is none of its own', async () => {
    const path = copy();
    const [file, folderOfIt] = [newSegmentId(77), newSegmentId(78)].map((id) =>
      join(path, 'segments', `${id}.seg`),
    ) as [string, string];
    const names = [
      'notes.txt',
      `${basename(file)}.bak`,
      '1.seg',
      '000001.seg',
      `x${basename(file)}`,
    ];
    for (const name of names) writeFileSync(join(path, 'segments', name), 'precious');
    writeFileSync(file, 'an orphan');
    mkdirSync(folderOfIt);
    await use(path);
    for (const name of names) assert.ok(existsSync(join(path, 'segments', name)), name);
    assert.ok(!existsSync(file));
  });

  it('hangs at no pipe and at no file without end', async function () {
    if (isWindows) this.skip(); // it has neither
    const files = readdirSync(join(whole(), 'segments')).map((name) => join('segments', name));
    for (const name of ['manifest', ...files]) {
      const [pipe, endless] = [copy(), copy()];
      for (const path of [pipe, endless]) rmSync(join(path, name));
      execFileSync('mkfifo', [join(pipe, name)]);
      symlinkSync('/dev/zero', join(endless, name));
      for (const path of [pipe, endless])
        await assert.rejects(use(path), {
          code: /^ERR_(?:CORPUS_CORRUPT|CORPUS_FOREIGN|STORAGE)$/,
        });
    }
  });
});
