// TEMPO's parquet files: cut off, damaged, of another kind, in other codecs.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AsOfError } from '../../../../lib/index.js';
import { parquetRows } from '../../../documents/lib/parquet.js';
import { copiedFolder, idsOf, parquetFolder } from './data.js';

describe('readTempo of parquet files', () => {
  const { at, read, refuses } = copiedFolder();
  beforeEach(() => cpSync(parquetFolder, at('.'), { recursive: true }));
  const broken = async (message: RegExp): Promise<void> =>
    refuses('ERR_INVALID_INPUT', message, { domains: ['law'] });

  it('refuses one that is cut off, wherever', async () => {
    const whole = readFileSync(at('examples/law.parquet'));
    for (const length of [0, 3, 40, 1000, whole.length - 20, whole.length - 1]) {
      writeFileSync(at('examples/law.parquet'), whole);
      truncateSync(at('examples/law.parquet'), length);
      await broken(
        /examples\/law\.parquet to be a (?:whole )?parquet file, received .*\. Fetch it again\./s,
      );
    }
  });

  it('refuses one whose bytes were changed, or reads what they say', async () => {
    const whole = readFileSync(at('documents/law.parquet'));
    for (let place = 4; place < whole.length - 8; place += 331) {
      const damaged = Buffer.from(whole);
      damaged[place] = damaged[place]! ^ 0xff;
      writeFileSync(at('documents/law.parquet'), damaged);
      await read({ domains: ['law'] })
        .then((data) => idsOf(data))
        .catch((fault: AsOfError) => assert.equal(fault.code, 'ERR_INVALID_INPUT', fault.message));
    }
  });

  it('rejects a Git LFS pointer, text, and the file of another part', async () => {
    writeFileSync(
      at('documents/law.parquet'),
      'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n',
    );
    await broken(/received a Git LFS pointer. .*git lfs pull/);
    writeFileSync(at('documents/law.parquet'), '{"id":"a","content":"b"}\n');
    await broken(/received another kind of file/);
    cpSync(at('documents/travel.parquet'), at('examples/law.parquet'));
    await broken(/law\.parquet: Expected the columns id, query, gold_ids, received id, content/);
  });

  it('reads other codecs by hyparquet-compressors, and several row groups in order', async () => {
    const read = async (file: string): Promise<unknown[]> => {
      const found: unknown[] = [];
      for await (const { record, where } of parquetRows(file, {
        needed: ['id'],
        optional: ['content', 'other'],
      }))
        found.push([where.line, record]);
      return found;
    };
    const rows = await read(join(parquetFolder, '../lawZstd.parquet'));
    assert.equal(rows.length, 12);
    assert.deepEqual(rows, await read(join(parquetFolder, 'documents/law.parquet')));
    assert.deepEqual((rows[11] as [number])[0], 12);
  });
});
