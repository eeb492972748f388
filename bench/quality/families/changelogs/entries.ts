// Releases of npm packages as their changelog files list them: version, date and text,
// and the paragraphs of their readme files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FamilySource } from '../family.js';

export interface Release {
  package: string;
  version: string;
  date: string;
  heading: string;
  text: string;
}

const versions: Record<string, string> = {
  express: '4.21.2',
  'express-session': '1.17.3',
  connect: '3.7.0',
  'socket.io': '1.7.4',
  'socket.io-client': '1.4.0',
  'engine.io': '3.1.0',
  'engine.io-client': '3.1.0',
  'body-parser': '1.20.3',
  'cookie-parser': '1.4.7',
  'cookie-session': '2.1.1',
  'serve-static': '1.16.2',
  'serve-index': '1.9.1',
  'serve-favicon': '2.5.0',
  send: '0.19.0',
  compression: '1.7.4',
  morgan: '1.10.0',
  finalhandler: '2.1.1',
  'mime-types': '3.0.2',
  'mime-db': '1.54.0',
  debug: '2.6.9',
  superagent: '3.8.3',
  supertest: '3.0.0',
  commander: '2.20.3',
  mocha: '8.4.0',
  should: '13.2.3',
  moment: '2.30.1',
  'moment-timezone': '0.5.48',
  handlebars: '4.7.8',
  stylus: '0.54.8',
};

export const changelogSources: FamilySource[] = Object.entries(versions).map(([name, version]) => ({
  registry: 'npm',
  package: name,
  version,
  license: 'MIT',
}));

const dated =
  /^\W*(?:v|\[)*(\d+\.\d+\.\d+[-.\w]*)\W.*?(\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d+\w*,? \d{4})/;
const bare = /^### \[?(\d+\.\d+\.\d+[-.\w]*)/;

function isoDate(text: string): string {
  const cleaned = text.replace(/(\d)(st|nd|rd|th)\b/, '$1').replace('Sept ', 'Sep ');
  return /^\d{4}-/.test(cleaned) ? cleaned : new Date(`${cleaned} UTC`).toISOString().slice(0, 10);
}

const fileOf = (folder: string, pattern: RegExp): string => {
  const file = readdirSync(folder).find((name) => pattern.test(name));
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
};

/** Releases with a date of a package, newest first, as the file lists them. */
export function releasesOf(name: string, folder: string): Release[] {
  const root = existsSync(join(folder, 'package')) ? join(folder, 'package') : folder;
  const lines = fileOf(root, /^(history|changelog|release-notes)\.(md|txt)$/i).split('\n');
  const releases: Release[] = [];
  const heads = lines.flatMap((line, at) => {
    if (/^\s*[*-] /.test(line)) return [];
    const own = dated.exec(line);
    if (own) return [{ at, version: own[1]!, date: own[2]! }];
    const version = bare.exec(line)?.[1];
    const next = lines.slice(at + 1, at + 4).join(' ');
    const date = /Release:? ([A-Z][a-z]+ \d+,? \d{4})/.exec(next)?.[1];
    return version === undefined ? [] : [{ at, version, date: date ?? '' }];
  });
  heads.forEach(({ at, version, date }, index) => {
    const text = lines
      .slice(at + 1, heads[index + 1]?.at)
      .filter((line) => !/^(=+|-{3,})\s*$/.test(line))
      .join('\n')
      .trim();
    const heading = lines[at]!.replace(/^[#=\s]+/, '').trim();
    if (date !== '') releases.push({ package: name, version, date: isoDate(date), heading, text });
  });
  return releases;
}

/** Prose paragraphs of a package's readme. */
export function readmeOf(folder: string): string[] {
  return fileOf(join(folder, 'package'), /^readme\.(md|markdown)$/i)
    .replace(/```[\s\S]*?```/g, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => /^[A-Z`]/.test(paragraph) && !/\]: http|^\|/m.test(paragraph))
    .filter(({ length }) => length >= 90 && length <= 700);
}
