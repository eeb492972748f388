// Documents of folders, globs and files, as a program adds them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failsWith } from '../../../test/failsWith.js';
import { InputReport, readDocuments } from '../lib/index.js';

describe('readDocuments', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-documents-'));
    writeFileSync(join(folder, '2024-05-06.md'), '# Leave\n\nTen weeks.');
    writeFileSync(join(folder, 'rows.jsonl'), '{"id":"a","text":"Ann led."}\n{"id":"b"}\n');
    writeFileSync(join(folder, 'plan.pdf'), '%PDF-1.4');
  });
  after(() => rmSync(folder, { recursive: true }));

  async function ids(...[sources, options]: Parameters<typeof readDocuments>): Promise<string[]> {
    const found: string[] = [];
    for await (const { id } of readDocuments(sources, options)) found.push(id);
    return found;
  }

  it('reads folders, globs and files, with a report', async () => {
    const report = new InputReport();
    const faults: unknown[] = [];
    const onFault = (fault: Error): void => void faults.push(fault.message);
    const found = await ids([folder, join(folder, '*.md')], { report, onFault });
    assert.deepEqual(found.slice(0, 2), ['2024-05-06.md#0', 'a']);
    assert.equal(found.length, 3);
    assert.equal(faults.length, 1);
    assert.deepEqual([report.passages, report.dates.file_name], [3, 2]);
    assert.deepEqual([...report.skipped], [['pdf', 1]]);
  });

  it('throws a fault that nothing receives', () =>
    assert.rejects(ids(folder), failsWith('ERR_INVALID_INPUT', /rows\.jsonl:2/)));
});
