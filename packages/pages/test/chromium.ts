// Pages in a headless Chromium of this machine, with everything that goes wrong in them: one that a
// person or a package manager installed. It fetches none.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

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

export interface Shown {
  width?: number;
  scheme?: 'light' | 'dark';
}

export interface PageBrowser {
  open(address: string, shown?: Shown): Promise<Page>;
}

/**
 * A browser for a suite of tests, which fails where a page has errors, warnings of the console, or
 * requests beyond `isOwn`. Call it in a describe.
 */
export function withBrowser(
  isOwn: (address: string) => boolean,
  expected: RegExp = /^$/,
): PageBrowser {
  let browser: Browser | undefined;
  let faults: string[] = [];
  const opened: Page[] = [];
  before(async function () {
    const path = chromiumPath();
    if (path === undefined) {
      console.log(`      skipped: ${howToGet}`);
      return this.skip();
    }
    execFileSync(process.execPath, [
      fileURLToPath(new URL('../../../scripts/build-pages.cjs', import.meta.url)),
    ]);
    browser = await startChromium(path);
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
    const all = faults;
    faults = [];
    assert.deepEqual(all, []);
  });
  after(() => browser?.close());
  return {
    async open(address, { width = 1280, scheme = 'light' } = {}) {
      const context = await browser!.newContext({
        viewport: { width, height: 900 },
        colorScheme: scheme,
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(15_000);
      const page = await context.newPage();
      const fault = (text: string): void => {
        if (!expected.test(text)) faults.push(text);
      };
      page.on('request', (request) => {
        const url = request.url();
        if (url !== address && !url.startsWith('data:') && !isOwn(url)) fault(`request ${url}`);
      });
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) fault(`console ${message.text()}`);
      });
      page.on('pageerror', (error) => fault(`error ${error.message}`));
      opened.push(page);
      await page.goto(address);
      return page;
    },
  };
}

export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
