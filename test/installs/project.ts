// A user's project in an empty folder with empty caches: files, commands, and the service that runs
// in it.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What answers.mjs imports of asof. */
export const ours = ['asof', '@asof/documents', '@asof/evaluation', '@asof/server'] as const;

export type Environment = Readonly<Record<string, string>>;

/** What answers.mjs returns. */
export interface Answers {
  first: string;
  headings: number;
  reportHasPage: boolean;
  served: { first: string; hasPage: boolean };
  time: { year: number } | string;
}

export interface Command {
  status: number | null;
  output: string;
}

const here = dirname(fileURLToPath(import.meta.url));
const sources = ['answers.mjs', 'service.mjs', 'threads.mjs', 'cluster.mjs'];

export class Project {
  private readonly environment: Environment;

  constructor(
    readonly folder: string,
    private readonly registry: { url: string; environment: Environment },
  ) {
    mkdirSync(folder, { recursive: true });
    const home = `${folder}-home`;
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, '.npmrc'), `registry=${registry.url}\n`);
    this.environment = {
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      HOME: home,
      npm_config_cache: join(home, 'npm'),
      YARN_CACHE_FOLDER: join(home, 'yarn'),
      YARN_GLOBAL_FOLDER: join(home, 'berry'),
      BUN_INSTALL_CACHE_DIR: join(home, 'bun'),
      DENO_DIR: join(home, 'deno'),
      ...registry.environment,
    };
    this.write('package.json', '{ "name": "user", "version": "1.0.0", "private": true }\n');
    for (const name of sources) cpSync(join(here, name), join(folder, name));
  }

  /** An empty folder with the same registry and caches of its own. */
  beside(): Project {
    const folder = `${this.folder}-away`;
    rmSync(folder, { recursive: true, force: true });
    return new Project(folder, this.registry);
  }

  /** Does something while a file or folder is hidden. */
  async without(path: string, task: () => Promise<void>): Promise<void> {
    const [shown, hidden] = [join(this.folder, path), `${this.folder}-hidden`];
    renameSync(shown, hidden);
    try {
      await task();
    } finally {
      renameSync(hidden, shown);
    }
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** Runs a command to its end. @throws Error with its output, unless it may fail. */
  run(
    command: string,
    args: readonly string[],
    { mayFail = false, variables = {} }: { mayFail?: boolean; variables?: Environment } = {},
  ): Command {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: this.folder,
      env: { ...this.environment, ...variables },
      encoding: 'utf8',
      timeout: 600_000,
      maxBuffer: 1 << 28,
    });
    const output = `${stdout}${stderr}`;
    if (!mayFail && status !== 0)
      throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? output.slice(-1500)}`);
    return { status, output };
  }

  npm(...packages: string[]): Command {
    return this.run('npm', [
      ...['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
      ...packages,
    ]);
  }

  /** The peer that runs ONNX models, of this clone: downloads of 290 MB are spared. */
  linkOnnxRuntime(): void {
    const manifest = createRequire(import.meta.url).resolve('onnxruntime-node/package.json');
    symlinkSync(dirname(manifest), join(this.folder, 'node_modules', 'onnxruntime-node'));
  }

  /** Starts a program that prints `port N`, and returns what it answers. */
  async serve(command: string, args: readonly string[]): Promise<Answers> {
    const child = this.start(command, args);
    try {
      const port = await portOf(child);
      return await answersOf(`http://127.0.0.1:${port}/`);
    } finally {
      await stop(child);
    }
  }

  start(command: string, args: readonly string[], variables: Environment = {}): ChildProcess {
    return spawn(command, args, {
      cwd: this.folder,
      env: { ...this.environment, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  }
}

export async function answersOf(url: string): Promise<Answers> {
  const response = await fetch(url);
  const text = await response.text();
  assert.equal(response.status, 200, text.slice(0, 2000));
  return JSON.parse(text) as Answers;
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (piece: Buffer): void => {
      output += String(piece);
      const port = /port (\d+)/.exec(output)?.[1];
      if (port) resolve(Number(port));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('error', reject);
    child.on('close', () => reject(new Error(output.slice(0, 2000))));
  });
}

/** Ends a process that was started detached, and its children. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid);
  await ended;
}

/** The right answers; `onnx` says whether the project has onnxruntime-node. */
export function checkAnswers(found: Answers, { onnx }: { onnx: boolean }): void {
  const { time, ...others } = found;
  assert.deepEqual(others, {
    first: 'johnson',
    headings: 2,
    reportHasPage: true,
    served: { first: 'johnson', hasPage: true },
  });
  const read = typeof time === 'object' ? `year ${time.year}` : time;
  if (onnx) assert.equal(read, 'year 1949');
  else assert.match(read, /^Expected onnxruntime-node to run the model, it is not install/);
}

/** A module of ECMAScript as CommonJS, for the few forms that answers.mjs has. */
export function commonJs(source: string): string {
  return source
    .replaceAll(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = require($2);')
    .replaceAll(/'\.\/(\w+)\.mjs'/g, "'./$1.cjs'")
    .replaceAll(/^export async function (\w+)/gm, 'exports.$1 = async function $1');
}
