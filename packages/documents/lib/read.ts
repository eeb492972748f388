// Documents from files: Markdown, HTML and plain text as the passages that they are cut into.
import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { AsOfError, type Passage } from 'asof';
import { invalidLine } from 'asof/kit';
import { oneBlock, type Block } from './blocks.js';
import { chunkBlocks, type ChunkSize } from './chunk.js';
import { dateOfFileName, dateOfText, type DateSource } from './dates.js';
import { markdownParts, type DocumentFields } from './frontMatter.js';
import { readHtml } from './html.js';
import { joinSoftBreaks } from './markdownBlocks.js';
import { joinWrappedLines } from './plainText.js';

export type DocumentFormat = 'markdown' | 'html' | 'text';

/** Largest file of one document, which is read as a whole: 64 MiB. */
export const documentBytesMax = 64 * 1024 * 1024;

export interface DocumentFile {
  path: string;
  /** Of the document; its chunks have it with # and a number. */
  id: string;
  format: DocumentFormat;
}

/** A document's chunks, and where its date was found. */
export interface DocumentPassages {
  passages: Passage[];
  dateSource: DateSource;
}

interface Content {
  text: string;
  blocks: Block[];
  fields: DocumentFields;
  /** Of `fields.publishedAt`. */
  dateSource: DateSource;
}

/**
 * Reads a document and cuts it into chunks. Its date is that of its front matter or markup, else of
 * the file's name, else what its opening says of itself. Offsets are those of the decoded file,
 * in HTML of its text.
 * @throws AsOfError ERR_INVALID_INPUT for files over 64 MiB, of another encoding than UTF-8 (or
 * that of a byte order mark or of HTML's `meta`), and with invalid front matter; ERR_NOT_FOUND,
 * ERR_STORAGE.
 */
export async function readDocument(
  file: DocumentFile,
  size: ChunkSize = {},
): Promise<DocumentPassages> {
  const source = await readText(file);
  const { text, blocks, fields, ...content } =
    file.format === 'html'
      ? await htmlContent(source)
      : file.format === 'markdown'
        ? markdownContent(source, file.path)
        : plainContent(source);
  let { publishedAt } = fields;
  let { dateSource } = content;
  const elsewhere: [DateSource, () => number | undefined][] = [
    ['file_name', () => dateOfFileName(file.path)],
    ['text', () => dateOfText(text.slice(blocks[0]?.start ?? 0))],
  ];
  for (const [from, find] of publishedAt === undefined ? elsewhere : []) {
    publishedAt = find();
    if (publishedAt === undefined) continue;
    dateSource = from;
    break;
  }
  const document = {
    id: file.id,
    text,
    ...fields,
    ...(publishedAt === undefined ? {} : { publishedAt }),
  };
  return { passages: chunkBlocks(document, blocks, size), dateSource };
}

function markdownContent(source: string, path: string): Content {
  const { blocks, fields: own } = markdownParts(source, path);
  const title = blocks.find(({ level }) => level === 1)?.heading;
  const fields = { ...(title ? { title } : {}), ...own };
  return {
    text: joinSoftBreaks(source, blocks),
    blocks,
    fields,
    dateSource: fields.publishedAt === undefined ? 'none' : 'front_matter',
  };
}

async function htmlContent(source: string): Promise<Content> {
  const { text, blocks, title, published, updated } = await readHtml(source);
  const publishedAt = published ?? updated;
  const isChanged = published !== undefined && updated !== undefined;
  return {
    text,
    blocks,
    fields: {
      ...(title === undefined ? {} : { title }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...(isChanged ? { metadata: { updated_at: updated } } : {}),
    },
    dateSource: publishedAt === undefined ? 'none' : 'html',
  };
}

function plainContent(source: string): Content {
  const text = joinWrappedLines(source);
  return { text, blocks: oneBlock(text), fields: {}, dateSource: 'none' };
}

/** The text of a file, without byte order mark. */
async function readText({ path, format }: DocumentFile): Promise<string> {
  const problem = (received: string, remedy: string, cause?: unknown): AsOfError =>
    new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${path} to be a readable file of at most 64 MiB, received ${received}. ${remedy}`,
      { details: { file: path }, cause },
    );
  let bytes: Buffer;
  try {
    const entry = await stat(path);
    if (!entry.isFile()) throw problem('no file', 'Name files, folders or globs.');
    if (entry.size > documentBytesMax)
      throw problem(
        `one of ${Math.ceil(entry.size / 2 ** 20)} MiB`,
        'Split it, or give its parts as JSON lines.',
      );
    bytes = await readFile(path);
  } catch (cause) {
    if (AsOfError.is(cause)) throw cause;
    throw problem((cause as Error).message, 'Check the path and its permissions.', cause);
  }
  const encoding = encodingOf(bytes, format);
  if (encoding === 'utf-8' && !isUtf8(bytes))
    throw invalidLine(
      { file: path, line: brokenLine(bytes) },
      'UTF-8 text',
      'bytes that are not UTF-8',
      'Convert the file to UTF-8.',
    );
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw problem(`text that is no ${encoding}`, 'Convert the file to UTF-8.', cause);
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
