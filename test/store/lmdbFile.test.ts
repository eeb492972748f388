// The LMDB file check: accepts every file that LMDB wrote, rejects truncated ones.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'lmdb';
import { checkLmdbFile } from '../../lib/store/lmdbFile.js';
import { fails, temporaryFolder } from './fixtures.js';

describe('the file of the catalog', () => {
  const folder = temporaryFolder();

  it(
    'passes after every commit, whatever was written and deleted, and fails once a page in ' +
      'use is cut off',
    async () => {
      let shorter = 0;
      for (let run = 0; run < 6; run += 1) {
        const path = folder.path(`${run}.mdb`);
        const root = open({ path, noSubdir: true, overlappingSync: false, noSync: true });
        const passages = root.openDB<string, number>('passages', {
          keyEncoding: 'uint32',
          encoding: 'string',
        });
        const ids = root.openDB<Buffer, Buffer>('ids', {
          keyEncoding: 'binary',
          encoding: 'binary',
        });
        let keys: number[] = [];
        for (let step = 0; step < 20; step += 1) {
          const from = step * 1000;
          await root.batch(() => {
            if (step % 2 === 0) {
              for (let i = from; i < from + 300 + 100 * run; i += 1) {
                void passages.put(i, 'x'.repeat((i * 7919) % (i % 5 === 0 ? 9000 : 300)));
                void ids.put(Buffer.from(`${(i * 7919) % 1009} ${i}`), Buffer.alloc(24));
                keys.push(i);
              }
            } else {
              // Most of it is freed: pages allocated in this transaction are freed in it.
              const gone = keys.filter((i) => (i * 31 + run) % 10 !== 0);
              for (const i of gone) {
                void passages.remove(i);
                void ids.remove(Buffer.from(`${(i * 7919) % 1009} ${i}`));
              }
              keys = keys.filter((i) => (i * 31 + run) % 10 === 0);
            }
          });
          assert.equal(await checkLmdbFile(path), 'whole');
        }
        await root.close();
        shorter += await cutShort(path);
      }
      console.log(`        ${shorter} of 6 files could lose pages that were not in use`);
    },
  );

  /**
   * Cuts the file page by page from its end until the check fails; the length before must still
   * open and read in full.
   */
  async function cutShort(path: string): Promise<number> {
    const cut = `${path}.cut`;
    copyFileSync(path, cut);
    let free = 0;
    for (let size = statSync(path).size - 4096; size > 8192; size -= 4096) {
      truncateSync(cut, size);
      try {
        await checkLmdbFile(cut);
      } catch (error) {
        assert.ok(
          fails('ERR_CORPUS_CORRUPT', /beyond the end of the file|longer than its pages/)(error),
        );
        copyFileSync(path, cut);
        truncateSync(cut, size + 4096);
        await readAll(cut);
        return free > 0 ? 1 : 0;
      }
      free += 1;
    }
    throw new Error('no length was refused');
  }

  /** Reads every page in use: one beyond the end of the file would end this process. */
  async function readAll(path: string): Promise<void> {
    const root = open({ path, noSubdir: true, overlappingSync: false, readOnly: true });
    const passages = root.openDB<string, number>('passages', {
      keyEncoding: 'uint32',
      encoding: 'string',
    });
    const ids = root.openDB<Buffer, Buffer>('ids', { keyEncoding: 'binary', encoding: 'binary' });
    let [characters, entries] = [0, 0];
    for (const { value } of passages.getRange({})) characters += value.length;
    for (const { value } of ids.getRange({})) entries += value.length / 24;
    assert.ok(characters > 0 && entries === passages.getKeysCount({}));
    await root.close();
  }

  it('recognises missing, empty and foreign files', async () => {
    assert.equal(await checkLmdbFile(folder.path('none')), 'none');
    writeFileSync(folder.path('empty'), '');
    assert.equal(await checkLmdbFile(folder.path('empty')), 'none');
    writeFileSync(folder.path('text'), 'x'.repeat(10_000));
    await assert.rejects(checkLmdbFile(folder.path('text')), fails('ERR_CORPUS_FOREIGN'));
    assert.ok(existsSync(folder.path('text')));
  });
});
