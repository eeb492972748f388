// A headless Chromium of this machine for tests of pages: one that a person or a package manager
// installed. It fetches none.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** What to say where there is none. */
export const howToGet =
  'no Chromium here: apt-get install chromium-headless-shell, or name one in ASOF_CHROMIUM';

export function chromiumPath(): string | undefined {
  const named = process.env['ASOF_CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found =
    named === undefined
      ? names.flatMap((name) => folders.map((folder) => join(folder, name)))
      : [named];
  return found.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Without its sandbox where the test runs as root, as a sandbox cannot be made there; pages are our
 * own.
 */
export function startChromium(executablePath: string): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath,
    args: ['--disable-gpu', ...(isRoot ? ['--no-sandbox'] : [])],
  });
}
