// Paragraphs of Python's "What's new" articles and of its changelog, with the dates of the
// releases, from the Debian package python3.11-doc.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { months } from '../dates.js';

export interface Paragraph {
  version: string;
  /** Headings from the section down to the paragraph. */
  path: string[];
  /** Text in reStructuredText, and without its markup. */
  raw: string;
  text: string;
}

export interface Changelog {
  /** "3.9.0 beta 3" */
  name: string;
  minor: string;
  stage: string;
  date: string;
  items: { section: string; text: string }[];
}

export const versions = Array.from({ length: 10 }, (_, index) => `3.${index + 2}`);

const html = (folder: string, ...path: string[]): string =>
  join(folder, 'usr/share/doc/python3.11/html', ...path);

/** Text of reStructuredText as a page shows it, with the full names of functions. */
function plain(raw: string): string {
  return raw
    .replace(/:pep:`(\d+)`/g, 'PEP $1')
    .replace(/:(?:issue|bpo):`(\d+)`/g, 'bpo-$1')
    .replace(/:gh:`(\d+)`/g, 'gh-$1')
    .replace(/:(?:\w+:)?(?:func|meth):`[~!]?([\w.]+)(?:\(\))?`/g, '$1()')
    .replace(/:(?:\w+:)*\w+:`([^`<]+?)\s*<[^`]*>`/g, '$1')
    .replace(/:(?:\w+:)*\w+:`[~!]?([^`]+)`/g, '$1')
    .replace(/`([^`<]+?)\s*<[^`]*>`_+/g, '$1')
    .replace(/``([^`]+)``/g, '$1')
    .replace(/^(?:\*|-) /, '')
    .replace(/\*\*?([\w' ]+)\*\*?/g, '$1')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
}

/** The blocks between blank lines, lists split into items, without directives and code. */
function blocksOf(lines: string[]): string[] {
  return lines
    .join('\n')
    .replace(/^\.\. .*\n(?:[ \t]+.*\n|\n(?=[ \t]))*/gm, '\n')
    .split(/\n\s*\n|\n(?=[*-] )/)
    .filter((block) => /^\S/.test(block) && !/^(?:>>>|\.\.|\+-|==)/.test(block));
}

function paragraphsOf(version: string, source: string): Paragraph[] {
  const lines = source.split('\n');
  const marks: string[] = [];
  const path: string[] = [];
  const found: Paragraph[] = [];
  let section: string[] = [];
  const close = (): void => {
    for (const raw of blocksOf(section)) {
      const text = plain(raw);
      const previous = found.at(-1);
      if (text.startsWith('(') && previous !== undefined && previous.path.at(-1) === path.at(-1))
        previous.text += ` ${text}`;
      else if (text.length >= 60 && !text.endsWith('::'))
        found.push({ version, path: path.filter(Boolean), raw, text });
    }
    section = [];
  };
  lines.forEach((line, index) => {
    const below = lines[index + 1] ?? '';
    const marked = /^([=\-~^*"])\1+$/.test(below) && below.length >= line.trim().length;
    const heading = line.trim() !== '' && marked;
    if (!heading || /^(\W)\1+$/.test(line)) {
      section.push(line);
      return;
    }
    close();
    if (!marks.includes(below[0]!)) marks.push(below[0]!);
    const level = marks.indexOf(below[0]!);
    path.splice(
      level,
      path.length,
      ...Array<string>(level - path.length > 0 ? level - path.length : 0).fill(''),
      plain(line),
    );
  });
  close();
  return found;
}

export const readArticles = (folder: string): Paragraph[] =>
  versions.flatMap((version) =>
    paragraphsOf(
      version,
      readFileSync(html(folder, '_sources/whatsnew', `${version}.rst.txt`), 'utf8'),
    ),
  );

const untagged = (text: string): string =>
  text
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();

/** Releases from 3.5.0 alpha 1 on, the oldest first, with the items of their changelogs. */
export function readChangelog(folder: string): Changelog[] {
  const page = gunzipSync(readFileSync(html(folder, 'whatsnew/changelog.html.gz'))).toString();
  return page
    .split('<h2>Python ')
    .slice(1)
    .map((part) => {
      const name = part.slice(0, part.indexOf('<'));
      const [, minor, stage] = /^(\d\.\d+)\.\d+ (\D+?) ?\d*$/.exec(name)!;
      const items = part
        .split('<h3>')
        .slice(1)
        .flatMap((section) =>
          [...section.matchAll(/<li><p>(.*?)<\/p>/gs)].map(([, item]) => ({
            section: section.slice(0, section.indexOf('<')),
            text: untagged(item!),
          })),
        );
      const date = /Release date: (\d{4}-\d\d-\d\d)/.exec(part)?.[1] ?? '';
      return { name, minor: minor!, stage: stage!, date, items };
    })
    .filter(({ date }) => date !== '')
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}

/** The date of a feature release, from its article or else the changelog. */
export function releaseDate(
  version: string,
  articles: Paragraph[],
  changelog: Changelog[],
): string {
  for (const { text } of articles.filter((each) => each.version === version)) {
    const [, month, day, year] = /was released on (\w+) (\d+), (\d{4})/.exec(text) ?? [];
    const number = months.indexOf(month as (typeof months)[number]) + 1;
    if (number > 0) return `${year}-${String(number).padStart(2, '0')}-${day!.padStart(2, '0')}`;
  }
  return changelog.find(({ name }) => name === `${version}.0 final`)!.date;
}
