// Releases of Electron with their bundled components, by line and channel, and short notes of
// fixes, from the npm package electron-releases.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const components = ['Chromium', 'Node.js', 'V8'] as const;
/** The day of the package's last release. */
export const lastDay = '2022-10-17';
export type Component = (typeof components)[number];
export type Channel = 'stable' | 'beta' | 'alpha';

export interface Release {
  version: string;
  line: string;
  channel: Channel;
  /** ISO day of publication. */
  date: string;
  bundles: Record<Component, string>;
  abi: string;
  downloads: number;
}

interface RawRelease {
  version: string;
  published_at: string;
  total_downloads: number;
  deps?: { chrome: string; node: string; v8: string; modules?: string };
  body?: string;
}

const read = (folder: string, file: string): RawRelease[] =>
  JSON.parse(readFileSync(join(folder, 'package', file), 'utf8')) as RawRelease[];

/** Stable, beta and alpha releases from version 1.4 on, in the order of their publication. */
export function readReleases(folder: string): Release[] {
  return read(folder, 'lite.json')
    .flatMap(({ version, published_at, deps, total_downloads }) => {
      const [, major, minor, , channel = 'stable'] =
        /^(\d+)\.(\d+)\.(\d+)(?:-(\w+))?/.exec(version) ?? [];
      if (deps === undefined || !['stable', 'beta', 'alpha'].includes(channel)) return [];
      const line = Number(major) >= 2 ? major! : `${major}.${minor}`;
      if (/^0|^1\.[0-3]$/.test(line)) return [];
      return {
        version,
        line,
        channel: channel as Channel,
        time: published_at,
        date: published_at.slice(0, 10),
        bundles: {
          Chromium: deps.chrome,
          'Node.js': deps.node,
          V8: deps.v8.replace('-electron', ''),
        },
        abi: deps.modules ?? '',
        downloads: total_downloads,
      };
    })
    .sort((one, other) => (one.time < other.time ? -1 : 1))
    .map(({ time: _, ...release }) => release);
}

/** The fixes in the notes of releases, without links, by line. */
export function readFixes(folder: string): { line: string; text: string }[] {
  const fixes = new Map<string, string>();
  for (const { version, body = '' } of read(folder, 'index.json'))
    for (const [, item] of body.matchAll(/^ ?\* (Fixed .+)$/gm)) {
      const text = item!
        .replace(/<!--.*?-->|<span.*$/g, '')
        .replace(/\s*\[[#\w]+\]\(\S+\)/g, '')
        .trim();
      if (text.length > 50 && !/\d+\.\d+|https?:/.test(text))
        fixes.set(text, version.split('.')[0]!);
    }
  return [...fixes].map(([text, line]) => ({ text, line }));
}
