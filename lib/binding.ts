// Loader of the native addon and runner of its tasks under an AbortSignal. No other module knows
// where binaries are; the contract is binding.d.ts.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Binding from '../binding.js';
import { AsOfError, abortError, throwIfAborted } from './errors.js';
import {
  installedFile,
  installedRequire,
  installedVersion,
  runsFromSource,
} from './runtime/installation.js';

/** The platforms that have a package @asof/PLATFORM. */
const platforms = [
  ...['linux-x64', 'linux-arm64', 'linuxmusl-x64', 'linuxmusl-arm64'],
  ...['darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'],
];

/**
 * Modules that may be the addon, by precedence: the file that ASOF_BINDING names (tests and
 * sanitizers), the one compiled in a source tree (`imports` of its package.json), the platform's
 * package. Linux has two, of which package managers install the one that fits the C library.
 */
function candidates(): string[] {
  const chosen = process.env['ASOF_BINDING'];
  if (chosen) return [chosen];
  const systems = process.platform === 'linux' ? ['linux', 'linuxmusl'] : [process.platform];
  return ['#addon', ...systems.map((system) => `@asof/${system}-${process.arch}`)];
}

function load(): { path: string; addon: typeof Binding } {
  const failures: unknown[] = [];
  for (const name of candidates()) {
    let path: string;
    try {
      path = installedRequire.resolve(name);
    } catch {
      continue; // not installed
    }
    try {
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

function unavailable(failures: readonly unknown[]): AsOfError {
  const platform = platformName();
  const name = `@asof/${platform}`;
  const [cause] = failures;
  const received = cause instanceof Error ? `it does not load: ${cause.message}` : 'found none';
  const message = platforms.includes(platform)
    ? `Expected ${name}, asof's native binary for this platform, ${received}. ` +
      `Do: npm install ${name}@${installedVersion()}`
    : `Expected a platform among ${platforms.join(', ')}, received ${platform}.`;
  return new AsOfError('ERR_NATIVE_UNAVAILABLE', message, { cause });
}

function platformName(): string {
  const { platform, arch } = process;
  if (platform !== 'linux') return `${platform}-${arch}`;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return `${header.glibcVersionRuntime === undefined ? 'linuxmusl' : 'linux'}-${arch}`;
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
