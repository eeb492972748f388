// Where asof is installed, also for code that a bundler has moved: its binary, its models and its
// workers are files of the installed package and never part of a bundle.
import { dirname, join } from 'node:path';
import { AsOfError } from '../errors.js';

/** Defined in a bundle of CommonJS. */
declare const __filename: string | undefined;

/** Not imported, since webpack replaces it; @vercel/nft knows this name. */
const module = process.getBuiltinModule('module');

/** Its own place; bundlers leave it as it is, empty it, or keep the path on their own machine. */
const own = import.meta.url as string | undefined;

/** Whether the code is TypeScript, as when the tests run. */
export const runsFromSource = own?.endsWith('.ts') ?? false;

const home = manifest();

/** `require` of a module of the installed package, which finds its dependencies. */
export const installedRequire = module.createRequire(home);

/** Path of a file of the installed package, as in 'models/word-vectors.bin'. */
export function installedFile(path: string): string {
  return join(dirname(home), path);
}

export function installedVersion(): string {
  return (installedRequire('asof/package.json') as { version: string }).version;
}

/** asof's package.json, also from a bundle or the working folder. */
function manifest(): string {
  const places = [
    own,
    typeof __filename === 'string' ? __filename : undefined,
    join(process.cwd(), 'package.json'),
  ].filter((place) => place !== undefined);
  for (const place of places) {
    try {
      return module.createRequire(place).resolve('asof/package.json');
    } catch {
      // the next place, or the error below
    }
  }
  throw new AsOfError(
    'ERR_NATIVE_UNAVAILABLE',
    `Expected the package asof in node_modules above ${places.join(' or ')}, found none. ` +
      'Code that was bundled needs it there when it runs. Do: npm install asof',
  );
}

/** Never called: tracers of files (@vercel/nft, Next.js) find here what is named at run time. */
export function tracedFiles(): unknown[] {
  const here = import.meta.dirname;
  return [
    join(here, '../../models'),
    join(here, '../../prompts'),
    join(here, '../models/onnx/worker.js'),
    installedRequire('@asof/linux-x64'),
    installedRequire('@asof/linux-arm64'),
    installedRequire('@asof/darwin-x64'),
    installedRequire('@asof/darwin-arm64'),
    installedRequire('@asof/win32-x64'),
    installedRequire('@asof/win32-arm64'),
    installedRequire('onnxruntime-node'),
  ];
}

/**
 * Imports a peer when it is first needed. Bundlers leave it where it is: most peers are native.
 * `purpose` as in 'to run the model'; `remedy` says what to install.
 * @throws AsOfError ERR_NATIVE_UNAVAILABLE.
 */
export async function importPeer<T>(
  name: string,
  purpose: string,
  remedy: string,
  details?: Record<string, unknown>,
): Promise<T> {
  try {
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as T;
  } catch (cause) {
    const { code, message = String(cause) } = (cause ?? {}) as NodeJS.ErrnoException;
    // Node, and the loader of yarn's Plug'n'Play; what is missing may be a dependency of the peer
    const isMissing =
      ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(code)) &&
      name.startsWith(/'([^']+)'/.exec(message)?.[1] ?? name);
    const received = isMissing ? 'it is not installed' : `it does not load: ${message}`;
    throw new AsOfError(
      'ERR_NATIVE_UNAVAILABLE',
      `Expected ${name} ${purpose}, ${received}. ${remedy}`,
      { cause, ...(details && { details }) },
    );
  }
}
