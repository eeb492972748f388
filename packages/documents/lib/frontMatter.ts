// YAML front matter of Markdown files: title, times, and the rest as metadata.
import type { Passage } from 'asof';
import { excerpt, invalidLine, type LineLocation } from 'asof/kit';
import { LineCounter, parseDocument } from 'yaml';
import type { Block } from './blocks.js';
import { dateOfField } from './dates.js';
import { frontMatterEnd, markdownBlocks } from './markdownBlocks.js';

/** Fields of a document that its file gives. */
export type DocumentFields = Pick<
  Passage,
  'title' | 'publishedAt' | 'validFrom' | 'validTo' | 'metadata'
>;

/** Names of fields, in order of preference. */
const names = {
  title: ['title'],
  published: ['date', 'published', 'published_at', 'publishedAt', 'pubDate', 'created'],
  updated: ['updated', 'updated_at', 'lastmod', 'last_modified', 'modified', 'last_updated'],
  validFrom: ['valid_from', 'validFrom'],
  validTo: ['valid_to', 'validTo'],
};

/**
 * The blocks of Markdown without its front matter, and the fields of that.
 * @throws AsOfError as `readFrontMatter`
 */
export function markdownParts(
  source: string,
  file: string,
): { blocks: Block[]; fields: DocumentFields } {
  const body = frontMatterEnd(source);
  const fields = body > 0 ? readFrontMatter(source.slice(0, body), file) : undefined;
  const blocks = markdownBlocks(source);
  return fields ? { blocks: blocks.slice(1), fields } : { blocks, fields: {} };
}

/**
 * The fields of front matter, `text` with its two lines of dashes; undefined for text between
 * dashes that is no map. Without a date of publication, that of the last change takes its place.
 * @throws AsOfError ERR_INVALID_INPUT for invalid YAML and for dates that are none, by line.
 */
function readFrontMatter(text: string, file: string): DocumentFields | undefined {
  const lines = text.split(/\r?\n/);
  const lineCounter = new LineCounter();
  const source = lines.slice(
    1,
    lines.findLastIndex((line) => /^(?:---|\.\.\.)/.test(line)),
  );
  const parsed = parseDocument(source.join('\n'), { lineCounter, logLevel: 'silent' });
  const [error] = parsed.errors;
  if (error) {
    const where = { file, line: (error.linePos?.[0].line ?? 1) + 1 };
    throw invalidLine(where, 'front matter in YAML', excerpt(error.message.split('\n')[0]!));
  }
  let value: unknown;
  try {
    value = parsed.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw invalidLine({ file, line: 1 }, 'front matter in YAML', excerpt(String(cause)));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const lineOf = (name: string): LineLocation => {
    const at = source.findIndex((line) => line.replace(/^["']/, '').startsWith(name));
    return { file, line: at + 2 };
  };
  return fieldsOf(new Map(Object.entries(value)), lineOf);
}

function fieldsOf(
  record: Map<string, unknown>,
  lineOf: (name: string) => LineLocation,
): DocumentFields {
  /** Takes the first of these fields that has a value out of the record. */
  const take = (from: readonly string[]): { name: string; value: unknown } | undefined => {
    const name = from.find((each) => (record.get(each) ?? '') !== '');
    if (name === undefined) return undefined;
    const value = record.get(name);
    record.delete(name);
    return { name, value };
  };
  const time = (from: readonly string[]): number | undefined => {
    const field = take(from);
    if (!field) return undefined;
    const date = dateOfField(field.value);
    if (date === undefined)
      throw invalidLine(
        lineOf(field.name),
        `"${field.name}" to be a date`,
        excerpt(String(field.value)),
        'Write it as 2024-05-06.',
      );
    return date;
  };
  const title = take(names.title)?.value;
  const [published, updated] = [time(names.published), time(names.updated)];
  const publishedAt = published ?? updated;
  const validFrom = time(names.validFrom);
  const validTo = take(names.validTo);
  if (updated !== undefined && published !== undefined) record.set('updated_at', updated);
  return {
    ...(typeof title === 'string' || typeof title === 'number' ? { title: String(title) } : {}),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(validFrom === undefined ? {} : { validFrom }),
    // A day of its own includes that day, which only `add` can tell.
    ...(validTo === undefined ? {} : { validTo: String(validTo.value) }),
    ...(record.size > 0 ? { metadata: Object.fromEntries(record) } : {}),
  };
}
