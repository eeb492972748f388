// Screenshots of the page for the README, from the corpus of `asof demo`: `node --import tsx
// packages/server/test/http/screenshots.ts` writes docs/images. Needs a build and a Chromium.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asof } from '../../../../test/cli/spawn.js';
import { chromiumPath, howToGet, startChromium } from '../../../pages/test/chromium.js';

const images = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
/** Bytes of an image, at most. */
const most = 150_000;

const shots = [
  {
    name: 'page-desktop',
    question: 'Who is the chief executive of AMD?',
    options: ['--asked-at', '2013-06-01', '-k', '4'],
    viewport: { width: 1160, height: 860 },
    scheme: 'light',
    scale: 1,
  },
  {
    name: 'page-compare',
    question: 'Who is the chief executive of AMD?',
    options: ['--asked-at', '2013-06-01', '-k', '4'],
    viewport: { width: 1160, height: 560 },
    scheme: 'light',
    scale: 1,
    compared: true,
  },
  {
    name: 'page-phone',
    question: "What is the world record in the men's 100 metres?",
    options: ['--asked-at', '2008-07-01', '-k', '4'],
    viewport: { width: 390, height: 860 },
    scheme: 'dark',
    scale: 1.5,
  },
] as const;

async function run(args: readonly string[]): Promise<void> {
  const { code, stderr } = await asof(args);
  if (code !== 0) throw new Error(`asof ${args.join(' ')}: ${stderr}`);
}

const path = chromiumPath();
if (path === undefined) throw new Error(howToGet);
const work = mkdtempSync(join(tmpdir(), 'asof-screenshots-'));
const browser = await startChromium(path);
try {
  mkdirSync(images, { recursive: true });
  const corpus = join(work, 'demo.asof');
  await run(['demo', '--dir', corpus, '--json']);
  for (const { name, question, options, viewport, scheme, scale, ...shot } of shots) {
    const file = join(work, `${name}.html`);
    await run(['ask', corpus, question, ...options, '--html', file, '--json']);
    const context = await browser.newContext({
      viewport,
      colorScheme: scheme,
      deviceScaleFactor: scale,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('#timeline svg.marks');
    if ('compared' in shot) {
      const button = page.getByRole('button', { name: 'Compare with another time' });
      await button.click();
      await page.getByRole('slider').press('End');
      const stop = page.getByRole('button', { name: 'Stop comparing' });
      await page.locator('.sides').waitFor();
      await stop.evaluate((element) => element.scrollIntoView());
    }
    const image = join(images, `${name}.png`);
    writeFileSync(image, await page.screenshot());
    const { size } = statSync(image);
    if (size > most) throw new Error(`Expected ${name} below ${most} bytes, it has ${size}.`);
    console.log(`${name}.png ${(size / 1000).toFixed(0)} kB`);
    await context.close();
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
