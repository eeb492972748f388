// Runs the real command line, in this process or in one of its own, with pipes instead of a
// terminal.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { runCommandLine } from '../../lib/cli/run.js';
import { shippedEnvironment } from '../selectAddon.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

function built(): boolean {
  const entry = join(root, 'dist/cli/main.js');
  if (!existsSync(entry)) return false;
  const folders = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'lib'));
  const { mtimeMs } = statSync(entry);
  return ['lib', ...folders].every((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).every(
      (path) => statSync(join(root, folder, path)).mtimeMs < mtimeMs,
    ),
  );
}

/**
 * Node's arguments for the command line, from the root: as built where no source is newer (it
 * starts in a third of the time).
 */
export const commandLine: readonly string[] = built()
  ? ['dist/cli/main.js']
  : ['--import', 'tsx', 'lib/cli/main.ts'];

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface SpawnOptions {
  input?: string | Uint8Array;
  env?: Record<string, string>;
  /** Called once with the process, to send it a signal or close its pipes. */
  started?: (child: ChildProcess) => void;
}

/**
 * `asof ...args` in a process of its own: what it printed and how it ended. Relative paths are from
 * the root of the package.
 */
export function spawned(args: readonly string[], options: SpawnOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...commandLine, ...args], {
      cwd: root,
      env: { ...shippedEnvironment(), ...options.env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => {}); // a command that does not read its input closes it
    if (options.input !== undefined) child.stdin.end(options.input);
    options.started?.(child);
  });
}

/**
 * The words of a command line: argv`get ${folder} a b --json`. A value in braces is one word
 * whatever is in it, beside text a part of that word; a list is as many words.
 */
export function argv(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const end = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  texts.forEach((text, at) => {
    text.split(/\s+/).forEach((piece, nth) => {
      if (nth > 0) end();
      if (piece !== '') word = (word ?? '') + piece;
    });
    const value = values[at];
    if (typeof value === 'object') words.push(...value);
    else if (value !== undefined) word = `${word ?? ''}${value}`;
  });
  end();
  return words;
}

let running: Promise<unknown> = Promise.resolve();

/**
 * As `spawned`, in this process where the command needs none of its own (a signal, options of Node,
 * or jobs, which start the program again; variables that the addon reads need `spawned`); one at a
 * time, since the standard input and the environment are the process's.
 */
export function asof(args: readonly string[], options: SpawnOptions = {}): Promise<Outcome> {
  const isAlone = options.started || options.env?.['NODE_OPTIONS'] || args.includes('--jobs');
  if (isAlone) return spawned(args, options);
  const outcome = running.then(() => here(args, options));
  running = outcome.catch(() => {});
  return outcome;
}

async function here(args: readonly string[], { input = '', env }: SpawnOptions): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' };
  const collecting = (name: keyof typeof texts) =>
    ({
      write: (text: string) => {
        texts[name] += text;
        return true;
      },
    }) as unknown as NodeJS.WriteStream;
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  const environment = process.env;
  Object.defineProperty(process, 'stdin', {
    value: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
    configurable: true,
  });
  process.env = { ...environment, ...env };
  try {
    const streams = {
      stdout: collecting('stdout'),
      stderr: collecting('stderr'),
      env: process.env,
    };
    const code = await runCommandLine(args, streams, new AbortController().signal);
    return { code, ...texts };
  } finally {
    process.env = environment;
    Object.defineProperty(process, 'stdin', stdin);
  }
}
