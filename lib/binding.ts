// Loads the addon: a prebuilt binary where one fits, else the one that was compiled on this machine. This is the only
// module that knows where binaries lie. It translates nothing: the contract is binding.d.ts.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Binding from '../binding.js';
import { AsOfError } from './errors.js';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function load(): typeof Binding {
  const chosen = process.env['ASOF_BINDING']; // a build apart, such as the sanitizers'
  try {
    const loaded = (chosen ? require(chosen) : require('node-gyp-build')(root)) as typeof Binding;
    loaded.setErrorClass(AsOfError);
    return loaded;
  } catch (cause) {
    throw new AsOfError(
      'ERR_NATIVE_UNAVAILABLE',
      `Expected asof's native addon for ${process.platform}-${process.arch}, found none that loads. ` +
        'Reinstall asof on this platform (npm install asof), or compile it where CMake and a C++20 compiler are: npm rebuild asof.',
      { cause },
    );
  }
}

export const binding: typeof Binding = load();
