// Files of the store that have no name, or that lose it while they are mapped.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../../lib/binding.js';
import { mapTemporaryFile } from '../../../lib/store/format/files.js';

describe('temporary files', () => {
  let folder: string;
  const variables = ['TMPDIR', 'TEMP', 'TMP'];
  const outside = variables.map((name) => process.env[name]);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-temporary-'));
    for (const name of variables) process.env[name] = folder;
  });
  after(() => {
    variables.forEach((name, i) => {
      if (outside[i] === undefined) delete process.env[name];
      else process.env[name] = outside[i];
    });
    rmSync(folder, { recursive: true });
  });

  it('are readable while they are mapped, and leave nothing once they are closed', async () => {
    const numbers = Float32Array.of(1, 2, 3);
    const segment = await mapTemporaryFile((file) =>
      binding.writeSegment(file, [{ name: 'numbers', data: numbers }]),
    );
    assert.deepEqual(segment.read('numbers'), numbers);
    segment.close();
    assert.deepEqual(readdirSync(folder), []);
  });
});
