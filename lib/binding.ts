// Loader of the native addon (a matching prebuilt binary, else the locally compiled one) and runner
// of its tasks under an AbortSignal. No other module knows where binaries are; the contract is
// binding.d.ts.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Binding from '../binding.js';
import { AsOfError, abortError, throwIfAborted } from './errors.js';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function load(): typeof Binding {
  const chosen = process.env['ASOF_BINDING']; // another build: the tests' or the sanitizers'
  try {
    const nodeGypBuild = require('node-gyp-build') as (root: string) => typeof Binding;
    const loaded = chosen ? (require(chosen) as typeof Binding) : nodeGypBuild(root);
    loaded.setErrorClass(AsOfError);
    return loaded;
  } catch (cause) {
    throw new AsOfError(
      'ERR_NATIVE_UNAVAILABLE',
      `Expected asof's native addon for ${process.platform}-${process.arch}, found none that loads. ` +
        'Reinstall asof on this platform (npm install asof), or compile it where CMake and a ' +
        'C++20 compiler are: npm rebuild asof.',
      { cause },
    );
  }
}

export const binding: typeof Binding = load();

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
