// Writes under the lock: in turn, freed after each, waiting for as long as given, and none after a
// failure that leaves open what is on disk.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import { AsOfError } from '../../../lib/errors.js';
import { NewFile, renameFile, syncFiles } from '../../../lib/store/format/files.js';
import { fileSystem, useFileSystem } from '../../../lib/store/format/fileSystem.js';
import { corpusFolder } from '../../../lib/store/format/folder.js';
import { ManifestFile } from '../../../lib/store/format/manifestFile.js';
import { WriterLease } from '../../../lib/store/writing/writerLease.js';
import { fails, temporaryFolder } from '../fixtures.js';

describe('WriterLease', () => {
  const system = fileSystem;
  afterEach(() => useFileSystem(system));
  const temporary = temporaryFolder();
  let number = 0;
  const leaseOf = (lockTimeout: number) => {
    const folder = corpusFolder(temporary.path(`lease-${(number += 1)}`));
    mkdirSync(folder.segments, { recursive: true });
    return { folder, lease: new WriterLease(new ManifestFile(folder), folder, { lockTimeout }) };
  };
  const storage = (message: string) => new AsOfError('ERR_STORAGE', message);

  it('holds the lock while work runs and no longer, also where the work fails', async () => {
    const { folder, lease } = leaseOf(0);
    const isFree = (): boolean => {
      try {
        new binding.FileLock(folder.lock).release();
        return true;
      } catch {
        return false;
      }
    };
    assert.equal(await lease.write(undefined, async () => isFree()), false);
    assert.ok(isFree());
    await assert.rejects(
      lease.write(undefined, async () => {
        throw storage('Expected to write a file, the disk is full.');
      }),
      fails('ERR_STORAGE', /full/),
    );
    assert.ok(isFree());
    assert.equal(await lease.write(undefined, async () => 'again'), 'again');
    await lease.close();
  });

  it('waits for the lock, and rejects at once with the signal or after the timeout', async () => {
    const { folder, lease } = leaseOf(Infinity);
    const lock = new binding.FileLock(folder.lock);
    const [stop, waiting] = [new AbortController(), lease.write(undefined, async () => 'done')];
    const stopped = assert.rejects(
      lease.write(stop.signal, async () => 'never'),
      fails('ERR_ABORTED'),
    );
    stop.abort();
    setTimeout(() => lock.release(), 20);
    assert.equal(await waiting, 'done');
    await stopped;
    await lease.close();
    const impatient = leaseOf(5);
    const other = new binding.FileLock(impatient.folder.lock);
    await assert.rejects(
      impatient.lease.write(undefined, async () => 'never'),
      fails('ERR_CORPUS_LOCKED', /this process/),
    );
    assert.equal(
      await impatient.lease.tryWrite(undefined, false, async (writer) => writer),
      undefined,
    );
    other.release();
    await impatient.lease.close();
  });

  for (const operation of ['sync', 'rename'] as const)
    it(`writes no more after a failed ${operation} of names`, async () => {
      const { folder, lease } = leaseOf(0);
      await assert.rejects(
        lease.write(undefined, async () => {
          const file = await NewFile.write(join(folder.segments, 'file'), 'content');
          await syncFiles([file]);
          useFileSystem({ ...system, [operation]: () => assert.fail('EIO') });
          await renameFile(file.path, join(folder.path, 'renamed'));
        }),
        fails('ERR_STORAGE', /EIO/),
      );
      useFileSystem(system);
      await assert.rejects(
        lease.write(undefined, async () => assert.fail('it wrote')),
        fails('ERR_STORAGE', /failed to sync an earlier write.*open it again/),
      );
      // What can do without the lock gets no writer.
      assert.equal(await lease.tryWrite(undefined, false, async (writer) => writer), undefined);
      const again = new WriterLease(new ManifestFile(folder), folder, { lockTimeout: 0 });
      assert.equal(await again.write(undefined, async () => 'opened again'), 'opened again');
      await Promise.all([lease.close(), again.close()]);
    });
});
