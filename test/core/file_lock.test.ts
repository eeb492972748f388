// The writer's lock: one holder, in this process and among processes, released by the kernel when
// its holder is killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { binding } from '../../lib/binding.js';
import { AsOfError } from '../../lib/errors.js';
import { temporaryFolder } from '../store/fixtures.js';

const locked = (words: RegExp) => (error: unknown) =>
  AsOfError.is(error) && error.code === 'ERR_CORPUS_LOCKED' && words.test(error.message);

describe('file lock', () => {
  const folder = temporaryFolder();

  it('excludes a second holder in the same process until it is released', () => {
    const path = folder.path('same');
    const first = new binding.FileLock(path);
    assert.ok(first.locked);
    assert.throws(() => new binding.FileLock(path), locked(/a writer in this process/));
    first.release();
    first.release();
    assert.ok(!first.locked);
    new binding.FileLock(path).release();
  });

  it('names the process that holds it, and is free once that process was killed', async () => {
    const path = folder.path('other');
    const module = pathToFileURL(join(import.meta.dirname, '../../lib/binding.ts')).href;
    const script = `const { binding } = await import(${JSON.stringify(module)}); globalThis.lock = new binding.FileLock(${JSON.stringify(path)});
      console.log('held'); setInterval(() => {}, 1000);`;
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    assert.throws(
      () => new binding.FileLock(path),
      locked(new RegExp(`process ${child.pid}\\b.*readOnly`)),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    new binding.FileLock(path).release();
  });

  it('says what is wrong with the path', () => {
    assert.throws(() => new binding.FileLock(folder.path('no', 'folder')), {
      code: 'ERR_NOT_FOUND',
    });
    assert.throws(() => new binding.FileLock(folder.path()), { code: 'ERR_STORAGE' });
    assert.throws(() => new binding.FileLock(undefined as never), { code: 'ERR_INVALID_ARGUMENT' });
  });
});
