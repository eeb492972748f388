// Documents of every format as the passages that they are cut into.
import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { AsOfError, type Passage } from 'asof';
import { invalidLine } from 'asof/kit';
import { oneBlock } from './blocks.js';
import { chunkBlocks, type ChunkSize } from './chunk.js';
import { markupFields, type Content } from './content.js';
import { dateOfFileName, dateOfText, type DateSource } from './dates.js';
import { markdownParts } from './frontMatter.js';
import { readHtml } from './html.js';
import { joinSoftBreaks } from './markdownBlocks.js';
import { pdfContent } from './pdf.js';
import { joinWrappedLines } from './plainText.js';

export type DocumentFormat = 'markdown' | 'html' | 'text' | 'pdf';

/** Largest file of one document, which is read as a whole: 64 MiB. */
export const documentBytesMax = 64 * 1024 * 1024;

/** The bytes of a document; the path is for faults, and its name may have a date. */
interface DocumentSource {
  /** Its chunks have it with # and a number. */
  id: string;
  format: DocumentFormat;
  bytes: Uint8Array;
  path: string;
  /** Before any date of its own. */
  publishedAt?: Passage['publishedAt'] | undefined;
  /** The date of a document that has none. */
  undated?: (() => Promise<FoundDate | undefined>) | undefined;
}

export interface FoundDate {
  source: DateSource;
  publishedAt: NonNullable<Passage['publishedAt']>;
}

/** A document's chunks, and where its date was found. */
export interface DocumentPassages {
  passages: Passage[];
  dateSource: DateSource;
}

/**
 * Cuts a document into chunks. Its date is the given one, else that of its front matter, markup or
 * properties, else of its name, else what its opening says of itself, else that of `undated`.
 * Offsets are those of the decoded file, in HTML and PDF of its text.
 * @throws AsOfError ERR_INVALID_INPUT for another encoding than UTF-8 (or that of a byte order mark
 * or of HTML's `meta`), for invalid front matter, and for PDF that is broken, locked or without
 * text; ERR_NATIVE_UNAVAILABLE for PDF without unpdf.
 */
export async function readDocument(
  document: DocumentSource,
  size: ChunkSize = {},
): Promise<DocumentPassages> {
  const { id, path, undated } = document;
  const { text, blocks, fields, dateSource } = await contentOf(document);
  const found =
    dated('given', document.publishedAt) ??
    dated(dateSource, fields.publishedAt) ??
    dated('file_name', dateOfFileName(path)) ??
    dated('text', dateOfText(text.slice(blocks[0]?.start ?? 0))) ??
    (await undated?.());
  const whole = { id, text, ...fields, ...(found ? { publishedAt: found.publishedAt } : {}) };
  return {
    passages: chunkBlocks(whole, blocks, size),
    dateSource: found?.source ?? 'none',
  };
}

const dated = (
  source: DateSource,
  publishedAt: Passage['publishedAt'] | undefined,
): FoundDate | undefined =>
  publishedAt === undefined || publishedAt === null ? undefined : { source, publishedAt };

async function contentOf({ format, bytes, path }: DocumentSource): Promise<Content> {
  if (format === 'pdf') return pdfContent(bytes, path);
  const source = decoded(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), path, format);
  if (format === 'html') return htmlContent(source);
  return format === 'markdown' ? markdownContent(source, path) : plainContent(source);
}

function markdownContent(source: string, path: string): Content {
  const { blocks, fields: stated } = markdownParts(source, path);
  const title = blocks.find(({ level }) => level === 1)?.heading;
  const fields = { ...(title ? { title } : {}), ...stated };
  return {
    text: joinSoftBreaks(source, blocks),
    blocks,
    fields,
    dateSource: fields.publishedAt === undefined ? 'none' : 'front_matter',
  };
}

async function htmlContent(source: string): Promise<Content> {
  const { text, blocks, ...stated } = await readHtml(source);
  return { text, blocks, ...markupFields(stated, 'html') };
}

function plainContent(source: string): Content {
  const text = joinWrappedLines(source);
  return { text, blocks: oneBlock(text), fields: {}, dateSource: 'none' };
}

/** The bytes of a file of one document. @throws AsOfError ERR_INVALID_INPUT, over 64 MiB too */
export async function readBytes(path: string): Promise<Buffer> {
  const problem = (received: string, remedy: string, cause?: unknown): AsOfError =>
    new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${path} to be a readable file of at most 64 MiB, received ${received}. ${remedy}`,
      { details: { file: path }, cause },
    );
  try {
    const entry = await stat(path);
    if (!entry.isFile()) throw problem('no file', 'Name files, folders or globs.');
    if (entry.size > documentBytesMax)
      throw problem(
        `one of ${Math.ceil(entry.size / 2 ** 20)} MiB`,
        'Split it, or give its parts as JSON lines.',
      );
    return await readFile(path);
  } catch (cause) {
    if (AsOfError.is(cause)) throw cause;
    throw problem((cause as Error).message, 'Check the path and its permissions.', cause);
  }
}

/** The text of a file, without byte order mark. */
function decoded(bytes: Buffer, file: string, format: DocumentFormat): string {
  const encoding = encodingOf(bytes, format);
  if (encoding === 'utf-8' && !isUtf8(bytes))
    throw invalidLine(
      { file, line: brokenLine(bytes) },
      'UTF-8 text',
      'bytes that are not UTF-8',
      'Convert the file to UTF-8.',
    );
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${file} to be ${encoding} as it says, received other bytes. Convert it to UTF-8.`,
      { details: { file }, cause },
    );
  }
}

/** UTF-8 unless a byte order mark or HTML's `meta` names another encoding. */
function encodingOf(bytes: Buffer, format: DocumentFormat): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (format !== 'html' || isUtf8(bytes)) return 'utf-8';
  const head = bytes.toString('latin1', 0, 1024);
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1]?.toLowerCase() ?? 'utf-8';
}

function brokenLine(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; ; line += 1) {
    const next = bytes.indexOf(0x0a, from);
    if (next < 0 || !isUtf8(bytes.subarray(from, next))) return line;
    from = next + 1;
  }
}
