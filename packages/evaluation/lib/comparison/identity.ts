// Digest of the code, which keeps runs of other code from being reused.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addonPath, installedFile, installedVersion, runsFromSource } from 'asof/kit';

/** Digest of the version, every module of the package, and the addon. */
export function codeDigest(): string {
  const digest = createHash('sha256').update(installedVersion());
  const code = installedFile(runsFromSource ? 'lib' : 'dist');
  const modules = readdirSync(code, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[jt]s$/.test(path))
    .sort();
  for (const path of modules) digest.update(path).update(readFileSync(join(code, path)));
  return digest.update(readFileSync(addonPath)).digest('hex');
}
