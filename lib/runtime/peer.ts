// Import of an optional peer dependency, which the user's project installs.
import { AsOfError } from '../errors.js';

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
    // Node, and the loader of yarn's Plug'n'Play
    const codes = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];
    const isMissing = codes.includes(String((cause as NodeJS.ErrnoException | undefined)?.code));
    const received = isMissing
      ? 'it is not installed'
      : `it does not load: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new AsOfError(
      'ERR_NATIVE_UNAVAILABLE',
      `Expected ${name} ${purpose}, ${received}. ${remedy}`,
      { cause, ...(details && { details }) },
    );
  }
}
