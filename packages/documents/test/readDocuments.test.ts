// Documents of folders, globs and files, as a program adds them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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
    writeFileSync(join(folder, 'plan.docx'), 'PK');
    writeFileSync(join(folder, 'plan.png'), '');
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
    assert.match(String(faults[0]), /plan\.docx.* Convert it/);
    assert.match(String(faults[1]), /rows\.jsonl:2/);
    assert.deepEqual([report.passages, report.dates.file_name], [3, 2]);
    assert.deepEqual([...report.skipped], [['png', 1]]);
    assert.deepEqual(report.documents.get('2024-05-06.md'), { chunks: 1, date: 'file_name' });
  });

  it('cuts documents at the given size', async () => {
    assert.equal((await ids(join(folder, '2024-05-06.md'), { maxTokens: 3 })).length, 2);
  });

  it('takes documents in memory, with a date', async () => {
    const content = Buffer.from('---\ndate: 2020-01-01\n---\nText.');
    const given = { path: '2021-01-01.md', id: 'm', format: 'markdown', content } as const;
    const report = new InputReport();
    const file = { ...given, bytes: content.length, publishedAt: '2024-05-06' };
    for await (const { id, publishedAt } of readDocuments([file], { report, undated: 'git' }))
      assert.deepEqual([id, publishedAt], ['m#0', '2024-05-06']);
    assert.deepEqual([...report.documents], [['m', { chunks: 1, date: 'given' }]]);
  });

  it('throws a fault that nothing receives', () =>
    assert.rejects(ids(folder), failsWith('ERR_INVALID_INPUT', /plan\.docx/)));

  describe('of documents without a date', () => {
    let notes: string;
    const note = (name: string): string => join(notes, name);
    beforeEach(() => {
      notes = mkdtempSync(join(tmpdir(), 'asof-notes-'));
      writeFileSync(note('a (1).md'), 'Text.');
    });
    afterEach(() => rmSync(notes, { recursive: true }));

    /** The source of each date, and the dates. */
    async function dated(undated: 'git' | 'mtime'): Promise<[Record<string, string>, unknown[]]> {
      const report = new InputReport();
      const times: unknown[] = [];
      for await (const { publishedAt } of readDocuments(notes, { undated, report }))
        times.push(publishedAt);
      const sources = [...report.documents].map(([id, { date }]) => [id, date]);
      return [Object.fromEntries(sources) as Record<string, string>, times];
    }

    it('takes the last change of the file', async () => {
      utimesSync(note('a (1).md'), 1, Date.parse('2024-05-06') / 1000);
      const expected = [{ 'a (1).md': 'mtime' }, [Date.parse('2024-05-06')]];
      assert.deepEqual(await dated('mtime'), expected);
    });

    it('takes the last commit of the file, where it has one', async () => {
      assert.deepEqual(await dated('git'), [{ 'a (1).md': 'none' }, [undefined]]);
      const person = Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap((who) => [
          [`GIT_${who}_NAME`, 'Ann'],
          [`GIT_${who}_EMAIL`, 'ann@example.org'],
          [`GIT_${who}_DATE`, '2023-02-01T12:00:00Z'],
        ]),
      );
      const env = { ...process.env, ...person };
      for (const command of ['init -q', 'add .', 'commit -q -m Add'])
        execFileSync('git', command.split(' '), { cwd: notes, env });
      writeFileSync(note('2022-01-01.md'), 'Text.');
      writeFileSync(note('new.md'), 'Text.');
      const [sources, times] = await dated('git');
      assert.deepEqual(sources, {
        '2022-01-01.md': 'file_name',
        'a (1).md': 'git',
        'new.md': 'none',
      });
      assert.equal(times[1], Date.parse('2023-02-01T12:00:00Z'));
    });

    it('refuses another source', () =>
      assert.rejects(
        ids(notes, { undated: 'ctime' as 'git' }),
        failsWith('ERR_INVALID_ARGUMENT', /'git' or 'mtime'/),
      ));
  });
});
