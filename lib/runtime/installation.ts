// Where asof is installed, also for code that a bundler has moved: its binary, its models, the
// report's page and its workers are files of the installed package and never part of a bundle.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AsOfError } from '../errors.js';

/** Defined in a bundle of CommonJS. */
declare const __filename: string | undefined;

const home = manifest();

/** `require` of a module of the installed package, which finds its dependencies. */
export const installedRequire = createRequire(home);

/** Path of a file of the installed package, as in 'models/word-vectors.bin'. */
export function installedFile(path: string): string {
  return join(dirname(home), path);
}

export function installedVersion(): string {
  return (installedRequire('asof/package.json') as { version: string }).version;
}

/**
 * asof's package.json: its own outside a bundle, else the one found from the bundle or the working
 * folder. Bundlers leave import.meta.url as it is, empty, or as the path on the machine that bundled.
 */
function manifest(): string {
  const places = [
    import.meta.url as string | undefined,
    typeof __filename === 'string' ? __filename : undefined,
    join(process.cwd(), 'package.json'),
  ].filter((place) => place !== undefined);
  for (const place of places) {
    try {
      return createRequire(place).resolve('asof/package.json');
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
