// Text, title and dates of PDF through unpdf, an optional peer.
import { AsOfError } from 'asof';
import { importPeer } from 'asof/kit';
import { oneBlock } from './blocks.js';
import { markupFields, type Content } from './content.js';
import { joinWrappedLines } from './plainText.js';

/** The used interface of unpdf. */
interface PdfReader {
  getDocumentProxy(bytes: Uint8Array, options: { verbosity: 0 }): Promise<object>;
  extractText(pdf: object): Promise<{ text: string[] }>;
  getMeta(
    pdf: object,
    options: { parseDates: true },
  ): Promise<{ info: { Title?: unknown; CreationDate?: unknown; ModDate?: unknown } }>;
}

/**
 * The text of all pages, a page from a new line.
 * @throws AsOfError ERR_NATIVE_UNAVAILABLE without unpdf; ERR_INVALID_INPUT for what is no PDF, has
 * a password, or has pictures of text alone
 */
export async function pdfContent(bytes: Uint8Array, file: string): Promise<Content> {
  const reader = await importPeer<PdfReader>('unpdf', `to read ${file}`, 'Do: npm install unpdf', {
    file,
  });
  const refused = (received: string, remedy: string, cause?: unknown): AsOfError =>
    new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${file} to be a PDF with text, received ${received}. ${remedy}`,
      { cause, details: { file } },
    );
  let pages: string[];
  let info: Awaited<ReturnType<PdfReader['getMeta']>>['info'];
  try {
    // It takes the buffer of what it is given.
    const pdf = await reader.getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
    ({ text: pages } = await reader.extractText(pdf));
    ({ info } = await reader.getMeta(pdf, { parseDates: true }));
  } catch (cause) {
    throw refused((cause as Error).message, 'Save it anew, without a password.', cause);
  }
  const text = joinWrappedLines(pages.join('\n'));
  if (text.trim() === '') throw refused('one of pictures alone', 'Recognize its text first (OCR).');
  const title = typeof info.Title === 'string' ? info.Title.trim() : '';
  const [published, updated] = [dateOf(info.CreationDate), dateOf(info.ModDate)];
  const stated = { title: title === '' ? undefined : title, published, updated };
  return { text, blocks: oneBlock(text), ...markupFields(stated, 'pdf') };
}

const dateOf = (value: unknown): number | undefined =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? value.getTime() : undefined;
