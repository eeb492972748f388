// Packages of asof that a command needs: they are found next to asof, or in the user's project
// where asof itself is installed for the whole machine.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installedVersion, importPeer } from '../runtime/installation.js';

/** Imports an entry such as '@asof/server/page'. @throws AsOfError ERR_NATIVE_UNAVAILABLE */
export async function loadPackage<T>(entry: string, purpose: string): Promise<T> {
  const name = entry.split('/').slice(0, 2).join('/');
  const remedy = `Do: npm install ${name}@${installedVersion()}`;
  try {
    return await importPeer<T>(entry, purpose, remedy);
  } catch (fault) {
    const inProject = resolvedFromProject(entry);
    if (inProject === undefined) throw fault;
    return importPeer<T>(inProject, purpose, remedy);
  }
}

function resolvedFromProject(entry: string): string | undefined {
  try {
    const { resolve } = createRequire(join(process.cwd(), 'package.json'));
    return pathToFileURL(resolve(entry)).href;
  } catch {
    return undefined; // not installed there either
  }
}
