// asof index of documents and tables: folders, globs, formats, ids, dates and their sources, faults
// by file and line, and documents that change.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { argv, asof } from '../../../../test/cli/spawn.js';
import { pdfOf } from '../pdf.js';
import { assertEach } from '../../../../test/assertEach.js';

interface Report {
  added: number;
  replaced: number;
  unchanged: number;
  removed: number;
  files: number;
  documents: number;
  dates: Record<string, number>;
  skipped: Record<string, number>;
  rejected: number;
  faults: { file: string; line?: number; message: string }[];
}

const noDates = { given: 0, pdf: 0, git: 0, mtime: 0 };

describe('asof index of documents', () => {
  let folder: string;
  let docs: string;
  const write = (path: string, content: string | Uint8Array): string => {
    const file = join(docs, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-index-'));
    docs = join(folder, 'docs');
    mkdirSync(docs);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function index(...paths: string[]): Promise<Report & { code: number | null }> {
    const { code, stdout, stderr } = await asof(argv`
      index ${join(folder, 'c.asof')} ${paths} --json
    `);
    assert.notEqual(stdout, '', stderr);
    return { code, ...(JSON.parse(stdout) as Report) };
  }
  async function get(...ids: string[]): Promise<Record<string, unknown>[]> {
    const { stdout } = await asof(['get', join(folder, 'c.asof'), ...ids]);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it('reads a folder of every format, with the source of each date', async () => {
    write('a/note.md', '---\ndate: 2024-05-06\n---\n# Note\n\nThe mill burned.\n');
    write('a/page.HTML', '<meta name="date" content="2024-05-07"><h1>Page</h1><p>It rained.');
    write('2024-05-08.txt', 'The harbour opened.');
    write('plain.txt', 'Published on 9 May 2024.\n\nA bridge fell.');
    write('undated.text', 'A dam.');
    write('rows.jsonl', '{"id":"j","text":"Ann led.","published_at":"2020-01-01"}\n');
    write('rows.csv', 'id,text,published_at,team\nc,"Bo, led.",2021-01-01,red\nd,Cleo left.,,\n');
    write('rows.tsv', 'id\ttext\tmetadata\nt\tDan wrote.\t"{""n"": 1}"\n');
    write('.hidden.md', 'no');
    write('node_modules/x.md', 'no');
    write('image.png', 'no');
    const report = await index(docs);
    assert.deepEqual(
      [report.code, report.added, report.files, report.documents, report.rejected],
      [0, 9, 8, 5, 0],
    );
    assert.deepEqual(report.dates, {
      ...noDates,
      front_matter: 1,
      html: 1,
      file_name: 1,
      text: 1,
      none: 1,
    });
    const passages = await get('a/note.md#0', 'a/page.HTML#0', '2024-05-08.txt#0', 'c', 'd', 't');
    assert.deepEqual(
      passages.map((each) => [each['published_at'], each['title'], each['metadata']]),
      [
        ['2024-05-06', 'Note', undefined],
        ['2024-05-07', 'Page', undefined],
        ['2024-05-08', undefined, undefined],
        ['2021-01-01', undefined, { team: 'red' }],
        [undefined, undefined, undefined],
        [undefined, undefined, { n: 1 }],
      ],
    );
    assert.deepEqual(passages[0]!['chunk'], {
      parent: 'a/note.md',
      start: 25,
      end: 49,
      headings: ['Note'],
    });
  });

  it('reports what it cannot read of a folder, and counts what is no document', async () => {
    write('note.md', 'The mill burned.');
    write('plan.pdf', pdfOf([['The dam broke.']]));
    const docx = write('a/plan.docx', 'PK');
    write('LICENSE', 'MIT');
    write('a.png', 'no');
    const report = await index(docs);
    assert.deepEqual(
      [report.code, report.added, report.skipped, report.faults.map(({ file }) => file)],
      [1, 2, { '': 1, 'png': 1 }, [docx]],
    );
    const args = ['index', join(folder, 'c.asof')];
    assert.match(
      (await asof([...args, docs])).stdout,
      /2 files of no known format: 1 without ending, 1 \.png/,
    );
    const { code, stderr } = await asof([...args, docx]);
    assert.equal(code, 1);
    assert.match(stderr, /received .*plan\.docx\. Convert it to PDF, HTML or Markdown/);
  });

  it('dates what gives no date by the last change where it is told to', async () => {
    utimesSync(write('x.md', 'Text.'), 1, Date.parse('2024-05-06') / 1000);
    const { stdout } = await asof(['index', join(folder, 'c.asof'), docs, '--undated', 'mtime']);
    assert.match(stdout, /1 document, dates: 1 from files\n$/);
    assert.equal((await get('x.md#0'))[0]!['published_at'], '2024-05-06');
    const wrong = await asof(['index', join(folder, 'c.asof'), docs, '--undated', 'ctime']);
    assert.match(wrong.stderr, /'git' or 'mtime'/);
  });

  it('reads Parquet, whose other columns are metadata', async () => {
    // By hyparquet-writer: id INT64, published_at TIMESTAMP, two rows.
    copyFileSync('packages/documents/test/rows.parquet', join(docs, 'rows.parquet'));
    copyFileSync(
      'packages/evaluation/test/tempo/corpusParquet/steps/law.parquet',
      join(docs, 'steps.parquet'),
    );
    const report = await index(docs);
    assert.deepEqual([report.code, report.added, report.rejected], [1, 2, 1]);
    assert.match(
      report.faults[0]!.message,
      /steps\.parquet: Expected the columns id, text, received/,
    );
    assert.deepEqual(await get('1', '2'), [
      { id: '1', text: 'Ann led.', published_at: '2020-01-01', metadata: { team: 'red' } },
      { id: '2', text: 'Bo left.' },
    ]);
  });

  it('answers with the place of a chunk, and its neighbours', async () => {
    const paragraphs = Array.from(
      { length: 30 },
      (_, n) => `## Year ${1990 + n}\n\nAnn Lee ran mill ${n}.`,
    );
    write('mills.md', `# Mills\n\n${paragraphs.join('\n\n')}`);
    write('other.md', 'Bo Dahl ran mill 12 later.');
    await index(docs);
    const args = ['ask', join(folder, 'c.asof'), 'Who ran mill 12?', '--json', '-k', '2'];
    const { stdout } = await asof([...args, '--per-document', '--neighbours', '1', '-s', 'bm25']);
    const { evidence } = JSON.parse(stdout) as {
      evidence: {
        id: string;
        chunk: { parent: string; headings?: string[] };
        neighbours: { id: string }[];
      }[];
    };
    assert.deepEqual(evidence.map(({ chunk }) => chunk.parent).sort(), ['mills.md', 'other.md']);
    const mills = evidence.find(({ chunk }) => chunk.parent === 'mills.md')!;
    assert.equal(mills.id, 'mills.md#12');
    assert.deepEqual(mills.chunk.headings, ['Mills', 'Year 2002']);
    assertEach(mills.neighbours, ({ id }) => id, ['mills.md#11', 'mills.md#13']);
  });

  it('replaces a document that became shorter, and keeps others', async () => {
    const section = (n: number): string => `# Part ${n}\n\nText of part ${n}.\n\n`;
    write('long.md', [1, 2, 3, 4].map(section).join(''));
    write('other.md', section(9));
    write('mine.jsonl', '{"id":"long.md#4","text":"A passage of my own."}\n');
    assert.equal((await index(docs)).added, 6);
    const file = write('long.md', section(1) + section(2));
    const again = await index(docs);
    assert.deepEqual([again.added, again.replaced, again.unchanged, again.removed], [0, 0, 4, 2]);
    writeFileSync(file, '');
    assert.equal((await index(docs)).removed, 2);
    const [mine, other] = await get('long.md#4', 'other.md#0');
    assert.deepEqual([mine!['id'], other!['id']], ['long.md#4', 'other.md#0']);
  });

  it('what it prints by get is read again as the same passages', async () => {
    write('a.md', '# A\n\nText.');
    await index(docs);
    const { stdout } = await asof(['get', join(folder, 'c.asof'), 'a.md#0']);
    const again = await asof(['index', join(folder, 'c.asof'), '-', '--json'], { input: stdout });
    assert.equal((JSON.parse(again.stdout) as Report).unchanged, 1);
  });

  it('names files and globs by their paths, each once', async () => {
    const paths = ['b/x.md', 'c/x.md', 'c/d/y.txt', 'c/z.html'].map((path) => write(path, 'Text.'));
    const from = relative('.', docs);
    const report = await index(paths[0]!, `${from}/**/*.{md,txt}`);
    assert.deepEqual([report.added, report.rejected], [3, 1]);
    assert.match(report.faults[0]!.message, /b\/x\.md:1: Expected each document once/);
    const missing = await asof(['index', join(folder, 'n.asof'), `${from}/*.txt`]);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /Expected files that match .*\*\.txt .*found none/);
    const empty = await asof(['index', join(folder, 'n.asof'), join(folder, 'c.asof', 'segments')]);
    assert.match(empty.stderr, /Expected corpus\.jsonl or files that end in jsonl, .*found none/);
  });

  it('reports faults by file and line, and stores the rest', async () => {
    write('bad.md', '---\na: 1\ndate: soon\n---\nText.');
    write('bad.csv', 'id,text\nx,"open\n');
    write('bad2.csv', 'name,text\nx,y\nz,w\n');
    write('bad.txt', Buffer.from([0x61, 0x0a, 0xff]));
    write('bad.parquet', 'PAR1');
    truncateSync(write('large.html', ''), 65 * 2 ** 20);
    write('good.md', 'Text.');
    symlinkSync('..', join(docs, 'loop'));
    symlinkSync('nowhere', join(docs, 'broken.md'));
    execFileSync('mkfifo', [join(docs, 'pipe.txt')]);
    const { code, added, faults } = await index(docs);
    assert.deepEqual([code, added], [1, 1]);
    assert.deepEqual(
      faults.map(({ file, line }) => [relative(docs, file), line]),
      [
        ['broken.md', undefined],
        ['bad.csv', 2],
        ['bad.md', 3],
        ['bad.parquet', undefined],
        ['bad.txt', 2],
        ['bad2.csv', 1],
        ['large.html', undefined],
      ],
    );
    assert.match(faults[5]!.message, /columns id and text .* received name, text/);
  });

  it('prints how many documents have their date from where', async () => {
    write('2024-05-06.md', 'Text.');
    write('x.md', 'Text.');
    const { stdout } = await asof(['index', join(folder, 'c.asof'), docs]);
    assert.match(stdout, /2 added, .*\n2 documents, dates: 1 from file names, 1 without\n$/);
  });
});
