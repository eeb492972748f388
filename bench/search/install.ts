// Installs the contenders that are no dependencies of this project below a work folder, once: FAISS
// and MKL into a Python environment, LlamaIndex into another, the others from npm, those without a
// binary in their package compiled here. What cannot be had is said with its reason; nothing is
// fatal.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Step {
  /** Whose installation it is. */
  name: string;
  there: (folder: string) => boolean;
  commands: string[][];
}

const pipOf = (environment: string): string[] => [
  `${environment}/bin/python`,
  ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'],
];
const pip = pipOf('venv');
const npm = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'];
const has =
  (path: string) =>
  (folder: string): boolean =>
    existsSync(join(folder, path));

const steps: Step[] = [
  {
    name: 'FAISS',
    there: has('venv/bin/python'),
    commands: [
      ['python3', '-m', 'venv', 'venv'],
      [...pip, 'faiss-cpu', 'numpy'],
    ],
  },
  {
    name: 'MKL for FAISS',
    there: (folder) =>
      has('venv/lib/libmkl_rt.so.3')(folder) || has('venv/lib/libmkl_rt.so.2')(folder),
    commands: [[...pip, '--no-deps', 'mkl']],
  },
  {
    name: 'hnswlib-node',
    there: has('node_modules/hnswlib-node/build/Release/addon.node'),
    commands: [
      [...npm, 'hnswlib-node'],
      ['npm', 'rebuild', 'hnswlib-node'],
    ],
  },
  {
    name: 'better-sqlite3',
    there: has('node_modules/better-sqlite3/build/Release/better_sqlite3.node'),
    commands: [
      [...npm, 'better-sqlite3'],
      ['npm', 'rebuild', 'better-sqlite3', '--build-from-source'],
    ],
  },
  {
    name: 'sqlite-vec',
    there: has('node_modules/sqlite-vec/package.json'),
    commands: [[...npm, 'sqlite-vec']],
  },
  {
    name: 'LanceDB',
    there: has('node_modules/@lancedb/lancedb/package.json'),
    commands: [[...npm, '@lancedb/lancedb']],
  },
  {
    name: 'Orama',
    there: has('node_modules/@orama/orama/package.json'),
    commands: [[...npm, '@orama/orama']],
  },
  {
    name: 'LangChain',
    there: has('node_modules/@langchain/classic/package.json'),
    commands: [[...npm, '@langchain/classic', '@langchain/core']],
  },
  {
    name: 'LlamaIndex',
    there: has('llamaindex/bin/python'),
    commands: [
      ['python3', '-m', 'venv', 'llamaindex'],
      [...pipOf('llamaindex'), 'llama-index-core', 'pandas'],
    ],
  },
];

/** Where this Node has its headers: packages are compiled with them, and none are fetched. */
const headers = dirname(dirname(process.execPath));
const environment = existsSync(join(headers, 'include', 'node', 'node_version.h'))
  ? { npm_config_nodedir: headers, ...process.env }
  : process.env;

/** Loads packages installed below a work folder. */
export const peerPackages = (work: string): NodeJS.Require =>
  createRequire(join(work, 'peers', 'package.json'));

export const versionOf = (work: string, name: string): string =>
  (
    peerPackages(work)(join(work, 'peers', 'node_modules', name, 'package.json')) as {
      version: string;
    }
  ).version;

/** Installs those named. Why something could not be had, by its name; empty where all is there. */
export function installPeers(work: string, names: readonly string[]): Map<string, string> {
  const folder = join(work, 'peers');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const failed = new Map<string, string>();
  for (const { name, there, commands } of steps) {
    if (!names.includes(name) || there(folder)) continue;
    console.error(`installing ${name}`);
    try {
      for (const [command, ...given] of commands) {
        execFileSync(command!.includes('/') ? join(folder, command!) : command!, given, {
          cwd: folder,
          env: environment,
          stdio: ['ignore', 'ignore', 'pipe'],
        });
      }
    } catch (error) {
      const said = String((error as { stderr?: Buffer }).stderr ?? (error as Error).message)
        .trim()
        .split('\n');
      failed.set(
        name,
        said.findLast((line) => /error|ERR|Expected/i.test(line)) ?? said.at(-1) ?? 'unknown',
      );
    }
  }
  return failed;
}
