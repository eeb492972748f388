// Text, blocks, title and dates of HTML pages, from the tokens of a streaming parser.
import { finished } from 'node:stream/promises';
import { AsOfError } from 'asof';
import { dateOfField } from './dates.js';
import type { Block } from './blocks.js';
import { HtmlText } from './htmlText.js';

/** A page's text with its blocks, and what its head and markup say of it. */
export interface HtmlPage {
  text: string;
  blocks: Block[];
  title?: string;
  published?: number;
  updated?: number;
}

/** Names of `meta` and `itemprop`, in order of preference. */
const published = [
  'article:published_time',
  'datepublished',
  'citation_publication_date',
  'citation_date',
  'dcterms.issued',
  'dc.date.issued',
  'dcterms.created',
  'dc.date',
  'pubdate',
  'publish_date',
  'date',
];
const updated = [
  'article:modified_time',
  'datemodified',
  'og:updated_time',
  'dcterms.modified',
  'last-modified',
];

/**
 * Reads a page. Its text is that of `main` where it has one, without navigation, scripts and forms.
 * Dates: JSON-LD, then `meta` and `itemprop`, then the first `time`; unreadable ones do not count.
 * @throws AsOfError ERR_INVALID_INPUT for `svg` and `math` nested over 256 deep, which take the
 * parser quadratic time.
 */
export async function readHtml(html: string): Promise<HtmlPage> {
  let page = await parse(html, true);
  // A main element without text, or one that is only opened.
  if (page.text === '' && page.hasMain) page = await parse(html, false);
  const { text, blocks, meta, times, linkedData } = page;
  const dateOf = (key: string, names: readonly string[]): number | undefined =>
    firstDate([
      ...linkedData.map((each) => valueInJson(each, key)),
      ...names.map((name) => meta.get(name)),
    ]);
  const publishedAt =
    dateOf('datePublished', published) ?? firstDate([times.published, times.first]);
  const updatedAt = dateOf('dateModified', updated);
  const title = meta.get('og:title')?.trim() || page.title || firstHeading(blocks);
  return {
    text,
    blocks,
    ...(title ? { title } : {}),
    ...(publishedAt === undefined ? {} : { published: publishedAt }),
    ...(updatedAt === undefined ? {} : { updated: updatedAt }),
  };
}

const deepest = 256;

async function parse(html: string, onlyMain: boolean): Promise<HtmlText> {
  const { SAXParser } = await import('parse5-sax-parser');
  const page = new HtmlText(onlyMain);
  const parser = new SAXParser();
  let depth = 0;
  parser.on('startTag', ({ tagName, attrs, selfClosing }) => {
    if (/^(?:svg|math)$/.test(tagName) && !selfClosing && (depth += 1) > deepest) parser.stop();
    page.openTag(tagName, new Map(attrs.map(({ name, value }) => [name, value])), selfClosing);
  });
  parser.on('endTag', ({ tagName }) => {
    if (/^(?:svg|math)$/.test(tagName)) depth -= 1;
    page.closeTag(tagName);
  });
  parser.on('text', ({ text }) => page.addText(text));
  parser.resume(); // what it passes through is not needed
  parser.end(html);
  await finished(parser);
  if (depth > deepest)
    throw new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected HTML with svg and math elements at most ${deepest} deep, received deeper ones. ` +
        'Is it a page?',
    );
  page.end();
  return page;
}

const firstDate = (values: readonly unknown[]): number | undefined =>
  values.map(dateOfField).find((date) => date !== undefined);

const firstHeading = (blocks: readonly Block[]): string | undefined =>
  blocks.find(({ level }) => level === 1)?.heading;

/** The value of the first property of that name in JSON-LD, breadth first. */
function valueInJson(json: string, name: string): unknown {
  let root: unknown;
  try {
    root = JSON.parse(json);
  } catch {
    return undefined; // pages of others: as if it were absent
  }
  const level: unknown[] = [root];
  for (const value of level) {
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
    for (const each of Object.values(value)) level.push(each);
  }
  return undefined;
}
