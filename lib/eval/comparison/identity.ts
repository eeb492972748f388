// Package version and code digest, which keep runs of other code from being reused.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const code = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('../../../package.json') as {
    version: string;
  };
  return version;
}

/**
 * Digest of every installed module of the package, and of the addon if it was built locally; the
 * version represents a prebuilt one.
 */
export function codeDigest(): string {
  const digest = createHash('sha256').update(packageVersion());
  for (const [folder, ending] of [
    [code, /\.[jt]s$/],
    [join(code, '..', 'build', 'Release'), /\.node$/],
  ] as const) {
    for (const path of filesBelow(folder)
      .filter((each) => ending.test(each))
      .sort())
      digest.update(path).update(readFileSync(join(folder, path)));
  }
  return digest.digest('hex');
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}
