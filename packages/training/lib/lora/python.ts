// The Python of a training: a virtual environment in a folder that the user names, and runs of
// scripts whose lines of JSON are progress.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AsOfError } from 'asof';
import { throwIfAborted } from 'asof/kit';

/** What the scripts import. */
const modules = ['torch', 'transformers', 'numpy', 'onnx'];

export interface PythonOptions {
  /** Interpreter. Default python3. */
  python?: string | undefined;
  /** Folder of a virtual environment, made with the modules where it has none. */
  environment?: string | undefined;
  /** Called before the modules are installed, which takes minutes. */
  onInstall?: ((folder: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * An interpreter that has the modules.
 * @throws AsOfError ERR_NATIVE_UNAVAILABLE, ERR_ABORTED
 */
export async function preparePython(options: PythonOptions): Promise<string> {
  const { python = 'python3', environment, onInstall, signal } = options;
  let found = python;
  if (environment !== undefined) {
    const inside = process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python'];
    found = join(environment, ...inside);
    if (!existsSync(found)) await prepare(python, ['-m', 'venv', environment], signal);
  }
  const check = ['-c', `import ${modules.join(', ')}`];
  const lacks = await runPython(found, check, { signal });
  if (lacks === undefined) return found;
  if (environment === undefined) throw unprepared(found, check, lacks);
  onInstall?.(environment);
  await prepare(found, ['-m', 'pip', 'install', '--quiet', ...modules], signal);
  await prepare(found, check, signal);
  return found;
}

async function prepare(
  python: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const failure = await runPython(python, args, { signal });
  if (failure !== undefined) throw unprepared(python, args, failure);
}

function unprepared(python: string, args: readonly string[], failure: string): AsOfError {
  return new AsOfError(
    'ERR_NATIVE_UNAVAILABLE',
    `Expected ${python} ${args.join(' ')} to run, it ended with ${failure} Training needs Python ` +
      `3.10 or later with ${modules.join(', ')}: name its interpreter, or a folder to install ` +
      'them in.',
    { details: { python } },
  );
}

/**
 * Runs a script to its end. Returns the last lines of standard error of one that failed.
 * @throws AsOfError ERR_ABORTED
 */
export async function runPython(
  python: string,
  args: readonly string[],
  options: { signal?: AbortSignal | undefined; onLine?: (line: string) => void } = {},
): Promise<string | undefined> {
  const { signal, onLine } = options;
  throwIfAborted(signal);
  const child = spawn(python, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const stop = (): void => void child.kill();
  signal?.addEventListener('abort', stop, { once: true });
  let said = '';
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (said = (said + text).slice(-4000)));
  createInterface(child.stdout).on('line', (line) => onLine?.(line));
  const failure = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(`${error.message}.`));
    child.on('close', (code, killed) =>
      resolve(code === 0 ? undefined : `${killed ?? `status ${code}`}: ${lastWords(said)}`),
    );
  });
  signal?.removeEventListener('abort', stop);
  throwIfAborted(signal);
  return failure;
}

/** The end of a traceback. */
function lastWords(text: string): string {
  const last = text.trim().split('\n').slice(-3).join(' ').trim();
  return last === '' ? 'no message.' : /[.!]$/.test(last) ? last : `${last}.`;
}
