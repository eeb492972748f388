// Loader of the native addon and runner of its tasks under an AbortSignal. No other module knows
// where binaries are; the contract is binding.d.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type * as Binding from '../binding.js';
import { AsOfError, abortError, throwIfAborted } from './errors.js';
import {
  installedFile,
  installedRequire,
  installedVersion,
  runsFromSource,
} from './runtime/installation.js';
import { createHash } from './runtime/digest.js';

/** The platforms that have a package @asof/PLATFORM. */
const platforms = ['linux', 'darwin', 'win32'].flatMap((system) => [
  `${system}-x64`,
  `${system}-arm64`,
]);
const platform = `${process.platform}-${process.arch}`;
const packageName = `@asof/${platform}`;

/**
 * Files that may be the addon, by precedence: the one that ASOF_BINDING names (tests and
 * sanitizers), the one of a source tree, that of the platform's package.
 */
function candidates(): string[] {
  const chosen = process.env['ASOF_BINDING'];
  if (chosen) return [chosen];
  const { resolve } = installedRequire('node-gyp-build') as { resolve(folder: string): string };
  const found: string[] = [];
  for (const name of ['asof', packageName]) {
    try {
      const folder = dirname(installedRequire.resolve(`${name}/package.json`));
      const path = resolve(folder);
      // It also looks next to Node's program, where another library's addon may be.
      if (path.startsWith(folder)) found.push(path);
    } catch {
      // not installed, or without a binary
    }
  }
  // It takes Alpine alone for a system of musl, whose loader refuses glibc's file elsewhere.
  return found.flatMap((path) =>
    path.endsWith('.glibc.node') ? [path, path.replace(/glibc\.node$/, 'musl.node')] : [path],
  );
}

function load(): { path: string; addon: typeof Binding } {
  const failures: unknown[] = [];
  for (const name of candidates()) {
    try {
      const path = installedRequire.resolve(name);
      return { path, addon: installedRequire(path) as typeof Binding };
    } catch (error) {
      failures.push(error);
    }
  }
  throw unavailable(failures);
}

/** What figures of this installation depend on, besides the code of packages. */
export const buildInfo = () => ({
  version: installedVersion(),
  /** The instruction set that the kernels run on. */
  level: binding.isa(),
  threads: binding.threadCount(),
  digest: codeDigest,
});

/** Digest of the version, every module of the core and of `more` folders, and the addon. */
function codeDigest(more: readonly string[]): string {
  const digest = createHash('sha256').update(installedVersion());
  for (const folder of [installedFile(runsFromSource ? 'lib' : 'dist'), ...more]) {
    const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.[jt]s$/.test(path))
      .sort();
    for (const path of modules) digest.update(path).update(readFileSync(join(folder, path)));
  }
  return digest.update(readFileSync(addonPath)).digest('hex');
}

function unavailable([cause]: readonly unknown[]): AsOfError {
  const received = cause instanceof Error ? `it does not load: ${cause.message}` : 'found none';
  const message = platforms.includes(platform)
    ? `Expected ${packageName}, asof's native binary for this platform, ${received}. ` +
      `Do: npm install ${packageName}@${installedVersion()}`
    : `Expected a platform among ${platforms.join(', ')}, received ${platform}.`;
  return new AsOfError('ERR_NATIVE_UNAVAILABLE', message, { cause });
}

const loaded = load();

export const binding: typeof Binding = loaded.addon;
binding.setErrorClass(AsOfError);

/** The addon's file. */
export const addonPath: string = loaded.path;

/** Runs a native task that ends with ERR_ABORTED once the signal fires. */
export async function withCancellation<Result>(
  signal: AbortSignal | undefined,
  task: (cancellation: Binding.Cancellation) => Promise<Result>,
): Promise<Result> {
  throwIfAborted(signal);
  const cancellation = new binding.Cancellation();
  const cancel = (): void => cancellation.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await task(cancellation);
  } catch (error) {
    if (signal?.aborted && AsOfError.is(error) && error.code === 'ERR_ABORTED')
      throw abortError(signal);
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
