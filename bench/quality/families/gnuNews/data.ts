// Releases and entries of the NEWS files of GNU programs, as written.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { spell } from '../dates.js';

export interface Entry {
  program: string;
  version: string;
  date: string;
  /** The line that opens the release. */
  heading: string;
  /** Of the section within the release, if any ("Bug fixes"). */
  section: string;
  text: string;
}

export const programs = [
  'coreutils',
  'grep',
  'sed',
  'gzip',
  'diffutils',
  'findutils',
  'tar',
  'make',
  'nano',
];

const headings: RegExp[] = [
  /^\* (?:Noteworthy|Major) changes in release ([\d.]+\w*),? \(?(\d{4}-\d\d-\d\d)\)?/,
  /^(?:Major changes in )?Gzip ([\d.]+) \((\d{4}-\d\d-\d\d)\)/,
  /^[Vv]ersion (\d[\d.]+) (?:- [^,]+, )?\(?(\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]{2} \d{4})\)?/,
];
const undated =
  /^(?:Sed|[Vv]ersion|Gzip|No major changes|Major changes|User-visible changes)\b.*?([\d.]*\d)(?: |:|\.?$|,)(?!.* to )/;

interface Release {
  version: string;
  /** Empty where the file does not date the release. */
  date: string;
}

/** The release that a line opens, if it does. */
function opened(line: string): Release | undefined {
  for (const pattern of headings) {
    const found = pattern.exec(line);
    if (!found) continue;
    const [version, stated] = [found[1]!, found[2]!];
    const iso = /^\d{4}/.test(stated) ? stated : new Date(`${stated} UTC`).toISOString();
    return { version, date: iso.slice(0, 10) };
  }
  const version = /(\d+\.[\d.]*\w*)[:.]?$/.exec(line)?.[1];
  return undated.test(line) && version ? { version, date: '' } : undefined;
}

const joined = (lines: string[]): string => lines.join(' ').replace(/\s+/g, ' ').trim();

/** Paragraphs of nano's file, whose releases open with a date. */
function nanoEntries(text: string): Entry[] {
  return text.split(/\n(?=\d{4}\.\d\d\.\d\d )/).flatMap((release) => {
    const found = /^(\d{4}\.\d\d\.\d\d) [-–] GNU nano (\d[\d.]*\d)/.exec(release);
    if (!found) return [];
    const same = {
      program: 'nano',
      version: found[2]!,
      date: found[1]!.replace(/\./g, '-'),
      section: '',
    };
    const [first = '', ...points] = release.split(/\n• /);
    if (points.length > 0)
      return points.map((point) => ({ ...same, heading: joined([first]), text: joined([point]) }));
    const [opening = '', ...others] = release.split(/\n\s*\n/);
    return [opening, ...others].map((paragraph) => ({
      ...same,
      heading: found[1]!,
      text: joined([paragraph]),
    }));
  });
}

/** The entries of one file: its paragraphs. */
export function entriesOf(folder: string, program: string): Entry[] {
  const file = join(folder, 'usr/share/doc', program, 'NEWS.gz');
  const text = gunzipSync(readFileSync(file)).toString();
  if (program === 'nano') return nanoEntries(text);
  const entries: Entry[] = [];
  let release: Release | undefined;
  let [heading, section] = ['', ''];
  let block: string[] = [];
  const close = (): void => {
    const paragraph = joined(block).replace(/^[-*] /, '');
    block = [];
    if (
      release &&
      paragraph.length > 40 &&
      !/^(https?:\S+$|[-=]{3}|Copyright|Local Var|pub )/.test(paragraph)
    )
      entries.push({ program, ...release, heading, section, text: paragraph });
  };
  for (const line of text.split(/^\* Major changes in release 5\.0 /m)[0]!.split('\n')) {
    const next = opened(line);
    if (next || /^\*\* /.test(line) || line.trim() === '' || /^ {0,2}[-*] /.test(line)) close();
    if (next) [release, heading, section] = [next, line.replace(/^\* /, '').trim(), ''];
    else if (/^\*\* /.test(line)) section = line.slice(3).trim();
    else if (line.trim() !== '') block.push(line);
  }
  close();
  return entries;
}

export interface Item extends Entry {
  id: string;
  /** Commands that the entry is about. */
  subjects: string[];
}

export const ids = (items: { id: string }[]): string[] => items.map(({ id }) => id);

/** A date in the spellings of answers and of the files. */
export const stated = (date: string): string[] => [
  ...[0, 1, 2].map((style) => spell(date, style)),
  date.replace(/-/g, '.'),
  new Date(date).toUTCString().slice(5, 16),
];
export const dates = (items: Entry[]): string[] => [
  ...new Set(items.flatMap(({ date }) => stated(date))),
];

/** Programs whose passages have a date of publication; in others the title states it. */
export const published = new Set(['coreutils', 'grep', 'gzip', 'sed', 'diffutils', 'findutils']);
const commands = (
  'b2sum base64 basename chcon chgrp chmod chown chroot cksum comm cp csplit cut date ' +
  'dd df dircolors dirname du env expand expr factor fmt fold head id install join ln ' +
  'ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup numfmt od paste pinky pr printf ' +
  'ptx pwd readlink realpath rm rmdir seq sha1sum shred shuf sort split stat stdbuf ' +
  'stty sum sync tac tail tee test timeout touch tr truncate tsort tty uname unexpand ' +
  'uniq uptime wc who xargs find locate updatedb cmp diff diff3 sdiff zgrep zdiff znew ' +
  'gunzip'
).split(' ');
/** The commands that the first words of an entry list. */
export function subjectsOf({ text }: Entry): string[] {
  const subjects: string[] = [];
  for (const word of text.replace(/^(?:#\d+: |The new |In )/, '').split(/[\s,:/]+/)) {
    const bare = word.replace(/['"`]/g, '').replace(/\(\d\)$/, '');
    if (commands.includes(bare)) subjects.push(bare);
    else if (bare !== 'and' && bare !== 'or') break;
  }
  return subjects;
}
