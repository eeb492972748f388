// The entries of the release notes of SQLite and of PostgreSQL 15 as they are written, each with
// the version and the date of its release.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FamilyPassage } from '../family.js';

export type Product = 'SQLite' | 'PostgreSQL';
export interface Entry extends FamilyPassage {
  product: Product;
  version: string;
  title: string;
  published_at: string;
}
type Raw = Pick<Entry, 'product' | 'version' | 'published_at' | 'text'>;

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  rarr: '→',
};

/** The words of a piece of HTML. */
const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(x?)([\da-f]+);/gi, (_, hex: string, code: string) =>
      String.fromCodePoint(parseInt(code, hex === '' ? 10 : 16)),
    )
    .replace(/&(\w+);/g, (entity, name: string) => named[name] ?? entity)
    .replace(/§/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,])(?=\s|$)/g, '$1')
    .trim();

/** The items of the outermost lists, inner lists included. */
function itemsOf(html: string): string[] {
  const items: string[] = [];
  let depth = 0;
  for (const piece of html.split(/(?=<(?:\/?[ou]l|li)\b)/i)) {
    if (/^<[ou]l/i.test(piece)) depth += 1;
    else if (/^<\/[ou]l/i.test(piece)) depth -= 1;
    if (depth <= 1 && /^<li/i.test(piece)) items.push(piece);
    else if (depth > 1) items[items.length - 1] += ` ${piece}`;
  }
  return items;
}

function sqliteEntries(folder: string): Raw[] {
  const html = readFileSync(join(folder, 'usr/share/doc/sqlite3/changes.html'), 'utf8');
  const [, ...parts] = html.split(/<h3>(\d{4}-\d\d-\d\d)(?: \(([^)]*)\))?[^<]*<\/h3>/);
  return parts.flatMap((date: string | undefined, index) => {
    if (index % 3 !== 0) return [];
    const body = parts[index + 2]!.split(/<p><b>Hashes:|<li> *SQLITE_SOURCE_ID/)[0]!;
    const version = parts[index + 1]?.replace('Not Released', '') ?? '';
    const release = { product: 'SQLite' as const, version, published_at: date! };
    return itemsOf(body).map((item) => ({ ...release, text: plain(item) }));
  });
}

function postgresEntries(folder: string): Raw[] {
  const pages = join(folder, 'usr/share/doc/postgresql-doc-15/html');
  return readdirSync(pages)
    .filter((file) => /^release-15(-\d+)?\.html$/.test(file))
    .flatMap((file) => {
      const html = readFileSync(join(pages, file), 'utf8');
      const date = /Release\sdate:\s*<\/strong>(\d{4}-\d\d-\d\d)/.exec(html)?.[1];
      if (date === undefined) return [];
      const version = /<title>.*Release\s([\d.]+)</.exec(html)![1]!;
      const release = { product: 'PostgreSQL' as const, version, published_at: date };
      const body = html.slice(html.search(/<div class="sect2"/));
      const items = body
        .split('<h3 class="title">')
        .flatMap((section) => (/Acknowledg/.test(section.slice(0, 80)) ? [] : itemsOf(section)));
      return items.map((item) => ({ ...release, text: plain(item) }));
    });
}

/** All entries, oldest first. */
export function readEntries([sqlite, postgres]: string[]): Entry[] {
  return [...sqliteEntries(sqlite!), ...postgresEntries(postgres!)]
    .filter(({ text }) => text.length >= 20)
    .sort((one, other) => one.published_at.localeCompare(other.published_at))
    .map((raw, index) => ({
      id: `b-${index + 1}`,
      title: `${raw.product} ${raw.version || 'snapshot'}`,
      entities: [raw.product],
      ...raw,
    }));
}
