// Documents over HTTP: formats, dates, what becomes shorter, and what is refused.
import assert from 'node:assert/strict';
import { pdfOf } from '../../../documents/test/pdf.js';
import { start, type Answer, type Started } from './started.js';

describe('a server that takes documents', () => {
  let started: Started;
  before(async () => {
    started = await start({ write: true, limits: { bodyBytes: 4096 } });
  });
  after(() => started.stop());

  const send = (
    id: string,
    body: string | Uint8Array,
    type: string,
    query = '',
  ): Promise<Answer> => {
    const path = `/v1/corpora/pm/documents/${encodeURIComponent(id)}${query}`;
    return started.call('POST', path, Buffer.from(body).toString('latin1'), {
      'content-type': type,
    });
  };

  it('cuts Markdown into passages with its date, in place of those that it had', async () => {
    const section = (n: number): string => `# Part ${n}\n\nText of part ${n}.\n\n`;
    const front = '---\ndate: 2024-05-06\n---\n';
    const first = await send('a/b.md', front + section(1) + section(2), 'text/markdown');
    assert.deepEqual(first.json, {
      added: 2,
      replaced: 0,
      unchanged: 0,
      removed: 0,
      passages: 2,
      date: 'front_matter',
    });
    const passage = started.corpus.get('a/b.md#1')!;
    assert.deepEqual(
      [passage.publishedAt, passage.chunk!.parent],
      [Date.parse('2024-05-06'), 'a/b.md'],
    );
    const shorter = await send('a/b.md', front + section(1), 'text/markdown; charset=utf-8');
    assert.deepEqual([shorter.json['unchanged'], shorter.json['removed']], [1, 1]);
    assert.equal(started.corpus.get('a/b.md#1'), undefined);
  });

  it('takes HTML, text and PDF, and a date of the sender', async () => {
    const html = await send('c', '<p>Text.</p>', 'text/html', '?published_at=2021-02-03');
    assert.equal(html.json['date'], 'given');
    assert.equal(started.corpus.get('c#0')!.publishedAt, Date.parse('2021-02-03'));
    assert.equal((await send('2022-01-01.txt', 'Text.', 'text/plain')).json['date'], 'file_name');
    const pdf = await send('d', pdfOf([['The dam broke.']]), 'application/pdf');
    assert.deepEqual([pdf.json['added'], pdf.json['date']], [1, 'none']);
    assert.equal(started.corpus.get('d#0')!.text, 'The dam broke.');
  });

  for (const [what, type, body, query, status, pattern] of [
    ['another type', 'image/png', 'x', '', 415, /text\/markdown, text\/html, text\/plain/],
    ['a body that is too long', 'text/plain', 'x'.repeat(5000), '', 413, /4096|4,096/],
    ['front matter that is broken', 'text/markdown', '---\ndate: soon\n---\n', '', 400, /x:2: /],
    ['a date that is none', 'text/plain', 'Text.', '?published_at=soon', 400, /soon/],
    ['what is no PDF', 'application/pdf', 'Text.', '', 400, /a PDF with text/],
  ] as const)
    it(`refuses ${what}`, async () => {
      const answer = await send('x', body, type, query);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.json['error']['message'], pattern);
      assert.equal(started.corpus.get('x#0'), undefined);
    });

  it('needs to be allowed to write', async () => {
    const reads = await start();
    try {
      const path = '/v1/corpora/pm/documents/x';
      const headers = { 'content-type': 'text/plain' };
      assert.equal((await reads.call('POST', path, 'Text.', headers)).status, 403);
    } finally {
      await reads.stop();
    }
  });
});
