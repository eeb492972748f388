// Documents from PDF: the text of all pages, title and dates of its properties, and what has none.
import assert from 'node:assert/strict';
import { readDocument } from '../lib/read.js';
import { failsWith } from '../../../test/failsWith.js';
import { pdfOf } from './pdf.js';

const read = (bytes: Uint8Array, path = 'a.pdf') =>
  readDocument({ id: 'a.pdf', format: 'pdf', bytes, path });

describe('documents from PDF', () => {
  it('have the text of all pages, and the title and dates of its properties', async () => {
    const pages = [['Leave (2023)', 'Parents have ten weeks.'], ['Pay is full.']];
    const dates = '/CreationDate (D:20240506100000Z) /ModDate (D:20240601100000Z)';
    const { passages, dateSource } = await read(pdfOf(pages, `/Title (Leave) ${dates}`));
    assert.equal(dateSource, 'pdf');
    assert.deepEqual(passages, [
      {
        id: 'a.pdf#0',
        text: 'Leave (2023)\nParents have ten weeks.\nPay is full.',
        title: 'Leave',
        publishedAt: Date.parse('2024-05-06T10:00Z'),
        metadata: { updated_at: Date.parse('2024-06-01T10:00Z') },
        chunk: { parent: 'a.pdf', start: 0, end: 49 },
      },
    ]);
  });

  it('without properties are dated by their name or text', async () => {
    const byName = await read(pdfOf([['Text.']]), 'x/2024-05-06.pdf');
    assert.deepEqual([byName.dateSource, byName.passages[0]!.title], ['file_name', undefined]);
    const byText = await read(pdfOf([['6 May 2024', 'Text.']]));
    assert.equal(byText.dateSource, 'text');
  });

  it('leave the bytes as they are', async () => {
    const bytes = pdfOf([['Text.']]);
    const before = Buffer.from(bytes);
    await read(bytes);
    assert.deepEqual(bytes, before);
  });

  for (const [what, bytes, pattern] of [
    ['what is no PDF', Buffer.from('Text.'), /a PDF with text, received .*PDF.*without a password/],
    ['a file that is cut off', pdfOf([['Text.']]).subarray(0, 40), /a PDF with text, received/],
    ['pages without text', pdfOf([[]]), /received one of pictures alone\. .*OCR/],
  ] as const)
    it(`refuse ${what}`, () =>
      assert.rejects(read(bytes), failsWith('ERR_INVALID_INPUT', pattern, { file: 'a.pdf' })));
});
