// Documents from Markdown, HTML and text files: text, headings, times with their source, faults.
import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { readHtml } from '../lib/html.js';
import { joinSoftBreaks, markdownBlocks } from '../lib/markdownBlocks.js';
import { joinWrappedLines } from '../lib/plainText.js';
import { readBytes, readDocument, type DocumentFormat } from '../lib/read.js';
import { failsWith } from '../../../test/failsWith.js';
import { markdown } from './documents.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { assertEach } from '../../../test/assertEach.js';

describe('documents from files', () => {
  const folder = temporaryFolder();

  const endings: Record<string, DocumentFormat> = { md: 'markdown', html: 'html', txt: 'text' };
  const read = (name: string, content: string | Uint8Array) =>
    readDocument({
      path: folder.path(name),
      id: name,
      format: endings[name.split('.').at(-1)!]!,
      bytes: Buffer.from(content),
    });
  const day = (iso: string): number => Date.parse(iso);

  describe('front matter', () => {
    it('gives title, times and metadata, and is in no chunk', async () => {
      const source =
        '---\ntitle: "Leave"\ndate: 2024-05-06\nupdated: 2024-06-01 12:00\nvalid_to: 2024\n' +
        'tags: [a, b]\n---\n# Leave\n\nTen weeks.\n';
      const { passages, dateSource } = await read('front.md', source);
      assert.equal(dateSource, 'front_matter');
      assert.deepEqual(passages, [
        {
          id: 'front.md#0',
          text: '# Leave\n\nTen weeks.',
          title: 'Leave',
          publishedAt: day('2024-05-06'),
          validTo: '2024',
          metadata: { tags: ['a', 'b'], updated_at: day('2024-06-01T12:00Z') },
          chunk: { parent: 'front.md', start: 94, end: 113, headings: ['Leave'] },
        },
      ]);
      assert.equal(source.slice(94, 113), passages[0]!.text);
    });

    for (const [written, expected] of [
      ['date: 2024-05-06T10:00:00+02:00', '2024-05-06T08:00Z'],
      ['date: 2024-05-06 10:00:00 +0200', '2024-05-06T08:00Z'],
      ['published: 20240506', '2024-05-06'],
      ['created: "6 May 2024"', '2024-05-06'],
      ['date: 2024', '2024-01-01'],
      ['lastmod: 2024-05-06', '2024-05-06'],
      ['date:\nupdated: 2024-05-06', '2024-05-06'],
    ] as const)
      it(`reads ${JSON.stringify(written)}`, async () => {
        const { passages } = await read('dates.md', `---\n${written}\n---\nText.`);
        assert.equal(passages[0]!.publishedAt, day(expected));
      });

    for (const [what, written, line, pattern] of [
      ['a date that is none', 'a: 1\ndate: soon', 3, /"date" to be a date, received "soon"/],
      ['invalid YAML', 'a: 1\nb: [1', 3, /front matter in YAML/],
      ['a bomb of aliases', bomb(), 1, /front matter in YAML.*alias/],
    ] as const)
      it(`refuses ${what}, by line`, () =>
        assert.rejects(
          read('bad.md', `---\n${written}\n---\nText.`),
          failsWith('ERR_INVALID_INPUT', pattern, { line, file: folder.path('bad.md') }),
        ));

    it('text between two rules is none', async () => {
      const { passages } = await read('rules.md', '---\nJust a line.\n---\n\nMore.');
      assert.match(passages.map(({ text }) => text).join('\n'), /Just a line[^]*More/);
    });
  });

  describe('Markdown', () => {
    it('joins wrapped lines by spaces, at the offsets of the file', async () => {
      const source =
        '\uFEFFOne sentence that\r\ngoes on. Two.\r\n- item that\r\n  goes on\r\n- next\r\n';
      const { passages } = await read('wrapped.md', source);
      assert.equal(
        passages[0]!.text,
        'One sentence that  goes on. Two.\r\n- item that    goes on\r\n- next',
      );
    });

    it('of any kind keeps its length and its words', () =>
      fc.assert(
        fc.property(markdown, (text) => {
          const joined = joinSoftBreaks(text, markdownBlocks(text));
          assert.equal(joined.length, text.length);
          assert.equal(joined.replace(/\s/g, ''), text.replace(/\s/g, ''));
        }),
      ));
  });

  describe('HTML', () => {
    const page = (head: string, body: string): string =>
      `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;

    it('has the text of main by blocks, without navigation, scripts and hidden parts', async () => {
      const { text, blocks, title } = await readHtml(
        page(
          '<title>Leave &amp; pay\n - ACME</title><style>p {}</style>',
          '<nav>Home</nav><p>Banner<main><h1>Leave</h1><p>Ten <b>weeks</b>&nbsp;a\n year.' +
            '<div hidden>No<div>no</div></div>' +
            '<p>Second<br>line<script>let x = "<p>no</p>"</script><ul><li>one<li>two</ul>' +
            '<pre>a = 1\n  b = 2\n</pre><table><tr><th>grade<th>pay<tr><td>x<td><p>100</table>' +
            '</main><p>After<footer>1999</footer>',
        ),
      );
      assert.equal(title, 'Leave & pay - ACME');
      assert.deepEqual(
        blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)]),
        [
          ['heading', 'Leave'],
          ['text', 'Ten weeks\u00a0a year.'],
          ['text', 'Second\nline'],
          ['text', 'one'],
          ['text', 'two'],
          ['whole', 'a = 1\n  b = 2'],
          ['whole', 'grade | pay\nx | 100'],
        ],
      );
    });

    it('has the text of a form around the page, but not of its fields', async () => {
      const { text } = await readHtml(
        page('', '<form><p>Shown.</p><select><option>no</select><button>no</button></form>'),
      );
      assert.equal(text, 'Shown.');
    });

    it('of an empty main has the text around it', async () => {
      const { text } = await readHtml(page('', '<p>Shown.<main></main>'));
      assert.equal(text, 'Shown.');
    });

    const linked =
      '<script type="application/ld+json">{"@graph":[{"@type":"X"},' +
      '{"datePublished":"2021-01-01"}]}</script>';
    const meta = '<meta property="article:published_time" content="2021-02-02T10:00:00Z">';
    for (const [what, head, body, expected] of [
      ['JSON-LD before meta', meta + linked, '<time datetime="2021-03-03">', '2021-01-01'],
      ['meta before time', meta, '<time datetime="2021-03-03">', '2021-02-02T10:00Z'],
      ['a meta name', '<meta name="DC.date" content="2021-02-03">', '', '2021-02-03'],
      ['itemprop', '', '<span itemprop="datePublished" content="2021-04-04">', '2021-04-04'],
      [
        'the first time',
        '',
        '<time datetime="2021-03-03"></time><time datetime="2022">',
        '2021-03-03',
      ],
      [
        'broken JSON-LD',
        '<script type="application/ld+json">{</script>' + meta,
        '',
        '2021-02-02T10:00Z',
      ],
      [
        'an unreadable date',
        '<meta name="date" content="soon">',
        '<time datetime="2021-03-03">',
        '2021-03-03',
      ],
      [
        'the last change alone',
        '<meta property="article:modified_time" content="2021-05-05">',
        '',
        '2021-05-05',
      ],
    ] as const)
      it(`has its date from ${what}`, async () => {
        const { passages, dateSource } = await read(
          'dated.html',
          page(head, `<p>Text.</p>${body}`),
        );
        assert.deepEqual([passages[0]!.publishedAt, dateSource], [day(expected), 'html']);
      });

    it('keeps the last change next to the publication', async () => {
      const changed = '<meta property="article:modified_time" content="2021-05-05">';
      const { passages } = await read('changed.html', page(meta + changed, '<p>Text.'));
      assert.deepEqual(passages[0]!.metadata, { updated_at: day('2021-05-05') });
    });

    it('reads the encoding that meta names', async () => {
      const latin = Buffer.from('<meta charset="iso-8859-1"><p>Ann Lée', 'latin1');
      assert.equal((await read('latin.html', latin)).passages[0]!.text, 'Ann Lée');
      const unknown = Buffer.from('<meta charset="x-none"><p>Ann Lée', 'latin1');
      await assert.rejects(read('none.html', unknown), failsWith('ERR_INVALID_INPUT', /x-none/));
    });

    it('takes elements nested deeper than the stack, and any markup', async () => {
      const { text } = await readHtml(`${'<div><table><tr><td>'.repeat(20_000)}deep`);
      assert.equal(text, 'deep');
      await assert.rejects(
        readHtml('<svg>'.repeat(20_000)),
        failsWith('ERR_INVALID_INPUT', /svg and math elements at most 256 deep/),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.constantFrom(
              '<p>',
              '</p>',
              '<main>',
              '</main>',
              '<table>',
              '</table>',
              '<tr>',
              '<td>',
              '<pre>',
              '</pre>',
              '<h2>',
              '</h2>',
              '<nav>',
              '</nav>',
              '<br>',
              ' ',
              'a word',
              '&lt;',
              '<',
              '<!--',
              '-->',
              '\n',
            ),
          ),
          async (parts) => {
            const { text, blocks } = await readHtml(parts.join(''));
            let end = 0;
            for (const block of blocks) {
              assert.equal(text.slice(end, block.start).trim(), '');
              assert.ok(block.start < block.end);
              ({ end } = block);
            }
            assert.equal(end, text.length);
          },
        ),
      );
    });
  });

  describe('plain text', () => {
    const words = 'The mill stood near the dam and its wheel turned day and night for years'.split(
      ' ',
    );
    /** Words in lines of at most `width`. */
    const wrap = (width: number, count: number): string => {
      const lines = [''];
      for (let i = 0; i < count; i += 1) {
        const word = words[i % words.length]!;
        const line = lines.at(-1)!;
        if (line.length + 1 + word.length > width) lines.push(word);
        else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
      }
      return lines.join('\n');
    };

    it('joins lines that were broken at a column, and no others', () => {
      const wrapped = `${wrap(60, 60)}\n\n${wrap(60, 40)}`;
      const joined = joinWrappedLines(wrapped);
      assert.equal(joined.length, wrapped.length);
      assertEach(joined.split('\n'), (line) => line.split(' ').length, [60, 1, 40]);
      const poem =
        'A mill\nby the long grey river that runs to the sea\nstood\nand then\nit fell\n';
      assert.equal(joinWrappedLines(poem), poem);
      const log = Array.from({ length: 9 }, (_, n) => `${n} ${'x'.repeat(n * 7)} done`).join('\n');
      assert.equal(joinWrappedLines(log), log);
    });
  });

  describe('dates without metadata', () => {
    for (const [name, text, expected, source] of [
      ['2024-05-06-notes.txt', 'Published on 1 May 2020.', '2024-05-06', 'file_name'],
      ['notes_20240506.txt', 'Text.', '2024-05-06', 'file_name'],
      ['v1.2024-13-40.txt', 'Text.', undefined, 'none'],
      ['id12024050612.txt', 'Text.', undefined, 'none'],
      ['a.txt', 'Published on 6 May 2024\n\nText.', '2024-05-06', 'text'],
      ['b.md', '# Notes\n\n**Last updated:** May 6, 2024\n\nText.', '2024-05-06', 'text'],
      ['c.txt', 'Notes\n6 May 2024\nText.', '2024-05-06', 'text'],
      ['d.txt', 'The mill opened on 6 May 1850.', undefined, 'none'],
      ['e.txt', 'Published in 2024.', undefined, 'none'],
      ['f.txt', `${'Text. '.repeat(300)}\nPublished on 6 May 2024`, undefined, 'none'],
      ['g.html', '<p>Posted on 6 May 2024 by Ann</p><p>Text.', '2024-05-06', 'text'],
    ] as const)
      it(`of ${name}, ${JSON.stringify(text.slice(0, 40))}: ${source}`, async () => {
        const { passages, dateSource } = await read(name, text);
        const publishedAt = expected === undefined ? undefined : day(expected);
        assert.deepEqual([passages[0]!.publishedAt, dateSource], [publishedAt, source]);
      });
  });

  describe('files', () => {
    it('of UTF-16 with a byte order mark are read', async () => {
      const { passages } = await read('wide.txt', Buffer.from('\uFEFFAnn Lée', 'utf16le'));
      assert.equal(passages[0]!.text, 'Ann Lée');
    });

    it('that are no UTF-8 are refused by line', () =>
      assert.rejects(
        read('broken.txt', Buffer.from([0x61, 0x0a, 0x62, 0x0a, 0xff, 0x0a])),
        failsWith('ERR_INVALID_INPUT', /broken\.txt:3: Expected UTF-8 text/, { line: 3 }),
      ));

    it('that are too large, missing or folders are refused', async () => {
      const large = folder.path('large.txt');
      writeFileSync(large, '');
      truncateSync(large, 64 * 2 ** 20 + 1);
      const fails = (path: string, pattern: RegExp) =>
        assert.rejects(readBytes(path), failsWith('ERR_INVALID_INPUT', pattern, { file: path }));
      await fails(large, /at most 64 MiB, received one of 65 MiB\. Split it/);
      await fails(folder.path('absent.txt'), /ENOENT/);
      await fails(folder.path(), /received no file/);
    });

    it('without text have no chunks', async () =>
      assert.deepEqual((await read('empty.md', '')).passages, []));
  });
});

/** YAML of a few hundred bytes that stands for a billion values. */
function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 9; i += 1)
    lines.push(
      `a${i}: &a${i} [${Array<string>(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return lines.join('\n');
}
